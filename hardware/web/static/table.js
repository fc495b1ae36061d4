// The table display: seats as they sit, huge totals, whose turn, what is said, alerts with their moves.
import { Announcer } from "./announce.js";
import { drawMoves } from "./arrows.js";
import { card, cardName, total } from "./cards.js";
import { $, betText, capital, fullSeatName, h, s, seatName, show, word } from "./dom.js";
import { linkBar } from "./linkbar.js";
import { fitLine, fitText } from "./fit.js";
import { place } from "./place.js";
import { wireDialog, wireSettings } from "./settings.js";
import { signPart } from "./sign.js";
import { follow } from "./stream.js";
import { wireKeys } from "./keys.js";

const ALERTS_SHOWN = 2;
const MENDED_SHOWN = 4000; // ms

// Opened behind the dealer's code, it may show the seats' links wherever it stands.
const base = location.pathname.startsWith("/dealer/") ? "/dealer" : "";
const table = await (await fetch(`${base}/table.json`)).json();
const announcer = new Announcer($("polite"), $("urgent"));
let state = null;
let said = null;
let mended = -Infinity;

const nameOf = new Map(table.seats.map((seat) => [seat.number, seat]));
const tiles = new Map(
  table.seats.map((seat) => [seat.number, h("li", { cls: "tile seat", id: `seat-${seat.number}`, "aria-label": fullSeatName(seat) })]),
);

function placeName(place) {
  if (!place.startsWith("seat:")) return word(`place.${place}`);
  const seat = nameOf.get(Number(place.slice(5)));
  return seat?.name || word("seat.number", { number: place.slice(5) });
}

const elementOf = (place) => (place.startsWith("seat:") ? tiles.get(Number(place.slice(5))) : $(place));

function cardText(code) {
  const suits = { c: "♣\uFE0E", d: "♦\uFE0E", h: "♥\uFE0E", s: "♠\uFE0E" };
  if (code === "??") return word("card.back");
  return `${code[0] === "T" ? "10" : code[0]}${suits[code[1]] ?? "?"}`;
}

// Seats

function handPart(hand, isTurn) {
  const label = hand.check ? word("total.check") : word(`state.${hand.state}`);
  return h(
    "div",
    { cls: `hand ${isTurn ? "turn" : ""} ${hand.state === "bust" ? "bust" : ""}` },
    total(hand),
    label && h("span", { cls: `state ${hand.check ? "check" : ""}` }, label),
    h("span", { cls: "cards", data: { count: hand.cards.length } }, hand.cards.map((code) => card(code))),
  );
}

function seatHead(seat, isTurn) {
  return h(
    "header",
    {},
    h("span", { cls: "number", "aria-hidden": "true" }, String(seat.number)),
    h("span", { cls: "name" }, seatName(seat)),
    isTurn && h("span", { cls: "flag" }, word("turn.here")),
    seat.placed && h("span", { cls: "bet" }, h("span", { cls: "hidden" }, betText(seat)), h("span", { "aria-hidden": "true" }, seat.bet ?? "?")),
  );
}

function drawSeat(seat) {
  const tile = tiles.get(seat.number);
  if (!tile) return;
  if (nameOf.get(seat.number)?.name !== seat.name) {
    nameOf.set(seat.number, { ...nameOf.get(seat.number), name: seat.name }); // the dealer gave another name
    tile.setAttribute("aria-label", fullSeatName(seat));
  }
  const turn = state.turn?.seat === seat.number ? state.turn.hand : null;
  const alerted = state.alerts.some((alert) => alert.seat === seat.number);
  const hands = seat.hands.filter((hand) => hand.cards.length || hand.check);
  show(tile, [seat, turn], () => [
    seatHead(seat, turn !== null),
    h("div", { cls: "hands" }, hands.map((hand) => handPart(hand, turn === seat.hands.indexOf(hand)))),
  ]);
  tile.dataset.hands = hands.length;
  tile.classList.toggle("turn", turn !== null);
  tile.classList.toggle("alerted", alerted);
  tile.classList.toggle("check", hands.some((hand) => hand.check));
  tile.classList.toggle("empty", !hands.length && !seat.placed);
}

