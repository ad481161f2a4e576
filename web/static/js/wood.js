// The board itself: a plank with grain, a rim, and the paints that pits and seeds share.

import { s } from "./dom.js";

const stop = (offset, color, opacity = 1) => s("stop", { offset, "stop-color": color, "stop-opacity": opacity });

const SEEDS = [
  ["#fbf3dc", "#cdb98d", "#8f7a50"],
  ["#e9e3d6", "#b3a993", "#736a58"],
  ["#f3dcae", "#c39a5a", "#7f5c2c"],
  ["#dfe0d2", "#a3a78f", "#62664f"],
];

/** The paints; `id` keeps those of several boards on one page apart. */
export function paints(id) {
  return s("defs", {},
    s("linearGradient", { id: `${id}-wood`, x1: 0, y1: 0, x2: 0.15, y2: 1 },
      stop(0, "#7d4a2a"), stop(0.45, "#693a20"), stop(1, "#4c2816")),
    s("linearGradient", { id: `${id}-rim`, x1: 0, y1: 0, x2: 0, y2: 1 },
      stop(0, "#a06a3f"), stop(0.5, "#5b321b"), stop(1, "#2e170c")),
    s("radialGradient", { id: `${id}-pit`, cx: 0.56, cy: 0.62, r: 0.62 },
      stop(0, "#6b3f25"), stop(0.62, "#432413"), stop(1, "#1d0e07")),
    s("linearGradient", { id: `${id}-lip`, x1: 0.2, y1: 0, x2: 0.8, y2: 1 },
      stop(0, "#1b0c05", 0.9), stop(0.5, "#3a1e10", 0.2), stop(1, "#c08a5a", 0.85)),
    SEEDS.map((tones, i) => s("radialGradient", { id: `${id}-seed${i}`, cx: 0.36, cy: 0.3, r: 0.75 },
      stop(0, tones[0]), stop(0.55, tones[1]), stop(1, tones[2]))));
}

/** The plank of w × h, its grain drawn along it. */
export function plank(id, w, h) {
  const lines = [];
  for (let i = 1, y = 9; y < h - 6; i += 1, y += 9 + ((i * 37) % 13)) {
    const wave = (k) => y + Math.sin(i * 1.7 + k * 2.3) * (3 + ((i * 7) % 5));
    lines.push(s("path", {
      d: `M8 ${wave(0)} C ${w * 0.25} ${wave(1)}, ${w * 0.4} ${wave(2)}, ${w * 0.55} ${wave(3)} S ${w * 0.85} ${wave(4)}, ${w - 8} ${wave(5)}`,
      class: i % 3 ? "grain" : "grain light",
    }));
  }
  const wood = { x: 8, y: 8, width: w - 16, height: h - 16, rx: 28 };
  return s("g", {},
    s("clipPath", { id: `${id}-plank` }, s("rect", wood)),
    s("rect", { x: 1, y: 1, width: w - 2, height: h - 2, rx: 34, fill: `url(#${id}-rim)` }),
    s("rect", { ...wood, fill: `url(#${id}-wood)` }),
    s("g", { fill: "none", "clip-path": `url(#${id}-plank)` }, lines));
}
