"""The tuned numbers of the eye as a whole, and of what is drawn for people.

Each field has its unit, the range in which it may lie and where its number comes from: what it was measured on, or that
it is a guess, set by hand. Those of finding the board, of hands and of counting stand in the folders' own
`parameters.py`.
"""

from __future__ import annotations

from dataclasses import dataclass

from vision.parameter import parameter


@dataclass(frozen=True, slots=True)
class SearchLimits:
    """When a board is looked for, or looked for again (`vision.eye`)."""

    every_s: float = parameter(0.4, unit="seconds", least=0.05, most=5, source="guess")
    """Between two searches for a board that is not known, or has moved."""
    whole_s: float = parameter(1.0, unit="seconds", least=0, most=10,
        source="guess: a single picture, such as a recording's first, may show a part where the others show all of it")
    """For which a whole board is looked for before one is believed that the picture's edge cuts."""
    hidden: float = parameter(0.6, unit="share of the board", least=0.3, most=1,
        source="guess: above it the board lies elsewhere, or something hides all of it")
    """That no hands cover."""
    half: float = parameter(0.5, unit="share of the board", least=0.2, most=1,
        source="guess: nobody holds hands over half a board for long")
    """That no hands cover without moving. If the board is found where it lay, what it was held against was wrong, and
    begins anew."""
    half_held_s: float = parameter(4.0, unit="seconds", least=0.5, most=60, source="guess, as `half`")
    """For which that much may be covered without moving."""


@dataclass(frozen=True, slots=True)
class CoveredLimits:
    """When the counter's word that a pit is covered holds (`vision.eye`)."""

    with_hands: float = parameter(0.5, unit="probability", least=0.1, most=1, source="guess")
    """From which on it holds while hands are about."""
    with_none: float = parameter(0.95, unit="probability", least=0.5, most=1, source="guess")
    """From which on it holds while nothing moves and no hand is known of."""
    dark_grey: float = parameter(8.0, unit="grey levels", least=0, most=60, source="guess")
    """In the middle of a picture without a known board, below which it is dark."""


@dataclass(frozen=True, slots=True)
class DrawingLimits:
    """How a reading is drawn for people (`vision.overlay`)."""

    doubtful: float = parameter(0.8, unit="probability", least=0.5, most=1, source="guess")
    """A count with less is doubtful: drawn in another colour here, and with a question mark where it is written as
    text."""
    told_size: float = parameter(0.2, unit="probability", least=0.01, most=0.5, source="guess")
    """Of the size that people say a board has, below which it is questioned."""
    letters: float = parameter(0.5, unit="radii of the pit", least=0.1, most=2, source="guess")
    """Height of the letters beside a pit."""


@dataclass(frozen=True, slots=True)
class AsideLimits:
    """When a board is seen from too low aside for its pits to be read (`device.cli.photographs` warns of it)."""

    flat: float = parameter(0.7, unit="shorter half axis by longer", least=0.2, most=0.95,
        source="50 rendered boards of seeds (78000000, k), up to 70 degrees aside, their pits given: by the flattest "
               "pit's true shape 84 of 100 pits are read right from 0.85 on, 68 from 0.7, 62 from 0.5, 48 below")
    """Of the flattest pit, below which the near walls of pits hide seeds."""


SEARCH = SearchLimits()
COVERED = CoveredLimits()
DRAWING = DrawingLimits()
ASIDE = AsideLimits()
