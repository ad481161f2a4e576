"""The tuned numbers of the eye as a whole, and of the drawings for people.

Each field has its unit, its range and its source: what it was measured on, or "guess" if it was set by hand. The
numbers of finding the board, of hands and of counting are in the `parameters.py` of those folders.
"""

from dataclasses import dataclass

from vision.parameter import parameter


@dataclass(frozen=True, slots=True)
class SearchLimits:
    """When a board is looked for, or looked for again, and when it is too dark to see one (`vision.eye`)."""

    every_s: float = parameter(0.4, "seconds", 0.05, 5,
        "Time between two searches for a board that is unknown or has moved.")
    whole_s: float = parameter(1.0, "seconds", 0, 10,
        "How long to look for a whole board before accepting one that the picture's edge cuts.",
        "guess: a single picture, such as a recording's first, may show a part where the others show all of it")
    hidden: float = parameter(0.6, "share of the board", 0.3, 1,
        "Covered area above which the cause cannot be hands, so the board is searched for again.",
        "guess: above it the board lies elsewhere, or something hides all of it")
    half: float = parameter(0.5, "share of the board", 0.2, 1,
        "Covered area above which the cause cannot be hands if nothing moves there. If the board is then found where "
        "it lay, the reference was wrong and is started again.", "guess: nobody holds hands over half a board for long")
    half_held_s: float = parameter(4.0, "seconds", 0.5, 60, "How long that area may be covered without movement.",
        "guess, as `half`")
    dark_grey: float = parameter(8.0, "grey levels", 0, 60,
        "Median grey of a picture without a known board below which it is dark.")


@dataclass(frozen=True, slots=True)
class CoveredLimits:
    """When to believe the counter that a pit is covered (`vision.eye`)."""

    with_hands: float = parameter(0.5, "probability", 0.1, 1,
        'Least probability of "covered" that is believed while hands are near.')
    with_none: float = parameter(0.95, "probability", 0.5, 1,
        'Least probability of "covered" that is believed while nothing moves and no hand is known.')


@dataclass(frozen=True, slots=True)
class DrawingLimits:
    """How a reading is drawn for people (`vision.overlay`)."""

    doubtful: float = parameter(0.8, "probability", 0.5, 1,
        "Probability below which a count is doubtful: drawn in another colour, or written with a question mark.")
    named_size: float = parameter(0.2, "probability", 0.01, 0.5,
        "Probability of the size that people gave below which that size is questioned.")
    letters: float = parameter(0.5, "radii of the pit", 0.1, 2, "Height of the letters beside a pit.")


@dataclass(frozen=True, slots=True)
class AsideLimits:
    """When the camera is too low for the board's pits to be read (`device.cli.photographs` warns of it)."""

    flat: float = parameter(0.7, "shorter half axis by longer", 0.2, 0.95,
        "Axis ratio of the flattest pit below which the near walls of pits hide seeds.",
        "50 rendered boards of seeds (78000000, k), up to 70 degrees aside, their pits given: by the flattest pit's "
        "true shape 84 of 100 pits are read right from 0.85 on, 68 from 0.7, 62 from 0.5, 48 below")


SEARCH = SearchLimits()
COVERED = CoveredLimits()
DRAWING = DrawingLimits()
ASIDE = AsideLimits()
