// The recount: people enter the seeds in every pit. Tapping a pit selects it; two buttons count it up and down.

import { ask } from "./dialogs.js";
import { below, h } from "./dom.js";
import { named, sure } from "./retraction.js";
import { player, side, t } from "./words.js";

/** item: the verdict; shape: its board's pits; later: the standing moves after it; over: the game has ended;
 *  taken(text): called when the order is accepted. The counts start as the verdict has them or, for a "not sure",
 *  as the camera read them. Judging later moves again, and too many seeds, must be confirmed first. */
export function askRecount(item, shape, later, over, taken) {
  const { board } = item.position ?? item.before;
  const still = item.stills[1];
  const unknown = item.verdict === "not-sure" && item.counts.length === shape.length;
  const counts = [...(unknown ? item.counts : (item.position ?? item.before).n)];
  const first = [...counts];
  const total = item.before.n.reduce((sum, n) => sum + n, 0) - (item.captured || 0);
  let chosen = Math.max(0, shape.findIndex((pit) => item.faults.some((fault) => fault.pit === pit.name) || item.pits.includes(pit.name)));
  const name = h("p", { class: "chosen", "aria-live": "polite" });
  const input = h("input", { id: "count", type: "number", inputmode: "numeric", min: 0, max: 96, required: true, "aria-label": t("correct.label") });
  const sum = h("p", { class: "hint", role: "status" });
  const odd = sure("recount.odd");
  const cells = shape.map((pit, i) => h("button", { type: "button", class: "cell", onclick: () => choose(i) }));
  const show = () => {
    cells.forEach((cell, i) => {
      const changed = counts[i] !== first[i];
      cell.replaceChildren(h("small", {}, shape[i].name), String(counts[i]));
      cell.classList.toggle("changed", changed);
      cell.setAttribute("aria-pressed", String(i === chosen));
      cell.setAttribute("aria-label", [t("pit.label", { side: side(shape[i].side), name: shape[i].name, n: counts[i] }), changed ? t("recount.changed") : ""].filter(Boolean).join(", "));
    });
    const more = counts.reduce((a, b) => a + b, 0) - total;
    odd.hidden = more <= 0; // fewer are possible: seeds were captured
    odd.firstChild.required = more > 0;
    sum.classList.toggle("wrong", more > 0);
    sum.textContent = more ? t(more > 0 ? "recount.more" : "recount.fewer", { n: Math.abs(more) }) : t("recount.fits", { n: total });
  };
  const set = (n) => {
    counts[chosen] = Math.min(96, Math.max(0, Math.trunc(n) || 0));
    show();
  };
  const choose = (i) => {
    chosen = i;
    name.textContent = t("correct.title", { side: side(shape[i].side), name: shape[i].name });
    input.value = counts[i];
    show();
  };
  input.addEventListener("input", () => set(Number(input.value)));
  const step = (by, label, sign) => h("button", { type: "button", class: "step", "aria-label": label, onclick: () => {
    set(counts[chosen] + by);
    input.value = counts[chosen];
  } }, sign);
  const rows = [...new Set(shape.map((pit) => pit.row))].sort((a, b) => a - b).map((row) => h("div", { class: "cells" },
    shape.map((pit, i) => ({ pit, i })).filter(({ pit }) => pit.row === row).sort((a, b) => a.pit.col - b.pit.col).map(({ i }) => cells[i])));
  choose(chosen);
  const warned = [later.length && t("recount.later", { n: later.length, moves: named(later) }), over && t("recount.over")].filter(Boolean).join(" ");
  const dialog = ask(t("recount.title"), [
    h("p", { class: "hint" }, t("recount.hint", { who: [player(item.player), item.move].filter(Boolean).join(" ") })),
    still ? h("img", { class: "recount-still", src: below(`/evidence/${still}`), alt: t("verdict.still.after"), width: 640, height: 360 }) : "",
    h("div", { class: "recount", "data-board": board, role: "group", "aria-label": t("board.title") }, rows),
    name,
    h("div", { class: "stepper" }, step(-1, t("correct.less"), "−"), input, step(1, t("correct.more"), "+")),
    sum, odd,
    warned ? [h("p", {}, warned), sure("recount.sure")] : "",
  ], t("recount.send"), () => ({ type: "NotAsSeen", verdict: item.number, counts }), taken);
  dialog.classList.add("wide");
}
