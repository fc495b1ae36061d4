// The chips: what each colour is worth, and how it looks to this camera.
import { ask } from "./ask.js";
import { Board } from "./board.js";
import { $, h, word } from "./dom.js";
import { faultLine, selectField, showFaults, textField } from "./form.js";
import { live, pictureUrl, takePicture } from "./step-picture.js";
import { at, changed, settled, store } from "./store.js";

let chosen = null;
let board = null;
let cross = null;

const name = (index) => word(`color.${at(`chips.${index}.color`)}`);

function swatches(index) {
  const samples = at(`chips.${index}.samples`) ?? [];
  return samples.map(([r, g, b], i) => {
    const node = h("span", { cls: "swatch", role: "img", "aria-label": word(i ? "setup.face-color" : "setup.rim-color", { r, g, b }) });
    node.style.background = `rgb(${r} ${g} ${b})`;
    return node;
  });
}

function row(index) {
  const pressed = chosen === index;
  const shown = (at(`chips.${index}.samples`) ?? []).length > 0;
  return h(
    "li",
    { cls: "chip-row" },
    selectField(`chips.${index}.color`, word("setup.color"), store.offer.colors.map((color) => [color, word(`color.${color}`)]), { onchange: drawRows }),
    textField(`chips.${index}.value`, word("setup.value"), { number: true }),
    h(
      "div",
      { cls: "row" },
      h("button", { type: "button", "aria-pressed": String(pressed), onclick: () => choose(index), data: { show: index } }, word("setup.show-chip", { color: name(index) })),
      swatches(index),
      shown && h("button", { type: "button", onclick: () => forget(index) }, word("setup.forget-color"), h("span", { cls: "hidden" }, `: ${name(index)}`)),
      store.draft.chips.length > 1 && h("button", { type: "button", onclick: () => remove(index) }, word("setup.remove"), h("span", { cls: "hidden" }, `: ${name(index)}`)),
    ),
    faultLine(`chips.${index}.samples`),
  );
}

function drawRows() {
  const focused = document.activeElement?.dataset?.show;
  const path = document.activeElement?.dataset?.path;
  $("chips").replaceChildren(...store.draft.chips.map((_, index) => row(index)));
  showFaults();
  if (focused !== undefined) $("chips").querySelector(`[data-show="${focused}"]`)?.focus();
  if (path) $("chips").querySelector(`[data-path="${path}"]`)?.focus();
}

function choose(index) {
  chosen = index;
  $("chip-told").textContent = word("setup.tap-chip", { color: name(index) });
  drawRows();
}

function forget(index) {
  store.draft.chips[index].samples = [];
  changed();
  drawRows();
}

function remove(index) {
  store.draft.chips.splice(index, 1);
  chosen = null;
  changed();
  drawRows();
  $("add-chip").focus();
}

function add() {
  const used = new Set(store.draft.chips.map((chip) => chip.color));
  store.draft.chips.push({ color: store.offer.colors.find((color) => !used.has(color)) ?? "white", value: "", samples: [] });
  changed();
  drawRows();
  $("chips").lastElementChild.querySelector("select").focus();
}

async function sample(px, py) {
  $("chip-fault").textContent = chosen === null ? word("setup.choose-chip") : "";
  if (chosen === null) return;
  await settled();
  const { data, fault } = await ask("/api/sample", { px, py });
  $("chip-fault").textContent = fault ?? "";
  if (fault) return;
  store.draft.chips[chosen].samples = data.samples;
  const other = data.name !== at(`chips.${chosen}.color`) ? word("setup.looks-like", { color: word(`color.${data.name}`) }) : "";
  $("chip-told").textContent = `${word("setup.chip-taken", { color: name(chosen) })} ${other}`;
  changed();
  drawRows();
}

export function chipsStep() {
  board = new Board($("chips-board"), { step: 2, far: 20, onTap: (px, py) => {
    cross = { px, py };
    sample(px, py);
  } });
  $("add-chip").addEventListener("click", add);
  $("take-color").addEventListener("click", () => cross && sample(cross.px, cross.py));
  $("fresh-chips").addEventListener("click", async () => {
    $("chip-fault").textContent = (await takePicture()) ?? "";
  });
  return {
    open: drawRows,
    draw(state) {
      $("fresh-chips").hidden = !live();
      const can = Boolean(state.picture && state.sight);
      $("chips-board").hidden = $("take-color").hidden = !can;
      if (!can) return;
      cross ??= { px: state.picture.width / 2, py: state.picture.height / 2 };
      board.show(pictureUrl(state.picture), state.picture.width, state.picture.height, word("setup.taken-alt"));
      board.put([{ id: "cross", label: word("setup.cross"), ...cross, cls: "cross", onMove: (px, py) => {
        cross = { px, py };
      } }]);
    },
  };
}
