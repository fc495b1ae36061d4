// Follows a stream of states; reconnects by itself and tells at once when what is shown is out of date.
const SILENCE = 5000; // ms; the server sends something every 2 s
const RETRIES = [500, 1000, 2000, 4000];

// A moment on two clocks: one of them stands while a phone sleeps, the other may be set.
const moment = (ago = 0) => ({ steady: performance.now() - ago, wall: Date.now() - ago });
const since = (then) => Math.max(performance.now() - then.steady, Date.now() - then.wall);

export function follow(url, { onState, onLink, onGone }) {
  let source = null;
  let heard = moment();
  let fresh = true;
  let tries = 0;
  let timer = 0;
  let staleSince = moment();

  function link(next) {
    if (next === fresh && next) return;
    if (!next && fresh) staleSince = heard;
    fresh = next;
    onLink({ fresh, seconds: Math.round(since(staleSince) / 1000) });
  }

  function hear() {
    heard = moment();
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
      const gap = fresh ? 0 : since(staleSince);
      hear();
      onState(JSON.parse(event.data), gap);
    });
    source.addEventListener("beat", hear);
    source.addEventListener("error", failed);
  }

  function reopen() {
    heard = moment(SILENCE / 2);
    tries = 0;
    open();
  }

  // Also the first thing that runs when a phone wakes: what it shows is old, and says so.
  function look() {
    if (since(heard) > SILENCE) {
      link(false);
      reopen();
    } else if (!fresh) {
      link(false);
    }
  }

  setInterval(look, 500);
  addEventListener("offline", () => link(false));
  addEventListener("online", reopen);
  addEventListener("pageshow", (event) => event.persisted && reopen());
  document.addEventListener("resume", look);
  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState !== "visible") return;
    look();
    if (since(heard) > SILENCE / 2) reopen();
  });
  addEventListener("pagehide", () => source?.close());
  open();
}
