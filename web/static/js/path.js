// A move step by step: a small board to step through or play, and the same as a list. The wrong step is marked
// in both. With reduced motion, people step by hand or play lap by lap.

import { smallBoard } from "./diagram.js";
import { h } from "./dom.js";
import { frames, whole } from "./trace.js";
import { t, textOf } from "./words.js";

const LONGEST_MS = 12000;
const STEP_MS = [90, 650];
const LAP_MS = 1200;
const calm = matchMedia("(prefers-reduced-motion: reduce)");

/** Returns the path of a verdict's move as an element, or "" if there is none. shape: the server's list of pits. heading: its
 *  title's element. */
export function pathOf(item, shape, heading = "h3") {
  if (!item.before || !shape || item.steps.length < 2) return "";
  const steps = item.steps;
  if (!whole(steps)) return h("details", { class: "path" }, h("summary", {}, t("path.title")), h("p", { class: "hint" }, t("path.cut")), list(steps, null));
  const shown = frames(shape, item.before, steps);
  const wrong = shown.findIndex((frame) => frame.wrong);
  const picture = h("div", { class: "path-board" });
  const said = h("p", { class: "path-said", "aria-live": "polite" });
  let at = 0;
  let timer = null;

  const show = (i) => {
    at = Math.max(0, Math.min(shown.length - 1, i));
    const frame = shown[at];
    picture.replaceChildren(smallBoard(shape, frame.position, frame.wrong ? [frame.now] : [], frame.now));
    picture.classList.toggle("is", Boolean(frame.wrong));
    const step = steps[frame.step];
    const text = step ? textOf(step) : t("path.before");
    said.textContent = t("path.step", { i: at, n: shown.length - 1, text: frame.wrong ? `${text} (${t("path.wrong")})` : text });
    said.classList.toggle("wrong", Boolean(frame.wrong));
    items.querySelectorAll("[aria-current]").forEach((node) => node.removeAttribute("aria-current"));
    items.querySelector(`[data-step="${frame.step}"]`)?.setAttribute("aria-current", "step");
    slider.value = at;
  };
  const stop = () => {
    clearTimeout(timer);
    timer = null;
    play.textContent = t("path.play");
  };
  const next = () => {
    const lap = shown[at].lap;
    let i = at + 1;
    if (calm.matches) while (i < shown.length - 1 && shown[i + 1].lap === shown[i].lap && !shown[i].wrong) i += 1;
    show(i);
    if (at >= shown.length - 1 || !picture.isConnected) return stop();
    const each = calm.matches ? LAP_MS : Math.max(STEP_MS[0], Math.min(STEP_MS[1], LONGEST_MS / shown.length));
    timer = setTimeout(next, shown[at].wrong ? 3 * each : shown[at].lap !== lap ? 2 * each : each);
    return undefined;
  };
  const go = (i) => () => {
    stop();
    show(i());
  };
  const button = (key, sign, onclick) => h("button", { type: "button", class: "quiet", "aria-label": sign ? t(key) : null, title: sign ? t(key) : null, onclick }, sign || t(key));
  const play = button("path.play", "", () => {
    if (timer !== null) return stop();
    if (at >= shown.length - 1) show(0);
    play.textContent = t("path.stop");
    timer = setTimeout(next, 250);
    return undefined;
  });
  const slider = h("input", { type: "range", min: 0, max: shown.length - 1, value: 0, "aria-label": t("path.title"), oninput: () => go(() => Number(slider.value))() });
  const items = list(steps, (i) => go(() => shown.findIndex((frame) => frame.step === i))());
  show(wrong > 0 ? wrong : shown.length - 1);
  return h("section", { class: "path" },
    h(heading, {}, t("path.title")),
    picture, said, slider,
    h("p", { class: "buttons" },
      button("path.first", "«", go(() => 0)), button("path.back", "◀", go(() => at - 1)), play, button("path.on", "▶", go(() => at + 1)),
      wrong > 0 ? button("path.to-wrong", "", go(() => wrong)) : ""),
    h("details", {}, h("summary", {}, t("path.list")), items));
}

/** Returns the steps as a list; pick(step number): called when a step is chosen. */
function list(steps, pick) {
  return h("ol", { class: "steps" }, steps.map((step, i) => {
    const text = [textOf(step), step.wrong ? h("strong", { class: "wrong-here" }, ` ✗ ${t("path.wrong")}`) : ""];
    const seen = pick && step.pit;
    return h("li", { class: `${step.kind}${step.wrong ? " wrong" : ""}` },
      seen ? h("button", { type: "button", class: "plain", "data-step": i, onclick: () => pick(i) }, text) : text);
  }));
}