function drawDealer(hand) {
  const node = $("dealer");
  const turn = state.turn?.seat === 0;
  const lying = hand?.cards ?? [];
  show(node, [hand, turn, state.camera], () => {
    const cards = h("span", { cls: "cards", data: { count: lying.length } }, lying.map((code) => card(code)));
    cards.style.setProperty("--count", Math.max(2, lying.length));
    return [
      h("header", {}, h("span", { cls: "name" }, word("dealer.name")), turn && h("span", { cls: "flag" }, word("turn.here")), signPart(state.camera)),
      h("div", { cls: `dealer-hand ${lying.length > 2 ? "many" : ""}` }, cards, lying.length ? total(hand) : null),
    ];
  });
  node.classList.toggle("turn", turn);
  node.classList.toggle("alerted", state.alerts.some((alert) => alert.seat === 0));
  node.classList.toggle("check", Boolean(hand?.check));
}

// The middle: the hand whose turn it is in figures for three metres, alerts, what is being said

function turnHand() {
  if (!state.turn) return null;
  if (state.turn.seat === 0) return { name: word("dealer.name"), hand: state.dealer };
  const seat = state.seats.find((other) => other.number === state.turn.seat);
  return seat ? { name: seatName(seat), hand: seat.hands[state.turn.hand] } : null;
}

function drawTurn() {
  const now = turnHand();
  const waiting = !now && !state.alerts.length && !said;
  show($("turn"), [now, waiting], () => {
    if (waiting) return h("p", { cls: "waiting" }, word("table.waiting"));
    if (!now) return null;
    return [h("span", { cls: "who" }, now.name), " ", now.hand && (now.hand.total !== null || now.hand.check) ? total(now.hand) : null];
  });
}

const times = (alert) => alert.count > 1 && h("strong", {}, ` ${word("alert.times", { count: alert.count })}`);

function movesList(moves) {
  if (!moves?.length) return null;
  return h("ul", { cls: "move-list" }, moves.map((move) => h("li", {}, word("table.move", { cards: cardName(move.card), from: placeName(move.from), to: placeName(move.to) }))));
}

function alertPart(alert) {
  return h(
    "article",
    { cls: "alert", "aria-label": word("alert.label") },
    h("span", { cls: "sign", "aria-hidden": "true" }, "!"),
    h("div", {}, h("p", {}, alert.text, times(alert)), movesList(alert.moves)),
  );
}

// The newest mistake stands first; older ones only where they still can be read.
function alertParts(alerts, shown) {
  const newest = [...alerts].reverse();
  const more = alerts.length - shown;
  return [...newest.slice(0, shown).map(alertPart), more > 0 && h("p", { cls: "more" }, word("table.more-alerts", { count: more }))];
}

function drawAlerts() {
  const { alerts } = state;
  const mend = !alerts.length && performance.now() - mended < MENDED_SHOWN;
  document.body.classList.toggle("alerting", alerts.length > 0);
  if (!show($("alerts"), [alerts, mend], () => (mend ? h("p", { cls: "mended" }, word("alert.mended")) : alertParts(alerts, ALERTS_SHOWN)))) return;
  fitAlerts();
}

function fitTurn() {
  const box = $("turn");
  if (document.body.classList.contains("arc")) fitLine(box, 20, innerHeight * 0.4);
  else box.style.fontSize = "";
}

// In the seated arrangement the words shrink to what room there is; in the list they have all they need.
function fitAlerts() {
  const box = $("alerts");
  const alerts = state?.alerts ?? [];
  box.style.fontSize = "";
  if (!document.body.classList.contains("arc") || !alerts.length) return;
  const smallest = Math.max(17, innerHeight * 0.036);
  for (let shown = Math.min(ALERTS_SHOWN, alerts.length); shown > 0; shown -= 1) {
    box.replaceChildren(...alertParts(alerts, shown).filter(Boolean));
    if (fitText(box, shown > 1 ? smallest : 14, Math.max(28, innerHeight * 0.06))) break;
  }
}

function drawSaid() {
  const node = $("said");
  const changed = show(node, said ? [said.n, said.text] : null, () => (said ? [said.check && h("span", { cls: "sign", "aria-hidden": "true" }, "?"), capital(said.text)] : []));
  node.classList.toggle("check", Boolean(said?.check));
  return changed;
}

function drawArrows() {
  // In the list an arrow would cross other seats' figures; the moves stand in words there.
  const seated = document.body.classList.contains("arc");
  const moves = seated && state ? state.alerts.flatMap((alert) => alert.moves ?? []) : [];
  drawMoves($("moves"), moves, elementOf, cardText);
}

