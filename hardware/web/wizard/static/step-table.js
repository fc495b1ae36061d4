// The table in the picture: four corners with their sides, or four printed markers.
import { Board } from "./board.js";
import { $, h, show, word } from "./dom.js";
import { faultLine, radios, textField } from "./form.js";
import { pictureUrl } from "./step-picture.js";
import { at, changed, hear, put, store } from "./store.js";

const CORNERS = ["near-left", "near-right", "far-right", "far-left"];
const SIDES = ["near", "right", "far", "left"];
const pixel = (value) => String(Math.round(value * 10) / 10);
const number = (text) => Number(String(text).replace(",", "."));

function cornerFields() {
  return CORNERS.map((name, i) =>
    h(
      "fieldset",
      { cls: "cell" },
      h("legend", {}, word(`setup.corner-${name}`)),
      textField(`corners.${i}.px`, word("setup.pixel-x"), { number: true }),
      textField(`corners.${i}.py`, word("setup.pixel-y"), { number: true }),
      textField(`corners.${i}.x`, word("setup.felt-x"), { number: true, unit: "mm" }),
      textField(`corners.${i}.y`, word("setup.felt-y"), { number: true, unit: "mm" }),
    ),
  );
}

function markerFields() {
  return [0, 1, 2, 3].map((i) =>
    h(
      "fieldset",
      { cls: "cell" },
      h("legend", {}, word("setup.marker", { number: i + 1 })),
      textField(`markers.${i}.x`, word("setup.felt-x"), { number: true, unit: "mm" }),
      textField(`markers.${i}.y`, word("setup.felt-y"), { number: true, unit: "mm" }),
    ),
  );
}

function movedCorner(i) {
  return (px, py) => {
    Object.assign(store.draft.corners[i], { px: pixel(px), py: pixel(py) });
    changed();
  };
}

function movedMiddle(i) {
  return (px, py) => put(`middles.${i}`, { px: pixel(px), py: pixel(py) });
}

function handles(state) {
  const corners = store.draft.corners.map((corner, i) => ({ id: `corner-${i}`, label: word(`setup.corner-${CORNERS[i]}`), px: number(corner.px), py: number(corner.py), cls: "corner", onMove: movedCorner(i) }));
  const middles = SIDES.map((name, i) => {
    const dragged = at(`middles.${i}`);
    const found = dragged ? { px: number(dragged.px), py: number(dragged.py) } : (state.sight?.middles[i] ?? between(corners[i], corners[(i + 1) % 4]));
    return { id: `middle-${i}`, label: word(`setup.side-${name}`), ...found, cls: dragged ? "middle dragged" : "middle", onMove: movedMiddle(i) };
  });
  return [...middles, ...corners];
}

const between = (a, b) => ({ px: (a.px + b.px) / 2, py: (a.py + b.py) / 2 });

function shapes(state) {
  if (!state.sight) return [{ points: store.draft.corners.map((c) => [number(c.px), number(c.py)]), cls: "outline bad", closed: true }];
  return [{ points: state.sight.outline, cls: "outline", closed: true }, ...state.sight.edges.filter((edge) => edge.length).map((points) => ({ points, cls: "edge", closed: false }))];
}

function sidesText(sight) {
  if (!sight) return "";
  if (sight.kept) return word("setup.lens-kept");
  return `${word("setup.sides-found", { count: sight.found })} ${sight.found ? word("setup.bow", { bow: sight.bow }) : word("setup.no-sides")}`;
}

// The corners move on by one, for a camera that is mounted the other way round.
function turn() {
  const pixels = store.draft.corners.map(({ px, py }) => ({ px, py }));
  store.draft.corners.forEach((corner, i) => Object.assign(corner, pixels[(i + 1) % 4]));
  store.draft.middles = [1, 2, 3, 0].map((i) => store.draft.middles[i]);
  changed();
}

function lensFields() {
  const fields = [h("div", { cls: "cell" }, textField("height", word("setup.height"), { number: true, unit: "cm", about: word("setup.height-about") }))];
  if (store.offer.draft.lens === "file") fields.push(h("div", { cls: "cell" }, radios("lens", word("setup.lens"), [["file", word("setup.lens-file")], ["find", word("setup.lens-find")]], at("lens"), (value) => put("lens", value)), faultLine("lens")));
  return fields;
}

export function tableStep() {
  const board = new Board($("table-board"));
  const markers = new Board($("markers-board"));
  $("corner-fields").replaceChildren(...cornerFields());
  $("marker-fields").replaceChildren(...markerFields());
  $("lens-fields").replaceChildren(...lensFields());
  const choose = (how) => {
    put("how", how);
    draw(store.state);
  };
  const ways = { corners: word("setup.by-corners"), markers: word("setup.by-markers") };
  $("how").replaceChildren(radios("how", word("setup.how"), Object.entries(ways), at("how"), choose));
  $("turn").addEventListener("click", turn);
  $("find-again").addEventListener("click", () => put("middles", [null, null, null, null]));
  hear(() => !$("step-table").hidden && store.state.picture && board.put(handles(store.state)));
  function draw(state) {
    $("by-corners").hidden = at("how") !== "corners";
    $("by-markers").hidden = at("how") !== "markers";
    $("find-again").hidden = store.draft.middles.every((middle) => !middle);
    $("table-board").hidden = $("markers-board").hidden = !state.picture;
    show($("sides"), sidesText(state.sight), () => h("span", {}, sidesText(state.sight)));
    if (!state.picture) return;
    for (const each of [board, markers]) each.show(pictureUrl(state.picture), state.picture.width, state.picture.height, word("setup.taken-alt"));
    board.put(handles(state));
    board.draw(shapes(state));
    markers.draw(state.sight && at("how") === "markers" ? [{ points: state.sight.outline, cls: "outline", closed: true }] : []);
  }
  return { draw };
}
