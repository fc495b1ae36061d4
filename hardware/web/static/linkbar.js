// The bar at the top that says when what is shown is out of date, or what the installation needs.
import { $, h, show, word } from "./dom.js";

let stale = null;
let notices = [];

function draw() {
  const bar = $("link");
  document.body.classList.toggle("stale", Boolean(stale));
  bar.classList.toggle("lost", Boolean(stale));
  // Only the first words are announced; the seconds that run are for the eye.
  show(bar, [Boolean(stale), notices], () =>
    stale
      ? [h("strong", {}, word("link.lost")), h("span", { id: "link-detail", "aria-hidden": "true" })]
      : notices.map((notice) => h("strong", {}, notice)),
  );
  const detail = $("link-detail");
  if (detail && stale) detail.textContent = word("link.lost-long", { seconds: stale.seconds });
}

export const linkBar = {
  link({ fresh, seconds }) {
    stale = fresh ? null : { seconds };
    draw();
  },
  // What the dealer has switched and what the installation needs, as the newest state has it.
  state({ notice, paused, camera }) {
    const own = notice && !(camera === "off" && notice === "camera-lost") ? notice : null;
    const next = [
      camera === "off" && word("notice.camera-off"),
      paused && word("notice.paused"),
      own && (word(`notice.${own}`) || word("notice.other")),
    ].filter(Boolean);
    if (next.join() === notices.join()) return;
    notices = next;
    draw();
  },
};
