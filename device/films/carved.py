"""Draw a board as SVG, a carved plank seen from above: for the page's small boards, reports, and the card.

`web/static/js/diagram.js` draws the same board in the browser with the same measures; a test compares the two.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path

from engine.board import Board, Side

STYLES = Path(__file__).with_name("carved.css")
"""The style sheet, used by the page and by reports."""
PITCH, HOLLOW, LABEL, EDGE = 100, 41, 54, 30
"""In units: from pit to pit, a hollow's radius, the room for letters and numbers outside a row, and the margin."""
STORE, STORE_WIDE = 92, 66
"""In units: the room for a store at each end of the board, and the width of its hollow."""
NEAR = 8
"""Units by which letters may be nearer to the edge than pits."""
MOST_SEEDS, MOST_CAPTURED, TONES = 30, 42, 4
"""Most seeds drawn in a pit and in a store, as a fuller heap looks the same; and the number of seeds' shades."""
PILE, PILED = 3, 17
"""Seeds in a row of a store, and units from row to row."""
GOLDEN = math.pi * (3 - math.sqrt(5))

PAINTS = """\
<linearGradient id="carved-wood" x1="0" y1="0" x2=".15" y2="1"><stop offset="0" stop-color="#7d4a2a"/>\
<stop offset=".45" stop-color="#693a20"/><stop offset="1" stop-color="#4c2816"/></linearGradient>
<linearGradient id="carved-rim" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="#a06a3f"/>\
<stop offset=".5" stop-color="#5b321b"/><stop offset="1" stop-color="#2e170c"/></linearGradient>
<radialGradient id="carved-pit" cx=".56" cy=".62" r=".62"><stop offset="0" stop-color="#6b3f25"/>\
<stop offset=".62" stop-color="#432413"/><stop offset="1" stop-color="#1d0e07"/></radialGradient>
<linearGradient id="carved-lip" x1=".2" y1="0" x2=".8" y2="1"><stop offset="0" stop-color="#1b0c05" stop-opacity=".9"/>\
<stop offset=".5" stop-color="#3a1e10" stop-opacity=".2"/>\
<stop offset="1" stop-color="#c08a5a" stop-opacity=".85"/></linearGradient>
""" + "\n".join(
    f'<radialGradient id="carved-tone{i}" cx=".36" cy=".3" r=".75"><stop offset="0" stop-color="{light}"/>'
    f'<stop offset=".55" stop-color="{middle}"/><stop offset="1" stop-color="{dark}"/></radialGradient>'
    f'<g id="seed{i}"><ellipse cx="2" cy="3.5" rx="11" ry="9.9" fill="#0d0502" fill-opacity=".5"/>'
    f'<ellipse rx="11" ry="9.6" transform="rotate({turn})" fill="url(#carved-tone{i})"/></g>'
    for i, (light, middle, dark, turn) in enumerate((
        ("#fbf3dc", "#cdb98d", "#8f7a50", 12), ("#e9e3d6", "#b3a993", "#736a58", 140),
        ("#f3dcae", "#c39a5a", "#7f5c2c", 75), ("#dfe0d2", "#a3a78f", "#62664f", 40))))
"""The content of a document's `<defs>`, once for all its boards: wood, hollows, and seeds of four shades."""


@dataclass(frozen=True, slots=True)
class CarvedPit:
    """Where a pit is drawn. x, y: its centre; label_y: that of its letter and number."""

    x: float
    y: float
    label_y: float


@dataclass(frozen=True, slots=True)
class CarvedStore:
    """Where a side's captured seeds are drawn. x: the centre; top, high: the hollow's; label_y: the number's."""

    side: Side
    x: float
    top: float
    high: float
    label_y: float


