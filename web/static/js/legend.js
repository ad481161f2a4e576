// The key to the board's marks, drawn with the marks themselves.

import { bullRing, wrongRing } from "./diagram.js";
import { h, s } from "./dom.js";
import { HOLLOW } from "./layout.js";
import { t } from "./words.js";

const ring = (name) => [s("circle", { cx: 0, cy: 0, r: HOLLOW + 4, class: name })];

const MARKS = {
  lifted: () => ring("ring-lifted"),
  "bull-S": () => [bullRing("S", 0, 0)],
  "bull-N": () => [bullRing("N", 0, 0)],
  doubt: () => ring("ring-doubt"),
  wrong: () => wrongRing(0, 0),
  follows: () => ring("ring-follows"),
};

/** bulls: whether the game has any. */
export function drawLegend(list, bulls) {
  const key = JSON.stringify([bulls, t("legend.bull-S")]);
  if (list.dataset.drawn === key) return;
  list.dataset.drawn = key;
  list.replaceChildren(...Object.entries(MARKS).filter(([name]) => bulls || !name.startsWith("bull")).map(([name, marks]) =>
    h("li", {}, s("svg", { viewBox: "-66 -70 132 132", "aria-hidden": "true" }, marks()), t(`legend.${name}`))));
}
