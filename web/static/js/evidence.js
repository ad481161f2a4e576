// The evidence for an accusation in four pictures: before the move, the moment, the board as it is, the board as it should be.

import { smallBoard } from "./diagram.js";
import { below, h } from "./dom.js";
import { frameAt } from "./moment.js";
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

/** Returns the moment as a figure, empty until the clip's index arrives; "" without a clip or a known moment. */
export function momentOf(item) {
  if (!item.clip || item.moment === null) return "";
  const box = h("figure", { class: "compare moment", hidden: true }, h("figcaption", {}, t("verdict.moment")));
  fetch(below(`/clip/${item.clip}/clip.json`)).then((answer) => answer.json()).then(({ times }) => {
    box.append(photo(item, "moment", below(`/clip/${item.clip}/${frameAt(times, item.moment)}`)));
    box.hidden = false;
    enlargeable(box);
  }).catch(() => box.remove()); // the clip was deleted to make room
  return box;
}
