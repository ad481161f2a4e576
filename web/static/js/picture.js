// The live picture, with what the camera reads laid over it.

import { h, s } from "./dom.js";
import { t } from "./words.js";

const GAP_MS = 120; // at most eight pictures a second, one on its way at a time
const DOUBT = 0.9;

export class Picture {
  constructor(parent, overlaySwitch) {
    this.parent = parent;
    this.none = h("p", { class: "no-picture" }, t("camera.none"));
    this.overlay = s("svg", { class: "overlay", "aria-hidden": "true" });
    this.rate = h("p", { class: "rate" });
    this.image = null;
    this.frame = "0";
    this.busy = false;
    parent.append(this.none, this.overlay, this.rate);
    overlaySwitch.addEventListener("change", () => parent.classList.toggle("plain", !overlaySwitch.checked));
  }

  show(live) {
    const on = live.running && live.frame !== "0";
    this.parent.classList.toggle("off", !on);
    if (!on) return;
    this.wanted = live.frame;
    this.load();
    if (live.state) this.draw(live.state);
  }

  async load() {
    if (this.busy || this.wanted === this.frame || document.hidden) return;
    this.busy = true;
    const frame = this.wanted;
    const next = new Image();
    next.alt = "";
    next.src = `/live/frame.jpg?${frame}`;
    try {
      await next.decode();
      if (this.image) this.image.replaceWith(next);
      else this.parent.prepend(next);
      this.image = next;
      this.frame = frame;
    } catch {
      // replaced while it was read, or gone: the next one comes soon
    }
    setTimeout(() => {
      this.busy = false;
      this.load();
    }, GAP_MS);
  }

  draw({ size, pits, fps }) {
    if (!size?.[0]) return;
    const [width, height] = size;
    this.parent.style.aspectRatio = `${width} / ${height}`;
    this.overlay.setAttribute("viewBox", `0 0 ${width} ${height}`);
    this.rate.textContent = fps ? t("camera.rate", { n: Math.round(fps) }) : "";
    this.overlay.replaceChildren(...pits.map((pit) => {
      const kind = !pit.seen ? "covered" : pit.p < DOUBT ? "doubt" : "sure";
      const text = pit.seen && pit.count >= 0 ? `${pit.count > 24 ? "25+" : pit.count}${kind === "doubt" ? "?" : ""}` : "";
      return s("g", { class: kind },
        s("circle", { cx: pit.x, cy: pit.y, r: pit.r }),
        text && s("text", { x: pit.x, y: pit.y, "font-size": Math.max(pit.r * 0.95, width / 55) }, text));
    }));
  }
}
