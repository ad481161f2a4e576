// The connection to the server: an event feed that reconnects by itself, and polling while no feed is free.
//
// EventSource alone is not enough: it gives up for good on an error status, and does not notice a silent connection.

import { below } from "./dom.js";

const SILENCE_MS = 12000; // the server beats every 4 s
const RETRY_MS = [500, 1000, 2000, 3000, 5000];
const SLOW_MS = 4000;
const HIDDEN_MS = 30000; // a hidden page frees its feed

export class Connection {
  /** on: {table(patch), live(state), up(), down()}; open: "&public" for what everybody may see, whoever asks. */
  constructor(on, open = "") {
    this.on = on;
    this.which = open;
    this.after = 0;
    this.tries = 0;
    this.isUp = false;
    document.addEventListener("visibilitychange", () => this.visibility());
    addEventListener("pagehide", () => this.close());
    addEventListener("pageshow", (event) => event.persisted && this.open());
    addEventListener("online", () => this.open());
    this.open();
  }

  open() {
    this.close();
    const source = new EventSource(below(`/events?after=${this.after}${this.which}`));
    this.source = source;
    const heard = (use) => (event) => {
      this.hear();
      use(JSON.parse(event.data));
    };
    source.addEventListener("open", () => this.hear());
    source.addEventListener("table", heard((patch) => this.table(patch)));
    source.addEventListener("live", heard((state) => this.on.live(state)));
    source.addEventListener("beat", heard(() => {}));
    source.addEventListener("error", () => this.fail());
    this.listen();
  }

  close() {
    clearTimeout(this.timer);
    clearTimeout(this.watchdog);
    this.source?.close();
    this.source = null;
  }

  table(patch) {
    this.after = patch.number;
    this.on.table(patch);
  }

  hear() {
    this.tries = 0;
    if (!this.isUp) {
      this.isUp = true;
      this.on.up();
    }
    if (this.source) this.listen();
  }

  listen() {
    clearTimeout(this.watchdog);
    this.watchdog = setTimeout(() => this.fail(), SILENCE_MS);
  }

  fail() {
    this.close();
    this.lose();
    this.again(() => this.slow());
  }

  lose() {
    if (this.isUp) this.on.down();
    this.isUp = false;
  }

  again(what) {
    const wait = RETRY_MS[Math.min(this.tries++, RETRY_MS.length - 1)];
    this.timer = setTimeout(what, wait);
  }

  /** Polls once; if that works but no feed is free, keeps polling and tries for a feed now and then. */
  async slow(polls = 0) {
    try {
      const answer = await fetch(below(`/table?after=${this.after}${this.which}`), { signal: AbortSignal.timeout(SILENCE_MS) });
      if (!answer.ok) throw new Error(String(answer.status));
      const { table, live, full } = await answer.json();
      if (!full) return this.open();
      this.hear();
      this.table(table);
      this.on.live(live);
      this.timer = setTimeout(() => (polls < 4 ? this.slow(polls + 1) : this.open()), SLOW_MS);
    } catch {
      this.lose();
      this.again(() => this.slow());
    }
    return undefined;
  }

  visibility() {
    clearTimeout(this.hiding);
    if (document.hidden) this.hiding = setTimeout(() => this.close(), HIDDEN_MS);
    else if (!this.source) this.open();
  }
}
