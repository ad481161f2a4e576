// The photographs before and after a move, with rings around the pits that the verdict marks: strong where it names them, faint
// where they changed as a result. A tap, or the enter key, enlarges one.

import { below, h, s } from "./dom.js";
import { t } from "./words.js";

const WIDTHS = [320, 640]; // pixels across that the server is asked for

/** Returns the photographs of a verdict that exist; "" for none. */
export function photosOf(item) {
  const shown = [photo(item, false), photo(item, true)];
  return shown.some(Boolean) ? enlargeable(h("div", { class: "stills" }, shown)) : "";
}

/** Returns one picture with its rings, or "". when: false before the move, true after it, "moment" during it. */
export function photo(item, when) {
  const src = addressOf(item, when);
  const alt = t(when === "moment" ? "verdict.moment" : `verdict.still.${when ? "after" : "before"}`);
  const wide = (pixels) => `${src}${src.includes("?") ? "&" : "?"}width=${pixels}`;
  return src && h("a", { class: "photo", href: src }, h("img", { loading: "lazy", sizes: "auto, 320px",
    srcset: WIDTHS.map((pixels) => `${wide(pixels)} ${pixels}w`).join(", "), src: wide(640), alt, width: 320, height: 180 }), rings(item, when));
}

function addressOf({ stills, clip, moment }, when) {
  if (when === "moment") return clip && moment !== null ? below(`/clip/${clip}/moment?back=${moment.toFixed(3)}`) : "";
  const still = stills[when ? 1 : 0];
  return still && below(`/evidence/${still}`);
}

/** Returns the overlay of a photograph, as the server's `photo_svg` draws it. */
function rings({ marks, size }, after) {
  const placed = marks.filter(({ at, was, cause }) => (after === true ? at : was) && (after !== "moment" || cause)).reverse();
  if (!placed.length) return "";
  return s("svg", { viewBox: `0 0 ${size[0]} ${size[1]}`, preserveAspectRatio: "xMidYMid meet", class: `rings ${after === true ? "after" : after || "before"}${placed.some(({ due }) => due === null) ? " doubt" : ""}`, "aria-hidden": "true" },
    placed.map((mark) => ring(mark, size[0], after)));
}

function ring({ name, had, there, due, cause, at, was }, width, after) {
  const [x, y, r] = after === true ? at : was;
  if (!cause) return after && s("circle", { cx: x, cy: y, r: r * 1.12, "stroke-width": width / 360, class: "follows" });
  const text = after === "moment" ? name : !after ? `${name}: ${had}` : due === null ? `${name}: ${there}?` : due === there ? `${name}: ${there}` : `${name}: ${t("photo.due", { due, there })}`;
  const letters = width / 26;
  return [s("circle", { cx: x, cy: y, r: r * 1.2, "stroke-width": width / 85, class: "under" }), s("circle", { cx: x, cy: y, r: r * 1.2, "stroke-width": width / 142, class: "cause" }),
    s("text", { ...anchor(x, text, letters, width), y: y > 1.35 * r + letters * 1.5 ? y - 1.35 * r - letters * 0.4 : y + 1.35 * r + letters, "font-size": letters, "stroke-width": letters / 4 }, text)];
}

/** Returns a label's place: above its pit or, near the picture's edge, from the edge inwards. */
function anchor(x, text, letters, width) {
  const half = letters * [...text].reduce((sum, sign) => sum + (sign > "\u2e80" ? 0.55 : 0.36), 0);
  if (x < half) return { x: letters * 0.3, class: "from-left" };
  return x > width - half ? { x: width - letters * 0.3, class: "from-right" } : { x };
}

/** Makes every photograph in `root` open large; without scripts its link shows the plain picture. */
export function enlargeable(root) {
  root.querySelectorAll("a").forEach((link) => link.addEventListener("click", (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    enlarge(link);
  }));
  return root;
}

function enlarge(link) {
  const image = link.querySelector("img");
  const [width, height] = image.naturalWidth ? [image.naturalWidth, image.naturalHeight] : [image.width, image.height];
  const large = h("img", { src: link.getAttribute("href"), alt: image.alt, width, height }); // reserves its space before it loads
  const laid = link.querySelector("svg")?.cloneNode(true);
  const caption = link.parentElement.querySelector("figcaption")?.textContent || image.alt;
  const dialog = h("dialog", { class: "large-photo", "aria-label": image.alt,
    onclose: () => {
      dialog.remove();
      link.focus();
    },
    onclick: (event) => event.target === dialog && dialog.close() },
  h("div", { class: "photo" }, large, laid ?? ""),
  h("p", {}, caption),
  h("p", { class: "buttons" }, h("button", { type: "button", class: "strong", onclick: () => dialog.close() }, t("photo.close"))));
  document.body.append(dialog);
  dialog.showModal();
}
