// The sign that a camera is on, off or gone; it stands on every page.
import { h, show, word } from "./dom.js";

export function drawSign(node, camera) {
  node.classList.add("camera-sign");
  node.dataset.camera = camera;
  show(node, camera, () => [h("span", { cls: "dot", "aria-hidden": "true" }), h("span", {}, word(`camera.${camera}`))]);
}

export function signPart(camera) {
  const node = h("span", {});
  drawSign(node, camera);
  return node;
}
