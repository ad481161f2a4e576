"""Boards as SVG, drawn by the server: for the first view, for pages of past games, and for paper."""

from collections.abc import Collection, Mapping
from typing import Any

from markupsafe import Markup, escape

from device.films import carved
from engine.board import Board
from web.readmodel.shapes import Diagram
from web.readmodel.wording import label_of

PAINTS = Markup(carved.PAINTS)
"""SVG definitions that every page needs once for the boards on it."""


def board_svg(diagram: Diagram, marked: Collection[int] = (), label: str = "",
              faint: Collection[int] = ()) -> Markup:
    """Return a small carved board, which uses the paint definitions in the page's frame.

    marked: pits to ring, by number; faint: those of them whose ring is faint. label: what a screen reader says; "" for
    a picture beside its own words.
    """
    rings = {number: "odd follows" if number in faint else "odd" for number in marked}
    bulls = {int(pit): owner for pit, owner in diagram["bulls"].items()}
    return Markup(carved.board_svg(Board.parse(diagram["board"]), diagram["n"], bulls, diagram["captured"], rings,
                                   label))


def photo_svg(item: Mapping[str, Any], after: bool) -> Markup:
    """Return the overlay for a verdict's photograph before or after the move: rings around the marked pits, with labels
    on those that the verdict names. "" if the pits' positions are unknown. `web/static/js/photos.js` draws the same."""
    rings = [_ring(mark, item["size"], after) for mark in reversed(item["marks"]) if mark["at" if after else "was"]]
    if not rings:
        return Markup("")
    width, height = item["size"]
    doubt = " doubt" if any(mark["due"] is None for mark in item["marks"]) else ""
    return Markup(f'<svg viewBox="0 0 {width} {height}" preserveAspectRatio="xMidYMid meet" class="rings '
                  f'{"after" if after else "before"}{doubt}" aria-hidden="true">{"".join(rings)}</svg>')


def _ring(mark: Mapping[str, Any], size: list[int], after: bool) -> str:
    """Return one pit's ring. A pit that only changed as a result gets a faint one, and none before the move."""
    x, y, r = mark["at" if after else "was"]
    if not mark["cause"]:
        thin = f'<circle cx="{x}" cy="{y}" r="{r * 1.12:.1f}" stroke-width="{size[0] / 360:.1f}" class="follows"/>'
        return thin if after else ""
    text = label_of(mark) if after else f"{mark['name']}: {mark['had']}"
    letters = size[0] / 26
    edge, at_edge = _anchor(x, text, letters, size[0])
    at = y - 1.35 * r - letters * 0.4 if y > 1.35 * r + letters * 1.5 else y + 1.35 * r + letters
    ring = f'<circle cx="{x}" cy="{y}" r="{r * 1.2:.1f}" '
    return (f'{ring}stroke-width="{size[0] / 85:.1f}" class="under"/>{ring}stroke-width="{size[0] / 142:.1f}" '
            f'class="cause"/><text x="{edge:.0f}" y="{at:.0f}" font-size="{letters:.0f}" '
            f'stroke-width="{letters / 4:.0f}"{at_edge}>{escape(text)}</text>')


def _anchor(x: float, text: str, letters: float, wide: float) -> tuple[float, str]:
    """Return a label's x and its class: above its pit, or, near the picture's edge, from the edge inwards, so that it
    fits whatever the visitor's font is. letters: their size; wide: the picture's width."""
    half = letters * sum(0.55 if sign > "\u2e80" else 0.36 for sign in text)
    if x < half:
        return letters * 0.3, ' class="from-left"'
    return (wide - letters * 0.3, ' class="from-right"') if x > wide - half else (x, "")
