// Fills the card to print: what is said, what signals and keys do.
import { $, h } from "./dom.js";

function fill(list, rows) {
  list.replaceChildren(...rows.map(([what, means]) => h("div", {}, h("dt", {}, what), h("dd", {}, means))));
}

const data = await (await fetch("/card.json", { cache: "no-store" })).json();
for (const name of ["said", "signals", "keys"]) fill($(name), data[name]);
$("keys").hidden = !data.keys.length;
$("no-keys").hidden = data.keys.length > 0;
$("print").addEventListener("click", () => print());
