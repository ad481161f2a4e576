// One bar that says how the table does: camera, board, line and disk, each with a word.

import { h, say } from "./dom.js";
import { t } from "./words.js";

const PARTS = ["camera", "board", "line", "disk"];
const DIM = 40; // mean grey of a picture that is too dark, as in views/steps.py
const LOW_GB = 1; // the table itself needs the last 0.2

export class Status {
  constructor(list) {
    this.words = Object.fromEntries(PARTS.map((part) => [part, h("span", { class: "word" })]));
    this.items = Object.fromEntries(PARTS.map((part) => [part, h("li", {}, h("span", { class: "what" }, t(`status.${part}`)), this.words[part])]));
    list.replaceChildren(...Object.values(this.items));
  }

  /** live: {running, frame, state, free_gb}; blind: whether the journal says that the board cannot be seen; lost: no line. */
  show(live, blind, lost) {
    const known = live.running && !lost;
    this.put("camera", ...(known ? camera(live) : ["unknown", "off"]));
    this.put("board", ...(known ? board(live, blind) : ["unknown", "off"]));
    this.put("line", ...(lost ? ["lost", "bad"] : live.running ? ["good", "good"] : ["no-table", "bad"]));
    const free = live.free_gb;
    this.put("disk", ...(lost || free == null ? ["unknown", "off"] : free < LOW_GB ? ["low", "bad"] : ["free", "good"]), free);
  }

  put(part, word, tone, n) {
    say(this.words[part], t(`status.${part}.${word}`, { n }));
    this.items[part].className = tone;
  }
}

function camera({ frame, state }) {
  if (pictureless({ frame, state })) return ["none", "bad"];
  if (state.light >= 0 && state.light < DIM) return ["dark", "bad"];
  return state.behind ? ["slow", "doubt"] : ["good", "good"];
}

const pictureless = ({ frame, state }) => frame === "0" || !state?.size?.[0];

function board({ frame, state }, blind) {
  if (pictureless({ frame, state })) return ["unknown", "off"];
  if (blind || state?.state === "blind") return ["hidden", "bad"];
  if (["starting", "searching"].includes(state?.state) || !state?.pits.length) return ["searching", "doubt"];
  return state.state === "setting-up" ? ["setting-up", "doubt"] : ["found", "good"];
}
