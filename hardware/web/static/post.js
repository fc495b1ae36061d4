// Sends a change; returns null when it was taken, else the reason in words.
import { word } from "./dom.js";

export async function post(url, body) {
  try {
    const answer = await fetch(url, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
      cache: "no-store",
    });
    if (answer.ok) return null;
    const text = await answer.text();
    try {
      return JSON.parse(text).detail;
    } catch {
      return text.trim() || String(answer.status);
    }
  } catch {
    return word("error.network");
  }
}
