// The dealer's console: alerts, hands with one-tap correction, the camera's picture, the round so far.
import { Announcer } from "./announce.js";
import { card, cardName, total } from "./cards.js";
import { takeDesk, watchAlert, wireDesk } from "./desk.js";
import { $, h, fullSeatName, show, word } from "./dom.js";
import { linkBar } from "./linkbar.js";
import { openPick } from "./pick.js";
import { wirePicture } from "./picture.js";
import { post } from "./post.js";
import { wireSettings } from "./settings.js";
import { follow } from "./stream.js";

const SURE = 4000; // ms in which a second tap confirms
const DONE = 5000; // ms the word about the last change stands

const announcer = new Announcer($("polite"), $("urgent"));
let state = null;
let doneTimer = 0;
let betSeat = null;

// "Corrected." is said only of what was: a correction may wait for the camera, or find nothing to change.
function report({ fault, later }, done) {
  const node = $("done");
  const text = fault ? word("console.failed", { reason: fault }) : later || word(done);
  node.replaceChildren(h("span", { cls: fault ? "fault" : later ? "later" : "good" }, text));
  clearTimeout(doneTimer);
  doneTimer = setTimeout(() => node.replaceChildren(), DONE);
}

async function change(url, body, done = "console.done") {
  const outcome = await post(url, body);
  report(outcome, done);
  return outcome.fault;
}

const seatLabel = (number) => {
  if (number === 0) return word("dealer.name");
  const seat = state.seats.find((other) => other.number === number);
  return seat ? fullSeatName(seat) : word("seat.label", { number });
};

// Hands

function fixCard(seat, hand, index, code) {
  const adding = index === null;
  openPick({
    title: word(adding ? "console.pick-add" : "console.pick"),
    now: adding ? seatLabel(seat) : `${seatLabel(seat)} · ${word("console.pick-now", { card: cardName(code) })}`,
    code,
    adding,
    onPick: (picked) => change("/dealer/card", { seat, hand, index, code: picked, was: code }),
  });
}

function handRow(seat, hand, index, several) {
  const label = several ? `${seatLabel(seat)}, ${word("seat.hand", { number: index + 1 })}` : seatLabel(seat);
  return h(
    "div",
    { cls: `hand ${hand.check ? "check" : ""}`, role: "group", "aria-label": label },
    hand.cards.map((code, i) => h("button", { type: "button", cls: "card-button", onclick: () => fixCard(seat, index, i, code) }, card(code))),
    h("button", { type: "button", cls: "add", "aria-label": `${word("console.add-card")}: ${label}`, onclick: () => fixCard(seat, index, null, null) }, "+"),
    h("span", { cls: "sum" }, total(hand), hand.check && h("span", { cls: "flag-check" }, word("total.check")), !hand.check && word(`state.${hand.state}`) && h("span", { cls: "told" }, word(`state.${hand.state}`))),
  );
}

function openBet(seat) {
  betSeat = seat.number;
  $("bet-title").textContent = word("console.bet-for", { seat: fullSeatName(seat) });
  $("amount").value = /^\d+(\.\d{1,2})?$/.test(seat.bet ?? "") ? seat.bet : "";
  $("bet-error").textContent = "";
  $("amount").removeAttribute("aria-invalid");
  $("bet").showModal();
  $("amount").select();
}

function seatRow(seat) {
  const empty = { cards: [], total: null, soft: false, state: "empty", check: false };
  const hands = seat.hands.length ? seat.hands : [empty];
  const turn = state.turn?.seat === seat.number;
  return h(
    "li",
    { cls: turn ? "turn" : "" },
    h("h3", {}, seat.number === 0 ? word("dealer.name") : fullSeatName(seat), turn && h("span", { cls: "flag" }, ` · ${word("turn.here")}`)),
    seat.number !== 0 && h("button", { type: "button", cls: "bet", onclick: () => openBet(seat) }, seat.bet ? word("console.bet-now", { amount: seat.bet }) : word(seat.placed ? "console.bet-placed" : "console.bet-open"), h("span", { cls: "hidden" }, `: ${fullSeatName(seat)}`)),
    hands.map((hand, i) => handRow(seat.number, hand, i, hands.length > 1)),
  );
}

function drawHands() {
  const dealer = { number: 0, name: "", bet: null, hands: state.dealer ? [state.dealer] : [] };
  const rows = [dealer, ...state.seats];
  const list = $("hands");
  if (list.childElementCount !== rows.length) list.replaceChildren(...rows.map(() => h("li")));
  rows.forEach((seat, i) => {
    const slot = list.children[i];
    const key = JSON.stringify([seat, state.turn]);
    if (slot.railbirdKey === key) return;
    keepFocus(slot, () => {
      const made = seatRow(seat);
      slot.className = made.className;
      slot.replaceChildren(...made.childNodes);
    });
    slot.railbirdKey = key;
  });
}

