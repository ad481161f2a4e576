// Lets people drag the pits of a board that was not found, or found wrong. A corner moves the whole board, any
// other pit moves alone; the arrow keys move the pit with the focus.

import { byId, s } from "./dom.js";
import { t } from "./words.js";

const shape = JSON.parse(byId("shape").textContent);
const box = byId("placing");
const svg = byId("pits");
const begin = byId("place-begin");

/** Returns the homography (3 × 3, row by row) that maps four points to four others: eight equations, solved by Gaussian elimination. */
function mapOf(from, to) {
  const rows = from.flatMap(([x, y], i) => {
    const [u, v] = to[i];
    return [[x, y, 1, 0, 0, 0, -u * x, -u * y, u], [0, 0, 0, x, y, 1, -v * x, -v * y, v]];
  });
  for (let i = 0; i < 8; i += 1) {
    const best = rows.slice(i).reduce((at, row, k) => (Math.abs(row[i]) > Math.abs(rows[at][i]) ? i + k : at), i);
    [rows[i], rows[best]] = [rows[best], rows[i]];
    if (Math.abs(rows[i][i]) < 1e-9) return null;
    rows.forEach((row, k) => {
      if (k === i) return;
      const f = row[i] / rows[i][i];
      for (let j = i; j < 9; j += 1) row[j] -= f * rows[i][j];
    });
  }
  return [...rows.map((row, i) => row[8] / row[i]), 1];
}

const through = (m, [x, y]) => {
  const w = m[6] * x + m[7] * y + m[8];
  return [(m[0] * x + m[1] * y + m[2]) / w, (m[3] * x + m[4] * y + m[5]) / w];
};

function placing() {
  const [width, height] = [Number(box.dataset.width), Number(box.dataset.height)];
  const [rows, cols] = [1 + Math.max(...shape.map((pit) => pit.row)), 1 + Math.max(...shape.map((pit) => pit.col))];
  const found = new Map([...svg.querySelectorAll("g")].map((node) => [node.dataset.name, node.querySelector("circle")]));
  const at = (circle, name) => Number(circle.getAttribute(name));
  const pits = shape.map((pit) => {
    const circle = found.get(pit.name);
    return circle ? { x: at(circle, "cx"), y: at(circle, "cy"), r: at(circle, "r") } : {
      x: width * (0.15 + (0.7 * pit.col) / (cols - 1)), y: height * (0.5 + 0.4 * ((pit.row + 0.5) / rows - 0.5)), r: (0.25 * width) / cols,
    };
  });
  const corners = [[0, 0], [0, cols - 1], [rows - 1, cols - 1], [rows - 1, 0]].map(([row, col]) => shape.findIndex((pit) => pit.row === row && pit.col === col));
  const inside = (x, y) => [Math.min(width, Math.max(0, x)), Math.min(height, Math.max(0, y))];

  const draw = () => pits.forEach((pit, i) => {
    const node = nodes[i];
    node.querySelector("circle").setAttribute("r", pit.r);
    node.setAttribute("transform", `translate(${pit.x} ${pit.y})`);
  });
  const move = (number, x, y) => {
    const [nx, ny] = inside(x, y);
    if (corners.includes(number)) {
      const from = corners.map((i) => [pits[i].x, pits[i].y]);
      const to = corners.map((i) => (i === number ? [nx, ny] : [pits[i].x, pits[i].y]));
      const map = mapOf(from, to);
      if (!map) return;
      for (const pit of pits) {
        const [a, b] = [through(map, [pit.x, pit.y]), through(map, [pit.x + 1, pit.y])];
        const c = through(map, [pit.x, pit.y + 1]);
        const grown = Math.sqrt(Math.abs((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])));
        [pit.x, pit.y] = inside(...a);
        pit.r = Math.min(width / 6, Math.max(width / 200, pit.r * grown));
      }
    } else Object.assign(pits[number], { x: nx, y: ny });
    draw();
  };
  const nodes = shape.map((pit, i) => s("g", { tabindex: 0, role: "button", "aria-label": t("setup.place.pit", { pit: pit.name }), class: corners.includes(i) ? "corner" : "",
    onkeydown: (event) => {
      const [dx, dy] = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key] ?? [0, 0];
      if (!dx && !dy) return;
      event.preventDefault();
      const by = (event.shiftKey ? 10 : 2) * (width / 1280);
      move(i, pits[i].x + dx * by, pits[i].y + dy * by);
    },
    onpointerdown: (event) => event.currentTarget.setPointerCapture(event.pointerId),
    onpointermove: (event) => {
      if (!event.currentTarget.hasPointerCapture(event.pointerId)) return;
      const frame = svg.getBoundingClientRect();
      move(i, ((event.clientX - frame.left) / frame.width) * width, ((event.clientY - frame.top) / frame.height) * height);
    } },
  s("circle", { r: 1 }), s("text", { "font-size": Math.max(14, width / 60) }, pit.name)));
  svg.dataset.held = "yes";
  svg.removeAttribute("aria-hidden");
  svg.replaceChildren(...nodes);
  box.classList.add("by-hand");
  draw();
  nodes[corners[3]].focus();
  begin.hidden = true;
  byId("place-hint").hidden = false;
  const send = byId("place-send");
  send.hidden = false;
  send.addEventListener("click", () => {
    const share = (value, whole) => Number(Math.min(1, value / whole).toFixed(5));
    byId("places").value = JSON.stringify(pits.map(({ x, y, r }) => [share(x, width), share(y, height), share(r, width)]));
  });
}

begin?.addEventListener("click", placing);
