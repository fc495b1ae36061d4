// The camera's picture with what was read drawn over it; shown only while the dealer wants it.
import { cardName } from "./cards.js";
import { $, h, word } from "./dom.js";

const PAUSE = 400; // ms between two pictures
const RETRY = 3000;
const ABOVE = 34; // px from a card's middle up to its mark's
const MARK = 46; // px from one mark to the next: a finger's breadth

// Where marks go so that none covers another: cards of a fan lie far closer together than fingers are broad.
export function laidApart(points, width, height) {
  const placed = [];
  const taken = (x, y) => placed.some((other) => Math.abs(other.x - x) < MARK && Math.abs(other.y - y) < MARK);
  const inside = (value, size) => Math.min(Math.max(value, MARK / 2), Math.max(size - MARK / 2, MARK / 2));
  for (const { u, v } of points) {
    let x = inside(u * width, width);
    let y = inside(v * height - ABOVE, height); // beside its card, which is to be seen
    for (let tries = 0; taken(x, y) && tries < 200; tries += 1) {
      x += MARK;
      if (x > width - MARK / 2) [x, y] = [MARK / 2, inside(y + MARK, height)];
    }
    placed.push({ x, y });
  }
  return placed;
}

export function wirePicture({ onMark }) {
  const box = $("picture");
  const toggle = $("picture-toggle");
  let showing = false;
  let count = 0;
  const image = h("img", { alt: word("console.picture-alt") });
  const marks = h("div", { cls: "marks" });
  const sign = h("p", { cls: "picture-note" }, word("console.picture-on"));
  const none = h("p", { cls: "quiet" }, word("console.picture-none"));
  const frame = h("div", { cls: "frame" }, image, marks);
  const view = h("div", { cls: "view", tabindex: "0", role: "group", "aria-labelledby": "picture-title" }, frame);
  box.replaceChildren(sign, view, none);

  function markOf(mark) {
    const text = mark.code === "??" ? "?" : `${mark.code[0] === "T" ? "10" : mark.code[0]}${{ c: "♣\uFE0E", d: "♦\uFE0E", h: "♥\uFE0E", s: "♠\uFE0E" }[mark.code[1]] ?? "?"}`;
    const node = h("button", { type: "button", cls: "mark", "aria-label": cardName(mark.code), onclick: () => onMark(mark) }, text);
    return node;
  }

  function layMarks(found) {
    const { clientWidth, clientHeight } = frame;
    const places = laidApart(found, clientWidth, clientHeight);
    const nodes = found.map(markOf);
    nodes.forEach((node, i) => {
      node.style.left = `${(100 * places[i].x) / clientWidth}%`;
      node.style.top = `${(100 * places[i].y) / clientHeight}%`;
    });
    marks.replaceChildren(...nodes);
  }

  async function drawMarks() {
    try {
      const answer = await fetch("/dealer/marks", { cache: "no-store" });
      const found = answer.ok ? await answer.json() : [];
      const text = JSON.stringify([found, frame.clientWidth, frame.clientHeight]);
      if (marks.dataset.shown === text || marks.contains(document.activeElement)) return;
      marks.dataset.shown = text;
      layMarks(found);
    } catch {
      marks.replaceChildren();
    }
  }

  function next() {
    if (!showing) return;
    count += 1;
    image.src = `/dealer/picture.jpg?n=${count}`;
  }

  const seen = (good) => {
    view.hidden = sign.hidden = !good;
    none.hidden = good;
    if (good) drawMarks();
    setTimeout(next, good ? PAUSE : RETRY);
  };
  image.addEventListener("load", () => seen(true));
  image.addEventListener("error", () => seen(false));
  toggle.addEventListener("click", () => {
    showing = !showing;
    box.hidden = !showing;
    document.body.classList.toggle("watching", showing);
    toggle.setAttribute("aria-expanded", String(showing));
    toggle.textContent = word(showing ? "console.picture-hide" : "console.picture-show");
    if (showing) next();
    else image.removeAttribute("src");
  });
}
