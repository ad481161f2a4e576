// The status bar: camera, board, connection and disk, each with a word.

import { h, say } from "./dom.js";
import { t } from "./words.js";

const PARTS = ["camera", "board", "line", "disk"];
const DIM = 40; // mean grey of a picture that is too dark, as in views/setup/steps.py
const FEW = 4; // pictures a second below which quick hands are missed, as in views/setup/steps.py; 0 is "not counted yet"
const LOW_GB = 1; // the table needs the last 0.2 itself

export class Status {
  constructor(list) {
    this.words = Object.fromEntries(PARTS.map((part) => [part, h("span", { class: "word" })]));
    this.items = Object.fromEntries(PARTS.map((part) => [part, h("li", {}, h("span", { class: "what" }, t(`status.${part}`)), this.words[part])]));
    list.replaceChildren(...Object.values(this.items));
  }

  /** live: {running, frame, state, free_gb}; blind: whether the journal says that the board cannot be seen; lost: no connection. */
  show(live, blind, lost) {
    const known = live.running && !lost;
    this.put("camera", ...(known ? camera(live, blind) : ["unknown", "off"]));
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

function camera({ frame, state }, blind) {
  if (state?.state === "starting") return ["opening", "doubt"];
  if (frame === "0" || !state?.size) return passing({ frame, state }, blind) ? ["slow", "doubt"] : ["none", "bad"];
  if (state.light >= 0 && state.light < DIM) return ["dark", "bad"];
  return state.behind || (state.fps > 0 && state.fps < FEW) ? ["slow", "doubt"] : ["good", "good"];
}

/** Whether the table is only waiting for the next picture; if that takes too long, the table reports it. */
const passing = ({ frame, state }, blind) => frame !== "0" && !blind && !["blind", "starting", "searching", undefined].includes(state?.state);

function board({ frame, state }, blind) {
  if (blind || state?.state === "blind") return ["hidden", "bad"];
  if (frame === "0" || !state?.size) return passing({ frame, state }, blind) ? ["found", "good"] : ["unknown", "off"];
  if (["starting", "searching"].includes(state?.state) || !state?.pits.length) return ["searching", "doubt"];
  return state.state === "setting-up" ? ["setting-up", "doubt"] : ["found", "good"];
}
