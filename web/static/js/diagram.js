// A position drawn as a board. Only changes are redrawn, so that a replay runs on a phone.

import { s } from "./dom.js";
import { HOLLOW, STORE_WIDE, layout } from "./layout.js";
import { heap, pile } from "./seeds.js";
import { plank } from "./wood.js";

const ROUND = 76; // how far outside a row's end the curve's control point lies; the curve reaches three quarters of it from the pit's middle
let made = 0;

/** Whether there is room for the stores beside the large board; on a phone the pits take the whole width. */
export const roomy = matchMedia("(min-width: 700px)");

/** The large board: stores if there is room, hollows with seeds, letters and numbers outside, bulls, and the marks of the
 *  last move.
 *  marks: {lifted, captured: {pit: n}, doubt: [pit], wrong: [pit], follows: [pit] (changed only as a
 *  result), now: pit, path: [[pit, …], …]}, all by pit number. */
export class Diagram {
  constructor(parent) {
    this.id = `board${(made += 1)}`;
    this.parent = parent;
    this.shape = null;
    roomy.addEventListener("change", () => {
      this.shape = null;
      if (this.now) this.show(...this.now);
    });
  }

  show(shape, position, marks = {}) {
    this.now = [shape, position, marks];
    if (shape !== this.shape) this.build(shape);
    this.plan.pits.forEach((pit, number) => this.pit(pit, number, position, marks));
    this.store(position.captured);
    const path = JSON.stringify(marks.path ?? []);
    if (path !== this.drawnPath) {
      this.drawnPath = path;
      this.track.replaceChildren(...tracks(this.plan, marks.path ?? []));
    }
  }

  build(shape) {
    this.shape = shape;
    this.plan = layout(shape, roomy.matches);
    const { width, height } = this.plan;
    this.keys = shape.map(() => "");
    this.groups = shape.map(() => s("g", {}));
    this.ends = s("g", {});
    this.captured = "";
    this.track = s("g", { class: "track" });
    this.drawnPath = "[]";
    this.svg = s("svg", { viewBox: `0 0 ${width} ${height}`, class: "wooden", "aria-hidden": "true", "data-cols": this.plan.cols },
      plank(this.id, width, height), ridgeOf(this.plan),
      this.ends, this.plan.pits.map(hollow), this.track, this.groups);
    this.parent.querySelector("svg.wooden")?.remove();
    this.parent.prepend(this.svg);
  }

  pit(pit, number, position, marks) {
    const n = position.n[number];
    const bull = position.bulls[number];
    const mark = {
      lifted: marks.lifted === number, now: marks.now === number, taken: marks.captured?.[number],
      doubt: marks.doubt?.includes(number), wrong: marks.wrong?.includes(number), follows: marks.follows?.includes(number),
    };
    const key = JSON.stringify([n, bull, mark]);
    if (key === this.keys[number]) return;
    this.keys[number] = key;
    const group = this.groups[number];
    const classes = ["pit", `side-${pit.side}`, ...Object.keys(mark).filter((name) => mark[name])];
    group.setAttribute("class", classes.join(" "));
    group.replaceChildren(...[
      bull && bullRing(bull, pit.x, pit.y),
      mark.lifted && s("circle", { cx: pit.x, cy: pit.y, r: HOLLOW + 4, class: "ring-lifted" }),
      mark.doubt && !mark.wrong && s("circle", { cx: pit.x, cy: pit.y, r: HOLLOW + 5, class: "ring-doubt" }),
      mark.follows && s("circle", { cx: pit.x, cy: pit.y, r: HOLLOW + 5, class: "ring-follows" }),
      ...(mark.wrong ? wrongRing(pit.x, pit.y) : []),
      mark.now && s("circle", { cx: pit.x, cy: pit.y, r: HOLLOW + 5, class: "ring-now" }),
      sown(n, number, pit),
      mark.taken && n === 0 && s("text", { x: pit.x, y: pit.y, class: "taken" }, `−${mark.taken}`),
      mark.wrong && s("g", { class: "alarm" },
        s("circle", { cx: pit.x + 33, cy: pit.y - 33, r: 16 }), s("text", { x: pit.x + 33, y: pit.y - 32 }, "!")),
      named(pit, n),
    ].flat().filter(Boolean));
  }

  store(captured) {
    if (String(captured) === this.captured) return;
    this.captured = String(captured);
    this.ends.replaceChildren(...this.plan.stores.map((store) => storeOf(store, captured)));
  }
}

/** Returns a small carved board for comparison; its paints are in the page's frame. marked: pit numbers that differ; now: the one just
 *  touched; faint: those of the marked that only changed as a result. */
export function smallBoard(shape, position, marked = [], now = -1, faint = []) {
  const plan = layout(shape, true);
  return s("svg", { viewBox: `0 0 ${plan.width} ${plan.height}`, class: "small-board", "aria-hidden": "true", "data-cols": plan.cols },
    s("rect", { x: 2, y: 2, width: plan.width - 4, height: plan.height - 4, rx: 34, class: "plank" }),
    ridgeOf(plan),
    plan.stores.map((store) => storeOf(store, position.captured)),
    plan.pits.map((pit, number) => {
      const n = position.n[number];
      const bull = position.bulls[number];
      const odd = marked.includes(number);
      return s("g", { class: !odd ? "" : faint.includes(number) ? "odd follows" : "odd" },
        hollow(pit),
        bull && bullRing(bull, pit.x, pit.y),
        odd && s("circle", { cx: pit.x, cy: pit.y, r: HOLLOW + 5, class: "ring-under" }),
        odd && s("circle", { cx: pit.x, cy: pit.y, r: HOLLOW + 5, class: "ring-odd" }),
        number === now && !odd && s("circle", { cx: pit.x, cy: pit.y, r: HOLLOW + 5, class: "ring-now" }),
        sown(n, number, pit), named(pit, n));
    }));
}

