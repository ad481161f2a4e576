// Plays a clip: at full and at quarter speed, or picture by picture.

import { below, h } from "./dom.js";
import { t } from "./words.js";

const SLOW = 0.25;

const LEAD_S = 0.8; // shown before the moment that the verdict is about

/** Returns which picture of a clip shows the moment of the verdict. times: of the pictures; back: seconds from the moment to the end. */
const frameAt = (times, back) => Math.max(0, times.findIndex((at) => at >= times.at(-1) - back));

const GAP_S = 2; // a gap without pictures is played in this time

/** Returns a player for the clip of that name, starting just before the moment. times: seconds of its pictures; gaps: when the camera gave
 *  none, each from and to; cut: its beginning is missing; moment: seconds from what the verdict is about to the clip's end, null if unknown. */
export function player(name, { times, gaps = [], cut }, moment) {
  const last = times.length - 1;
  const picture = h("img", { alt: t("clip.picture"), width: 640, height: 360 });
  const said = h("p", { class: "path-said" });
  const slider = h("input", { type: "range", min: 0, max: last, value: 0, "aria-label": t("clip.title"), oninput: () => go(Number(slider.value)) });
  const loaded = times.map(() => null);
  let at = 0;
  let timer = null;
  const load = async (i) => {
    if (i > last) return null;
    loaded[i] ??= (async () => {
      const image = new Image();
      image.src = below(`/clip/${name}/${i}`);
      await image.decode();
      return image.src;
    })();
    return loaded[i];
  };
  const show = async (i) => {
    at = Math.max(0, Math.min(last, i));
    const wanted = at;
    slider.value = at;
    said.textContent = t("clip.at", { at: times[at].toFixed(1), of: times[last].toFixed(1) });
    try {
      const src = await load(wanted);
      if (at === wanted) picture.src = src;
    } catch {
      // skip a picture that did not load
    }
    for (let ahead = 1; ahead < 5; ahead += 1) load(wanted + ahead)?.catch(() => {});
  };
  const stop = () => {
    clearTimeout(timer);
    timer = null;
    for (const button of plays) button.setAttribute("aria-pressed", "false");
  };
  /** Returns the seconds for which picture `i` stays. */
  const stays = (i) => Math.min(times[Math.min(i + 1, last)] - times[i], gaps.some(([from]) => from === times[i]) ? GAP_S : Infinity);
  const go = (i) => {
    stop();
    return show(i);
  };
  const play = (speed, button) => () => {
    const running = timer !== null && button().getAttribute("aria-pressed") === "true";
    stop();
    if (running) return;
    if (at >= last) show(0);
    button().setAttribute("aria-pressed", "true");
    const next = async () => {
      const began = performance.now();
      const from = at;
      await show(from + 1);
      if (timer === null) return;
      if (at >= last || !picture.isConnected) stop();
      else timer = setTimeout(next, Math.max(0, (stays(at) * 1000) / speed - (performance.now() - began)));
    };
    timer = setTimeout(next, stays(at) * 1000 / speed);
  };
  const button = (key, sign, onclick) => h("button", { type: "button", class: "quiet", "aria-label": sign ? t(key) : null, title: sign ? t(key) : null, onclick }, sign || t(key));
  const plays = [button("clip.full", "", play(1, () => plays[0])), button("clip.slow", "", play(SLOW, () => plays[1]))];
  plays.forEach((one) => one.setAttribute("aria-pressed", "false"));
  show(moment === null ? 0 : frameAt(times, moment + LEAD_S));
  return [picture, said, slider,
    h("p", { class: "buttons" }, button("clip.back", "◀", () => go(at - 1)), button("clip.on", "▶", () => go(at + 1)), plays,
      h("a", { class: "button", href: below(`/evidence/${name}`), download: `inkeek-${name.slice(0, 8)}.zip` }, t("clip.take"))),
    ...gaps.map(([start, end]) => h("p", { class: "hint" }, t("clip.gap", { start: start.toFixed(1), end: end.toFixed(1) }))),
    cut ? h("p", { class: "hint" }, t("clip.cut")) : ""].filter(Boolean);
}
