// Keeps a page that the server rendered up to date: each piece of news fetches its parts again.

import { Connection } from "./connection.js";
import { renew } from "./fresh.js";

const GATHER_MS = 400; // a verdict brings several events

let timer = 0;
let written = null;

function news({ number }) {
  const first = written === null;
  written = number;
  if (first && number === Number(document.querySelector("main").dataset.number)) return; // nothing has come since the page was rendered
  clearTimeout(timer);
  timer = setTimeout(async () => {
    const found = await renew(location.href);
    if (found) document.dispatchEvent(new CustomEvent("renewed", { detail: found }));
  }, GATHER_MS);
}

new Connection({ table: news, live() {}, up() {}, down() {} }, "&news");
