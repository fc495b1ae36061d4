// Runs before the page is drawn, so that it never flashes in other colours than the chosen ones.
(() => {
  const CHOICES = {
    theme: ["auto", "dark", "light"],
    contrast: ["auto", "high"],
    suits: ["four", "two"],
    side: ["players", "dealer"],
  };
  const KEY = "railbird.look";
  const root = document.documentElement;

  function stored() {
    try {
      return JSON.parse(localStorage.getItem(KEY) || "{}") || {};
    } catch {
      return {};
    }
  }

  function apply() {
    const asked = new URLSearchParams(location.search);
    const kept = stored();
    for (const [name, values] of Object.entries(CHOICES)) {
      const value = [asked.get(name), kept[name]].find((v) => values.includes(v));
      root.dataset[name] = value || values[0];
    }
  }

  function choose(name, value) {
    const next = { ...stored(), [name]: value };
    try {
      localStorage.setItem(KEY, JSON.stringify(next));
    } catch {
      // A browser that keeps nothing still obeys until it is closed.
    }
    root.dataset[name] = value;
    window.dispatchEvent(new Event("look"));
  }

  apply();
  window.railbirdLook = { CHOICES, choose };
})();
