// Follows a stream of states; reconnects by itself and tells at once when what is shown is out of date.
const SILENCE = 5000; // ms; the server sends something every 2 s
const RETRIES = [500, 1000, 2000, 4000];

export function follow(url, { onState, onLink, onGone }) {
  let source = null;
  let heard = performance.now();
  let fresh = true;
  let tries = 0;
  let timer = 0;
  let staleSince = 0;

  function link(next) {
    if (next === fresh && next) return;
    if (!next && fresh) staleSince = Math.min(heard, performance.now());
    fresh = next;
    onLink({ fresh, seconds: Math.round((performance.now() - staleSince) / 1000) });
  }

  function hear() {
    heard = performance.now();
    tries = 0;
    link(true);
  }

  async function statusOf() {
    const control = new AbortController();
    try {
      return (await fetch(url, { signal: control.signal, cache: "no-store" })).status;
    } catch {
      return 0;
    } finally {
      control.abort();
    }
  }

  function later() {
    clearTimeout(timer);
    timer = setTimeout(open, RETRIES[Math.min(tries, RETRIES.length - 1)]);
    tries += 1;
  }

  async function failed() {
    link(false);
    if (source.readyState !== EventSource.CLOSED) return; // the browser tries again by itself
    const status = await statusOf();
    if ([401, 403, 404].includes(status) && onGone) onGone(status);
    else later();
  }

  function open() {
    clearTimeout(timer);
    source?.close();
    source = new EventSource(url);
    source.addEventListener("state", (event) => {
      const gap = fresh ? 0 : performance.now() - staleSince;
      hear();
      onState(JSON.parse(event.data), gap);
    });
    source.addEventListener("beat", hear);
    source.addEventListener("error", failed);
  }

  function reopen() {
    heard = performance.now() - SILENCE / 2;
    tries = 0;
    open();
  }

  setInterval(() => {
    if (performance.now() - heard > SILENCE) {
      link(false);
      reopen();
    } else if (!fresh) {
      link(false);
    }
  }, 500);
  addEventListener("offline", () => link(false));
  addEventListener("online", reopen);
  addEventListener("pageshow", (event) => event.persisted && reopen());
  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState === "visible" && performance.now() - heard > SILENCE / 2) reopen();
  });
  addEventListener("pagehide", () => source?.close());
  open();
}
