"""How likely people do what, before anything is seen of the board. Data, each with its reason.

The shares are of all disturbances of the board, and need be right only within a factor of a few: they decide between
explanations that fit the readings equally well, and how much better than a legal move an accusation has to fit.
"""

from __future__ import annotations

from collections.abc import Mapping

LEGAL = 0.94
"""Most moves are legal, even in a quarrelsome game; the legal moves of a position share this equally."""

TWO_LEGAL = 0.01
"""Both players moved with no pause between: fast play, seen now and then."""

UNCHANGED = 0.02
"""A hand reached in, pointed or nudged, and every count stayed."""

WITHDRAWN = 0.01
"""The board was laid back as it was before the last move; a move is at first a trial."""

WITHDRAWN_FURTHER = 0.5
"""Each further step back is so much less likely than the one before."""

REARRANGED: Mapping[str, float] = {"setup": 0.01, "special": 0.0005}
"""A side laid two of its pits elsewhere, where the rules let it now: before the first move, or as a turn of its own, of
which no written game has an example. All ways to lay them share this."""

ARRANGED = 0.3
"""Before Omweso's first move: somebody laid his seeds out as he likes. All ways to lay them share this, those with few
seeds shifted more of it than others, so that a board that one move leaves counts as that move."""

TAMPERED = 0.0005
"""Seeds changed with no move made: rare, since somebody always watches."""

ELSE = 0.001
"""Something that this list does not hold, such as several faults in one move, at two pits or more."""

ELSEWHERE = 1e8
"""How many boards "something else" may leave, each as likely: some tens of thousands of two faults in one move, and a
hundred times as many of what is no fault of the list. However many pits it changes, for a relay that goes on from a
board made wrong changes them all. A guess."""

FAULTS: Mapping[str, float] = {
    # Haste: the fingers slip, or the eye loses the pit. The commonest in fast sowing.
    "double": 0.004,
    "skip": 0.004,
    "wrong-pit": 0.001,
    "stopped-short": 0.003,
    # A turn forgotten while talking.
    "out-of-turn": 0.002,
    "double-move": 0.001,
    # Rules half known: bulls, strings and captures are what beginners get wrong.
    "short-capture": 0.003,
    "false-capture": 0.003,
    "bull-missed": 0.002,
    "ran-on": 0.002,
    "bull-lifted": 0.001,
    "wrong-way": 0.001,
    "lone-seed": 0.001,
    "wrong-side": 0.0005,
    "two-pits": 0.0002,
    # A seed stuck in a deep pit.
    "left-seed": 0.002,
    # Sleight of hand: what a referee is there for, but seldom.
    "palmed": 0.002,
    "smuggled": 0.001,
    "kept": 0.001,
}
"""Share of each fault; the places in a move where it can happen share it."""

PLACES: Mapping[str, float] = {"skip": 12.0, "double": 12.0, "wrong-pit": 50.0}
"""Slips of the fingers happen drop by drop: the share is that of a move with so many places for one, two laps or
three, and a shorter one has so much less of it. A lone seed laid two pits on was hardly sown past a pit by mistake: it
was sown into the pit and, against the rules, on from there."""

WRONG_HAND = 0.005
"""A move whose player's hand was never over the board, though the other's plainly was: people keep to their own side
of the board, and what the camera calls South's hand is North's only where an arm comes in round a corner."""

DIM_HAND = 0.02
"""The same where the other's hand, too, was hardly seen: then this one may well have been overlooked."""

AGAIN = 0.03
"""Who makes one fault in a move makes another in the same."""

MISREAD: tuple[tuple[int, float, float], ...] = ((4, 3e-4, 2e-4), (8, 2e-3, 1e-3), (25, 1e-2, 5e-3))
"""Up to so many seeds: how often the eye is wrong beyond what it owns up to, where it is just sure, and where it is as
sure as can be. Set by judgement. Heaps hide seeds, so it grows with the count. However sharp the picture, one wrong pit
in five thousand is what a glint, a chip or a seed under a rim may come to: a thousand boards read without a fault could
not show it to be less. So one seed too few in one pit may as well be misread as palmed: people are asked to look."""

OFF: tuple[tuple[int, float, float, float], ...] = ((4, 0.21, 0.25, 0.1), (8, 0.28, 0.42, 0.13), (25, 0.18, 0.66, 0.67))
"""Up to so many seeds: the share of misreadings that are too many, and how much rarer each further seed too few is, and
each too many. Measured with the counter's present weights: of 2,484 pits of rendered and simulated tables 445 were
misread, 325 of them too low. Seeds hide one another oftener than one is seen where there is none."""

MISREAD_FAR = 5e-5
"""Of these, the ones where the count is anything at all, such as a leaf in a pit; the rest are near misses. One wildly
misread pit must not veto an explanation."""
