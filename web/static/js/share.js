// Downloads of a verdict: its clip as a film, and the card. The card goes to the phone's share sheet if the
// browser has one (only at a secure address); else it is saved.

import { below, h } from "./dom.js";
import { t } from "./words.js";

/** Returns the link that saves the verdict's clip as an MP4, if this machine can make one. */
export const filmLink = (number) => document.body.dataset.films
  ? h("a", { class: "button film", href: below(`/evidence/${number}/clip.mp4?download`), download: `inkeek-${number}.mp4` }, t("film.take")) : "";

/** Returns the button that shares the verdict's card, or the link that saves it. */
export function shareOf(number) {
  const address = below(`/evidence/${number}/card.png`);
  const take = h("a", { class: "button card-take", href: `${address}?download`, download: `inkeek-${number}.png` }, t("card.take"));
  const said = h("p", { class: "hint", role: "status" });
  if (!canShare()) return h("div", { class: "share" }, h("p", { class: "buttons" }, take), said);
  const share = h("button", { type: "button", class: "quiet", onclick: async () => {
    share.disabled = true;
    said.textContent = "";
    try {
      const answer = await fetch(address);
      if (!answer.ok) throw new Error(String(answer.status));
      const files = [new File([await answer.blob()], `inkeek-${number}.png`, { type: "image/png" })];
      await navigator.share({ files });
    } catch (error) {
      if (error.name !== "AbortError") said.textContent = t("card.failed"); // AbortError: the person cancelled
    }
    share.disabled = false;
  } }, t("card.share"));
  return h("div", { class: "share" }, h("p", { class: "buttons" }, share, take), said);
}

const canShare = () => Boolean(navigator.canShare?.({ files: [new File([""], "inkeek.png", { type: "image/png" })] }));
