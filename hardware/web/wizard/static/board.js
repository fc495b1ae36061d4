// A picture with things on it that are moved: by dragging, by a tap where they should be, or by the arrow keys.
import { h, s, word } from "./dom.js";

const LENS = 150; // CSS pixels of the magnifying glass
const TIMES = 5; // how much it enlarges the picture's own pixels
const ZOOMS = [1, 2, 4];
const STEPS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

export class Board {
  constructor(node, { step = 1, far = 10, onTap = null, crowded = false } = {}) {
    this.step = step;
    this.far = far;
    this.onTap = onTap;
    this.size = [0, 0];
    this.zoom = 0;
    this.handles = new Map();
    this.chosen = null;
    this.image = h("img", { alt: "" });
    this.shapes = s("svg", { "aria-hidden": "true", preserveAspectRatio: "none" });
    this.stage = h("div", { cls: "stage" }, this.image, this.shapes);
    this.scroller = h("div", { cls: "scroller", tabindex: "0", role: "region", "aria-label": word("setup.board") }, this.stage);
    this.lens = h("canvas", { cls: "lens", width: LENS, height: LENS, "aria-hidden": "true" });
    // On a phone several things of one seat are too near to one another unless the picture is enlarged.
    if (crowded && window.innerWidth < 600) this.zoom = 1;
    this.stage.style.width = `${ZOOMS[this.zoom] * 100}%`;
    this.zoomer = h("button", { type: "button", onclick: () => this.enlarge() }, word("setup.enlarge"));
    this.told = h("p", { cls: "told", role: "status" });
    node.classList.add("board");
    node.replaceChildren(h("div", { cls: "frame" }, this.scroller, this.lens), h("div", { cls: "row" }, this.zoomer, this.told));
    this.lens.hidden = true;
    this.image.addEventListener("click", (event) => this.tapped(event));
  }

  show(url, width, height, alt) {
    this.image.alt = alt;
    if (this.url !== url) {
      this.url = url;
      this.image.src = url;
    }
    this.size = [width, height];
    this.shapes.setAttribute("viewBox", `-0.5 -0.5 ${width} ${height}`);
    for (const handle of this.handles.values()) this.place(handle);
  }

  enlarge() {
    this.zoom = (this.zoom + 1) % ZOOMS.length;
    this.stage.style.width = `${ZOOMS[this.zoom] * 100}%`;
    this.zoomer.textContent = word(this.zoom + 1 < ZOOMS.length ? "setup.enlarge" : "setup.whole");
    const handle = this.handles.get(this.chosen);
    if (handle) this.scrollTo(handle);
  }

  scrollTo(handle) {
    const { scrollWidth, scrollHeight, clientWidth, clientHeight } = this.scroller;
    this.scroller.scrollLeft = (handle.px / this.size[0]) * scrollWidth - clientWidth / 2;
    this.scroller.scrollTop = (handle.py / this.size[1]) * scrollHeight - clientHeight / 2;
  }

  // [{ points, cls, closed }] in the picture's pixels.
  draw(shapes) {
    this.shapes.replaceChildren(
      ...shapes.map(({ points, cls, closed }) => s(closed ? "polygon" : "polyline", { class: cls, points: points.map((p) => p.join(",")).join(" ") })),
    );
  }

  // [{ id, label, px, py, cls, text, onMove(px, py) }]; those with the id of one before stay the same node.
  put(handles) {
    const wanted = new Set(handles.map((handle) => handle.id));
    for (const [id, handle] of this.handles) {
      if (wanted.has(id)) continue;
      handle.node.remove();
      this.handles.delete(id);
      if (this.chosen === id) this.choose(null);
    }
    for (const given of handles) {
      const handle = this.handles.get(given.id) ?? this.made(given.id);
      if (handle.moving) continue;
      Object.assign(handle, given);
      handle.node.textContent = given.text ?? "";
      handle.node.className = `handle ${given.cls ?? ""}`;
      this.place(handle);
    }
  }

  // [{ text, px, py }]: words on the picture, which stand in a list beside it too.
  tag(tags) {
    for (const old of this.stage.querySelectorAll(".tag")) old.remove();
    for (const { text, px, py } of tags) {
      const node = h("span", { cls: "tag", "aria-hidden": "true" }, text);
      node.style.left = `${((px + 0.5) / this.size[0]) * 100}%`;
      node.style.top = `${((py + 0.5) / this.size[1]) * 100}%`;
      this.stage.append(node);
    }
  }

