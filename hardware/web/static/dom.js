// Builds elements without ever parsing markup, and finds words in the catalogue.
import { WORDS } from "./words.js";

export function word(key, values = {}) {
  const text = WORDS[key];
  if (text === undefined) return "";
  return text.replace(/\{(\w+)\}/g, (_, name) => String(values[name] ?? ""));
}

export function h(tag, props = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(props)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (name === "data") Object.assign(node.dataset, value);
    else node.setAttribute(name === "cls" ? "class" : name, value === true ? "" : value);
  }
  node.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return node;
}

const SVG = "http://www.w3.org/2000/svg";

export function s(tag, props = {}, ...children) {
  const node = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(props)) node.setAttribute(name, value);
  node.append(...children);
  return node;
}

export const $ = (id) => document.getElementById(id);

export function capital(text) {
  return text ? text[0].toUpperCase() + text.slice(1) : text;
}

export function seatName(seat) {
  return seat.name || word("seat.label", { number: seat.number });
}

export function fullSeatName(seat) {
  return seat.name ? word("seat.named", seat) : word("seat.label", seat);
}

// What lies in a seat's circle; an amount that nobody knows is still a bet.
export function betText(seat) {
  if (seat.bet) return word("seat.bet", { amount: seat.bet });
  return word(seat.placed ? "seat.bet-placed" : "seat.no-bet");
}

// Replaces a node's children only where what it shows has changed.
export function show(node, key, build) {
  const text = typeof key === "string" ? key : JSON.stringify(key);
  if (node.railbirdShown === text) return false;
  node.railbirdShown = text;
  const made = build();
  node.replaceChildren(...(Array.isArray(made) ? made : [made]).filter(Boolean));
  return true;
}