const ridgeOf = ({ pits, width, ridge }) => s("line", { x1: pits[0].x - 54, x2: width - pits[0].x + 54, y1: ridge, y2: ridge, class: "ridge" });

const hollow = ({ x, y }) => [s("circle", { cx: x, cy: y, r: HOLLOW + 3, class: "lip" }), s("circle", { cx: x, cy: y, r: HOLLOW, class: "hole" })];

const lying = (seeds) => seeds.map(([x, y, tone]) => s("use", { href: `#seed${tone}`, x: x.toFixed(1), y: y.toFixed(1) }));

const sown = (n, number, pit) => lying(heap(n, number).map(([x, y, tone]) => [pit.x + x * HOLLOW, pit.y + y * HOLLOW, tone]));

const numeral = (x, y, n, name) => s("text", { x, y, class: n ? name : `${name} zero` }, String(n));

const named = (pit, n) => [s("text", { x: pit.x - 33, y: pit.labelY + 3, class: "letter" }, pit.name), numeral(pit.x + 7, pit.labelY + 2, n, "number")];

/** Returns a side's store with its captured seeds. captured: South's and North's. */
function storeOf(store, captured) {
  const { side, x, top, high, labelY } = store;
  const n = captured[side === "S" ? 0 : 1];
  const round = (more, rx, name) => s("rect", { x: x - STORE_WIDE / 2 - more, y: top - more, width: STORE_WIDE + 2 * more, height: high + 2 * more, rx, class: name });
  return s("g", { class: "store" }, round(3, 36, "lip"), round(0, 33, "hole"), lying(pile(n, store)),
    side === "S" ? s("circle", { cx: x - 31, cy: labelY + 2, r: 9, class: "badge-S" }) : s("rect", { x: x - 40, y: labelY - 7, width: 18, height: 18, rx: 3, class: "badge-N" }),
    numeral(x + 12, labelY + 2, n, "stored"));
}

/** A pit that is not as it should be: a pale ring on red, unlike any bull's. */
export const wrongRing = (cx, cy) => [
  s("circle", { cx, cy, r: HOLLOW + 5, class: "ring-under" }), s("circle", { cx, cy, r: HOLLOW + 5, class: "ring-wrong" })];

/** A bull's mark: South's is round and red, North's square and blue; both wear horns. */
export function bullRing(owner, x, y) {
  const r = HOLLOW + 3;
  const ring = owner === "S"
    ? s("circle", { cx: x, cy: y, r, class: "bull-ring" })
    : s("rect", { x: x - r, y: y - r, width: 2 * r, height: 2 * r, rx: 13, class: "bull-ring" });
  const horns = s("path", {
    d: `M${x - 13} ${y - r + 1} c-15 -1 -20 -10 -17 -21 c5 8 11 11 21 11 z M${x + 13} ${y - r + 1} c15 -1 20 -10 17 -21 c-5 8 -11 11 -21 11 z`,
    class: "horns",
  });
  return s("g", { class: `bull bull-${owner}` }, ring, horns);
}

/** Returns the path from pit to pit: straight along a row, and round the outside at its end, because the numbers stand between the rows:
 *  the SVG path's next piece, and its tip at the pit's rim, where no seeds cover it. */
function stretch(plan, from, to) {
  const [a, b] = [plan.pits[from], plan.pits[to]];
  const [dx, dy] = [b.x - a.x, b.y - a.y];
  if (a.col === b.col && a.row !== b.row) {
    const out = a.col < plan.cols / 2 ? -1 : 1;
    return { way: `C${a.x + out * ROUND} ${a.y} ${b.x + out * ROUND} ${b.y} `, tip: [b.x + out * HOLLOW, b.y], turn: out < 0 ? 0 : 180 };
  }
  const far = Math.hypot(dx, dy) || 1;
  return { way: "L", tip: [b.x - (dx / far) * HOLLOW, b.y - (dy / far) * HOLLOW], turn: (Math.atan2(dy, dx) * 180) / Math.PI };
}

/** Returns the laps of a move as lines from pit to pit; the last one ends in an arrow. */
function tracks(plan, path) {
  return path.flatMap((lap, i) => {
    if (lap.length < 2) return [];
    const last = i === path.length - 1;
    const pieces = lap.slice(1).map((to, k) => ({ ...stretch(plan, lap[k], to), to: plan.pits[to] }));
    const { tip, turn } = pieces.at(-1);
    const ends = pieces.map(({ to }) => [to.x, to.y]);
    if (last) ends[ends.length - 1] = tip;
    const start = plan.pits[lap[0]];
    const d = `M${start.x} ${start.y}${pieces.map(({ way }, k) => `${way}${ends[k].join(" ")}`).join("")}`;
    return [s("path", { d, class: last ? "lap last" : "lap" }),
      last && s("path", { d: "M14 0 L-8 -12 L-2 0 L-8 12 Z", transform: `translate(${tip.join(" ")}) rotate(${turn})`, class: "tip" })].filter(Boolean);
  });
}

/** Returns the marks of an accusation: the pits that it names, those that changed as a result, and those in doubt. */
export const accusing = ({ expected, marks, pits }, shape) => ({
  wrong: expected ? marks.filter(({ cause }) => cause).map(({ pit }) => pit) : [],
  follows: marks.filter(({ cause }) => !cause).map(({ pit }) => pit),
  doubt: pits.map((name) => shape.findIndex((pit) => pit.name === name)),
});
