// The evenings that are kept: alerts with their pictures, rounds, corrections; exported, or deleted for good.
import { cardName, card } from "./cards.js";
import { $, h, word } from "./dom.js";
import { Player } from "./player.js";
import { post } from "./post.js";
import { wireDialog } from "./settings.js";

const player = new Player(word("replay.scrub"));
const language = document.documentElement.lang;
let kept = null;

const clock = (wall) => new Date(wall * 1000).toLocaleTimeString(language, { hour: "2-digit", minute: "2-digit" });
const day = (evening) => new Date(`${evening}T18:00`).toLocaleDateString(language, { weekday: "long", day: "numeric", month: "long", year: "numeric" });
const place = (seat) => (seat === null ? "" : seat === 0 ? word("dealer.name") : word("seat.label", { number: seat }));
const cards = (text) => (text ? text.split(" ").map((code) => card(code)) : []);
const time = (wall) => h("time", { datetime: new Date(wall * 1000).toISOString() }, clock(wall));
const quiet = (key) => h("p", { cls: "quiet" }, word(key));

function files(what) {
  const link = (kind) => h("a", { cls: "button", href: `/dealer/export/${what}.${kind}?evening=${kept.evening}`, download: "" }, word(`history.${kind}`), h("span", { cls: "hidden" }, `: ${word(`history.of-${what}`)}`));
  return [link("csv"), link("json")];
}

function showClip(alert) {
  $("clip-text").textContent = alert.text;
  const stills = Array.from({ length: alert.pictures }, (_, n) => ({ url: `/dealer/alerts/${alert.id}/${n}.jpg`, t: n * 0.5 }));
  player.load(stills);
  $("clip").showModal();
}

function alertRow(alert) {
  const state = alert.dismissed ? "history.dismissed" : alert.mended ? "history.mended" : null;
  const moves = alert.moves.map((m) => word("table.move", { cards: cardName(m.card), from: placeOf(m.from), to: placeOf(m.to) }));
  return h(
    "div",
    { cls: "entry" },
    h("div", {}, h("p", {}, time(alert.at), " ", alert.text), moves.length ? h("p", { cls: "quiet" }, moves.join("; ")) : null, state && h("p", { cls: "quiet" }, word(state))),
    alert.pictures ? h("button", { type: "button", onclick: () => showClip(alert) }, word("history.watch"), h("span", { cls: "hidden" }, `: ${alert.text}`)) : null,
  );
}

const placeOf = (name) => (name.startsWith("seat:") ? word("seat.number", { number: name.slice(5) }) : word(`place.${name}`));

function roundRows(rows) {
  return rows.map((row, i) => {
    const first = !i || rows[i - 1].round !== row.round;
    return h(
      "tr",
      {},
      h("td", {}, first ? time(row.began) : ""),
      h("td", {}, first ? cards(row.dealer) : ""),
      h("td", {}, row.seat === null ? "" : place(row.seat)),
      h("td", {}, row.insurance ? word("event.insurance") : cards(row.cards)),
      h("td", { cls: "number" }, row.total ?? ""),
      h("td", {}, row.outcome ? word(`outcome.${row.outcome}`) : ""),
      h("td", { cls: "number" }, row.bet ?? ""),
      h("td", { cls: "number" }, row.pays ?? ""),
    );
  });
}

function roundTable(rows) {
  const heads = ["time", "dealer", "seat", "cards", "total", "outcome", "bet", "pays"];
  const table = h("table", {}, h("thead", {}, h("tr", {}, heads.map((head) => h("th", { scope: "col" }, word(`history.${head}`))))), h("tbody", {}, roundRows(rows)));
  return h("div", { cls: "scroll", tabindex: "0", role: "group", "aria-labelledby": "rounds-title" }, table);
}

function fixRow(fix) {
  const text = word(`correction.${fix.kind}`, { card: fix.code ? cardName(fix.code) : "", amount: fix.amount ?? "" });
  return h("div", { cls: "entry" }, h("div", {}, h("p", {}, time(fix.at), " ", [place(fix.seat), text].filter(Boolean).join(": "))));
}

function draw() {
  const { evenings } = kept;
  $("keep").textContent = kept.keep_days ? word("history.keep", { days: kept.keep_days }) : word("history.keep-none");
  const options = evenings.some((one) => one.evening === kept.evening) ? evenings : [{ evening: kept.evening }, ...evenings];
  $("evening").replaceChildren(...options.filter((one) => one.evening).map((one) => h("option", { value: one.evening, selected: one.evening === kept.evening }, one.evening === kept.today ? `${word("history.today")}, ${day(one.evening)}` : day(one.evening))));
  $("open-delete").textContent = word(kept.evening === kept.today ? "history.delete" : "history.delete-that");
  $("open-delete").disabled = !evenings.some((one) => one.evening === kept.evening);
  const fill = (what, rows, build) => {
    const section = $(what);
    section.querySelector(".files").replaceChildren(...(rows.length ? files(what) : []));
    section.querySelector(".rows").replaceChildren(...(rows.length ? build(rows) : [quiet(`history.no-${what}`)]));
  };
  fill("alerts", kept.alerts ?? [], (rows) => [...rows].reverse().map(alertRow));
  fill("rounds", kept.rounds ?? [], (rows) => [roundTable(rows)]);
  fill("corrections", kept.corrections ?? [], (rows) => [...rows].reverse().map(fixRow));
}

async function load(evening) {
  try {
    const answer = await fetch(`/dealer/history.json${evening ? `?evening=${evening}` : ""}`, { cache: "no-store" });
    if (answer.status === 401) location.assign("/dealer");
    if (!answer.ok) throw new Error(String(answer.status));
    kept = await answer.json();
    draw();
  } catch {
    $("told").textContent = word("error.network");
  }
}

async function remove() {
  const { evening } = kept;
  const { fault } = await post("/dealer/delete-evening", { evening });
  $("delete-error").textContent = fault ?? "";
  if (fault) return;
  $("delete").close();
  await load();
  $("told").textContent = word("history.deleted", { evening: day(evening) });
}

$("clip-player").append(player.node);
$("clip").addEventListener("close", () => player.stop());
for (const close of $("clip").querySelectorAll("[data-close]")) close.addEventListener("click", () => $("clip").close());
$("evening").addEventListener("change", () => load($("evening").value));
wireDialog($("open-delete"), $("delete"), () => {
  $("delete-error").textContent = "";
  $("delete-title").textContent = word("history.delete-title", { evening: day(kept.evening) });
});
$("delete-sure").addEventListener("click", remove);
load();
