// Sends a change; returns {fault, later}: the reason in words where it was refused, what is still to come where it waits.
import { word } from "./dom.js";

function detail(text) {
  try {
    return JSON.parse(text).detail;
  } catch {
    return text.trim();
  }
}

export async function post(url, body) {
  try {
    const answer = await fetch(url, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
      cache: "no-store",
    });
    const text = await answer.text();
    if (answer.ok) return { fault: null, later: answer.status === 202 ? detail(text) : null };
    return { fault: detail(text) || String(answer.status), later: null };
  } catch {
    return { fault: word("error.network"), later: null };
  }
}
