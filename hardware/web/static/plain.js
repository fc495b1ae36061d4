// What a page without a stream of its own does: it tells whether the camera is on.
import { $ } from "./dom.js";
import { drawSign } from "./sign.js";

const EVERY = 5000; // ms

async function look() {
  try {
    drawSign($("camera"), (await (await fetch("/camera.json", { cache: "no-store" })).json()).camera);
  } catch {
    drawSign($("camera"), "unknown");
  }
}

look();
setInterval(look, EVERY);
