// The feed of verdicts and orders, newest first. Items are replaced by number; nothing else on the page moves.

import { h } from "./dom.js";
import { over } from "./mood.js";
import { isLine, lineOf } from "./moves.js";
import { title } from "./offers.js";
import { may } from "./orders.js";
import { undoBelow, verdictItem } from "./verdict.js";
import { about, answer, clock, has, player, reason, sentence, t } from "./words.js";

const MOST = 80;
const RULED = ["illegal", "not-sure", "tampered", "legal"];

export class Feed {
  constructor(list, empty, acts) {
    this.list = list;
    this.empty = empty;
    this.acts = acts;
    this.clear();
  }

  clear() {
    this.items = new Map();
    this.nodes = new Map();
    this.open = 0;
    this.undo = "";
    this.latest = 0;
    this.standing = 0;
    this.game = 0;
    this.over = false;
    this.chosen = 0;
    this.list.replaceChildren();
  }

  get(number) {
    return this.items.get(number);
  }

  /** items: new or changed, oldest first; open: the number of the last verdict if it has no ruling; undo: the rulings that may be
   *  undone, as a text that changes with them; game: number of the event that began the current game; over: it has ended. */
  show(items, open, undo = this.undo, game = this.game, over = this.over) {
    const again = new Set(open === this.open ? [] : [this.open, open]);
    for (const item of undo === this.undo ? [] : this.items.values()) if (item.kind === "order" || item.ruled?.length) again.add(item.number);
    if (game !== this.game) for (const item of this.items.values()) if (this.rulable(item)) again.add(item.number);
    if (over !== this.over) again.add(this.standing);
    this.open = open;
    this.undo = undo;
    this.game = game;
    this.over = over;
    const held = this.hold();
    for (const item of items) this.items.set(item.number, item);
    const latest = Math.max(0, ...[...this.items.values()].filter((item) => item.kind === "verdict").map((item) => item.number));
    if (latest !== this.latest) again.add(this.latest);
    this.latest = latest;
    const standing = Math.max(0, ...[...this.items.values()].filter((item) => this.rulable(item)).map((item) => item.number));
    if (standing !== this.standing) again.add(standing).add(this.standing);
    this.standing = standing;
    const numbers = new Set([...items.map((item) => item.number), ...again]);
    for (const number of [...numbers].sort((a, b) => a - b)) if (this.items.has(number)) this.place(number);
    for (const number of [...this.items.keys()].sort((a, b) => a - b).slice(0, -MOST)) this.drop(number);
    held();
    this.empty.hidden = this.items.size > 0;
  }

  /** Marks the line whose move the board shows, and unfolds it; 0 for none. */
  choose(number) {
    const before = this.chosen;
    this.chosen = number;
    for (const one of new Set([before, number])) if (this.items.has(one)) this.place(one);
    this.acts.shown(this.get(number) ?? null);
  }

  /** Redraws everything, because what people may do has changed. */
  again() {
    for (const number of this.items.keys()) this.place(number);
  }

  place(number) {
    const item = this.items.get(number);
    const old = this.nodes.get(number);
    if (item.repeats) { // another item says the same
      old?.remove();
      this.nodes.delete(number);
      return;
    }
    const line = item.number !== this.latest && isLine(item) && item.number !== this.chosen;
    const kind = line ? `one-line ${item.ply % 2 ? "second" : "first"}-of-two` : "whole";
    const node = h("li", { "data-number": number, class: old ? kind : `new ${kind}` }, about(item, () => this.draw(item)));
    if (old) {
      const wasOpen = old.querySelector("details[open]");
      if (wasOpen) node.querySelector("details")?.setAttribute("open", "");
      const focused = [...old.querySelectorAll("button, summary, a")].indexOf(document.activeElement);
      old.replaceWith(node);
      if (focused >= 0) (node.querySelectorAll("button, summary, a")[focused] ?? node.querySelector("article"))?.focus();
    } else {
      const newer = [...this.list.children].find((one) => Number(one.dataset.number) < number);
      this.list.insertBefore(node, newer ?? null);
    }
    this.nodes.set(number, node);
  }

  drop(number) {
    this.nodes.get(number)?.remove();
    this.nodes.delete(number);
    this.items.delete(number);
  }

