// While the table is set up: the picture stays alive, and what the server says of each step is looked at again.

import { below } from "./dom.js";
import { renew } from "./fresh.js";

const picture = document.getElementById("live");
const AGAIN_MS = 2500;
/** The step that is shown; after an error the address is that of the form. */
const page = document.querySelector("main").dataset.page ?? location.pathname;

if (picture) {
  const next = () => setTimeout(() => {
    if (!document.hidden) picture.src = below(`/live/frame.jpg?width=640&${Date.now()}`);
    else next();
  }, 700);
  picture.addEventListener("load", next);
  picture.addEventListener("error", next);
  next();
}

setInterval(() => document.hidden || renew(page), AGAIN_MS);
