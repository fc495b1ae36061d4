// Gives every new word to the screen reader exactly once, also when the same text comes twice.
import { h } from "./dom.js";

const KEPT = 6; // lines left standing in a region for a reader who looks back
const MISSED = 10000; // ms without contact after which only the newest words still matter

export class Announcer {
  // `polite` and `urgent` are log regions: a line added to them is read out, lines that go are not.
  constructor(polite, urgent) {
    this.polite = polite;
    this.urgent = urgent;
    this.run = null;
    this.last = 0;
  }

  // Returns the words of this state that are new, in order, and announces them.
  take(state, gap = 0) {
    const newest = state.said.at(-1)?.n ?? 0;
    const known = this.run === state.run;
    let fresh = known ? state.said.filter((words) => words.n > this.last) : [];
    this.run = state.run;
    this.last = newest;
    if (gap > MISSED) fresh = fresh.slice(-1);
    for (const words of fresh) this.say(words);
    return fresh;
  }

  say(words) {
    if (!words.text) return;
    const region = words.kind === "alert" ? this.urgent : this.polite;
    region.append(h("p", { data: { n: words.n ?? "" } }, words.text));
    while (region.childElementCount > KEPT) region.firstElementChild.remove();
  }
}
