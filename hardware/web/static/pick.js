// The dialog in which the dealer says with one tap what a card really is.
import { card, cardName } from "./cards.js";
import { $, h, word } from "./dom.js";

const RANKS = [..."A23456789TJQK"];
const SUITS = [..."shdc"];
// Ranks that look alike in a corner from above.
const ALIKE = { A: "4", 2: "37", 3: "85", 4: "A", 5: "36", 6: "98", 7: "2", 8: "369", 9: "68", T: "QJ", J: "QT", Q: "KT", K: "QJ" };
const PARTNER = { h: "d", d: "h", s: "c", c: "s" };

// The cards a reading is most often taken for, the likeliest first.
export function likely(code) {
  const [rank, suit] = code ?? "??";
  if (rank === "?" && suit === "?") return [];
  if (rank === "?") return RANKS.map((r) => r + suit);
  if (suit === "?") return SUITS.map((other) => rank + other);
  return [rank + PARTNER[suit], ...[...ALIKE[rank]].map((r) => r + suit), ...SUITS.filter((other) => other !== suit && other !== PARTNER[suit]).map((other) => rank + other)].slice(0, 6);
}

function choice(code, pick) {
  return h("button", { type: "button", cls: "card-button", "aria-label": cardName(code), onclick: () => pick(code) }, card(code, { plain: true }));
}

let opened = 0; // counts the questions: an answer to an earlier one closes no later one

// `onPick` resolves to the reason where the choice was refused; then the question stands as it was.
export function openPick({ title, now, code, adding, onPick }) {
  const dialog = $("pick");
  const question = (opened += 1);
  let asking = false;
  const pick = async (picked) => {
    if (asking) return;
    asking = true;
    $("pick-error").textContent = "";
    const fault = await onPick(picked);
    asking = false;
    if (question !== opened) return;
    if (fault) {
      $("pick-error").textContent = fault;
      dialog.scrollTop = 0;
    } else dialog.close();
  };
  $("pick-error").textContent = "";
  $("pick-title").textContent = title;
  $("pick-now").textContent = now;
  const first = likely(code);
  $("pick-body").replaceChildren(
    ...[
      first.length ? h("h3", {}, word("console.pick-likely")) : null,
      first.length ? h("div", { cls: "choices likely" }, first.map((one) => choice(one, pick))) : null,
      adding ? null : h("button", { type: "button", cls: "wide ghost", onclick: () => pick(null) }, word("console.pick-none")),
      h("h3", {}, word("console.pick-all")),
      ...SUITS.map((suit) => h("div", { cls: "choices" }, RANKS.map((rank) => choice(rank + suit, pick)))),
    ].filter(Boolean),
  );
  dialog.showModal();
  dialog.scrollTop = 0;
}

for (const close of $("pick").querySelectorAll("[data-close]")) close.addEventListener("click", () => $("pick").close());
