// Draws the moves that mend a mistake as arrows between the places on the page.
import { s } from "./dom.js";

const BEND = 0.16;
const PANEL = 560; // px of height up to which lines and letters are as the style says; larger screens have larger ones
const SHORT = 70; // px between two boxes under which an arrow starts and ends inside them

function middleOf(element) {
  const box = element.getBoundingClientRect();
  return { x: box.left + box.width / 2, y: box.top + box.height / 2, w: box.width, h: box.height };
}

// The point where the line from a box's middle towards `other` leaves the box.
function rim(box, other, depth) {
  const dx = other.x - box.x;
  const dy = other.y - box.y;
  const reach = Math.max(Math.abs(dx) / (box.w / 2 || 1), Math.abs(dy) / (box.h / 2 || 1)) || 1;
  const part = Math.min(depth / reach, 0.45);
  return { x: box.x + dx * part, y: box.y + dy * part };
}

function gapBetween(a, b) {
  return Math.max(Math.abs(a.x - b.x) - (a.w + b.w) / 2, Math.abs(a.y - b.y) - (a.h + b.h) / 2);
}

function arrow(from, to, text) {
  const near = gapBetween(from, to) < SHORT;
  const start = rim(from, to, near ? 0.35 : 0.8);
  const end = rim(to, from, near ? 0.55 : 0.97);
  const dx = end.x - start.x;
  const dy = end.y - start.y;
  const bend = { x: (start.x + end.x) / 2 - dy * BEND, y: (start.y + end.y) / 2 + dx * BEND };
  const mid = { x: (start.x + end.x) / 4 + bend.x / 2, y: (start.y + end.y) / 4 + bend.y / 2 };
  const d = `M${start.x} ${start.y}Q${bend.x} ${bend.y} ${end.x} ${end.y}`;
  const label = s("text", { x: mid.x, y: mid.y, class: "move-text" });
  label.textContent = text;
  const plate = s("rect", { class: "move-plate", rx: 6 });
  return { d, label, plate, mid };
}

// One arrow for each pair of places; the cards that go the same way share it.
export function grouped(moves) {
  const ways = new Map();
  for (const move of moves) {
    const way = `${move.from}>${move.to}`;
    ways.set(way, { from: move.from, to: move.to, cards: [...(ways.get(way)?.cards ?? []), move.card] });
  }
  return [...ways.values()];
}

export function drawMoves(svg, moves, elementOf, cardText) {
  const frame = svg.getBoundingClientRect();
  svg.setAttribute("viewBox", `0 0 ${frame.width} ${frame.height}`);
  svg.style.setProperty("--k", Math.min(Math.max(frame.height / PANEL, 1), 4));
  const head = s(
    "marker",
    { id: "head", viewBox: "0 0 10 10", refX: 8, refY: 5, markerWidth: 4.2, markerHeight: 4.2, orient: "auto-start-reverse" },
    s("path", { d: "M0 0 10 5 0 10Z", class: "move-head" }),
  );
  svg.replaceChildren(s("defs", {}, head));
  const labels = [];
  for (const way of grouped(moves)) {
    const from = elementOf(way.from);
    const to = elementOf(way.to);
    if (!from || !to) continue;
    const shift = (point) => ({ ...point, x: point.x - frame.left, y: point.y - frame.top });
    const made = arrow(shift(middleOf(from)), shift(middleOf(to)), way.cards.map(cardText).join(" "));
    svg.append(s("path", { d: made.d, class: "move-rim" }), s("path", { d: made.d, class: "move-line", "marker-end": "url(#head)" }));
    labels.push(made);
  }
  for (const { label, plate, mid } of labels) {
    svg.append(plate, label);
    const box = label.getBBox();
    Object.entries({ x: box.x - 6, y: box.y - 2, width: box.width + 12, height: box.height + 4 }).forEach(([name, value]) =>
      plate.setAttribute(name, value),
    );
    label.setAttribute("x", mid.x);
  }
}
