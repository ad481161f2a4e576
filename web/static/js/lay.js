// Shows how many seeds each side has while people correct the counts of a board that they have laid.

import { byId, say } from "./dom.js";

const lay = byId("lay");
const sums = byId("lay-sums");

function add() {
  const of = (side) => [...lay.querySelectorAll(`input[data-side="${side}"]`)].reduce((sum, input) => sum + (Number(input.value) || 0), 0);
  const [south, north] = [of("S"), of("N")];
  const half = Number(lay.dataset.half);
  say(sums, `${lay.dataset.south}: ${south} · ${lay.dataset.north}: ${north}`);
  sums.classList.toggle("ill", Boolean(half) && (south !== half || north !== half));
}

if (lay) {
  lay.addEventListener("input", add);
  lay.addEventListener("focusin", (event) => event.target.select?.());
  add();
}
