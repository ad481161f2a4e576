// The whole game on one board: a slider, two buttons and the arrow keys step through its moves.

import { smallBoard } from "./diagram.js";
import { below, byId, h } from "./dom.js";
import { name, player, side, t } from "./words.js";

let { number, shape, frames, fouls, teams } = JSON.parse(byId("game").textContent);
name(teams);
const [slider, board, said, more] = ["scrub-at", "scrub-board", "scrub-said", "scrub-more"].map(byId);
const spoken = (frame) => shape.map((pit, i) => t("pit.label", { side: side(pit.side), name: pit.name, n: frame.n[i] })).join(", ");

function show(i) {
  const at = Math.max(0, Math.min(frames.length - 1, i));
  const frame = frames[at];
  slider.value = at;
  const text = t("game.at", { i: at, n: frames.length - 1, text: frame.text });
  slider.setAttribute("aria-valuetext", text);
  board.replaceChildren(smallBoard(shape, frame, frame.odd));
  board.className = `scrub-board ${frame.kind === "illegal" ? "is" : ""}`;
  board.setAttribute("aria-label", `${t("game.board")}: ${spoken(frame)}`);
  const odd = frame.odd.length ? ` ${t("game.odd", { pits: frame.odd.map((pit) => shape[pit].name).join(t("list.comma")) })}` : "";
  const score = ["S", "N"].map((letter, k) => `${player(letter)}: ${t("side.captured", { n: frame.captured[k] })}`).join(" · ");
  said.replaceChildren(h("strong", { class: frame.kind === "illegal" ? "wrong" : "" }, text), odd, h("br"), frame.captured.some(Boolean) ? score : "");
  more.hidden = !frame.verdict;
  if (frame.verdict) more.href = below(`/games/${number}/${frame.verdict}`);
}

const by = (step) => show(Number(slider.value) + step);
slider.addEventListener("input", () => by(0));
byId("scrub-before").addEventListener("click", () => by(-1));
byId("scrub-after").addEventListener("click", () => by(1));
byId("scrub-foul")?.addEventListener("click", () => show(fouls.find((at) => at > Number(slider.value)) ?? fouls[0]));
addEventListener("keydown", (event) => {
  const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  if (!step || event.target.matches("input, select, textarea") || event.altKey || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  by(step);
});
// A game in progress grows; whoever looks at its end then sees the new end.
document.addEventListener("renewed", ({ detail }) => {
  const atEnd = Number(slider.value) === frames.length - 1;
  ({ number, shape, frames, fouls, teams } = JSON.parse(detail.getElementById("game").textContent));
  slider.max = frames.length - 1;
  show(atEnd ? frames.length - 1 : Number(slider.value));
});
show(0);
