// The pit: what needs somebody first, then every table with its seats and its health.
import { Announcer } from "./announce.js";
import { $, h, show, word } from "./dom.js";
import { linkBar } from "./linkbar.js";
import { wireSettings } from "./settings.js";
import { follow } from "./stream.js";

const announcer = new Announcer($("polite"), $("urgent"));
const tables = new Map();
const nodes = new Map();
let run = null;
let known = new Set();

const anchor = (name) => `table-${name}`;
const label = (name) => word("pit.table", { table: name });

// What is wrong at a table, the most urgent first: lost, blind, a mistake.
function troubles(row) {
  const found = [];
  if (row.status === "offline") found.push({ key: "offline", text: word("pit.offline") });
  if (row.status === "silent") found.push({ key: "silent", text: word("pit.silent") });
  if (row.status !== "online") return found;
  const fault = row.health?.fault;
  if (fault) found.push({ key: `fault ${fault}`, text: word(`notice.${fault}`) || word("notice.other") });
  for (const alert of row.state?.alerts ?? [])
    found.push({ key: `alert ${alert.code} ${alert.seat}`, text: alert.text ?? alert.code ?? "", mistake: true });
  return found;
}

function handText(hand) {
  if (hand.check) return word("total.check");
  const told = word(`state.${hand.state}`);
  return [hand.text || (hand.total ?? ""), told].filter((part) => part !== "").join(" · ");
}

function seatRow(seat, turn) {
  const mine = turn?.seat === seat.number;
  const hands = seat.hands.filter((hand) => hand.cards || hand.check);
  return h(
    "li",
    { cls: `seat ${mine ? "turn" : ""} ${seat.hands.some((hand) => hand.check) ? "check" : ""}` },
    h("span", { cls: "who" }, seat.name || word("seat.label", { number: seat.number ?? "?" })),
    h("span", { cls: "bet" }, seat.bet ? word("seat.bet", { amount: seat.bet }) : ""),
    h("span", { cls: "hand" }, hands.map(handText).join(" / ") || "–"),
    mine && h("span", { cls: "sign" }, word("turn.here")),
  );
}

function playing(state) {
  const seats = (state.seats ?? []).filter((seat) => seat.bet || seat.hands.some((hand) => hand.cards));
  const dealer = state.dealer && (state.dealer.cards || state.dealer.check) ? handText(state.dealer) : "–";
  return [
    h("p", { cls: "dealer" }, `${word("dealer.name")}: ${dealer}`),
    seats.length ? h("ul", { cls: "seats" }, seats.map((seat) => seatRow(seat, state.turn))) : h("p", { cls: "quiet" }, word("pit.nobody")),
  ];
}

function healthText({ health, mistakes }) {
  const parts = [word("pit.mistakes", { count: mistakes })];
  if (health?.fps !== null && health?.fps !== undefined) parts.push(word("pit.fps", { value: health.fps }));
  if (health?.look_ms !== null && health?.look_ms !== undefined) parts.push(word("pit.look", { value: Math.round(health.look_ms) }));
  if (health?.dropped) parts.push(word("pit.dropped", { value: health.dropped }));
  return parts.join(" · ");
}

function tile(row) {
  const wrong = troubles(row);
  const live = row.status === "online" && row.state;
  return [
    h("h3", {}, h("span", {}, label(row.table)), h("span", { cls: `badge ${row.status}` }, word(`pit.${row.status}`))),
    wrong.length ? h("ul", { cls: "wrong" }, wrong.map(({ text }) => h("li", {}, text))) : null,
    ...(live ? playing(row.state) : []),
    row.said && live ? h("p", { cls: "said" }, row.said) : null,
    h("p", { cls: "health" }, healthText(row)),
  ];
}

function drawTile(row) {
  if (!nodes.has(row.table)) nodes.set(row.table, h("li", { id: anchor(row.table), tabindex: "-1" }));
  const node = nodes.get(row.table);
  node.className = `tile ${row.status} ${troubles(row).length ? "wanted" : ""}`;
  show(node, { ...row, state: { ...row.state, alerts: (row.state?.alerts ?? []).map(({ age, ...rest }) => rest) } }, () => tile(row));
}

function drawWanted() {
  const all = [...tables.values()].flatMap((row) => troubles(row).map((trouble) => ({ table: row.table, ...trouble })));
  show($("alerts"), all, () =>
    all.length
      ? all.map(({ table, text }) => h("li", {}, h("a", { href: `#${anchor(table)}` }, label(table)), " ", h("span", {}, text)))
      : h("li", { cls: "quiet" }, word("pit.nothing")),
  );
  const now = new Set(all.map(({ table, key }) => `${table} ${key}`));
  for (const { table, key, text } of all)
    if (!known.has(`${table} ${key}`)) announcer.say({ kind: "alert", text: `${label(table)}: ${text}` });
  known = now;
}

function take(next) {
  if (next.full || next.run !== run) {
    tables.clear();
    nodes.clear();
    $("tables").replaceChildren();
  }
  run = next.run;
  for (const row of next.tables) tables.set(row.table, row);
  for (const row of next.tables) drawTile(row);
  const order = [...tables.keys()].sort((a, b) => a.localeCompare(b, undefined, { numeric: true }));
  show($("tables"), order, () => order.map((name) => nodes.get(name)));
  drawWanted();
  const there = [...tables.values()].filter((row) => row.status === "online").length;
  $("count").textContent = word("pit.count", { online: there, all: tables.size });
  linkBar.state({ notice: next.broker ? null : "no-broker" });
}

wireSettings(["theme", "contrast"]);
follow("/events", { onState: take, onLink: (link) => linkBar.link(link) });
