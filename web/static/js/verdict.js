// One verdict of the feed. A legal move is a line; an illegal one is a conspicuous card.

import { clipOf } from "./clip.js";
import { smallBoard } from "./diagram.js";
import { h, s } from "./dom.js";
import { evidenceOf } from "./evidence.js";
import { may } from "./orders.js";
import { pathOf } from "./path.js";
import { photosOf } from "./photos.js";
import { badge } from "./players.js";
import { retracted } from "./retraction.js";
import { shareOf } from "./share.js";
import { whole } from "./trace.js";
import { answer, askedOf, clock, explanations, percent, player, reason, sentence, sentenceOf, side, t } from "./words.js";

/** acts: {order(order), withdraw(item, label), undoBack(order), undoable(order), object(item, more), objectable(item), objected(number), replay(item), correct(pit name), recount(item), shape(board), undo(): number of the order
 *  since which nobody has moved, waits(number): whether spectators do not see that verdict yet, atTop(item): whether its rulings stand at the top of the page}; open: "last" or "earlier" if people may
 *  rule on it, else ""; latest: whether it is the newest verdict, which is shown unfolded. */
export function verdictItem(item, open, latest, acts) {
  const loud = ["illegal", "not-sure", "tampered"].includes(item.verdict) && !item.gone;
  return h("article", { class: `verdict ${item.verdict}${item.gone ? " gone" : ""}`, "aria-label": t(`verdict.${item.verdict}`) },
    h("header", {},
      h("span", { class: "stamp" }, t(`verdict.${item.verdict}`)),
      item.player && h("span", { class: "who" }, badge(item.player), `${player(item.player)} ${item.move}`),
      item.captured ? h("span", { class: "gain" }, t("verdict.captured", { n: item.captured })) : "",
      h("time", { datetime: item.at }, clock(item.at))),
    item.asked ? h("p", { class: "asked" }, askedOf(item)) : "",
    h("p", { class: "sentence" }, sentenceOf(item)),
    item.asked && item.ruling?.done ? h("p", { class: "hint" }, t("verdict.answer.ruled")) : "",
    acts.waits(item.number) ? waiting(item, acts) : "",
    item.gone && item.ruling?.what !== "withdrawn" ? h("p", { class: "hint" }, t(`verdict.gone.${item.gone.how}`)) : "",
    item.answers && item.verdict !== "withdrawn" && !item.gone ? h("p", { class: "hint" }, t("verdict.again")) : "",
    loud ? [look(item, open, acts), ruling(item, open, acts), item.position ? evidenceOf(item, acts.shape(item.position.board)) : "", clipOf(item.clip, item.number, item.moment), odds(item), latest ? path(item, acts) : "", unfolded(item, latest, acts), shareOf(item.number)] : ruling(item, "", acts),
    objections(item, acts),
    loud ? h("p", { class: "buttons" }, replayButton(item, acts), acts.atTop(item) ? "" : objectButton(item, acts)) : quietMore(item, open, acts));
}

/** Returns the note that spectators do not see it yet, with a button to show it without a ruling. */
const waiting = (item, acts) => h("div", { class: "held" },
  h("p", {}, t("hold.waits")),
  h("p", { class: "buttons" }, h("button", { type: "button", class: "quiet", onclick: (event) => {
    event.target.disabled = true;
    acts.order({ type: "Shown", verdict: item.number });
  } }, t("hold.show"))));

/** Returns an accusation's boards, folded, and the move's steps, which the newest verdict shows at once. */
function unfolded(item, latest, acts) {
  const way = h("div", {});
  const fill = (event) => !latest && event.target.open && !way.firstChild && way.append(path(item, acts));
  return h("details", { ontoggle: fill }, h("summary", {}, t("verdict.more")), boards(item, acts), way);
}

const path = (item, acts) => item.before ? pathOf(item, acts.shape(item.before.board)) : "";

