"""Small plots as SVG, drawn by the server: South red and round, North blue and square, as everywhere."""

from collections.abc import Sequence

from markupsafe import Markup, escape

WIDTH, HEIGHT = 420, 150
LEFT, TOP, RIGHT, BOTTOM = 50, 14, 56, 26
"""Margins around the plot for its numbers."""

BAR_SHARE = 0.78
"""The share of its slot that a bar fills."""


def lines(south: Sequence[float], north: Sequence[float], label: str) -> Markup:
    """Return a plot of two lines over the moves with their last values. label: what a screen reader says."""
    most, count = max(*south, *north, 1), max(len(south), len(north))
    ends = sorted(((values[-1], letter) for letter, values in (("S", south), ("N", north)) if values), reverse=True)
    drawn, lowest = "", -14.0
    for letter, values in (("N", north), ("S", south)):
        points = " ".join(f"{_x(i, count - 1):.1f},{_y(value, most):.1f}" for i, value in enumerate(values))
        drawn += f'<polyline points="{points}" class="line-{letter}"/>'
    for value, letter in ends:
        lowest = max(lowest + 19, _y(value, most))
        drawn += f'<text x="{WIDTH - RIGHT + 18}" y="{lowest:.1f}" class="end">{value:g}</text>'
        drawn += _mark(letter, WIDTH - RIGHT + 9, lowest)
    return _picture(drawn + _axis(most, count - 1), label)


def bars(values: Sequence[tuple[str, float]], label: str, of_each: int = 1) -> Markup:
    """Return a plot with a bar for each value, coloured by its side. of_each: bars per move, or per game."""
    most, count = max((value for _, value in values), default=1.0) or 1.0, len(values)
    place = (WIDTH - LEFT - RIGHT) / max(count, 1)
    drawn = "".join(
        f'<rect x="{LEFT + i * place:.1f}" y="{_y(value, most):.1f}" width="{max(BAR_SHARE * place, 1):.1f}" '
        f'height="{max(HEIGHT - BOTTOM - _y(value, most), 0.5):.1f}" class="bar-{letter}"/>'
        for i, (letter, value) in enumerate(values))
    return _picture(drawn + _axis(most, count // of_each), label)


def _picture(drawn: str, label: str) -> Markup:
    return Markup(f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" class="plot" role="img" aria-label="{escape(label)}">'
                  f'{drawn}</svg>')


def _axis(most: float, last: int) -> str:
    """Return the base line, with the plot's height and length as numbers."""
    ground = HEIGHT - BOTTOM
    return (f'<line x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{ground}" y2="{ground}" class="ground"/>'
            f'<text x="{LEFT - 6}" y="{TOP}" class="high">{most:.3g}</text>'
            f'<text x="{LEFT - 6}" y="{ground}" class="high">0</text>'
            f'<text x="{WIDTH - RIGHT}" y="{HEIGHT - 9}" class="high">{last}</text>')


def _mark(letter: str, x: float, y: float) -> str:
    if letter == "S":
        return f'<circle cx="{x}" cy="{y:.1f}" r="5" class="bar-S"/>'
    return f'<rect x="{x - 5}" y="{y - 5:.1f}" width="10" height="10" class="bar-N"/>'


def _x(i: int, last: int) -> float:
    return LEFT + (WIDTH - LEFT - RIGHT) * i / max(last, 1)


def _y(value: float, most: float) -> float:
    return HEIGHT - BOTTOM - (HEIGHT - BOTTOM - TOP) * value / most
