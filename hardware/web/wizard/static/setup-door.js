// The door of the set-up: one field, its fault said beside it, nothing typed is lost.
import { ask } from "./ask.js";
import { $, word } from "./dom.js";

$("door").addEventListener("submit", async (event) => {
  event.preventDefault();
  $("code-error").textContent = "";
  const code = $("code").value.trim();
  const { fault } = code ? await ask("/enter", { code }) : { fault: word("error.form") };
  if (!fault) {
    location.reload();
    return;
  }
  $("code-error").textContent = fault;
  $("code").setAttribute("aria-invalid", "true");
  $("code").focus();
});
$("code").focus();