  made(id) {
    const node = h("button", { type: "button", cls: "handle" });
    const handle = { id, node };
    this.handles.set(id, handle);
    this.stage.append(node);
    node.addEventListener("pointerdown", (event) => this.grab(event, handle));
    node.addEventListener("focus", () => this.choose(id));
    node.addEventListener("keydown", (event) => this.key(event, handle));
    return handle;
  }

  place(handle) {
    const { node, px, py } = handle;
    if (!this.size[0] || !Number.isFinite(px) || !Number.isFinite(py)) {
      node.hidden = true;
      return;
    }
    node.hidden = false;
    node.style.left = `${((px + 0.5) / this.size[0]) * 100}%`;
    node.style.top = `${((py + 0.5) / this.size[1]) * 100}%`;
    node.setAttribute("aria-label", `${handle.label}: ${word("setup.at-pixel", { x: Math.round(px), y: Math.round(py) })}`);
    node.setAttribute("aria-pressed", String(this.chosen === handle.id));
    if (this.chosen === handle.id) this.magnify(handle);
  }

  choose(id) {
    this.chosen = id;
    for (const handle of this.handles.values()) handle.node.setAttribute("aria-pressed", String(handle.id === id));
    const handle = this.handles.get(id);
    this.lens.hidden = !handle;
    if (handle) this.magnify(handle);
  }

  pixelOf(event) {
    const box = this.image.getBoundingClientRect();
    return [((event.clientX - box.left) / box.width) * this.size[0] - 0.5, ((event.clientY - box.top) / box.height) * this.size[1] - 0.5];
  }

  move(handle, px, py, done) {
    handle.px = Math.min(Math.max(px, 0), this.size[0] - 1);
    handle.py = Math.min(Math.max(py, 0), this.size[1] - 1);
    this.place(handle);
    if (done) handle.onMove?.(handle.px, handle.py);
  }

  grab(event, handle) {
    if (event.button !== 0) return;
    event.preventDefault();
    handle.node.focus();
    this.choose(handle.id);
    const [startX, startY] = this.pixelOf(event);
    const from = [handle.px - startX, handle.py - startY];
    handle.moving = true;
    let moved = false;
    const drag = (next) => {
      const [x, y] = this.pixelOf(next);
      moved = moved || Math.hypot(x - startX, y - startY) > 0;
      if (moved) this.move(handle, x + from[0], y + from[1], false);
    };
    const drop = () => {
      handle.moving = false;
      for (const [name, listener] of Object.entries(listeners)) handle.node.removeEventListener(name, listener);
      if (moved) this.move(handle, handle.px, handle.py, true);
    };
    const listeners = { pointermove: drag, pointerup: drop, pointercancel: drop };
    handle.node.setPointerCapture(event.pointerId);
    for (const [name, listener] of Object.entries(listeners)) handle.node.addEventListener(name, listener);
  }

  key(event, handle) {
    const step = STEPS[event.key];
    if (!step || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    const far = event.shiftKey ? this.far : this.step;
    this.move(handle, handle.px + step[0] * far, handle.py + step[1] * far, true);
  }

  tapped(event) {
    const [px, py] = this.pixelOf(event);
    const handle = this.handles.get(this.chosen);
    if (handle) this.move(handle, px, py, true);
    this.onTap?.(px, py);
  }

  // The picture's own pixels about a handle, large, on the side where the finger is not.
  magnify(handle) {
    this.lens.classList.toggle("right", handle.px < this.size[0] / 2);
    const paper = this.lens.getContext("2d");
    const reach = LENS / TIMES;
    paper.imageSmoothingEnabled = false;
    paper.fillStyle = "#000";
    paper.fillRect(0, 0, LENS, LENS);
    const scale = this.image.naturalWidth / this.size[0];
    if (scale) paper.drawImage(this.image, (handle.px + 0.5 - reach / 2) * scale, (handle.py + 0.5 - reach / 2) * scale, reach * scale, reach * scale, 0, 0, LENS, LENS);
    for (const [colour, width] of [["#000", 3], ["#fff", 1]]) {
      paper.strokeStyle = colour;
      paper.lineWidth = width;
      paper.beginPath();
      paper.moveTo(LENS / 2, 0);
      paper.lineTo(LENS / 2, LENS);
      paper.moveTo(0, LENS / 2);
      paper.lineTo(LENS, LENS / 2);
      paper.stroke();
    }
  }
}
