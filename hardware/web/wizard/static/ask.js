// Asks the wizard for something: gives { data } when it was done, { fault, data } in words when it was not.
import { word } from "./dom.js";

async function answered(send) {
  try {
    const answer = await send();
    const text = await answer.text();
    let data = null;
    try {
      data = text ? JSON.parse(text) : null;
    } catch {
      data = null;
    }
    if (answer.ok) return { data, fault: null };
    if (answer.status === 401) location.reload();
    return { data, fault: data?.detail || text.trim() || String(answer.status) };
  } catch {
    return { data: null, fault: word("error.network") };
  }
}

export const ask = (url, body, more = {}) =>
  answered(() => fetch(url, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body), cache: "no-store", ...more }));

const send = (url, file, type) =>
  answered(() => fetch(url, { method: "POST", headers: { "content-type": type }, body: file, cache: "no-store" }));

export const sendPicture = (url, file) => send(url, file, file.type.startsWith("image/") ? file.type : "image/jpeg");

export const sendBackup = (url, file) => send(url, file, "application/zip");

export const get = (url) => answered(() => fetch(url, { cache: "no-store" }));
