// The evidence for an accusation in four pictures: before the move, the moment, the board as it is, the board as it should be.

import { smallBoard } from "./diagram.js";
import { h } from "./dom.js";
import { enlargeable, photo } from "./photos.js";
import { t } from "./words.js";

/** Returns those of the four pictures that exist; a missing photograph is replaced by a drawing. "" for none. */
export function evidenceOf(item, shape) {
  const { before, position, expected } = item;
  if (!position || !shape) return "";
  const odd = item.marks.map(({ pit }) => pit);
  const faint = item.marks.filter(({ cause }) => !cause).map(({ pit }) => pit);
  const drawn = (diagram, marked) => diagram && smallBoard(shape, diagram, marked, -1, faint);
  const figure = (key, tone, picture) => picture && h("figure", { class: `compare ${tone}` }, h("figcaption", {}, t(key)), picture);
  return enlargeable(h("div", { class: "stills evidence" },
    figure("verdict.before", "past", photo(item, false) || drawn(before, [])),
    momentOf(item),
    figure(item.verdict === "not-sure" ? "verdict.seems" : "verdict.position", "is", photo(item, true) || drawn(position, odd)),
    figure("verdict.expected", "due", drawn(expected, odd))));
}

/** Returns the moment as a figure; "" without a clip or a known moment. The figure goes if the clip was deleted to make room. */
export function momentOf(item) {
  const picture = photo(item, "moment");
  if (!picture) return "";
  const box = h("figure", { class: "compare moment" }, h("figcaption", {}, t("verdict.moment")), picture);
  picture.querySelector("img").addEventListener("error", () => box.remove());
  return box;
}
