// A page of the server's that goes on while it is looked at: with each piece of news its parts are fetched again.

import { Connection } from "./connection.js";
import { renew } from "./fresh.js";

const GATHER_MS = 400; // a verdict brings several events

let timer = 0;
let written = null;

function news({ number }) {
  const first = written === null;
  written = number;
  if (first && number === Number(document.querySelector("main").dataset.number)) return; // nothing came since the page was written
  clearTimeout(timer);
  timer = setTimeout(async () => {
    const found = await renew(location.href);
    if (found) document.dispatchEvent(new CustomEvent("renewed", { detail: found }));
  }, GATHER_MS);
}

new Connection({ table: news, live() {}, up() {}, down() {} }, "&news");
