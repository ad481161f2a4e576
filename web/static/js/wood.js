// The large board's plank with its grain. Its paints are in the page's frame.

import { s } from "./dom.js";

/** Returns a plank of w × h; `id` keeps several boards on one page apart. */
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
    s("rect", { x: 1, y: 1, width: w - 2, height: h - 2, rx: 34, fill: "url(#carved-rim)" }),
    s("rect", { ...wood, fill: "url(#carved-wood)" }),
    s("g", { fill: "none", "clip-path": `url(#${id}-plank)` }, lines));
}
