// The set-up wizard: its steps, and what every step shares.
import { refresh, showFaults, checkList } from "./form.js";
import { $, h, show, word } from "./dom.js";
import { wireSettings } from "./settings.js";
import { chipsStep } from "./step-chips.js";
import { pictureStep } from "./step-picture.js";
import { placesStep } from "./step-places.js";
import { rulesStep } from "./step-rules.js";
import { saveStep } from "./step-save.js";
import { tableStep } from "./step-table.js";
import { tryStep } from "./step-try.js";
import { follow, hear, open, settled, store } from "./store.js";

const NAMES = ["picture", "table", "places", "chips", "rules", "try", "save"];
// Which of the draft's faults belong to which step, by how their paths begin.
const HOMES = { picture: ["picture", "camera"], table: ["corners", "middles", "markers", "how", "height", "lens"], chips: ["chips"], rules: ["rules"] };
const CHECKS = { picture: ["light", "glare", "focus"], table: ["light", "glare", "focus", "card"], places: ["card", "fits", "crowded"] };
const steps = {};
let now = "picture";

export function stepOf(path) {
  const first = path.split(".")[0];
  return Object.keys(HOMES).find((name) => HOMES[name].includes(first)) ?? "places";
}

function stepState(name) {
  const errors = Object.keys(store.state?.errors ?? {});
  if (name === "try") return "";
  if (name === "save") return store.state?.saved ? "done" : "";
  // Without a picture nobody has said yet where the table is.
  if (errors.includes("picture") && (name === "table" || name === "places")) return "";
  return errors.some((path) => stepOf(path) === name) ? "open" : "done";
}

function drawSteps() {
  show($("steps"), [now, NAMES.map(stepState)], () =>
    NAMES.map((name, index) => {
      const state = stepState(name);
      const mark = state === "done" ? "✓" : state === "open" ? "!" : "";
      return h(
        "li",
        {},
        h("button", { type: "button", "aria-current": name === now ? "step" : null, onclick: () => go(name) }, `${index + 1}. ${word(`setup.step-${name}`)} `, mark && h("span", { "aria-hidden": "true" }, mark), state && h("span", { cls: "hidden" }, word(`setup.is-${state}`))),
      );
    }),
  );
}

export function go(name) {
  now = name;
  for (const other of NAMES) $(`step-${other}`).hidden = other !== name;
  $("back").hidden = name === NAMES[0];
  $("next").hidden = name === NAMES.at(-1);
  steps[name].open?.();
  drawAll();
  $(`title-${name}`).focus();
  window.scrollTo(0, 0);
}

function drawChecks() {
  for (const list of document.querySelectorAll("[data-checks]")) {
    const checks = (store.state?.checks ?? []).filter((check) => CHECKS[list.dataset.checks].includes(check.name));
    show(list, checks, () => checkList(checks));
  }
}

function drawAll() {
  drawSteps();
  drawChecks();
  steps[now].draw?.(store.state);
  refresh($("main"));
  showFaults();
}

function move(by) {
  settled();
  go(NAMES[NAMES.indexOf(now) + by]);
}

async function begin() {
  const fault = await open();
  if (fault) {
    $("lost").textContent = fault;
    return;
  }
  Object.assign(steps, { picture: pictureStep(), table: tableStep(), places: placesStep(), chips: chipsStep(), rules: rulesStep(), try: tryStep(), save: saveStep(go, stepOf) });
  follow(drawAll);
  hear(() => refresh($("main")));
  $("back").addEventListener("click", () => move(-1));
  $("next").addEventListener("click", () => move(1));
  wireSettings(["theme", "contrast"]);
  $("main").removeAttribute("aria-busy");
  for (const name of NAMES) $(`step-${name}`).hidden = name !== now;
  $("back").hidden = true;
  drawAll();
}

begin();
