// A verdict's evidence: the move on a board, its clip, its enlarged photographs.

import { clipOf } from "./clip.js";
import { byId, h } from "./dom.js";
import { pathOf } from "./path.js";
import { enlargeable } from "./photos.js";
import { t } from "./words.js";

const { item, shape, clip } = JSON.parse(byId("item").textContent);
const path = byId("path") && pathOf(item, shape, "h2");
if (path) byId("path").replaceChildren(path);
if (clip) byId("clip").replaceChildren(clipOf(clip, clip));

const stills = document.querySelector(".stills");
enlargeable(stills);
for (const image of stills.querySelectorAll("img")) {
  const gone = () => image.closest("a").replaceWith(h("p", { class: "missing" }, t("hall.evidence.gone")));
  if (image.complete && !image.naturalWidth) gone();
  else image.addEventListener("error", gone);
}
