// The dealer's door: one field, its fault said beside it, nothing typed is lost.
import { $, word } from "./dom.js";
import { post } from "./post.js";

$("door").addEventListener("submit", async (event) => {
  event.preventDefault();
  $("code-error").textContent = "";
  const typed = $("code").value;
  const fault = typed.trim() ? (await post("/dealer/enter", { code: typed })).fault : word("error.form");
  if (!fault) {
    location.reload();
    return;
  }
  $("code-error").textContent = fault;
  $("code").setAttribute("aria-invalid", "true");
  $("code").focus();
});
$("code").focus();
