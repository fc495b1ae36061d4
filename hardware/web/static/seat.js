// One player's page: my hand in the largest type that fits, my turn, my bet, the dealer's upcard; spoken and felt too.
import { Announcer } from "./announce.js";
import { card, cardNames, total } from "./cards.js";
import { $, betText, h, fullSeatName, show, word } from "./dom.js";
import { fitLine } from "./fit.js";
import { linkBar } from "./linkbar.js";
import { wireSettings } from "./settings.js";
import { drawSign } from "./sign.js";
import { follow } from "./stream.js";
import { Voice } from "./voice.js";

const MY_TURN = [220, 110, 220]; // ms of vibration and pause

const announcer = new Announcer($("polite"), $("urgent"));
const voice = new Voice();
let state = null;
let turnKey = null;

const mine = () => state?.turn?.seat === state?.seat.number;
const shownHands = () => state.seat.hands.filter((hand) => hand.cards.length || hand.check);

function handText(hand) {
  if (hand.check) return word("seat.check");
  const text = hand.text || (hand.total === null ? word("total.none") : String(hand.total));
  const told = word(`state.${hand.state}`);
  const whole = told && told.toLowerCase() !== text.toLowerCase() ? `${text}, ${told}` : text;
  return word("seat.summary", { total: whole, cards: cardNames(hand.cards) });
}

function turnText() {
  const { turn } = state;
  if (!turn) return word("seat.no-turn");
  if (mine()) return word("seat.your-turn");
  return turn.seat === 0 ? word("seat.dealer-turn") : word("seat.other-turn", { number: turn.seat });
}

function dealerText() {
  const cards = state.dealer?.cards ?? [];
  return cards.length ? word("seat.dealer", { cards: cardNames(cards) }) : word("seat.dealer-none");
}

// Everything a player may want to hear again, in one breath.
function summary() {
  if (!state) return word("table.waiting");
  const hands = shownHands().map(handText);
  return [...(hands.length ? hands : [word("seat.summary-none")]), dealerText(), turnText()].join(". ");
}

function handPart(hand, index, several) {
  const turn = mine() && state.turn.hand === index;
  return h(
    "section",
    { cls: `hand ${turn && several ? "turn" : ""} ${hand.check ? "check" : ""}`, "aria-label": several ? word("seat.hand", { number: index + 1 }) : null },
    several && h("h2", {}, word("seat.hand", { number: index + 1 })),
    h("div", { cls: "figure" }, total(hand)),
    hand.check && h("p", { cls: "note" }, word("seat.check")),
    !hand.check && word(`state.${hand.state}`) && h("p", { cls: "note" }, word(`state.${hand.state}`)),
    h("p", { cls: "cards" }, hand.cards.map((code) => card(code))),
  );
}

function drawHands() {
  const { hands } = state.seat;
  const count = shownHands().length;
  $("hands").dataset.count = count;
  $("hands").style.setProperty("--rows", Math.max(1, count));
  const changed = show($("hands"), [hands, state.turn], () =>
    count ? hands.map((hand, i) => (hand.cards.length || hand.check) && handPart(hand, i, count > 1)) : h("p", { cls: "waiting" }, word("seat.waiting")),
  );
  if (changed) fitFigures();
}

function fitFigures() {
  for (const figure of document.querySelectorAll("#hands .figure")) fitLine(figure, 40, 900);
}

function drawDealer() {
  const cards = state.dealer?.cards ?? [];
  show($("dealer"), state.dealer, () =>
    cards.length
      ? [h("span", {}, `${word("dealer.name")} `), h("span", { cls: "cards" }, cards.map((code) => card(code))), state.dealer.total !== null ? total(state.dealer) : null]
      : h("span", {}, word("seat.dealer-none")),
  );
}

function drawTurn() {
  const { turn } = state;
  document.body.classList.toggle("my-turn", mine());
  show($("turn"), turnText(), () => turnText());
  const key = mine() ? `${state.run}/${turn.hand}` : null;
  if (key && key !== turnKey) {
    if (navigator.userActivation?.hasBeenActive) navigator.vibrate?.(MY_TURN);
    $("turn").classList.remove("turn-flash");
    requestAnimationFrame(() => $("turn").classList.add("turn-flash"));
  }
  turnKey = key;
}

function draw() {
  const { seat } = state;
  $("who").textContent = fullSeatName(seat);
  $("bet").textContent = betText(seat);
  drawTurn();
  show($("alerts"), state.alerts, () => state.alerts.map((alert) => h("p", { cls: "alert" }, alert.count > 1 ? `${alert.text} ${word("alert.times", { count: alert.count })}` : alert.text)));
  drawHands();
  drawDealer();
  drawSign($("camera"), state.camera);
  linkBar.state(state);
  const first = shownHands()[0];
  document.title = `${first ? `${first.text || first.total || "?"} · ` : ""}${mine() ? `${word("seat.your-turn")} · ` : ""}${fullSeatName(seat)}`;
}

function take(next, gap) {
  state = next;
  voice.say(...announcer.take(next, gap));
  draw();
}

function repeat() {
  const text = summary();
  announcer.say({ kind: "say", text });
  voice.say({ kind: "asked", text });
}

async function toggleVoice() {
  const button = $("voice");
  if (voice.on) {
    voice.stop();
  } else if (await voice.available()) {
    voice.start(word("seat.voice-ready"));
  } else {
    $("voice-note").textContent = word("seat.voice-none");
  }
  button.setAttribute("aria-pressed", String(voice.on));
  button.textContent = word(voice.on ? "seat.voice-off" : "seat.voice-on");
}

$("repeat").addEventListener("click", repeat);
$("hands").addEventListener("click", repeat);
$("voice").addEventListener("click", toggleVoice);
wireSettings(["theme", "contrast", "suits"]);
new ResizeObserver(fitFigures).observe($("hands")); // what stands around it takes room, too
document.fonts?.ready.then(fitFigures);
follow(`${location.pathname}/events`, {
  onState: take,
  onLink: (link) => linkBar.link(link),
  onGone: () => location.reload(),
});
