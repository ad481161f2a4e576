"""The numbers that the decoder is tuned by, each with its unit, its range and where it comes from."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Emission:
    """How far a look at a pit is believed."""

    unreliable: float = 0.01
    """Probability, 0 to 1, that a stay of a pit is read anyhow. Chosen of 0.03, 0.01 and 0.003 on 48 staged games whose
    hands overlap, and the same 30 % of them faulty (`tests.bench.staged`): right 181, 182, 182 of 191 and 134, 137, 137
    of 189. Forty logs of other makings are judged alike with all three."""
    untouched_nats: float = 4.0
    """Nats, at least 0, by which a pit that still shows the stay in which its count was known holds that count rather
    than any other, if that is a deep heap. A guess: one seed more in a deep heap may look like the stay before."""
    untouched_lone_nats: float = 12.0
    """The same of a pit that is empty, or holds one seed; with two seeds it is half of this, and so on down to that of
    a deep heap. A guess: a lone seed that is gone is seen to be gone."""


@dataclass(frozen=True)
class Otherwise:
    """How likely it is that no legal move was made, whatever was."""

    share: float = 0.06
    """Share of all moves, 0 to 1, that are not legal. A guess, of an evening on which much is tried."""
    stay_nats: float = 3.0
    """Nats, at least 0, that each stay costs which nothing explains. A guess: a pit that was touched two or three times
    between two looks costs a legal move as much."""


@dataclass(frozen=True)
class Touch:
    """What a step of a trace costs by where the hands were. Nats, at least 0; all are guesses."""

    no_hand_nats: float = 12.0
    """No hand of the mover's was over the board since the look before."""
    open_nats: float = 1.0
    """The pit was open in this look and in the one before: a hand that drops one seed may come and go between them."""
    unnoticed_nats: float = 5.0
    """The pit was open in both, and shows the same stay: one seed more in a deep heap may look like the stay before."""
    unseen_nats: float = 0.3
    """No look was taken between this step and the one before."""


@dataclass(frozen=True)
class Dwell:
    """What it costs to stay at a board, nats a second, at least 0, where nothing else is said; all are guesses."""

    before: float = 0.05
    """Before the first step, with a hand over the board."""
    midway: float = 0.1
    """In the middle of a move, with the mover's hand over the board."""
    midway_away: float = 1.5
    """In the middle of a move, without it."""
    midway_left_nats: float = 2.5
    """Nats, at least 0, and once each time: the mover's hand leaves in the middle of its move, as it seldom does."""
    after: float = 0.3
    """After the last step, with the mover's hand still over the board."""


@dataclass(frozen=True)
class Beam:
    """How much is kept."""

    moves: int = 4
    """First moves after which a second one is looked for; a bound of the work."""
    faulty: int = 48
    """Moves with one fault that are laid against the looks; a bound of the work."""
    contested_nats: float = 3.0
    """Nats, at least 0, by which pits may show something else than a legal move leaves before faults are laid beside
    it. A guess; a bound of the work."""
    nats: float = 15.0
    """Nats, above 0, by which the end of a first move may fit worse at its best moment than the best of all then. A
    guess."""
    looks: int = 128
    """Looks that are laid against traces; of more, every second of the older ones is let go. A bound of the work."""
    agreed: float = 0.95
    """Posterior probability from which on a first move counts as made. A guess; what is said aloud the judge decides.
    """


EMISSION, OTHERWISE, TOUCH, DWELL, BEAM = Emission(), Otherwise(), Touch(), Dwell(), Beam()
