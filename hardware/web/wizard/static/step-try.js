// A trial look: what is read, in words and on the picture.
import { ask } from "./ask.js";
import { Board } from "./board.js";
import { $, h, word } from "./dom.js";
import { live } from "./step-picture.js";
import { settled, store } from "./store.js";

let board = null;
let count = 0;

async function look(fresh) {
  $("try-fault").textContent = "";
  $("try-busy").textContent = word("setup.looking");
  await settled();
  const { data, fault } = await ask("/api/trial", { fresh });
  $("try-busy").textContent = "";
  $("try-fault").textContent = fault ?? "";
  if (fault) return;
  count += 1;
  const { width, height } = store.state.picture;
  $("try-board").hidden = false;
  $("read").replaceChildren(...data.lines.map((line) => h("li", {}, line)));
  board.show(`/api/tried.jpg?n=${count}`, width, height, word("setup.tried-alt"));
  board.tag(data.marks);
}

export function tryStep() {
  board = new Board($("try-board"));
  $("try-board").hidden = true;
  $("try-picture").addEventListener("click", () => look(false));
  $("try-camera").addEventListener("click", () => look(true));
  return {
    draw() {
      $("try-camera").hidden = !live();
    },
  };
}
