// A move is taken back: shows live, by the camera's counts, which pits to fill or empty until the board is as before.

import { h } from "./dom.js";
import { side, t } from "./words.js";

const DOUBT = 0.9;

/** Returns the pits still to change, [{number, pit, there, due}], and the pits that cannot be read. */
export function toLay(shape, target, state) {
  const read = new Map((state?.pits ?? []).map((pit) => [pit.name, pit]));
  const wrong = [];
  const unseen = [];
  shape.forEach((pit, number) => {
    const there = read.get(pit.name);
    if (!there?.seen || there.count < 0 || there.p < DOUBT) unseen.push(number);
    else if (there.count !== target.n[number]) wrong.push({ number, pit, there: there.count, due: target.n[number] });
  });
  return { wrong, unseen };
}

const MOVING = ["hands-in", "settling", "judging"];
const laid = new Set(); // undone rulings after which the board was laid right; later changes are moves

/** Returns what the guide shows: while a move is taken back, always; after an undone ruling, until the board is as the
 *  game stands. shown: whether the guide is visible, so that it stays while hands lay the seeds. */
export function guided({ laying, forward, position }, shapes, state, shown) {
  if (laying) return laying;
  if (!forward || !position || laid.has(forward.number)) return null;
  const { wrong, unseen } = toLay(shapes[position.board], position, state);
  if (!wrong.length && !unseen.length) laid.add(forward.number);
  const still = MOVING.includes(state?.state) ? shown : state?.state === "watching" && wrong.length > 0;
  return still && !laid.has(forward.number) ? { verdict: forward.number, position, forward: true } : null;
}

/** Shows or hides the guide. laying: {verdict, position, forward} or null; stand(): accepts the move after all, null for
 *  those who may not rule. */
export function showGuide(node, shape, laying, state, stand) {
  if (!laying || !shape) {
    if (!node.hidden) node.hidden = true;
    delete node.dataset.key;
    return null;
  }
  const { wrong, unseen } = toLay(shape, laying.position, state);
  const key = JSON.stringify([laying.verdict, wrong.map(({ number, there }) => [number, there]), unseen.length > 0, Boolean(stand)]);
  if (node.dataset.key !== key) {
    node.dataset.key = key;
    node.hidden = false;
    const lines = wrong.map(({ pit, there, due }) => h("li", {}, t("guide.pit", { side: side(pit.side), pit: pit.name, there, due })));
    node.replaceChildren(
      h("h3", {}, t(laying.forward ? "guide.forward" : "guide.title")),
      wrong.length ? h("ul", {}, lines) : h("p", {}, t(unseen.length ? "guide.look" : "guide.right")),
      stand ? h("p", { class: "buttons" }, h("button", { type: "button", class: "quiet", onclick: stand }, t("guide.stop"))) : "");
  }
  return wrong.map(({ number }) => number);
}