@dataclass(frozen=True, slots=True)
class Plan:
    """The layout of a board's drawing, in units: each pit by its number, and the stores if it has any, South's at the
    right."""

    cols: int
    width: float
    height: float
    ridge: float
    pits: tuple[CarvedPit, ...]
    stores: tuple[CarvedStore, ...]

    @classmethod
    def of(cls, board: Board) -> Plan:
        """The layout for a board. Boards of four rows have no stores, since captured seeds are sown on."""
        rows, cols = board.rows, board.cols
        left = EDGE + (STORE if rows == 2 else 0)
        row_high = PITCH + LABEL
        tops = [EDGE - NEAR + row_high * row + (6 if row >= rows // 2 else 0) for row in range(rows)]
        places = []
        for pit in range(board.pits):
            row, col = board.place(pit)
            north = row < rows // 2
            places.append(CarvedPit(left + PITCH * (col + 0.5), tops[row] + (LABEL if north else 0) + PITCH / 2,
                                tops[row] + (0 if north else PITCH) + LABEL / 2))
        width, height = 2 * left + PITCH * cols, tops[-1] + row_high + EDGE - NEAR
        high = height - 2 * EDGE - LABEL + NEAR
        stores = () if rows != 2 else (
            CarvedStore(Side.SOUTH, width - EDGE - STORE / 2, EDGE, high, tops[1] + PITCH + LABEL / 2),
            CarvedStore(Side.NORTH, EDGE + STORE / 2, height - EDGE - high, high, tops[0] + LABEL / 2))
        return cls(cols, width, height, tops[rows // 2] - 3, tuple(places), stores)


def heap(n: int, pit: int) -> list[tuple[float, float, int]]:
    """The seeds of a pit as (x, y, shade) in a hollow of radius 1. They lie in a sunflower's order, so that any number
    fills it evenly."""
    shown = min(n, MOST_SEEDS)
    spread = min(0.29, 0.79 / math.sqrt(shown)) if shown else 0
    found = []
    for i in range(shown):
        far = spread * math.sqrt(i + (0.1 if shown == 1 else 0.55))
        angle = pit * 2.1 + i * GOLDEN
        found.append((far * math.cos(angle), far * math.sin(angle), (pit * 31 + i * 17) % 97 % TONES))
    return found


def pile(n: int, store: CarvedStore) -> list[tuple[float, float, int]]:
    """Captured seeds as (x, y, shade), row upon row from their owner's end."""
    up = -1 if store.side is Side.SOUTH else 1
    near = store.top + store.high - PILED if store.side is Side.SOUTH else store.top + PILED
    return [(store.x + (i % PILE - 1) * 19 + (i * 13) % 5 - 2, near + up * (i // PILE) * PILED + (i * 7) % 5 - 2,
             (i * 17) % 97 % TONES) for i in range(min(n, MOST_CAPTURED))]


def board_svg(board: Board, counts: Sequence[int], bulls: Mapping[int, str], captured: Sequence[int],
              rings: Mapping[int, str], label: str) -> str:
    """The board as SVG with letters, numbers and seeds; the document must hold `PAINTS`.

    bulls: owner, S or N, by pit. rings: CSS classes of ringed pits, by pit. label: text for screen readers; "" if the
    text beside the drawing says the same.
    """
    plan = Plan.of(board)
    spoken = f'role="img" aria-label="{escape(label)}"' if label else 'aria-hidden="true"'
    return "".join((
        f'<svg viewBox="0 0 {plan.width:g} {plan.height:g}" class="small-board" data-cols="{plan.cols}" {spoken}>',
        f'<rect x="2" y="2" width="{plan.width - 4:g}" height="{plan.height - 4:g}" rx="34" class="plank"/>'
        f'<line x1="{plan.pits[0].x - 54:g}" x2="{plan.width - plan.pits[0].x + 54:g}" y1="{plan.ridge:g}" '
        f'y2="{plan.ridge:g}" class="ridge"/>',
        *(_store(store, captured[store.side]) for store in plan.stores),
        *(_pit(board.name(pit), place, pit, counts[pit], bulls.get(pit, ""), rings.get(pit, ""))
          for pit, place in enumerate(plan.pits)), "</svg>"))


def _pit(name: str, at: CarvedPit, pit: int, n: int, bull: str, ring: str) -> str:
    """A pit as SVG. ring: the CSS classes of a ringed pit, "" for any other."""
    drawn = _hollow(at.x, at.y)
    if bull:
        drawn += _bull(at.x, at.y, bull)
    if ring:
        drawn += (f'<circle cx="{at.x:g}" cy="{at.y:g}" r="{HOLLOW + 5}" class="ring-under"/>'
                  f'<circle cx="{at.x:g}" cy="{at.y:g}" r="{HOLLOW + 5}" class="ring-odd"/>')
    drawn += _seeds((at.x + x * HOLLOW, at.y + y * HOLLOW, tone) for x, y, tone in heap(n, pit))
    return (f'<g class="{ring}">{drawn}<text x="{at.x - 33:g}" y="{at.label_y + 3:g}" class="letter">{escape(name)}'
            f'</text><text x="{at.x + 7:g}" y="{at.label_y + 2:g}" class="number{"" if n else " zero"}">{n}</text></g>')


def _hollow(x: float, y: float) -> str:
    return (f'<circle cx="{x:g}" cy="{y:g}" r="{HOLLOW + 3}" class="lip"/>'
            f'<circle cx="{x:g}" cy="{y:g}" r="{HOLLOW}" class="hole"/>')


def _seeds(lying: Iterable[tuple[float, float, int]]) -> str:
    return "".join(f'<use href="#seed{tone}" x="{x:.1f}" y="{y:.1f}"/>' for x, y, tone in lying)


def _store(store: CarvedStore, n: int) -> str:
    x, half = store.x, STORE_WIDE / 2
    badge = (f'<circle cx="{x - 31:g}" cy="{store.label_y + 2:g}" r="9" class="badge-S"/>' if store.side is Side.SOUTH
             else f'<rect x="{x - 40:g}" y="{store.label_y - 7:g}" width="18" height="18" rx="3" class="badge-N"/>')
    return (f'<g class="store"><rect x="{x - half - 3:g}" y="{store.top - 3:g}" width="{STORE_WIDE + 6}" '
            f'height="{store.high + 6:g}" rx="36" class="lip"/><rect x="{x - half:g}" y="{store.top:g}" '
            f'width="{STORE_WIDE}" height="{store.high:g}" rx="33" class="hole"/>{_seeds(pile(n, store))}{badge}'
            f'<text x="{x + 12:g}" y="{store.label_y + 2:g}" class="stored{"" if n else " zero"}">{n}</text></g>')


def _bull(x: float, y: float, owner: str) -> str:
    """A bull's mark: South's round and red, North's square and blue, both with horns."""
    r = HOLLOW + 3
    ring = (f'<circle cx="{x:g}" cy="{y:g}" r="{r}" class="bull-ring"/>' if owner == "S" else
            f'<rect x="{x - r:g}" y="{y - r:g}" width="{2 * r}" height="{2 * r}" rx="13" class="bull-ring"/>')
    horns = (f"M{x - 13:g} {y - r + 1:g} c-15 -1 -20 -10 -17 -21 c5 8 11 11 21 11 z "
             f"M{x + 13:g} {y - r + 1:g} c15 -1 20 -10 17 -21 c-5 8 -11 11 -21 11 z")
    return f'<g class="bull bull-{owner}">{ring}<path d="{horns}" class="horns"/></g>'
