// The places on the felt: from a template, then each moved on the picture or typed in millimetres.
import { ask } from "./ask.js";
import { Board } from "./board.js";
import { $, h, word } from "./dom.js";
import { radios, showFaults, textField } from "./form.js";
import { pictureUrl } from "./step-picture.js";
import { at, changed, settled, store, take } from "./store.js";

const PARTS = { circle: ["cx", "cy"], cards: ["x", "y"], insurance: ["ix", "iy"] };
const COMMON = ["dealer", "shoe", "discard"];
let chosen = "seats.0";
let board = null;
let drawn = "";

function templateForm() {
  const kinds = store.offer.kinds.map((kind) => [kind, word(`setup.kind-${kind}`)]);
  const counts = h("select", { id: "seats" }, [1, 2, 3, 4, 5, 6, 7].map((n) => h("option", { value: n }, String(n))));
  counts.value = at("template.seats");
  counts.addEventListener("change", () => {
    store.draft.template.seats = counts.value;
    changed();
  });
  const kind = radios("kind", word("setup.kind"), kinds, at("template.kind"), (value) => {
    store.draft.template.kind = value;
    changed();
  });
  const fault = h("p", { cls: "field-error", id: "template-fault", role: "alert" });
  return [kind, h("div", { cls: "field" }, h("label", { for: "seats" }, word("setup.seats")), counts), h("button", { type: "submit" }, word("setup.lay-out")), h("p", { cls: "about" }, word("setup.lay-out-about")), fault];
}

async function layOut(event) {
  event.preventDefault();
  await settled();
  const { data, fault } = await ask("/api/template", { kind: at("template.kind"), seats: Number(at("template.seats")) });
  $("template-fault").textContent = fault ?? "";
  if (fault) return;
  chosen = "seats.0";
  drawn = "";
  take(data);
}

async function findCircles() {
  await settled();
  const { data, fault } = await ask("/api/circles", {});
  $("circles-told").textContent = fault ?? word("setup.circles-found", { found: data.found, count: data.draft.seats.length });
  if (!fault) take(data);
}

const names = () => [...store.draft.seats.map((_, i) => `seats.${i}`), ...COMMON];
const nameOf = (what) => (what.startsWith("seats.") ? word("seat.label", { number: Number(what.slice(6)) + 1 }) : word(`setup.place-${what}`));

export function choosePlace(path) {
  const what = path.split(".").slice(0, path.startsWith("seats.") ? 2 : 1).join(".");
  if (names().includes(what)) {
    chosen = what;
    drawn = "";
  }
}

function chooser(state) {
  const faulty = (what) => Object.keys(state.errors).some((path) => path.startsWith(`${what}.`));
  return radios("place", word("setup.which-place"), names().map((what) => [what, faulty(what) ? `${nameOf(what)} !` : nameOf(what)]), chosen, (what) => {
    choosePlace(what);
    draw(store.state);
    showFaults();
  });
}

const pair = (path, x, y, label, about = "") =>
  h("fieldset", { cls: "cell" }, h("legend", {}, label), about && h("p", { cls: "about" }, about), textField(`${path}.${x}`, word("setup.felt-x"), { number: true, unit: "mm" }), textField(`${path}.${y}`, word("setup.felt-y"), { number: true, unit: "mm" }));

function fields() {
  if (!chosen.startsWith("seats.")) return [h("div", { cls: "cells" }, pair(chosen, "x", "y", nameOf(chosen), word(`setup.place-${chosen}-about`)))];
  const circle = pair(chosen, "cx", "cy", word("setup.circle"));
  circle.append(textField(`${chosen}.r`, word("setup.radius"), { number: true, unit: "mm" }));
  return [
    h("div", { cls: "cells" }, h("div", { cls: "cell" }, textField(`${chosen}.name`, word("setup.name"), { about: word("setup.name-about") }), textField(`${chosen}.spoken`, word("setup.spoken"), { about: word("setup.spoken-about") })), circle, pair(chosen, "x", "y", word("setup.cards")), pair(chosen, "ix", "iy", word("setup.insurance"), word("setup.insurance-about"))),
    h("div", { cls: "row" }, h("button", { type: "button", onclick: addSeat }, word("setup.add-seat")), store.draft.seats.length > 1 && h("button", { type: "button", onclick: takeSeat }, word("setup.take-seat", { seat: nameOf(chosen) }))),
  ];
}

