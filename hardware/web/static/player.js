// A row of pictures with a scrubber: drawn by hand, step by step, or played at their own pace.
import { h, word } from "./dom.js";

const LONGEST = 1200; // ms between two pictures, however long nothing happened
const BEFORE = 0.5; // s that words may be late after the picture they belong to

// What was said last at a time, and whether it is still of that moment.
function wordsAt(told, t) {
  return told.findLast((one) => one.t <= t + BEFORE) ?? null;
}

export class Player {
  constructor(label) {
    this.image = h("img", { alt: "", width: 960, height: 540 });
    this.range = h("input", { type: "range", min: 0, max: 0, step: 1, value: 0, "aria-label": label });
    this.play = h("button", { type: "button", cls: "play" }, word("replay.play"));
    const step = (by, key) => h("button", { type: "button", "aria-label": word(key), onclick: () => this.go(this.at + by) }, by < 0 ? "◀\uFE0E" : "▶\uFE0E");
    this.words = h("p", { cls: "replay-words" });
    this.clock = h("span", { cls: "replay-clock" });
    this.node = h("div", { cls: "player" }, this.image, this.words, this.range, h("div", { cls: "tools" }, step(-1, "replay.back"), this.play, step(1, "replay.next"), this.clock));
    this.stills = [];
    this.told = [];
    this.at = 0;
    this.timer = 0;
    this.range.addEventListener("input", () => {
      this.stop();
      this.go(Number(this.range.value));
    });
    this.play.addEventListener("click", () => (this.timer ? this.stop() : this.start()));
    this.image.addEventListener("error", () => this.stop());
  }

  // `stills`: [{url, t}], t in seconds; `told`: [{t, kind, text}].
  load(stills, told = [], at = 0) {
    this.stop();
    this.stills = stills;
    this.told = told;
    this.range.max = Math.max(0, stills.length - 1);
    this.go(at);
  }

  go(at) {
    if (!this.stills.length) return;
    this.at = Math.min(Math.max(at, 0), this.stills.length - 1);
    const { url, t } = this.stills[this.at];
    const since = Math.round(t - this.stills[0].t);
    const said = wordsAt(this.told, t);
    const clock = word("replay.clock", { seconds: since, all: Math.round(this.stills.at(-1).t - this.stills[0].t) });
    this.image.src = url;
    this.image.alt = word("replay.alt", { seconds: since });
    this.range.value = this.at;
    this.range.setAttribute("aria-valuetext", said ? `${clock}: ${said.text}` : clock);
    this.clock.textContent = clock;
    this.words.textContent = said ? said.text : "";
    this.words.classList.toggle("alerted", said?.kind === "alert");
  }

  start() {
    if (this.at >= this.stills.length - 1) this.go(0);
    this.play.textContent = word("replay.stop");
    this.next();
  }

  next() {
    const now = this.stills[this.at];
    const then = this.stills[this.at + 1];
    if (!then) {
      this.stop();
      return;
    }
    this.timer = setTimeout(() => {
      this.go(this.at + 1);
      this.next();
    }, Math.min((then.t - now.t) * 1000, LONGEST));
  }

  stop() {
    clearTimeout(this.timer);
    this.timer = 0;
    this.play.textContent = word("replay.play");
  }
}
