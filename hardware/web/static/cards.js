// Draws cards and totals; suits differ by shape as well as by colour.
import { h, s, word } from "./dom.js";

const SHAPES = {
  h: ["M16 29C5 20 2 14 2 9.800A7.300 7.300 0 0 1 16 7.400 7.300 7.300 0 0 1 30 9.800C30 14 27 20 16 29Z"],
  d: ["M16 1.500 27 16 16 30.500 5 16Z"],
  s: [
    "M16 2C21 9 30 14 30 20.500A6.400 6.400 0 0 1 18 23.500C18.300 26.500 19.300 28.600 21.500 30.500H10.500C12.700 28.600 13.700 26.500 14 23.500A6.400 6.400 0 0 1 2 20.500C2 14 11 9 16 2Z",
  ],
  c: [
    "M16 2a6.400 6.400 0 0 1 4.700 10.800 6.500 6.500 0 1 1-2.600 11.300c.4 2.900 1.400 4.800 3.400 6.400H10.500c2-1.600 3-3.500 3.400-6.400A6.500 6.500 0 1 1 11.300 12.800 6.400 6.400 0 0 1 16 2Z",
  ],
};

export function suitShape(suit) {
  const shape = s("svg", { viewBox: "0 0 32 32", class: "suit", "aria-hidden": "true", focusable: "false" });
  for (const d of SHAPES[suit]) shape.append(s("path", { d }));
  return shape;
}

export function cardName(code) {
  const [rank, suit] = code;
  if (code === "??") return word("card.back");
  if (rank === "?") return word("card.unread");
  if (suit === "?") return word("card.part", { rank: word(`rank.${rank}`) });
  return word("card.name", { rank: word(`rank.${rank}`), suit: word(`suit.${suit}`) });
}

export function cardNames(codes) {
  return codes.map(cardName).join(", ");
}

// The face of a card; decoration only where its name stands beside it.
export function card(code, { plain = false } = {}) {
  const [rank, suit] = code;
  const known = rank !== "?";
  const props = plain ? { "aria-hidden": "true" } : { role: "img", "aria-label": cardName(code) };
  if (code === "??") return h("span", { cls: "card back", ...props });
  return h(
    "span",
    { cls: "card", data: { suit: suit === "?" ? "" : suit }, ...props },
    h("span", { cls: "rank", "aria-hidden": "true" }, known ? (rank === "T" ? "10" : rank) : "?"),
    suit === "?" ? h("span", { cls: "rank", "aria-hidden": "true" }, "?") : suitShape(suit),
  );
}

const OPEN = new Set(["dealt", "turn", "waiting"]); // the ace may still count 1

// A hand's total in figures: a soft pair as "3 or 13" with the 13 large.
export function total(hand) {
  if (hand.check) return h("span", { cls: "total check" }, h("span", { cls: "best" }, "?"));
  if (hand.total === null) return h("span", { cls: "total none" });
  const best = h("span", { cls: "best" }, String(hand.total));
  if (!hand.soft || hand.total === 21 || !OPEN.has(hand.state)) return h("span", { cls: "total" }, best);
  const low = h("span", { cls: "low" }, h("span", {}, String(hand.total - 10)), " ", h("span", {}, word("total.or")));
  return h("span", { cls: "total soft" }, low, " ", best);
}
