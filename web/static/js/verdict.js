// One verdict of the feed. A legal move is a line; an illegal one is a card that nobody overlooks.

import { smallBoard } from "./diagram.js";
import { h } from "./dom.js";
import { badge } from "./players.js";
import { whole } from "./trace.js";
import { clock, has, percent, side, t } from "./words.js";

/** acts: {order(order), replay(item), correct(pit name), shape(board)}; open: people may still rule on it. */
export function verdictItem(item, open, acts) {
  const loud = ["illegal", "not-sure", "tampered"].includes(item.verdict);
  return h("article", { class: `verdict ${item.verdict}`, "aria-label": t(`verdict.${item.verdict}`) },
    h("header", {},
      h("span", { class: "stamp" }, t(`verdict.${item.verdict}`)),
      item.player && h("span", { class: "who" }, badge(item.player), `${side(item.player)} ${item.move}`),
      item.captured ? h("span", { class: "gain" }, t("verdict.captured", { n: item.captured })) : "",
      h("time", { datetime: item.at }, clock(item.at))),
    h("p", { class: "sentence" }, item.sentence),
    loud ? [look(item, open, acts), boards(item, acts), stills(item), odds(item)] : "",
    ruling(item, open && loud, acts),
    loud ? h("p", { class: "buttons" }, replayButton(item, acts)) : quietMore(item, open, acts));
}

function quietMore(item, open, acts) {
  const pictures = stills(item);
  const withdraw = open ? h("button", { type: "button", class: "quiet", onclick: () => acts.order({ type: "Withdraw", verdict: item.number }) }, t("verdict.withdraw")) : "";
  const replay = replayButton(item, acts);
  if (!pictures && !withdraw && !replay) return "";
  return h("details", {}, h("summary", {}, t("verdict.more")), pictures, odds(item), h("p", { class: "buttons" }, replay, withdraw));
}

const replayButton = (item, acts) =>
  item.before && whole(item.steps) && h("button", { type: "button", class: "quiet", onclick: () => acts.replay(item) }, t("verdict.show"));

/** Where people are to look, and to say what lies there. */
function look(item, open, acts) {
  if (!item.pits.length) return "";
  const pits = item.pits.join(", ");
  return h("div", { class: "look" },
    h("p", {}, t(item.pits.length > 1 ? "verdict.look.many" : "verdict.look", { pits })),
    open && h("p", { class: "buttons" }, item.pits.slice(0, 6).map((name) =>
      h("button", { type: "button", class: "quiet", onclick: () => acts.correct(name) }, t("verdict.fix", { name })))));
}

/** Before, what lies there, and what should: the pits that differ are ringed. */
function boards(item, acts) {
  const { before, position, expected } = item;
  if (!before || !position) return "";
  const shape = acts.shape(position.board);
  const differ = (a, b) => (a && b ? shape.map((_, i) => i).filter((i) => a.n[i] !== b.n[i] || a.bulls[i] !== b.bulls[i]) : []);
  const doubtful = item.pits.map((name) => shape.findIndex((pit) => pit.name === name));
  const odd = expected ? differ(expected, position) : doubtful;
  const one = (key, diagram, marked, tone) => diagram && h("figure", { class: `compare ${tone}` },
    h("figcaption", {}, t(key)), smallBoard(shape, diagram, marked), h("p", { class: "unseen" }, spoken(shape, diagram, marked)));
  return h("div", { class: "boards" },
    one("verdict.before", before, [], "past"),
    one(item.verdict === "not-sure" ? "verdict.seems" : "verdict.position", position, odd, "is"),
    one("verdict.expected", expected, odd, "due"));
}

const spoken = (shape, diagram, marked) => (marked.length ? marked : shape.map((_, i) => i))
  .map((i) => t("pit.label", { side: side(shape[i].side), name: shape[i].name, n: diagram.n[i] })).join(", ");

function stills(item) {
  const shown = ["before", "after"].map((when, i) => item.stills[i] && h("a", { href: `/evidence/${item.stills[i]}`, target: "_blank" },
    h("img", { src: `/evidence/${item.stills[i]}`, alt: t(`verdict.still.${when}`), width: 320, height: 180, loading: "lazy" })));
  return shown.some(Boolean) ? h("div", { class: "stills" }, shown) : "";
}

/** How sure the referee is, and what else it may have been. */
function odds(item) {
  const second = item.best[1];
  return h("p", { class: "odds" },
    item.confidence ? h("span", {}, t("verdict.sure", { p: percent(item.confidence) })) : "",
    second ? h("span", {}, t("verdict.second", { what: inWords(second), p: percent(second.p) })) : "");
}

function inWords({ kind, player, move, faults }) {
  const values = { side: side(player), move, faults: faults.map((fault) => t(`fault.${fault.code}`, fault)).join(", ") };
  return t(has(`second.${kind}`) ? `second.${kind}` : "second.other", values);
}

/** What people decided, or may decide. */
function ruling(item, open, acts) {
  if (item.ordered) return h("p", { class: "ruled" }, t("verdict.ordered"));
  const refused = item.ruling && !item.ruling.done ? h("p", { class: "ruled wrong" }, item.ruling.sentence) : "";
  if (item.ruling?.done) {
    const words = { stand: t("verdict.stood"), withdrawn: t("verdict.taken-back") };
    return h("p", { class: "ruled" }, item.ruling.sentence || words[item.ruling.what]);
  }
  if (!open) return refused;
  const button = (type, label, tone) => h("button", { type: "button", class: tone, onclick: (event) => {
    event.target.closest(".buttons").querySelectorAll("button").forEach((one) => (one.disabled = true));
    acts.order({ type, verdict: item.number });
  } }, label);
  return [refused, h("p", { class: "buttons rule" },
    button("Withdraw", t("verdict.withdraw"), "strong"), button("LetStand", t("verdict.stand"), "quiet"))];
}
