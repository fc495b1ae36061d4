// Saving: what is still wrong, each with a way to its field; then the files and what to do with them.
import { ask } from "./ask.js";
import { $, h, show, word } from "./dom.js";
import { choosePlace } from "./step-places.js";
import { settled, store, take } from "./store.js";

export function saveStep(go, stepOf) {
  const jump = (path) => {
    if (stepOf(path) === "places") choosePlace(path);
    go(stepOf(path));
    document.querySelector(`[data-path="${path}"]`)?.focus();
  };

  function left(errors) {
    const rows = Object.entries(errors);
    if (!rows.length) return h("p", { cls: "found" }, word("setup.all-good"));
    const row = ([path, text]) => h("li", {}, h("button", { type: "button", onclick: () => jump(path) }, `${word(`setup.step-${stepOf(path)}`)}: ${text}`));
    return [h("p", { cls: "found" }, word("setup.left")), h("ul", { cls: "faults" }, rows.map(row))];
  }

  async function save() {
    $("save-fault").textContent = "";
    $("saved").replaceChildren();
    const lost = await settled();
    const { data, fault } = lost ? { data: null, fault: lost } : await ask("/api/save", {});
    if (data?.errors && Object.keys(data.errors).length) {
      take({ draft: store.draft, state: { ...store.state, errors: data.errors } });
      $("save-fault").textContent = word("setup.not-saved");
      return;
    }
    if (fault) {
      $("save-fault").textContent = fault;
      return;
    }
    const [layout, rules] = data.files;
    take({ draft: store.draft, state: { ...store.state, saved: true } });
    $("saved").replaceChildren(
      h("p", { cls: "found good" }, word("setup.saved", { layout, rules })),
      h("p", {}, h("a", { cls: "button", href: "/api/backup.zip", download: "railbird-table.zip" }, word("backup.get"))),
      h("p", {}, word("setup.and-now")),
      h("pre", { tabindex: "0" }, `railbird run --camera ${store.draft.camera || "usb:0"} --layout ${layout} --rules ${rules}`),
    );
  }

  $("save").addEventListener("click", save);
  return {
    draw(state) {
      show($("left"), state.errors, () => left(state.errors));
    },
  };
}
