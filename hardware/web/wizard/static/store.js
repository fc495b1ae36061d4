// The draft as it is typed, and what the wizard says follows from it. Whatever changes is kept at once on the server.
import { ask, get } from "./ask.js";

const WAIT = 200; // ms without a keystroke after which the draft is sent

export const store = { offer: null, draft: null, state: null };
const followers = [];
let timer = 0;
let sent = 0;
let pending = false;

const hearers = [];

// Told of every answer of the server; and of every change at once, before there is an answer.
export const follow = (follower) => followers.push(follower);
export const hear = (hearer) => hearers.push(hearer);

export function at(path) {
  return path.split(".").reduce((found, part) => found?.[part], store.draft);
}

export function put(path, value) {
  const parts = path.split(".");
  const last = parts.pop();
  const home = parts.reduce((found, part) => found[part], store.draft);
  home[last] = value;
  changed();
}

export function changed() {
  pending = true;
  clearTimeout(timer);
  timer = setTimeout(send, WAIT);
  for (const hearer of hearers) hearer();
}

function tell() {
  for (const follower of followers) follower(store);
}

// A newer answer must not be overtaken by an older one.
export async function send() {
  clearTimeout(timer);
  pending = false;
  sent += 1;
  const mine = sent;
  const { data, fault } = await ask("/api/draft", store.draft);
  if (mine !== sent) return null;
  if (data && !fault) store.state = data;
  if (fault) pending = true;
  tell();
  return fault;
}

// A draft that the server made: a template, a new picture.
export function take(answer) {
  sent += 1;
  store.draft = answer.draft;
  store.state = answer.state;
  tell();
}

export async function open() {
  const { data, fault } = await get("/api/offer");
  if (fault) return fault;
  store.offer = data;
  take(data);
  return null;
}

export const settled = () => (pending ? send() : Promise.resolve(null));

window.addEventListener("pagehide", () => {
  if (pending && store.draft) ask("/api/draft", store.draft, { keepalive: true });
});
