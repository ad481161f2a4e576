// The two players: whose turn it is, their captured seeds, the seeds in their bulls.

import { below, h, s } from "./dom.js";
import { offer } from "./offers.js";
import { player, t } from "./words.js";

/** Returns a side's badge: South round and red, North square and blue, like its bulls. */
export const badge = (letter) => s("svg", { viewBox: "0 0 20 20", class: `badge badge-${letter}`, "aria-hidden": "true" },
  letter === "S" ? s("circle", { cx: 10, cy: 10, r: 8 }) : s("rect", { x: 2.5, y: 2.5, width: 15, height: 15, rx: 3 }));

export function showPlayer(node, letter, table) {
  const { over } = table;
  const position = table.laying?.position ?? table.position;
  const index = letter === "S" ? 0 : 1;
  const turn = Boolean(position && !over && position.turn === letter);
  const captured = position?.captured[index] ?? 0;
  const inBulls = position ? Object.entries(position.bulls).reduce((sum, [pit, owner]) => sum + (owner === letter ? position.n[pit] : 0), 0) : 0;
  const { match, game } = table;
  const has = offer(game?.game);
  const score = match ? t("match.mark", { n: match.score[index], unit: t(`unit.${match.unit}`, { n: match.score[index] }) }) : "";
  const name = player(letter);
  const key = JSON.stringify([name, Boolean(position) && has.captures, turn, captured, inBulls, over, score]);
  if (node.dataset.key === key) return;
  node.dataset.key = key;
  node.classList.toggle("turn", turn);
  const won = over && over.winner === letter;
  node.replaceChildren(
    badge(letter), h("strong", { title: name }, name),
    h("span", { class: "to-move", "data-turn": t("side.turn") }, turn ? t("side.turn") : won ? "★" : ""),
    score ? h("a", { class: "match-score", href: below("/match") }, score) : "",
    h("span", { class: "won" },
      inBulls ? h("span", { class: "in-bulls" }, t("side.bulls", { n: inBulls })) : "",
      position && (has.captures || captured) ? h("span", { class: "captured" }, t("side.captured", { n: captured })) : ""));
}