function quietMore(item, open, acts) {
  const pictures = photosOf(item);
  const rules = open && !item.ordered ? rulings(item, open, acts) : "";
  const replay = replayButton(item, acts);
  const object = objectButton(item, acts);
  if (!pictures && !rules && !replay && !object) return "";
  const way = h("div", {});
  const fill = (event) => event.target.open && !way.firstChild && way.append(path(item, acts));
  const buttons = [replay, object].filter(Boolean);
  return h("details", { ontoggle: fill }, h("summary", {}, t("verdict.more")), way, pictures, odds(item), buttons.length ? h("p", { class: "buttons" }, buttons) : "", rules);
}

const replayButton = (item, acts) =>
  item.before && whole(item.steps) && h("button", { type: "button", class: "quiet", onclick: () => acts.replay(item) }, t("verdict.show"));

/** Returns a button to correct each pit in doubt; the sentence names these pits. */
function look(item, open, acts) {
  if (!item.pits.length || open !== "last") return "";
  return h("div", { class: "look" },
    h("p", { class: "buttons" }, item.pits.slice(0, 6).map((name) =>
      h("button", { type: "button", class: "quiet", onclick: () => acts.correct(name) }, t("verdict.fix", { name })))));
}

/** Returns the boards before the move, as it is, and as it should be: differing pits are ringed, strongly those that the verdict names. */
function boards(item, acts) {
  const { before, position, expected } = item;
  if (!before || !position) return "";
  const shape = acts.shape(position.board);
  const odd = item.marks.map(({ pit }) => pit);
  const faint = item.marks.filter(({ cause }) => !cause).map(({ pit }) => pit);
  const one = (key, diagram, marked, tone) => diagram && h("figure", { class: `compare ${tone}` },
    h("figcaption", {}, t(key)), smallBoard(shape, diagram, marked, -1, faint), h("p", { class: "unseen" }, spoken(shape, diagram, marked)));
  return h("div", { class: "boards" },
    one("verdict.before", before, [], "past"),
    one(item.verdict === "not-sure" ? "verdict.seems" : "verdict.position", position, odd, "is"),
    one("verdict.expected", expected, odd, "due"));
}

const spoken = (shape, diagram, marked) => (marked.length ? marked : shape.map((_, i) => i))
  .map((i) => t("pit.label", { side: side(shape[i].side), name: shape[i].name, n: diagram.n[i] })).join(", ");

/** Returns how sure the referee is, and less likely explanations. */
function odds(item) {
  const { named, rest } = explanations(item);
  if (!item.confidence && !rest.length) return "";
  const bar = (p) => s("svg", { class: "bar", viewBox: "0 0 100 12", preserveAspectRatio: "none", "aria-hidden": "true" },
    s("rect", { class: "whole", width: 100, height: 12 }), s("rect", { class: "part", width: 100 * p, height: 12 }));
  const line = (text, p) => h("p", {}, bar(p), text);
  return h("div", { class: "odds" },
    item.confidence ? line(t("verdict.sure", { p: percent(item.confidence) }), item.confidence) : "",
    named.map(({ what, p }) => line(t("verdict.named", { what, p: percent(p) }), p)),
    rest.map(({ what, p }) => line(t("verdict.second", { what, p: percent(p) }), p)));
}

const OWN = { stand: "verdict.stood", withdrawn: "verdict.taken-back", withdraw: "guide.title", "not-as-seen": "verdict.recounted" };

/** Returns a ruling as a sentence: the table's answer or, without one, the order. */
const decided = (one) => one.sentence ? sentence(reason(one.sentence, one.told)) : t(OWN[one.what]);

/** Returns the rulings, undone ones too, and the rulings that are possible now. */
function ruling(item, open, acts) {
  const undone = item.ruled.filter((one) => one.undone)
    .map((one) => h("p", { class: "ruled undone" }, t("verdict.undone", { what: decided(one) }), who(one)));
  if (item.ordered) return [undone, h("p", { class: "ruled" }, t("verdict.ordered"))];
  const refused = item.ruling && !item.ruling.done ? h("p", { class: "ruled wrong" }, answer(item.ruling)) : "";
  if (item.ruling?.done) {
    const held = item.ruled.findLast((one) => !one.undone);
    const otherwise = open && item.ruling.what === "stand" && h("details", {}, h("summary", {}, t("verdict.otherwise")), rulings(item, open, acts));
    return [undone, h("p", { class: "ruled" }, decided(item.ruling), who(held)), undoBelow(held?.order, acts, held?.what === "stand"), otherwise];
  }
  return open ? [undone, refused, rulings(item, open, acts)] : [undone, refused];
}

