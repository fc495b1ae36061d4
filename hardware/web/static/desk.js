// The dealer's switches: pause, camera, the seats' names, and the replay of the last rounds.
import { $, h, show as showOnce, word } from "./dom.js";
import { Player } from "./player.js";
import { wireDialog } from "./settings.js";
import { drawSign } from "./sign.js";

let paused = false;
let cameraOn = true;
let seats = [];
let showReplay = () => {};

const LEAD = 5; // s before an alert from which it is watched

export function takeDesk(state) {
  paused = state.paused;
  cameraOn = state.camera !== "off";
  seats = state.seats;
  drawSign($("camera"), state.camera);
  $("pause").classList.toggle("sure", paused);
  showOnce($("pause"), `${paused}`, () => h("span", {}, word(paused ? "console.resume" : "console.pause")));
  showOnce($("camera-switch"), `${cameraOn}`, () => h("span", {}, word(cameraOn ? "console.camera-off" : "console.camera-on")));
  document.body.classList.toggle("camera-off", !cameraOn);
}

function nameField(seat) {
  const id = `name-${seat.number}`;
  return h(
    "p",
    {},
    h("label", { for: id }, word("seat.label", { number: seat.number })),
    h("input", { id, type: "text", value: seat.name, maxlength: 24, autocomplete: "off", data: { seat: seat.number }, "aria-describedby": "names-error" }),
  );
}

function wireNames(change) {
  wireDialog($("open-names"), $("names"), () => {
    $("names-error").textContent = "";
    $("name-fields").replaceChildren(...seats.map(nameField));
  });
  $("names-form").addEventListener("submit", async (event) => {
    event.preventDefault();
    const names = Object.fromEntries([...$("name-fields").querySelectorAll("input")].map((field) => [field.dataset.seat, field.value.trim()]));
    const fault = await change("/dealer/names", { names });
    $("names-error").textContent = fault ?? "";
    if (!fault) $("names").close();
  });
}

function wireReplay() {
  const player = new Player(word("replay.scrub"));
  const none = h("p", { cls: "quiet" }, word("replay.none"));
  const choices = [false, true].map((last) => h("button", { type: "button", "aria-pressed": "false", onclick: () => load(last) }, word(last ? "replay.last" : "replay.now")));
  $("replay").replaceChildren(h("div", { cls: "tools" }, choices), none, player.node);

  // From where an alert of these words is watched; the first picture where there is none.
  function placeOf(text, stills, told) {
    const alert = text && told.findLast((one) => one.kind === "alert" && one.text === text);
    return alert ? Math.max(0, stills.findIndex(({ t }) => t >= alert.t - LEAD)) : 0;
  }

  async function load(last, text = null) {
    choices.forEach((button, i) => button.setAttribute("aria-pressed", String(Boolean(i) === last)));
    let found = { stills: [], told: [] };
    try {
      const answer = await fetch(`/dealer/replay?last=${last}`, { cache: "no-store" });
      if (answer.ok) found = await answer.json();
    } catch {
      // The bar at the top says that there is no contact.
    }
    none.hidden = found.stills.length > 0;
    player.node.hidden = !found.stills.length;
    player.load(found.stills.map(({ n, t }) => ({ url: `/dealer/replay/${n}.jpg`, t })), found.told, placeOf(text, found.stills, found.told));
  }

  const toggle = $("replay-toggle");
  function show(open) {
    $("replay").hidden = !open;
    toggle.setAttribute("aria-expanded", String(open));
    toggle.textContent = word(open ? "replay.hide" : "replay.show");
  }
  toggle.addEventListener("click", () => {
    const open = $("replay").hidden;
    show(open);
    if (open) load(true);
    else player.stop();
  });
  showReplay = async (text) => {
    show(true);
    await load(false, text);
    player.range.focus();
    player.node.scrollIntoView({ block: "nearest" });
  };
}

// Opens the replay of this round a little before an alert of these words.
export const watchAlert = (text) => showReplay(text);

// `change(url, body)` sends a change and reports how it went; resolves to the fault, null for none.
export function wireDesk(change) {
  $("pause").addEventListener("click", () => change("/dealer/pause", { on: !paused }));
  $("camera-switch").addEventListener("click", () => change("/dealer/camera", { on: !cameraOn }));
  wireNames(change);
  wireReplay();
}
