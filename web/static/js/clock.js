// The clock of a turn, where the game has one: from the last hand's leaving until the next one comes, and how long that one takes.
// Times are the table's own, so that a slow page shows no other time than a quick one.

import { say } from "./dom.js";
import { player, t } from "./words.js";

const shown = (seconds) => `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, "0")}`;

export class Clock {
  /** way: what leads to where the clock is set; shown where there is a clock. */
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