function renumbered() {
  store.draft.seats.forEach((seat, i) => {
    seat.number = i + 1;
  });
  drawn = "";
  changed();
  draw(store.state);
  $("title-places").focus();
}

function addSeat() {
  const index = Number(chosen.slice(6));
  const copy = { ...store.draft.seats[index], name: "", spoken: "" };
  for (const key of ["cx", "x", "ix"]) if (copy[key] !== "") copy[key] = String(Number(copy[key]) + 160);
  store.draft.seats.splice(index + 1, 0, copy);
  chosen = `seats.${index + 1}`;
  renumbered();
}

function takeSeat() {
  store.draft.seats.splice(Number(chosen.slice(6)), 1);
  chosen = "seats.0";
  renumbered();
}

async function moved(what, px, py) {
  const { data } = await ask("/api/felt", { pixels: [{ px, py }] });
  if (!data?.[0]) return;
  const part = what.split(".")[2];
  const home = part ? at(what.slice(0, what.lastIndexOf("."))) : at(what);
  const [x, y] = part ? PARTS[part] : ["x", "y"];
  home[x] = String(Math.round(data[0][0]));
  home[y] = String(Math.round(data[0][1]));
  changed();
}

const partOf = (what) => what.split(".")[2] ?? what;
const mine = (what) => what === chosen || what.startsWith(`${chosen}.`);

function handle(mark) {
  const part = mark.what.split(".")[2];
  const label = part ? `${nameOf(chosen)}, ${word(`setup.${part}`)}` : nameOf(mark.what);
  return { id: mark.what, label, px: mark.px, py: mark.py, cls: `place ${partOf(mark.what)}`, onMove: (px, py) => moved(mark.what, px, py) };
}

function draw(state) {
  const key = JSON.stringify([chosen, names(), names().map((what) => Object.keys(state.errors).some((path) => path.startsWith(`${what}.`)))]);
  if (key !== drawn) {
    const focused = document.activeElement?.dataset?.path;
    const radio = document.activeElement?.name === "place";
    $("chooser").replaceChildren(chooser(state));
    if (JSON.stringify([chosen, names()]) !== $("place-fields").dataset.shown) {
      $("place-fields").dataset.shown = JSON.stringify([chosen, names()]);
      $("place-fields").replaceChildren(...fields());
    }
    drawn = key;
    if (radio) $("chooser").querySelector(":checked")?.focus();
    else if (focused) document.querySelector(`[data-path="${focused}"]`)?.focus();
  }
  $("places-board").hidden = $("find-circles").hidden = !state.picture || !state.sight;
  if ($("places-board").hidden) return;
  board.show(pictureUrl(state.picture), state.picture.width, state.picture.height, word("setup.taken-alt"));
  const marks = state.marks ?? [];
  board.draw(marks.map((mark) => ({ points: mark.outline, cls: `mark ${partOf(mark.what)} ${mine(mark.what) ? "mine" : ""}`, closed: true })));
  if (marks.length) board.put(marks.filter((mark) => mine(mark.what)).map(handle));
}

export function placesStep() {
  board = new Board($("places-board"), { step: 2, far: 14, crowded: true });
  $("template").replaceChildren(...templateForm());
  $("template").addEventListener("submit", layOut);
  $("find-circles").addEventListener("click", findCircles);
  $("sizes").replaceChildren(
    h("div", { cls: "cell" }, textField("name", word("setup.table-name"))),
    h("fieldset", { cls: "cell" }, h("legend", {}, word("setup.card-size")), textField("card.0", word("setup.width"), { number: true, unit: "mm" }), textField("card.1", word("setup.long"), { number: true, unit: "mm" })),
    h("div", { cls: "cell" }, textField("chip", word("setup.chip-size"), { number: true, unit: "mm" })),
  );
  return { draw };
}
