// A retraction: who withdrew a move, why, and who had moved. Asked before the order, and shown beside the ruling.

import { ask } from "./dialogs.js";
import { h } from "./dom.js";
import { player, t } from "./words.js";

const WHY = ["illegal", "turn", "not-entitled", "no-agreement"];
const BY = ["R", "S", "N"];

/** Returns the name of who may take a move back: a side or the referee. */
const taker = (letter) => (letter === "R" ? t("retract.referee") : player(letter));

/** Returns a box to tick before an order that cancels more than one thing. */
export const sure = (key) => h("label", { class: "radio" }, h("input", { type: "checkbox", required: true }), t(key));

/** Returns the names of these verdicts' moves as one list. */
export const named = (verdicts) => verdicts.map((one) => (one.player ? `${player(one.player)} ${one.move}` : t(`verdict.${one.verdict}`))).join(t("list.comma"));

/** Asks whether to undo a ruling together with the moves played since. */
export const askUndo = (order, taken) =>
  ask(t("undo.back"), [h("p", {}, t("undo.lead")), sure("undo.sure")], t("verdict.undo"), () => ({ type: "Undo", order }), taken);

/** Asks who withdraws the move of `item`, and why. teams: {S, N}, the players' names; later: the moves withdrawn with it. */
export function askWithdraw(item, label, teams, later, taken) {
  const radio = (name, value, text, checked) => h("label", { class: "radio" }, h("input", { type: "radio", name, value, checked, required: true }), text);
  const sides = h("fieldset", {}, h("legend", {}, t("retract.side")), h("div", { class: "edges" }, BY.map((letter) => radio("side", letter, taker(letter), letter === "R"))));
  const whys = h("fieldset", {}, h("legend", {}, t("retract.reason")), WHY.map((why) => radio("why", why, t(`retract.${why}`), why === "illegal" && item.verdict === "illegal")));
  const own = item.player === "N" ? [...teams.N, ...teams.S] : [...teams.S, ...teams.N];
  const mover = h("select", { id: "mover", onchange: () => (naming.hidden = !spectator()) },
    h("option", { value: "" }, t("retract.unsaid")), own.map((name) => h("option", { value: name }, name)),
    h("option", { value: " spectator" }, t("retract.any-spectator")));
  const spectator = () => mover.value === " spectator";
  const named = h("input", { id: "named", maxlength: 40, autocomplete: "off" });
  const naming = h("p", { class: "field", hidden: true }, h("label", { for: "named" }, t("retract.named")), named);
  const more = later.length ? [h("p", {}, t("retract.later", { n: later.length, moves: named(later) })), sure("retract.sure")] : "";
  const chosen = (fields) => fields.querySelector("input:checked").value;
  ask(t("retract.title"), [sides, whys, h("p", { class: "field" }, h("label", { for: "mover" }, t("retract.who")), mover), naming, more], label,
    () => ({ type: "Withdraw", verdict: item.number, side: chosen(sides), why: chosen(whys), mover: spectator() ? named.value.trim() : mover.value, spectator: spectator() }), taken);
}

/** Returns who withdrew the move, why, and who had moved; "" for no details. */
export function retracted(who) {
  if (!who) return "";
  const { mover: name } = who;
  return [
    who.side && (who.side === "R" ? t("retract.by.referee") : t("retract.by", { side: player(who.side) })),
    who.why && t(`retract.${who.why}`),
    who.spectator ? t(name ? "retract.spectator.named" : "retract.spectator", { name }) : name && t("retract.mover", { name }),
  ].filter(Boolean).join(" ");
}
