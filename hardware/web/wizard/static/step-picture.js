// The picture: a camera seen live, or one that was taken elsewhere.
import { ask, sendBackup, sendPicture } from "./ask.js";
import { $, h, show, word } from "./dom.js";
import { radios } from "./form.js";
import { at, put, settled, store, take } from "./store.js";

const SIZES = ["", "1280x720", "1920x1080", "2304x1296", "3840x2160", "4608x2592"];
const PAUSE = 250; // ms between two live pictures
let running = false;
let count = 0;

export const live = () => running;

function cameraForm() {
  const cameras = store.offer.cameras;
  const chosen = cameras.includes(at("camera")) ? at("camera") : "";
  const sizes = h("select", { id: "size" }, SIZES.map((size) => h("option", { value: size }, size ? size.replace("x", " × ") : word("setup.usual-size"))));
  sizes.value = at("size") ?? "";
  sizes.addEventListener("change", () => put("size", sizes.value));
  if (!cameras.length) return [h("p", { cls: "found" }, word("setup.no-camera"))];
  return [
    radios("camera", word("setup.camera"), cameras.map((spec) => [spec, cameraName(spec)]), chosen, (spec) => put("camera", spec)),
    h("div", { cls: "field" }, h("label", { for: "size" }, word("setup.size")), sizes),
    h("button", { type: "submit" }, word("setup.show-live")),
    h("p", { cls: "field-error", id: "camera-fault", role: "alert" }),
  ];
}

const cameraName = (spec) => (spec === "picamera2" ? word("setup.camera-pi") : spec.startsWith("usb:") ? word("setup.camera-usb", { number: spec.slice(4) }) : spec);

async function start(event) {
  event.preventDefault();
  const fault = $("camera-fault");
  fault.textContent = at("camera") ? "" : word("setup.choose-camera");
  if (!at("camera")) return;
  const answer = await ask("/api/camera", { spec: at("camera"), size: at("size") ?? "" });
  fault.textContent = answer.fault ?? "";
  running = !answer.fault;
  $("live").hidden = !running;
  if (running) nextLive();
}

function nextLive() {
  if (!running || $("step-picture").hidden) return;
  count += 1;
  $("live-image").src = `/api/live.jpg?n=${count}`;
}

// A new picture to measure in; what was typed and not yet sent goes first.
export async function takePicture() {
  await settled();
  const { data, fault } = await ask("/api/take", {});
  if (!fault) take(data);
  return fault;
}

async function upload(file) {
  if (!file) return;
  $("file-fault").textContent = "";
  await settled();
  const { data, fault } = await sendPicture("/api/picture", file);
  if (fault) $("file-fault").textContent = fault;
  else take(data);
}

async function restore(file) {
  if (!file) return;
  $("backup-fault").textContent = $("backup-told").textContent = "";
  await settled();
  const { data, fault } = await sendBackup("/api/restore", file);
  if (fault) $("backup-fault").textContent = fault;
  else {
    take(data);
    $("backup-told").textContent = word("backup.restored");
  }
}

export const pictureUrl = (picture) => `/api/picture.jpg?n=${picture.version}`;

export function pictureStep() {
  $("cameras").replaceChildren(...cameraForm());
  $("cameras").addEventListener("submit", start);
  $("file").addEventListener("change", () => upload($("file").files[0]));
  $("backup").addEventListener("change", () => restore($("backup").files[0]));
  $("take").addEventListener("click", async () => {
    $("take-fault").textContent = (await takePicture()) ?? "";
  });
  $("live-image").addEventListener("load", () => setTimeout(nextLive, PAUSE));
  $("live-image").addEventListener("error", async () => {
    $("camera-fault").textContent = word("setup.camera-silent");
    setTimeout(nextLive, 8 * PAUSE);
  });
  return {
    open: nextLive,
    draw(state) {
      const picture = state.picture;
      $("taken").hidden = !picture;
      if (!picture) return;
      show($("taken-size"), picture, () => h("span", {}, word("setup.taken", picture)));
      if ($("taken-image").dataset.version !== String(picture.version)) {
        $("taken-image").dataset.version = picture.version;
        $("taken-image").src = pictureUrl(picture);
      }
    },
  };
}
