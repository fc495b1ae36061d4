// The camera's picture with what was read drawn over it; shown only while the dealer wants it.
import { cardName } from "./cards.js";
import { $, h, word } from "./dom.js";

const PAUSE = 400; // ms between two pictures
const RETRY = 3000;

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
  box.replaceChildren(sign, frame, none);

  function markOf(mark) {
    const text = mark.code === "??" ? "?" : `${mark.code[0] === "T" ? "10" : mark.code[0]}${{ c: "♣\uFE0E", d: "♦\uFE0E", h: "♥\uFE0E", s: "♠\uFE0E" }[mark.code[1]] ?? "?"}`;
    const node = h("button", { type: "button", cls: "mark", "aria-label": cardName(mark.code), onclick: () => onMark(mark) }, text);
    node.style.left = `${mark.u * 100}%`;
    node.style.top = `${mark.v * 100}%`;
    return node;
  }

  async function drawMarks() {
    try {
      const answer = await fetch("/dealer/marks", { cache: "no-store" });
      const found = answer.ok ? await answer.json() : [];
      const text = JSON.stringify(found);
      if (marks.dataset.shown === text || marks.contains(document.activeElement)) return;
      marks.dataset.shown = text;
      marks.replaceChildren(...found.map(markOf));
    } catch {
      marks.replaceChildren();
    }
  }

  function next() {
    if (!showing) return;
    count += 1;
    image.src = `/dealer/picture.jpg?n=${count}`;
    drawMarks();
  }

  const seen = (good) => {
    frame.hidden = sign.hidden = !good;
    none.hidden = good;
    setTimeout(next, good ? PAUSE : RETRY);
  };
  image.addEventListener("load", () => seen(true));
  image.addEventListener("error", () => seen(false));
  toggle.addEventListener("click", () => {
    showing = !showing;
    box.hidden = !showing;
    toggle.setAttribute("aria-expanded", String(showing));
    toggle.textContent = word(showing ? "console.picture-hide" : "console.picture-show");
    if (showing) next();
    else image.removeAttribute("src");
  });
}
