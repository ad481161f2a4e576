"""Boards as SVG made by the server: for the first view, for pages of past games, and for paper."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from markupsafe import Markup, escape

from web.readmodel.shapes import Diagram, pits

PITCH, RADIUS, EDGE, RIDGE = 100, 41, 24, 4
"""As in `web/static/js/layout.js`: a pit's column is 100 wide."""


def board_svg(diagram: Diagram, marked: Collection[int] = (), label: str = "") -> Markup:
    """A small flat board with numbers in the pits. marked: pits to be ringed, by number. label: what a screen reader
    says; "" for a picture beside its own words."""
    shape = pits(diagram["board"])
    rows, cols = 1 + max(p["row"] for p in shape), 1 + max(p["col"] for p in shape)
    width, height = 2 * EDGE + PITCH * cols, 2 * EDGE + PITCH * rows + RIDGE
    spoken = f'role="img" aria-label="{escape(label)}"' if label else 'aria-hidden="true"'
    ridge = EDGE + PITCH * rows // 2 + RIDGE // 2
    parts = [f'<svg viewBox="0 0 {width} {height}" class="small-board" {spoken}>',
             f'<rect x="1" y="1" width="{width - 2}" height="{height - 2}" rx="26" class="plank"/>',
             f'<line x1="20" x2="{width - 20}" y1="{ridge}" y2="{ridge}" class="ridge"/>']
    bulls = {int(pit): owner for pit, owner in diagram["bulls"].items()}
    for number, pit in enumerate(shape):
        x = EDGE + PITCH * pit["col"] + PITCH // 2
        y = EDGE + PITCH * pit["row"] + PITCH // 2 + (RIDGE if pit["row"] >= rows // 2 else 0)
        parts.append(_pit(x, y, pit["name"], diagram["n"][number], bulls.get(number, ""), number in marked))
    return Markup("".join(parts) + "</svg>")


def _pit(x: int, y: int, name: str, n: int, bull: str, odd: bool) -> str:
    drawn = f'<circle cx="{x}" cy="{y}" r="{RADIUS}" class="hole"/>'
    if bull:
        drawn += _bull(x, y, bull)
    if odd:
        drawn += (f'<circle cx="{x}" cy="{y}" r="{RADIUS + 5}" class="ring-under"/>'
                  f'<circle cx="{x}" cy="{y}" r="{RADIUS + 5}" class="ring-odd"/>'
                  f'<text x="{x - 33}" y="{y - 33}" class="tag">{escape(name)}</text>')
    kind = "count" if n else "count zero"
    return f'<g{" class=odd" if odd else ""}>{drawn}<text x="{x}" y="{y + 2}" class="{kind}">{n}</text></g>'


def _bull(x: int, y: int, owner: str) -> str:
    """South's round and red, North's square and blue, as everywhere."""
    r = RADIUS + 3
    ring = (f'<circle cx="{x}" cy="{y}" r="{r}" class="bull-ring"/>' if owner == "S" else
            f'<rect x="{x - r}" y="{y - r}" width="{2 * r}" height="{2 * r}" rx="13" class="bull-ring"/>')
    return f'<g class="bull bull-{owner}">{ring}</g>'


def differing(one: Diagram | None, other: Diagram | None) -> list[int]:
    """The pits in which two boards differ, in seeds or in their bull."""
    if one is None or other is None or one["board"] != other["board"]:
        return []
    bulls: tuple[Mapping[int, str], Mapping[int, str]] = (one["bulls"], other["bulls"])
    return [i for i, (a, b) in enumerate(zip(one["n"], other["n"], strict=True))
            if a != b or bulls[0].get(i) != bulls[1].get(i)]