function draw() {
  if (!state) return;
  for (const seat of table.seats) {
    const now = state.seats.find((other) => other.number === seat.number);
    drawSeat(now ?? { number: seat.number, name: seat.name, bet: null, hands: [] });
  }
  drawDealer(state.dealer);
  drawTurn();
  const moved = drawSaid(); // what is said takes room from the alerts
  drawAlerts();
  if (moved) fitAlerts();
  fitTurn();
  linkBar.state(state);
  drawArrows();
}

// Where everything sits

function put(node, box) {
  for (const [name, value] of [["left", box?.x], ["top", box?.y], ["width", box?.w], ["height", box?.h]]) {
    node.style[name] = value === undefined ? "" : `${Math.round(value)}px`;
  }
}

// Two thin arcs between the dealer and the seats, as they are printed on a felt.
function drawLines(found, width, height, side) {
  const svg = $("lines");
  svg.replaceChildren();
  if (!found) return;
  svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
  const edge = side === "players" ? 0 : height;
  for (const part of [0.62, 0.66]) {
    svg.append(s("ellipse", { cx: width / 2, cy: edge, rx: width * part * 0.66, ry: height * part }));
  }
}

function arrange() {
  const side = document.documentElement.dataset.side;
  const bar = $("link").offsetHeight; // what is out of date is said above the table, not over it
  const width = innerWidth;
  const height = innerHeight - bar;
  const found = place(width, height, table.seats, side);
  document.body.classList.toggle("arc", Boolean(found));
  document.body.classList.toggle("grid", !found);
  $("felt").style.top = found ? `${bar}px` : "";
  table.seats.forEach((seat, i) => put(tiles.get(seat.number), found?.tiles[i]));
  put($("dealer"), found?.dealer);
  put($("now"), found?.centre);
  const wide = Math.max(76, width * 0.06);
  const spot = (x) => found && { x, y: found.dealer.y + found.dealer.h / 2 - wide * 0.21, w: wide, h: wide * 0.42 };
  const left = found && found.dealer.x - wide - 10;
  const right = found && found.dealer.x + found.dealer.w + 10;
  const hit = (box) => found?.tiles.some((tile) => tile.x < box.x + box.w && box.x < tile.x + tile.w && tile.y < box.y + box.h && box.y < tile.y + tile.h);
  document.body.classList.toggle("tight", Boolean(found && (hit(spot(left)) || hit(spot(right)))));
  put($("shoe"), spot(side === "players" ? right : left));
  put($("discard"), spot(side === "players" ? left : right));
  drawLines(found, width, height, side);
  const inOrder = side === "players" && found ? [...tiles.values()].reverse() : [...tiles.values()];
  if ($("seats").firstElementChild !== inOrder[0]) $("seats").replaceChildren(...inOrder);
  fitTurn();
  fitAlerts();
  drawArrows();
}

function fillCodes() {
  $("phones-about").textContent = word(!table.links ? "table.phones-elsewhere" : table.phones ? "table.phones-about" : "table.phones-local");
  if (!table.links) return;
  show($("codes"), "codes", () =>
    table.seats.map((seat) =>
      h(
        "li",
        {},
        h("h3", {}, fullSeatName(seat)),
        h("img", { src: `${base}/code/${seat.number}.svg`, width: 232, height: 232, alt: word("table.code-alt", { seat: fullSeatName(seat) }) }),
        h("a", { href: seat.url, target: "_blank", rel: "noopener" }, word("table.open-page"), h("span", { cls: "hidden" }, ` ${fullSeatName(seat)}`)),
      ),
    ),
  );
}

function take(next, gap) {
  state = next;
  for (const words of announcer.take(next, gap)) if (words.kind === "resolved") mended = performance.now();
  if (performance.now() - mended < 100) setTimeout(draw, MENDED_SHOWN + 50);
  said = next.said.findLast((words) => words.kind === "say") ?? null;
  draw();
}

arrange();
wireSettings(["theme", "contrast", "suits", "side"]);
wireDialog($("open-phones"), $("phones"), fillCodes);
addEventListener("resize", arrange);
addEventListener("look", arrange);
new ResizeObserver(arrange).observe($("link"));
document.fonts?.ready.then(arrange);
follow("/events", { onState: take, onLink: (link) => linkBar.link(link) });
wireKeys();
