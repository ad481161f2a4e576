// Puts the changed parts of the page, which the server renders and its feed sends, in their places.

import { below, byId, h } from "./dom.js";
import { t } from "./words.js";

const SILENCE_MS = 12000; // the server beats every 4 s
const RETRY_MS = 3000;

const see = document.querySelector("main[data-see]")?.dataset.see;
let source = null;
let watchdog = 0;
let retry = 0;

/** Returns a selector for the focused element, to find it again in the new part. */
function focusedIn(element) {
  const at = document.activeElement;
  if (!at || at === element || !element.contains(at)) return null;
  return at.id ? `#${CSS.escape(at.id)}` : at.matches("a[href]") ? `a[href="${CSS.escape(at.getAttribute("href"))}"]` : null;
}

function put({ id, html }) {
  let element = byId(id);
  if (!element && id.startsWith("card-")) {
    element = h("li", { class: "card seat", id });
    byId("cards")?.append(element);
  }
  // Replace nothing while somebody is about to rule.
  if (!element || (element.querySelector("form") && element.querySelector("details[open]"))) return;
  const focused = focusedIn(element);
  const parsed = new DOMParser().parseFromString(html, "text/html");
  element.replaceChildren(...parsed.body.childNodes);
  if (focused) element.querySelector(focused)?.focus();
}

function hear() {
  clearTimeout(watchdog);
  watchdog = setTimeout(again, SILENCE_MS);
  if (line.lost) line(t("line.back"), true);
}

function line(text, good) {
  const node = byId("line") ?? document.body.appendChild(h("p", { class: "line", id: "line", role: "status" }));
  line.lost = !good;
  node.textContent = text;
  node.classList.toggle("bad", !good);
  node.hidden = false;
  if (good) setTimeout(() => (node.hidden = !line.lost), RETRY_MS);
}

function again() {
  close();
  line(t("line.lost"), false);
  retry = setTimeout(open, RETRY_MS);
}

function close() {
  clearTimeout(watchdog);
  clearTimeout(retry);
  source?.close();
  source = null;
}

function open() {
  close();
  source = new EventSource(below(`/feed?see=${encodeURIComponent(see)}`));
  source.addEventListener("open", hear);
  source.addEventListener("beat", hear);
  source.addEventListener("part", (event) => {
    hear();
    put(JSON.parse(event.data));
  });
  source.addEventListener("error", again);
  watchdog = setTimeout(again, SILENCE_MS);
}

if (see) {
  open();
  addEventListener("pagehide", close);
  addEventListener("pageshow", (event) => event.persisted && open());
}
