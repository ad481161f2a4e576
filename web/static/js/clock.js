// The clock of a turn, in games with a clock: the time from the last hand's leaving to the next hand, and the length of the move.
// It uses the table's times, so that slow and fast pages show the same.

import { say } from "./dom.js";
import { player, t } from "./words.js";

const shown = (seconds) => `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, "0")}`;

export class Clock {
  /** way: the link to the clock's settings; shown if the game has a clock. */
  constructor(node, way) {
    this.node = node;
    this.way = way;
    this.begun = null;
  }

  /** last: the verdict of the last move, or undefined. */
  show(table, live, last) {
    const limits = table.game?.clock;
    const { state } = live;
    this.node.hidden = this.way.hidden = !limits;
    if (!limits || !state || table.over || !live.running) {
      say(this.node, "");
      return;
    }
    if (state.state === "hands-in") this.begun ??= state.t;
    else if (state.state !== "settling" && state.state !== "judging") this.begun = null;
    const who = player(table.position?.turn);
    const due = last?.hands?.[1];
    const [began, limit, key] = this.begun !== null ? [this.begun, limits[1], "clock.move"] : [due, limits[0], "clock.begin"];
    const passed = state.t - began;
    if (!(passed >= 0 && began > 0) || (this.begun === null && state.state !== "watching")) {
      say(this.node, "");
      return;
    }
    const left = Math.ceil(limit - passed);
    say(this.node, left < 0 ? t("clock.late", { side: who, over: shown(passed - limit) }) : t(key, { side: who, left: shown(left), n: left }));
    this.node.classList.toggle("late", left < 0);
  }
}
