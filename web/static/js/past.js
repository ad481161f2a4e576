// A move of a past game: shows its steps on a board instead of as a list; the arrow keys go to the move before and after.

import { clipOf } from "./clip.js";
import { byId } from "./dom.js";
import { momentOf } from "./evidence.js";
import { pathOf } from "./path.js";
import { enlargeable } from "./photos.js";
import { shareOf } from "./share.js";

const { item, shape } = JSON.parse(byId("item").textContent);
const path = byId("path") && pathOf(item, shape, "h2");
if (path) byId("path").replaceChildren(path);

if (item.clip) byId("clip").replaceChildren(clipOf(item.clip, item.number, item.moment));
document.querySelectorAll(".stills figure")[1]?.before(momentOf(item));
enlargeable(document.querySelector(".stills"));
byId("card")?.replaceChildren(shareOf(item.number));

// The table answers within a moment; then the page shows the result.
if (item.ordered) setTimeout(() => location.reload(), 1500);

addEventListener("keydown", (event) => {
  const rel = { ArrowLeft: "prev", ArrowRight: "next" }[event.key];
  const busy = event.target.matches("input, select, textarea") || event.altKey || event.ctrlKey || event.metaKey;
  if (rel && !busy) document.querySelector(`a[rel="${rel}"]`)?.click();
});
