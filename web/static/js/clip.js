// The clip of a move: the live pictures around it, fetched on request.

import { player } from "./clip_player.js";
import { below, h } from "./dom.js";
import { filmLink } from "./share.js";
import { t } from "./words.js";

/** Returns a button that opens the clip of that name, and a link that saves it as a film. number: of the clip's verdict; moment:
 *  seconds from what the verdict is about to the clip's end, null if unknown. */
export function clipOf(name, number, moment = null) {
  if (!name) return "";
  const box = h("div", { class: "clip" });
  const open = h("button", { type: "button", class: "quiet", onclick: async () => {
    open.disabled = true;
    try {
      const answer = await fetch(below(`/clip/${name}/clip.json`));
      if (!answer.ok) throw new Error(String(answer.status));
      box.replaceChildren(...player(name, await answer.json(), moment), h("p", { class: "buttons" }, filmLink(number)));
    } catch {
      box.replaceChildren(h("p", { class: "hint" }, t("clip.gone")), shut);
      open.disabled = false;
    }
  } }, t("clip.open"));
  const shut = h("p", { class: "buttons" }, open, filmLink(number));
  box.append(shut);
  return box;
}
