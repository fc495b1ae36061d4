// Speech on the phone itself. Browsers allow it only after a tap, so it is off until the button is pressed.
const WAIT = 1500; // ms until a browser without voices is known to have none
const LOOK = 250; // ms between two looks whether it still speaks: some browsers never tell of the end
const FRESH = { asked: 12000, alert: 12000, say: 8000 }; // ms for which words are worth saying
const FIRST = { asked: 0, alert: 1 }; // what goes before the rest

// What words are about: newer ones about the same replace those that wait.
function aboutOf({ kind, text, code, seat, hand }) {
  if (kind === "alert" || kind === "resolved") return `alert ${code} ${seat}`;
  if (kind === "say" && seat !== null && seat !== undefined) return `hand ${seat} ${hand ?? 0}`;
  return `${kind} ${text}`;
}

const rank = (words) => FIRST[words.kind] ?? 2;

export class Voice {
  constructor() {
    this.on = false;
    this.waiting = [];
    this.now = null;
    this.timer = 0;
  }

  // Resolves to whether this browser has a voice at all.
  async available() {
    const synth = window.speechSynthesis;
    if (!synth) return false;
    if (synth.getVoices().length) return true;
    return new Promise((resolve) => {
      const done = () => resolve(synth.getVoices().length > 0);
      synth.addEventListener?.("voiceschanged", done, { once: true });
      setTimeout(done, WAIT);
    });
  }

  start(text) {
    this.on = true;
    this.say({ kind: "asked", text });
  }

  stop() {
    this.on = false;
    this.waiting = [];
    this.now = null;
    clearInterval(this.timer);
    window.speechSynthesis?.cancel();
  }

  // Every new word has its turn: what a person asked for, then alerts, then totals in their order. Only words about the
  // same hand or alert are overtaken by newer ones, and nothing but those breaks off what is being said.
  say(...all) {
    if (!this.on) return;
    for (const words of all) this.wait(words);
    this.next();
  }

  wait(words) {
    const about = aboutOf(words);
    this.waiting = this.waiting.filter((other) => other.about !== about);
    const overtaken = this.now?.about === about && this.now.text !== words.text;
    if (words.text) this.waiting.push({ ...words, about, at: performance.now() });
    this.waiting.sort((a, b) => rank(a) - rank(b));
    if (overtaken) speechSynthesis.cancel();
  }

  next() {
    const now = performance.now();
    this.waiting = this.waiting.filter((words) => now - words.at < (FRESH[words.kind] ?? FRESH.say));
    if (this.now || !this.waiting.length) return;
    const words = (this.now = this.waiting.shift());
    const spoken = new SpeechSynthesisUtterance(words.text);
    spoken.lang = document.documentElement.lang;
    spoken.onend = spoken.onerror = () => this.ended(words);
    speechSynthesis.speak(spoken);
    let quiet = 0;
    clearInterval(this.timer);
    this.timer = setInterval(() => {
      quiet = speechSynthesis.speaking || speechSynthesis.pending ? 0 : quiet + 1;
      if (quiet > 1) this.ended(words);
    }, LOOK);
  }

  ended(words) {
    if (this.now !== words) return;
    clearInterval(this.timer);
    this.now = null;
    this.next();
  }
}