  /** Keeps the text being read in place while news arrive above it. */
  hold() {
    const box = this.list.closest(".said");
    const within = box.scrollHeight > box.clientHeight + 1;
    const scroller = within ? box : document.scrollingElement;
    const top = this.list.getBoundingClientRect().top;
    const reading = within ? box.scrollTop > 40 : top < -40;
    const edge = within ? box.getBoundingClientRect().top : 0;
    const lines = reading ? [...this.list.children].map((one) => [one, one.getBoundingClientRect()]).filter(([, at]) => at.bottom > edge) : [];
    // The first item that begins in sight, else the one that fills the screen: a tall one may grow or shrink above what is read.
    const [anchor] = lines.find(([, at]) => at.top >= edge && at.top < innerHeight) ?? lines[0] ?? [];
    const number = Number(anchor?.dataset.number);
    const before = anchor?.getBoundingClientRect().top;
    return () => {
      const now = this.nodes.get(number); // the item may have been redrawn
      if (now) scroller.scrollTop += now.getBoundingClientRect().top - before;
    };
  }

  /** Whether people may rule on it: a standing move of the current game. */
  rulable(item) {
    return item.kind === "verdict" && !item.gone && item.number > this.game && RULED.includes(item.verdict);
  }

  /** Returns the number of the order that ended the game, by resigning or agreeing, if it may be undone; else 0. */
  ender() {
    const ends = [...this.items.values()].filter(({ kind, what, number, undone }) => kind === "order" && ["forfeit", "agree"].includes(what)
      && number > this.game && !undone && this.acts.undoable(number));
    return Math.max(0, ...ends.map(({ number }) => number));
  }

  /** Returns the standing verdicts after that one, oldest first. */
  after(item) {
    return [...this.items.values()].filter((one) => one.number > item.number && this.rulable(one)).sort((a, b) => a.number - b.number);
  }

  draw(item) {
    if (item.kind === "verdict") {
      const open = !may() || !this.rulable(item) ? "" : item.number === this.standing ? "last" : "earlier";
      const card = () => verdictItem(item, open, item.number === this.latest, this.acts);
      if (item.number === this.latest || !isLine(item)) return card();
      const chosen = item.number === this.chosen;
      const line = lineOf(item, chosen, () => this.choose(chosen ? 0 : item.number));
      return chosen ? [line, card()] : h("article", { class: "verdict legal line-only" }, line);
    }
    const [tone, title, text] = note(item);
    return h("article", { class: `note ${tone}` },
      h("header", {}, h("span", { class: "stamp" }, title), tone === "seen" ? "" : h("time", { datetime: item.at }, clock(item.at))),
      text ? h("p", { class: "sentence" }, text) : "",
      item.kind === "order" && may() ? undoBelow(item.number, this.acts) : "");
  }
}

/** Returns when the table was blind: one spell, or how many for the same reason, and for how long together. */
function blindFor({ began, until, times, lost_s: lost }) {
  const how = times > 1 ? "times" : lost < 1 ? "moment" : "until";
  return t(`item.blind.${how}`, { since: clock(began), time: clock(until), n: times, seconds: Math.max(1, Math.round(lost)) });
}

/** Returns the tone, title and sentence of an item that is no verdict. */
function note(item) {
  switch (item.kind) {
    case "game":
      return ["begin", t("item.game", { game: title(item.game), board: item.board.replace("x", " × ") }), ""];
    case "blind":
      return [item.until ? "seen" : "blind", item.until ? blindFor(item) : t("item.blind"),
        [reason(item.why, item.told), item.until ? "" : reason(item.todo, item.told_todo)].filter(Boolean).map(sentence).join(" ")];
    case "annulled":
      return ["over", t(`games.annulled.${item.why}`), ""];
    case "lot":
      return ["begin", t("item.lot", { side: player(item.side) }), ""];
    case "over":
      return ["over", t("item.over"), over(item)];
    case "order": {
      const value = has(`edge.${item.value}`) ? t(`edge.${item.value}`) : item.value;
      const asked = t(`item.${item.what}`, { ...item, value, game: title(item.game), side: player(item.side) });
      const answered = item.answer ? answer(item.answer) : t("item.waiting");
      return [item.undone ? "undone" : item.answer && !item.answer.done ? "refused" : "order", asked, item.undone ? t("verdict.undone", { what: answered }) : answered];
    }
    default:
      return ["set", t("item.set"), reason(item.why, item.told)];
  }
}
