// The decision on the last move, in the card at the top: the three rulings for those who may rule, the objection for others;
// once it is made, a way back.

import { h } from "./dom.js";
import { may } from "./orders.js";
import { amending, decisions, objectButton, objectedTo, undo } from "./verdict.js";
import { t } from "./words.js";

/** Whether that verdict needs a decision: a foul, a question, a changed board, or a move to which somebody objects. */
export const decidable = (item) => Boolean(item) && !item.gone
  && (["illegal", "not-sure", "tampered"].includes(item.verdict) || item.objections?.some((one) => !one.ruled));

/** Shows the possible rulings on `open`, else how to undo the ruling just made, or nothing. */
export function showDecision(node, open, acts) {
  const objection = open?.objections.find((one) => !one.ruled);
  const made = may() ? acts.undoAtTop() : 0;
  const key = made ? `undo ${made}` : open ? JSON.stringify([open.number, may(), open.ordered, objection, objection && acts.objected(objection.number), acts.objectable(open)]) : "";
  if (node.dataset.key !== key) draw(node, key, open ? parts(open, objection, acts) : [undo(made, acts)]);
}

function draw(node, key, content) {
  const held = node.contains(document.activeElement);
  node.dataset.key = key;
  node.hidden = !key;
  node.replaceChildren(...content.flat().filter(Boolean));
  if (held) (node.querySelector("button") ?? document.getElementById("board")).focus();
}

function parts(item, objection, acts) {
  if (item.ordered) return [h("p", {}, t("verdict.ordered"))];
  if (may()) return [objection && h("p", {}, objectedTo(objection)), h("p", { class: "decide-buttons" }, decisions(item, true, acts))];
  const mine = objection && acts.objected(objection.number);
  if (objection) return [h("p", {}, t(mine ? "object.sent" : "object.already")), amending(item, objection, acts)];
  return [h("p", { class: "decide-buttons" }, objectButton(item, acts))];
}
