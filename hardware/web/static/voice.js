// Speech on the phone itself. Browsers allow it only after a tap, so it is off until the button is pressed.
const WAIT = 1500; // ms until a browser without voices is known to have none

export class Voice {
  constructor() {
    this.on = false;
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
    this.say(text);
  }

  stop() {
    this.on = false;
    window.speechSynthesis?.cancel();
  }

  // Newer words replace those still waiting: an old total must not follow a new one.
  say(text) {
    if (!this.on || !text) return;
    const words = new SpeechSynthesisUtterance(text);
    words.lang = document.documentElement.lang;
    if (speechSynthesis.pending || speechSynthesis.speaking) speechSynthesis.cancel();
    speechSynthesis.speak(words);
  }
}
