// Fields that are bound to a path of the draft, each with its explanation and its fault beside it.
import { h, word } from "./dom.js";
import { at, put, store } from "./store.js";

const idOf = (path) => `f-${path.replaceAll(".", "-")}`;

export const faultLine = (path, id = null) => h("p", { cls: "field-error", id, data: { fault: path } });

function shell(path, label, about, input, unit) {
  const id = idOf(path);
  input.id = id;
  input.dataset.path = path;
  input.setAttribute("aria-describedby", `${about ? `${id}-about ` : ""}${id}-fault`);
  return h(
    "div",
    { cls: "field" },
    h("label", { for: id }, label, unit && h("span", { cls: "unit" }, ` (${unit})`)),
    about && h("p", { cls: "about", id: `${id}-about` }, about),
    input,
    faultLine(path, `${id}-fault`),
  );
}

export function textField(path, label, { about = "", unit = "", number = false, oninput = null } = {}) {
  const input = h("input", { type: "text", autocomplete: "off", spellcheck: "false", maxlength: "200", inputmode: number ? "decimal" : null, cls: number ? "number" : null });
  input.value = at(path) ?? "";
  input.addEventListener("input", () => {
    put(path, input.value);
    oninput?.(input.value);
  });
  return shell(path, label, about, input, unit);
}

export function selectField(path, label, choices, { about = "", onchange = null } = {}) {
  const input = h("select", {}, choices.map(([value, text]) => h("option", { value }, text)));
  input.value = at(path) ?? "";
  input.addEventListener("change", () => {
    put(path, input.value);
    onchange?.(input.value);
  });
  return shell(path, label, about, input, "");
}

export function flagField(path, label, { about = "", onchange = null } = {}) {
  const id = idOf(path);
  const input = h("input", { type: "checkbox", id, data: { path }, "aria-describedby": `${about ? `${id}-about ` : ""}${id}-fault` });
  input.checked = at(path) === true;
  input.addEventListener("change", () => {
    put(path, input.checked);
    onchange?.(input.checked);
  });
  return h("div", { cls: "field" }, h("label", { cls: "choice", for: id }, input, h("span", {}, label)), about && h("p", { cls: "about", id: `${id}-about` }, about), faultLine(path, `${id}-fault`));
}

export function radios(name, legend, choices, chosen, onchange, about = {}) {
  return h(
    "fieldset",
    { cls: "radios" },
    h("legend", {}, legend),
    choices.map(([value, text]) => {
      const input = h("input", { type: "radio", name, value, "aria-describedby": about[value] ? `${name}-${value}-about` : null });
      input.checked = value === chosen;
      input.addEventListener("change", () => onchange(value));
      return h("div", { cls: "radio" }, h("label", { cls: "choice" }, input, h("span", {}, text)), about[value] && h("p", { cls: "about", id: `${name}-${value}-about` }, about[value]));
    }),
  );
}

// Every fault of the draft beside its field; a fault whose field is not on the page is told at the saving.
export function showFaults() {
  const errors = store.state?.errors ?? {};
  for (const line of document.querySelectorAll("[data-fault]")) {
    const text = errors[line.dataset.fault] ?? "";
    if (line.textContent !== text) line.textContent = text;
  }
  for (const input of document.querySelectorAll("[data-path]")) {
    if (errors[input.dataset.path]) input.setAttribute("aria-invalid", "true");
    else input.removeAttribute("aria-invalid");
  }
}

// A value that was changed by other means than its field, shown in it; never while somebody types there.
export function refresh(root) {
  for (const input of root.querySelectorAll("[data-path]")) {
    if (input === document.activeElement) continue;
    const value = at(input.dataset.path);
    if (input.type === "checkbox") input.checked = value === true;
    else if (input.value !== String(value ?? "")) input.value = value ?? "";
  }
}

export const checkList = (checks) => checks.map((check) => h("li", { cls: `check-${check.state}` }, h("strong", {}, word(`check.${check.state}`)), h("span", {}, check.text)));