/** Returns a retraction's details: who withdrew the move, why, and who had made it. */
const who = (one) => {
  const said = retracted(one?.who);
  return said ? ` ${said}` : "";
};

/** Returns the objections, with and without a ruling. */
export const objections = (item, acts) => item.objections.map((one) => [
  h("p", { class: `objection${one.ruled ? " ruled-on" : ""}` }, objectedTo(one)),
  one.ruled || item.gone || (acts.atTop(item) && !may()) ? "" : amending(item, one, acts)]);

/** Returns when somebody objected, and why, in a sentence. */
export const objectedTo = (one) =>
  [t(one.ruled ? "object.ruled" : "object.marked", { time: clock(one.at).slice(0, 5) }), one.why && t(`object.why.${one.why}`)].filter(Boolean).join(" ");

const REASONS = ["verdict", "count", "turn"];

/** Returns the buttons of an objection: its author may give a reason or take it back, the referee may dismiss it. */
export function amending(item, one, acts) {
  const own = acts.objected(one.number);
  if (!own && !may()) return "";
  const send = (text, more) => h("button", { type: "button", class: "quiet", onclick: (event) => {
    event.target.disabled = true;
    acts.object(item, more);
  } }, text);
  return [
    own && !one.why ? h("fieldset", { class: "reasons" }, h("legend", {}, t("object.why")),
      h("p", { class: "buttons" }, REASONS.map((why) => send(t(`object.why.${why}`), { why })))) : "",
    h("p", { class: "buttons" }, send(t(own ? "object.back" : "object.back.any"), { back: true }))];
}

/** Returns the button to object to a move of the current game; anybody may use it. */
export const objectButton = (item, acts) => acts.objectable(item) && h("button", { type: "button", class: "quiet", onclick: (event) => {
  event.target.disabled = true;
  acts.object(item, {});
} }, t("object.button"));

/** Returns the three rulings on a move, each a separate order; to count is first where the table asks for that. last: nothing was played after it. */
export function decisions(item, last, acts) {
  const button = (label, tone, onclick) => h("button", { type: "button", class: tone, onclick }, label);
  const accept = (event) => {
    event.target.parentElement.querySelectorAll("button").forEach((one) => (one.disabled = true));
    acts.order({ type: "LetStand", verdict: item.number });
  };
  const back = t(last ? "verdict.withdraw" : "verdict.withdraw.back");
  const questioned = item.verdict !== "legal" || item.objections.some((one) => !one.ruled);
  const rest = [
    questioned && item.ruling?.what !== "stand" ? button(t("verdict.stand"), "quiet", accept) : "",
    button(back, "quiet", () => acts.withdraw(item, back))];
  const count = item.before ? button(t("verdict.not-as-seen"), "quiet", () => acts.recount(item)) : "";
  return item.verdict === "not-sure" ? [count, ...rest] : [...rest, count];
}

/** Returns the rulings beside a move in the feed; those for the last move without a ruling stand at the top of the page. */
function rulings(item, open, acts) {
  return acts.atTop(item) ? "" : h("p", { class: "buttons rule" }, decisions(item, open === "last", acts));
}

/** Returns the button that undoes that order's ruling; it asks first if more is undone than the ruling. beside: the ruling let
 *  a move stand, so that no later move depends on it. */
export const undo = (order, acts, beside = false) => order && acts.undoable(order)
  ? h("p", { class: "buttons" }, h("button", { type: "button", class: "quiet", onclick: (event) => {
    if (!beside && acts.undo() !== order) return acts.undoBack(order);
    event.target.disabled = true;
    return acts.order({ type: "Undo", order });
  } }, t(beside || acts.undo() === order ? "verdict.undo" : "undo.back"))) : "";

/** Returns the same for the feed: nothing if the card at the top has it. */
export const undoBelow = (order, acts, beside = false) => (acts.undoAtTop() === order ? "" : undo(order, acts, beside));
