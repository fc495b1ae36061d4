// The look of the pages: one group of choices each for colours, contrast, suits and side.
import { $, h, word } from "./dom.js";

function group(name, values) {
  const field = h("fieldset", {}, h("legend", {}, word(`look.${name}`)));
  for (const value of values) {
    const input = h("input", {
      type: "radio",
      name,
      value,
      onchange: () => window.railbirdLook.choose(name, value),
    });
    input.checked = document.documentElement.dataset[name] === value;
    const key = value === "auto" ? `look.${name}.auto` : `look.${name}.${value}`;
    field.append(h("label", { cls: "choice" }, input, h("span", {}, word(key))));
  }
  return field;
}

export function fillChoices(node, names) {
  const { CHOICES } = window.railbirdLook;
  node.replaceChildren(...names.map((name) => group(name, CHOICES[name])));
}

// A button that opens a dialog, and what closes it.
export function wireDialog(button, dialog, before = () => {}) {
  button.addEventListener("click", () => {
    before();
    dialog.showModal();
  });
  for (const close of dialog.querySelectorAll("[data-close]")) close.addEventListener("click", () => dialog.close());
  dialog.addEventListener("click", (event) => event.target === dialog && dialog.close());
}

export function wireSettings(names) {
  wireDialog($("open-settings"), $("settings"), () => fillChoices($("choices"), names));
}
