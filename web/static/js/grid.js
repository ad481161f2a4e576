// Makes the drawn board usable by keyboard, touch and screen reader: a grid of buttons exactly over the pits.

import { roomy } from "./diagram.js";
import { h } from "./dom.js";
import { layout } from "./layout.js";
import { side, t } from "./words.js";

const KEYS = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };

export class Grid {
  /** pick(pit number): called when a pit is chosen. */
  constructor(parent, pick) {
    this.pick = pick;
    this.node = h("div", { role: "grid", class: "grid", "aria-label": t("grid.label") });
    this.node.addEventListener("keydown", (event) => this.key(event));
    this.shape = null;
    roomy.addEventListener("change", () => {
      this.shape = null;
      if (this.now) this.show(...this.now);
    });
    parent.append(this.node);
  }

  show(shape, position, marks = {}) {
    this.now = [shape, position, marks];
    if (shape !== this.shape) this.build(shape);
    shape.forEach((pit, number) => {
      const words = [t("pit.label", { side: side(pit.side), name: pit.name, n: position.n[number] })];
      const bull = position.bulls[number];
      if (bull) words.push(t("pit.bull", { side: side(bull) }));
      if (marks.lifted === number) words.push(t("pit.lifted"));
      if (marks.doubt?.includes(number)) words.push(t("pit.doubt"));
      const label = words.join(", ");
      const button = this.buttons[number];
      if (button.getAttribute("aria-label") !== label) button.setAttribute("aria-label", label);
    });
  }

  build(shape) {
    this.shape = shape;
    const plan = layout(shape, roomy.matches);
    this.plan = plan;
    this.buttons = plan.pits.map((pit, number) => {
      const button = h("button", { type: "button", tabindex: number ? -1 : 0, title: pit.name, onclick: () => this.pick(number), onfocus: () => this.rove(number) });
      const [x, y, w, height] = pit.cell;
      button.style.left = `${(100 * x) / plan.width}%`;
      button.style.top = `${(100 * y) / plan.height}%`;
      button.style.width = `${(100 * w) / plan.width}%`;
      button.style.height = `${(100 * height) / plan.height}%`;
      return button;
    });
    const rows = Array.from({ length: plan.rows }, (_, row) => {
      const cells = shape.map((pit, number) => ({ pit, number })).filter(({ pit }) => pit.row === row);
      cells.sort((a, b) => a.pit.col - b.pit.col);
      return h("div", { role: "row", "aria-label": t(`row.${cells[0].pit.side}`) },
        cells.map(({ number }) => h("div", { role: "gridcell" }, this.buttons[number])));
    });
    this.node.replaceChildren(...rows);
  }

  rove(number) {
    this.buttons.forEach((button, i) => (button.tabIndex = i === number ? 0 : -1));
  }

  key(event) {
    const by = KEYS[event.key];
    const number = this.buttons?.indexOf(event.target) ?? -1;
    if (!by || number < 0) return;
    event.preventDefault();
    const { row, col } = this.shape[number];
    const next = this.shape.findIndex((pit) => pit.row === row + by[0] && pit.col === col + by[1]);
    this.buttons[next]?.focus();
  }
}
