"""The tuned numbers of the eye as a whole, and of the drawings for people.

Each field has its unit, its range and its source: what it was measured on, or "guess" if it was set by hand. The
numbers of finding the board, of hands and of counting are in the `parameters.py` of those folders.
"""

from __future__ import annotations

from dataclasses import dataclass

from vision.parameter import parameter


@dataclass(frozen=True, slots=True)
class SearchLimits:
    """When a board is looked for, or looked for again (`vision.eye`)."""

    every_s: float = parameter(0.4, unit="seconds", least=0.05, most=5, source="guess")
    """Time between two searches for a board that is unknown or has moved."""
    whole_s: float = parameter(1.0, unit="seconds", least=0, most=10,
        source="guess: a single picture, such as a recording's first, may show a part where the others show all of it")
    """How long to look for a whole board before accepting one that the picture's edge cuts."""
    hidden: float = parameter(0.6, unit="share of the board", least=0.3, most=1,
        source="guess: above it the board lies elsewhere, or something hides all of it")
    """Covered area above which the cause cannot be hands, so the board is searched for again."""
    half: float = parameter(0.5, unit="share of the board", least=0.2, most=1,
        source="guess: nobody holds hands over half a board for long")
    """Covered area above which the cause cannot be hands if nothing moves there. If the board is then found where it
    lay, the reference was wrong and is started again."""
    half_held_s: float = parameter(4.0, unit="seconds", least=0.5, most=60, source="guess, as `half`")
    """How long that area may be covered without movement."""


@dataclass(frozen=True, slots=True)
class CoveredLimits:
    """When the counter is believed that a pit is covered (`vision.eye`)."""

    with_hands: float = parameter(0.5, unit="probability", least=0.1, most=1, source="guess")
    """Least probability of "covered" that is believed while hands are near."""
    with_none: float = parameter(0.95, unit="probability", least=0.5, most=1, source="guess")
    """Least probability of "covered" that is believed while nothing moves and no hand is known."""
    dark_grey: float = parameter(8.0, unit="grey levels", least=0, most=60, source="guess")
    """Median grey of a picture without a known board below which it is dark."""


@dataclass(frozen=True, slots=True)
class DrawingLimits:
    """How a reading is drawn for people (`vision.overlay`)."""

    doubtful: float = parameter(0.8, unit="probability", least=0.5, most=1, source="guess")
    """Probability below which a count is doubtful: drawn in another colour, or written with a question mark."""
    told_size: float = parameter(0.2, unit="probability", least=0.01, most=0.5, source="guess")
    """Probability of the size that people gave below which that size is questioned."""
    letters: float = parameter(0.5, unit="radii of the pit", least=0.1, most=2, source="guess")
    """Height of the letters beside a pit."""


@dataclass(frozen=True, slots=True)
class AsideLimits:
    """When the camera is too low for the board's pits to be read (`device.cli.photographs` warns of it)."""

    flat: float = parameter(0.7, unit="shorter half axis by longer", least=0.2, most=0.95,
        source="50 rendered boards of seeds (78000000, k), up to 70 degrees aside, their pits given: by the flattest "
               "pit's true shape 84 of 100 pits are read right from 0.85 on, 68 from 0.7, 62 from 0.5, 48 below")
    """Axis ratio of the flattest pit below which the near walls of pits hide seeds."""


SEARCH = SearchLimits()
COVERED = CoveredLimits()
DRAWING = DrawingLimits()
ASIDE = AsideLimits()
