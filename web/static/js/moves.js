// The move list: a legal move is one line, such as "12 ● c · 3 laps · +16". A tap shows it on the board and unfolds the
// verdict; the arrow keys go through the lines.

import { h } from "./dom.js";
import { badge } from "./players.js";
import { sentenceOf, t } from "./words.js";

/** Whether a verdict is only a line: legal, and never questioned, objected to, ruled on, or judged again. */
export const isLine = (item) => item.kind === "verdict" && item.verdict === "legal" && !item.gone && !item.answers && !item.asked
  && !item.faults.length && !item.objections.length && !item.ruled.length && !item.ruling && !item.ordered;

const OTHER = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1, Home: -Infinity, End: Infinity };

/** Returns the line of a legal move. open: shown on the board and unfolded; pick(): called when it is chosen. */
export function lineOf(item, open, pick) {
  const laps = Math.max(0, ...item.steps.map(({ lap }) => lap));
  return h("button", { type: "button", class: "line-of", "aria-expanded": open ? "true" : "false", "aria-label": t("list.move", { n: item.ply + 1, text: sentenceOf(item) }), onclick: pick, onkeydown: go },
    h("span", { class: "ply" }, String(item.ply + 1)), badge(item.player), h("strong", {}, item.move),
    h("span", { class: "laps" }, laps > 1 ? t("said.laps", { n: laps }) : ""),
    h("span", { class: "gain" }, item.captured ? `+${item.captured}` : ""));
}

/** Moves from line to line by the arrow keys, and shows each on the board. */
function go(event) {
  const step = OTHER[event.key];
  if (!step || event.altKey || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  const lines = [...event.target.closest("ol").querySelectorAll(".line-of")];
  const to = lines[Math.max(0, Math.min(lines.length - 1, lines.indexOf(event.target) + step))];
  if (to === event.target) return;
  const number = to.closest("li").dataset.number;
  const list = event.target.closest("ol");
  to.click();
  list.querySelector(`li[data-number="${number}"] .line-of`)?.focus();
}
