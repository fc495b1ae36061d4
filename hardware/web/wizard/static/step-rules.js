// The house rules: a preset, and every option with its explanation.
import { $, h, word } from "./dom.js";
import { flagField, radios, selectField, showFaults, textField } from "./form.js";
import { at, changed, store } from "./store.js";

const kept = {}; // what was set under a preset, for whoever comes back to it

function option(rule) {
  const path = `rules.${rule.key}`;
  const label = word(`rule.${rule.key}`);
  const about = word(`rule.${rule.key}-about`);
  const onchange = marks;
  if (rule.kind === "flag") return flagField(path, label, { about, onchange });
  if (rule.kind === "choice") return selectField(path, label, rule.choices.map((choice) => [choice, word(`rule.${rule.key}.${choice || "none"}`)]), { about, onchange });
  if (rule.kind !== "bets") return textField(path, label, { about, number: true, oninput: onchange });
  return h("fieldset", {}, h("legend", {}, label), h("p", { cls: "about" }, about), textField("rules.bets_low", word("rule.bets-low"), { number: true, oninput: onchange }), textField("rules.bets_high", word("rule.bets-high"), { number: true, oninput: onchange }));
}

const keysOf = (rule) => (rule.kind === "bets" ? ["bets_low", "bets_high"] : [rule.key]);

function marks() {
  const usual = store.offer.presets[at("rules.preset")];
  for (const rule of store.offer.rules) {
    const other = keysOf(rule).some((key) => String(at(`rules.${key}`)) !== String(usual?.[key]));
    document.querySelector(`[data-rule="${rule.key}"] .other`).hidden = !other;
  }
}

function drawRules() {
  $("rules").replaceChildren(...store.offer.rules.map((rule) => h("div", { cls: "rule", data: { rule: rule.key } }, option(rule), h("p", { cls: "other" }, word("setup.other-than-preset")))));
  marks();
  showFaults();
}

function choosePreset(name) {
  kept[at("rules.preset")] = store.draft.rules;
  store.draft.rules = kept[name] ?? { ...store.offer.presets[name] };
  changed();
  drawRules();
}

export function rulesStep() {
  const names = Object.keys(store.offer.presets);
  const about = Object.fromEntries(names.map((name) => [name, word(`preset.${name}-about`)]));
  $("presets").replaceChildren(radios("preset", word("setup.preset"), names.map((name) => [name, word(`preset.${name}`)]), at("rules.preset"), choosePreset, about));
  return { open: drawRules };
}
