// The bar at the top that says when what is shown is out of date, or what the installation needs.
import { $, h, show, word } from "./dom.js";

let stale = null;
let notice = null;

function draw() {
  const bar = $("link");
  document.body.classList.toggle("stale", Boolean(stale));
  bar.classList.toggle("lost", Boolean(stale));
  // Only the first words are announced; the seconds that run are for the eye.
  show(bar, [Boolean(stale), notice], () =>
    stale
      ? [h("strong", {}, word("link.lost")), h("span", { id: "link-detail", "aria-hidden": "true" })]
      : notice
        ? h("strong", {}, notice)
        : [],
  );
  const detail = $("link-detail");
  if (detail && stale) detail.textContent = word("link.lost-long", { seconds: stale.seconds });
}

export const linkBar = {
  link({ fresh, seconds }) {
    stale = fresh ? null : { seconds };
    draw();
  },
  notice(text) {
    if (text === notice) return;
    notice = text;
    draw();
  },
};
