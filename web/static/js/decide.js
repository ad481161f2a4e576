// The decision on the last move, in the card at the top: the three rulings for those who may rule, the objection for others;
// once it is made, a way back.

import { h } from "./dom.js";
import { may } from "./orders.js";
import { amending, decisions, objectButton, undo } from "./verdict.js";
import { sentenceOf, t } from "./words.js";

/** Whether that verdict needs a decision: a foul, a question, or a changed board. */
export const decidable = (item) => Boolean(item) && !item.gone && ["illegal", "not-sure", "tampered"].includes(item.verdict);

/** Shows the possible rulings on `item`, a verdict without a ruling, else how to undo the one just made, or
 *  nothing; told: the card already names the verdict. */
export function showDecision(node, item, told, acts) {
  const open = decidable(item) ? item : null;
  const objection = open?.objections.find((one) => !one.ruled);
  const made = may() ? acts.undoAtTop() : 0;
  const key = made ? `undo ${made}` : open ? JSON.stringify([open.number, may(), open.ordered, objection, objection && acts.objected(objection.number), acts.objectable(open)]) : "";
  if (node.dataset.key !== key) draw(node, key, open ? parts(open, objection, acts) : [undo(made, acts)]);
  const what = node.querySelector(".decide-what");
  if (what) what.hidden = told; // the buttons stay the same: a finger may be on one
}

function draw(node, key, content) {
  const held = node.contains(document.activeElement);
  node.dataset.key = key;
  node.hidden = !key;
  node.replaceChildren(...content.flat().filter(Boolean));
  if (held) (node.querySelector("button") ?? document.getElementById("board")).focus();
}

function parts(item, objection, acts) {
  const said = h("p", { class: "decide-what" }, `${t(`state.${item.verdict}`)}: ${sentenceOf(item)}`);
  if (item.ordered) return [said, h("p", {}, t("verdict.ordered"))];
  if (may()) return [said, h("p", { class: "decide-buttons" }, decisions(item, true, acts))];
  const mine = objection && acts.objected(objection.number);
  if (objection) return [said, h("p", {}, t(mine ? "object.sent" : "object.already")), amending(item, objection, acts)];
  return [said, h("p", { class: "decide-buttons" }, objectButton(item, acts))];
}
