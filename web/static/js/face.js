// The referee's face: a bull's head whose eyes show the state of the table. Words beside it say the same.

import { s } from "./dom.js";

const eye = (x) => s("g", { class: "eye" },
  s("ellipse", { cx: x, cy: 57, rx: 7.5, ry: 6.5, class: "white" }),
  s("circle", { cx: x, cy: 57.5, r: 4, class: "pupil" }),
  s("path", { d: `M${x - 8} 57 q8 7 16 0`, class: "shut" }),
  s("path", { d: `M${x - 8} 60 q8 -8 16 0`, class: "glad" }));

export function drawFace(parent) {
  parent.replaceChildren(s("svg", { viewBox: "0 0 120 120" },
    s("circle", { cx: 60, cy: 60, r: 58, class: "disc" }),
    s("circle", { cx: 60, cy: 60, r: 54.5, class: "collar" }),
    s("path", { d: "M42 42C20 44 12 28 18 10c5 14 16 19 28 22zM78 42c22 2 30-14 24-32-5 14-16 19-28 22z", class: "horn" }),
    s("path", { d: "M38 45 17 53c2 10 14 13 23 8zM82 45l21 8c-2 10-14 13-23 8z", class: "ear" }),
    s("path", { d: "M37 40c7-9 39-9 46 0 5 15 2 36-5 51-6 12-30 12-36 0-7-15-10-36-5-51z", class: "head" }),
    s("path", { d: "M51 37c0 14 3 25 9 32 6-7 9-18 9-32-5-2-13-2-18 0z", class: "blaze" }),
    s("ellipse", { cx: 60, cy: 90, rx: 19, ry: 12.5, class: "muzzle" }),
    s("circle", { cx: 53, cy: 87, r: 2.8, class: "nostril" }), s("circle", { cx: 67, cy: 87, r: 2.8, class: "nostril" }),
    s("path", { d: "M53 96 q7 5 14 0", class: "mouth smile" }),
    s("path", { d: "M54 96.500 h12", class: "mouth flat" }),
    s("path", { d: "M53 98.500 q7 -5 14 0", class: "mouth frown" }),
    s("g", { class: "eyes" }, eye(46), eye(74)),
    s("path", { d: "M38 50 l13 0M82 50 l-13 0", class: "brow level" }),
    s("path", { d: "M38 45 l13 7M82 45 l-13 7", class: "brow stern" }),
    s("path", { d: "M38 51 l13 -1M82 43 l-13 3", class: "brow doubt" }),
    s("path", { d: "M33 51 q27 -5 54 0 v13 q-27 5 -54 0 z", class: "cloth" }),
    s("path", { d: "M35 58 h50", class: "cloth-line" })));
}
