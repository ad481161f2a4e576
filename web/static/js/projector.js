// Shows one table after the other; can be stopped and resumed.

import { byId } from "./dom.js";
import { t } from "./words.js";

const EACH_MS = 12000;
let shown = -1;
let timer = 0;

function go() {
  clearTimeout(timer);
  const all = [...document.querySelectorAll("#cards > li")];
  shown = all.length ? (shown + 1) % all.length : -1;
  all.forEach((one, i) => one.classList.toggle("shown", i === shown));
  if (byId("stay").getAttribute("aria-pressed") === "false") timer = setTimeout(go, EACH_MS);
}

byId("next").addEventListener("click", go);
byId("stay").addEventListener("click", () => {
  const stays = byId("stay").getAttribute("aria-pressed") === "false";
  byId("stay").setAttribute("aria-pressed", String(stays));
  clearTimeout(timer);
  if (!stays) timer = setTimeout(go, EACH_MS);
});
addEventListener("keydown", (event) => {
  if (event.key === "ArrowRight" && !event.altKey && !event.ctrlKey && !event.metaKey) go();
});
new MutationObserver(() => shown < 0 && go()).observe(byId("cards"), { childList: true });
go();
