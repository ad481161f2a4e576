// Plays a move on the board, seed by seed; with reduced motion, lap by lap.

import { frames } from "./trace.js";

const LONGEST_MS = 9000;
const STEP_MS = [45, 420];
const LAP_MS = 1100;
const WRONG_MS = 1800; // the step that was wrong is what people look for
const calm = matchMedia("(prefers-reduced-motion: reduce)");

export class Replay {
  /** show(frame): draws one; done(): returns to the present. */
  constructor(show, done) {
    this.show = show;
    this.done = done;
    this.timer = null;
  }

  get running() {
    return this.timer !== null;
  }

  start(shape, before, steps) {
    this.stop();
    const all = frames(shape, before, steps);
    const shown = calm.matches ? all.filter((frame, i) => frame.lap !== all[i + 1]?.lap) : all;
    const each = Math.max(STEP_MS[0], Math.min(STEP_MS[1], LONGEST_MS / shown.length));
    this.next(shown, 0, calm.matches ? LAP_MS : each);
  }

  next(shown, i, each) {
    if (i >= shown.length) {
      this.stop();
      return;
    }
    this.show(shown[i]);
    const pause = shown[i].wrong ? WRONG_MS : i === 0 || i === shown.length - 1 ? 500 : shown[i].kind === "lift" ? each * 1.8 : each;
    this.timer = setTimeout(() => this.next(shown, i + 1, each), pause);
  }

  stop() {
    if (this.timer === null) return;
    clearTimeout(this.timer);
    this.timer = null;
    this.done();
  }
}
