// The set-up pages: keeps the picture live and fetches each step's state again.

import { renew } from "./fresh.js";

const AGAIN_MS = 2500;
/** The step that is shown; after an error the address is the form's. */
const page = document.querySelector("main").dataset.page ?? location.pathname;

for (const picture of document.querySelectorAll("[data-live]")) {
  const address = new URL(picture.src);
  const next = () => setTimeout(() => {
    address.searchParams.set("t", Date.now());
    if (!document.hidden) picture.src = address;
    else next();
  }, 700);
  picture.addEventListener("load", next);
  picture.addEventListener("error", next);
  next();
}

setInterval(() => document.hidden || renew(page), AGAIN_MS);