// A row that is drawn anew keeps the keyboard where it was.
function keepFocus(slot, change) {
  const buttons = [...slot.querySelectorAll("button")];
  const at = buttons.indexOf(document.activeElement);
  change();
  if (at >= 0) [...slot.querySelectorAll("button")][at]?.focus();
}

// Alerts

function alertPart(alert) {
  const move = (m) => h("li", {}, word("table.move", { cards: cardName(m.card), from: placeName(m.from), to: placeName(m.to) }));
  return h(
    "article",
    { cls: "alert" },
    h("div", {}, h("p", {}, alert.text, alert.count > 1 && h("strong", {}, ` ${word("alert.times", { count: alert.count })}`)), alert.moves?.length ? h("ul", {}, alert.moves.map(move)) : null),
    h(
      "div",
      { cls: "tools" },
      h("button", { type: "button", onclick: () => watchAlert(alert.text) }, word("history.watch"), h("span", { cls: "hidden" }, `: ${alert.text}`)),
      h("button", { type: "button", onclick: () => change("/dealer/not-a-mistake", { code: alert.code, seat: alert.seat }) }, word("console.not-a-mistake"), h("span", { cls: "hidden" }, `: ${alert.text}`)),
    ),
  );
}

function placeName(place) {
  return place.startsWith("seat:") ? seatLabel(Number(place.slice(5))) : word(`place.${place}`);
}

function drawAlerts() {
  show($("alerts"), state.alerts, () => (state.alerts.length ? state.alerts.map(alertPart) : h("p", { cls: "quiet" }, word("console.no-alerts"))));
}

// The round so far

function logText(entry) {
  if (entry.event !== "correction") return word(`event.${entry.event}`) || entry.event;
  const values = { card: entry.code ? cardName(entry.code) : "", amount: entry.amount ?? "" };
  return `${word("event.correction")}: ${word(`correction.${entry.kind}`, values)}`;
}

function logRow(entry) {
  const where = entry.seat === undefined ? "" : seatLabel(entry.seat);
  return h(
    "li",
    {},
    h("span", { cls: "where" }, where),
    h("span", {}, logText(entry)),
    entry.card ? card(entry.card) : null,
    entry.amount !== undefined && entry.event !== "correction" ? h("span", {}, String(entry.amount)) : null,
  );
}

function drawLog() {
  const box = $("log");
  const atEnd = box.scrollHeight - box.scrollTop - box.clientHeight < 40;
  const changed = show(box, state.events, () => (state.events.length ? h("ol", {}, state.events.map(logRow)) : h("p", { cls: "quiet" }, word("console.no-log"))));
  if (changed && atEnd) box.scrollTop = box.scrollHeight;
}

function take(next, gap) {
  state = next;
  announcer.take(next, gap);
  drawAlerts();
  drawHands();
  drawLog();
  takeDesk(next);
  linkBar.state(next);
}

// Tools

function wireSure(button, label, sureLabel, act) {
  let until = 0;
  button.addEventListener("click", () => {
    const sure = performance.now() < until;
    until = sure ? 0 : performance.now() + SURE;
    button.textContent = word(sure ? label : sureLabel);
    button.classList.toggle("sure", !sure);
    if (sure) act();
    else
      setTimeout(() => {
        if (performance.now() < until) return;
        button.textContent = word(label);
        button.classList.remove("sure");
      }, SURE + 50);
  });
}

$("sound").addEventListener("click", () => change("/dealer/sound", {}, "console.sound-done"));
$("undo").addEventListener("click", () => change("/dealer/table", { kind: "undo" }));
wireSure($("new-shoe"), "console.new-shoe", "console.new-shoe-sure", () => change("/dealer/table", { kind: "new-shoe" }));
$("leave").addEventListener("click", async () => {
  await post("/dealer/leave", {});
  location.reload();
});
$("bet-form").addEventListener("submit", async (event) => {
  event.preventDefault();
  const amount = $("amount").value.trim().replace(",", ".");
  const good = /^\d{1,7}(\.\d{1,2})?$/.test(amount);
  const fault = good ? await change("/dealer/bet", { seat: betSeat, amount }) : word("console.bet-bad");
  if (!fault) {
    $("bet").close();
    return;
  }
  $("bet-error").textContent = fault;
  $("amount").setAttribute("aria-invalid", "true");
  $("amount").focus();
});
for (const close of $("bet").querySelectorAll("[data-close]")) close.addEventListener("click", () => $("bet").close());
wireSettings(["theme", "contrast", "suits"]);
wireDesk((url, body) => change(url, body, "console.set-done"));
wirePicture({
  onMark: (mark) =>
    openPick({
      title: word("console.pick"),
      now: word("console.pick-now", { card: cardName(mark.code) }),
      code: mark.code,
      adding: false,
      onPick: (picked) => change("/dealer/point", { x: mark.x, y: mark.y, code: picked }),
    }),
});
follow("/dealer/events", { onState: take, onLink: (link) => linkBar.link(link), onGone: () => location.reload() });
