// The live picture, with the camera's counts over it.

import { below, h, s } from "./dom.js";
import { t } from "./words.js";

const GAP_MS = 120; // at most eight pictures a second, one request at a time
const RATE = 32; // bytes per millisecond, so that ten phones do not fill a hall's Wi-Fi; the event feed takes some three more
const FIRST_MS = 5000; // since the page was requested: until then, photographs and scripts come first
const FIRST_RATE = 8;
const GUESS = 40000; // bytes of a picture whose size the browser does not tell
const SHARPEST = 1.5; // picture pixels per box pixel; in a moving picture nobody sees more
const KEPT = "inkeek-camera";
const DOUBT = 0.9;
const CORNER = 1.02; // radii from a pit's middle to its number, in x and y: between the pits, so that no seed is hidden

export class Picture {
  constructor(parent, rate, overlaySwitch) {
    this.parent = parent;
    this.none = h("p", { class: "no-picture" }, t("camera.none"));
    this.overlay = s("svg", { class: "overlay", "aria-hidden": "true" });
    this.rate = rate;
    this.image = null;
    this.frame = "0";
    this.busy = false;
    this.seen = false; // until the observer has looked
    new IntersectionObserver(([one]) => {
      this.seen = one.isIntersecting;
      this.load();
    }).observe(parent);
    parent.append(this.none, this.overlay);
    overlaySwitch.addEventListener("change", () => parent.classList.toggle("plain", !overlaySwitch.checked));
  }

  /** Keeps on this device whether the picture is folded away. */
  folding(details) {
    try {
      details.open = localStorage.getItem(KEPT) !== "shut";
    } catch {
      // the browser stores nothing
    }
    details.addEventListener("toggle", () => {
      try {
        localStorage.setItem(KEPT, details.open ? "open" : "shut");
      } catch {
        // the choice lasts for this page only
      }
    });
  }

  /** judged: the counts behind the verdict that is shown, see `judgedOf`; null for none. */
  show(live, judged) {
    const on = live.running && live.frame !== "0";
    this.parent.classList.toggle("off", !on);
    if (!on) this.rate.textContent = "";
    if (!on) return;
    this.wanted = live.frame;
    this.load();
    if (live.state) this.draw(live.state, judged);
  }

  async load() {
    if (this.busy || !this.wanted || this.wanted === this.frame || document.hidden || !this.seen) return;
    this.busy = true;
    const began = performance.now();
    const frame = this.wanted;
    const next = new Image();
    next.alt = "";
    const width = Math.ceil(this.parent.clientWidth * Math.min(devicePixelRatio, SHARPEST));
    next.src = below(`/live/frame.jpg?width=${width}&${frame}`);
    try {
      await next.decode();
      if (this.image) this.image.replaceWith(next);
      else this.parent.prepend(next);
      this.image = next;
      this.frame = frame;
    } catch {
      // replaced while it was read, or missing: the next one comes soon
    }
    const bytes = performance.getEntriesByName(next.src)[0]?.transferSize || GUESS;
    performance.clearResourceTimings(); // the browser keeps only a limited number
    setTimeout(() => {
      this.busy = false;
      this.load();
    }, Math.max(GAP_MS, bytes / (began < FIRST_MS ? FIRST_RATE : RATE) - (performance.now() - began)));
  }

  draw({ size, pits, fps, behind }, judged) {
    if (!size?.[0]) return;
    const [width, height] = size;
    this.parent.style.aspectRatio = `${width} / ${height}`;
    this.overlay.setAttribute("viewBox", `0 0 ${width} ${height}`);
    const pace = behind ? "camera.behind" : "camera.rate";
    this.rate.textContent = !fps ? "" : fps < 1 ? t(`${pace}.few`) : t(pace, { n: Math.round(fps) });
    this.overlay.replaceChildren(...pits.map((pit) => {
      const doubted = judged ? judged.doubt.includes(pit.name) : pit.p < DOUBT;
      const kind = !pit.seen ? "covered" : doubted ? "doubt" : "sure";
      const count = judged?.counts[pit.name] ?? pit.count;
      const text = pit.seen && count >= 0 ? `${count > 24 ? "25+" : count}${doubted ? "?" : ""}` : "";
      return s("g", { class: kind },
        s("circle", { cx: pit.x, cy: pit.y, r: pit.r }),
        text && s("text", { x: pit.x - CORNER * pit.r, y: pit.y - CORNER * pit.r, "font-size": Math.max(pit.r * 0.82, width / 60) }, text));
    }));
  }
}

/** Returns the counts behind a verdict, and the pits that it doubts: while it is shown, the picture must not contradict
 *  the words beside it. Null while something happens on the board. */
export function judgedOf(item, state, shape) {
  if (!item?.position || state?.state !== "watching") return null;
  const n = item.verdict === "not-sure" && item.counts.length === shape.length ? item.counts : item.position.n;
  return { counts: Object.fromEntries(shape.map((pit, i) => [pit.name, n[i]])), doubt: item.verdict === "not-sure" ? item.pits : [] };
}
