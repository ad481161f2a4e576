// The recount: people enter the seeds in every pit and the captured ones. Tapping a pit or a store selects it; two buttons
// count it up and down.

import { ask } from "./dialogs.js";
import { below, h } from "./dom.js";
import { named, sure } from "./retraction.js";
import { player, side, t } from "./words.js";

const sumOf = (counts) => counts.reduce((sum, n) => sum + n, 0);

/** item: the verdict; shape: its board's pits; captured: South's and North's captured seeds as they are known now, none for
 *  a game without captures; later: the standing moves after it; over: the game has ended; taken(text): called when the
 *  order is accepted. The counts start as the verdict has them or, for a "not sure", as the camera read them. Captured
 *  seeds that people leave as they are follow from the counts. Judging later moves again, and too many seeds in the pits,
 *  must be confirmed first. */
export function askRecount(item, shape, captured, later, over, taken) {
  const { board, captured: judged } = item.position ?? item.before;
  const still = item.stills[1];
  const unknown = item.verdict === "not-sure" && item.counts.length === shape.length;
  const stores = captured.map((_, i) => t("recount.captured", { side: player("SN"[i]) }));
  const places = [
    ...shape.map((pit) => ({ name: pit.name, title: t("correct.title", { side: side(pit.side), name: pit.name }), label: (n) => t("pit.label", { side: side(pit.side), name: pit.name, n }) })),
    ...stores.map((title) => ({ name: title, title, label: (n) => `${title}: ${n}` }))];
  const counts = [...(unknown ? item.counts : (item.position ?? item.before).n), ...captured];
  const first = [...counts];
  const all = sumOf(item.before.n);
  const counted = () => captured.some((_, i) => counts[shape.length + i] !== judged[i]);
  /** Returns the seeds that were entered, and those that should be there. */
  const sums = () => (counted() ? [sumOf(counts), all + sumOf(item.before.captured)] : [sumOf(counts.slice(0, shape.length)), all - (item.captured || 0)]);
  let chosen = Math.max(0, shape.findIndex((pit) => item.faults.some((fault) => fault.pit === pit.name) || item.pits.includes(pit.name)));
  const name = h("p", { class: "chosen", "aria-live": "polite" });
  const input = h("input", { id: "count", type: "number", inputmode: "numeric", min: 0, max: 96, required: true, "aria-label": t("correct.label") });
  const sum = h("p", { class: "hint sum", role: "status" });
  const odd = sure("recount.odd");
  const cells = places.map((_, i) => h("button", { type: "button", class: "cell", onclick: () => choose(i) }));
  const show = () => {
    cells.forEach((cell, i) => {
      const changed = counts[i] !== first[i];
      cell.replaceChildren(h("small", {}, places[i].name), String(counts[i]));
      cell.classList.toggle("changed", changed);
      cell.setAttribute("aria-pressed", String(i === chosen));
      cell.setAttribute("aria-label", [places[i].label(counts[i]), changed ? t("recount.changed") : ""].filter(Boolean).join(", "));
    });
    const [entered, due] = sums();
    const more = entered - due;
    const odds = more > 0 && !counted(); // fewer are possible: seeds were captured
    odd.hidden = !odds;
    odd.firstChild.required = odds;
    sum.classList.toggle("wrong", more > 0);
    sum.textContent = more ? t(more > 0 ? "recount.more" : "recount.fewer", { n: Math.abs(more) }) : t("recount.fits", { n: due });
  };
  const set = (n) => {
    counts[chosen] = Math.min(96, Math.max(0, Math.trunc(n) || 0));
    show();
  };
  const choose = (i) => {
    chosen = i;
    name.textContent = places[i].title;
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
  if (stores.length) rows.push(h("div", { class: "cells stores" }, [1, 0].map((i) => cells[shape.length + i]))); // as beside the board
  choose(chosen);
  const warned = [later.length && t("recount.later", { n: later.length, moves: named(later) }), over && t("recount.over")].filter(Boolean).join(" ");
  const dialog = ask(t("recount.title"), [
    h("p", { class: "hint" }, t("recount.hint", { who: [player(item.player), item.move].filter(Boolean).join(" ") })),
    still ? h("img", { class: "recount-still", src: below(`/evidence/${still}`), alt: t("verdict.still.after"), width: 640, height: 360 }) : "",
    h("div", { class: "recount", "data-board": board, role: "group", "aria-label": t("board.title") }, rows),
    name,
    h("div", { class: "stepper" }, step(-1, t("correct.less"), "−"), input, step(1, t("correct.more"), "+")),
    sum, odd,
    warned ? h("div", { class: "warned" }, h("p", {}, warned), sure("recount.sure")) : "",
  ], t("recount.send"), () => ({ type: "NotAsSeen", verdict: item.number, counts: counts.slice(0, shape.length), captured: counted() ? counts.slice(shape.length) : [] }), taken);
  dialog.classList.add("wide");
}
