// Keys of a clicker or a number pad while this page has the keyboard: the speaker answers, not the page.
import { post } from "./post.js";

const OWN = "a, button, input, select, textarea, summary, dialog[open] *"; // these need their keys themselves

export async function wireKeys() {
  let keys = {};
  try {
    const answer = await fetch("/keys.json", { cache: "no-store" });
    if (answer.ok) keys = await answer.json();
  } catch {
    return; // without contact nothing could be asked for
  }
  document.addEventListener("keydown", (event) => {
    const action = keys[event.code];
    if (!action || event.repeat || event.ctrlKey || event.altKey || event.metaKey) return;
    if (event.target instanceof Element && event.target.closest(OWN)) return;
    const scrolls = document.documentElement.scrollHeight > window.innerHeight;
    if (scrolls && ["PageUp", "PageDown", "Home", "End", "Space", "ArrowUp", "ArrowDown"].includes(event.code)) return;
    event.preventDefault();
    post("/key", { action });
  });
}
