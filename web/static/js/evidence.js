// What an accusation rests on, in four pictures from left to right: before the move, the moment, as it lies, as it should lie.

import { smallBoard } from "./diagram.js";
import { below, h } from "./dom.js";
import { frameAt } from "./moment.js";
import { enlargeable, photo } from "./photos.js";
import { t } from "./words.js";

/** The four pictures of a verdict, those that there are; a photograph that is missing is drawn. "" for none. */
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

/** The moment as a figure, empty until the clip's index has come; "" where there is no clip, or it is not known when. */
export function momentOf(item) {
  if (!item.clip || item.moment === null) return "";
  const box = h("figure", { class: "compare moment", hidden: true }, h("figcaption", {}, t("verdict.moment")));
  fetch(below(`/clip/${item.clip}/clip.json`)).then((answer) => answer.json()).then(({ times }) => {
    box.append(photo(item, "moment", below(`/clip/${item.clip}/${frameAt(times, item.moment)}`)));
    box.hidden = false;
    enlargeable(box);
  }).catch(() => box.remove()); // it was dropped to make room
  return box;
}
