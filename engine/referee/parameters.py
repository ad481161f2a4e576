"""The tuned numbers of the referee, each with its unit and its source: a fit, a bound, a guess, or a choice that is
stated."""

from collections.abc import Mapping
from dataclasses import dataclass, field

OFTEN, SELDOM, RARELY = 0.3, 0.03, 0.003
"""Three levels for guessed probabilities: of what people do, and of how a board is read. They decide between
explanations that fit the readings equally well, so a finer guess would hardly change a verdict."""


@dataclass(frozen=True)
class MisreadingRates:
    """How far a pit's reading is trusted. Most boards are read well, on some the heaps are read short, and a few are
    read badly. Fits of `tests.bench.fit_readings`, unless stated."""

    misread: float = 5e-5
    """Share of empty pits that are misread beyond the eye's own uncertainty, if two counts are equally likely; it grows
    with the square of the count plus one."""
    misread_nats: float = 5.0
    """Nats between the two likeliest counts by which that share falls to a third."""
    too_many: float = 0.2
    """Share of misreadings with too many seeds."""
    further: float = 0.1
    """Factor for each further seed by which a pit is misread."""
    unsure_anyhow: float = 0.005
    """Share of readings in which any count may be read, where two counts are equally likely; it falls with the odds
    between the two likeliest."""
    short_boards: float = 0.12
    """Share of boards whose heaps the eye reads short."""
    short: float = 0.5
    """Share of the heaps of such a board that are read short, if two counts are equally likely."""
    short_unsure_nats: float = 4.0
    """Nats between the two likeliest counts by which that share falls to a third."""
    short_by_one: float = 0.8
    """Share of the heaps read short that lack one seed; the others lack two."""
    short_heap: int = 5
    """Smallest count of a heap that is read short so. Guess."""
    bad_boards: float = 0.02
    """Share of boards that the eye reads badly: it is dark, or the seeds look like nothing it knows."""
    bad: float = 0.5
    """Share of the pits of such a board in which any count may be read."""
    changes: float = SELDOM
    """Share of observations before which the way a board is read changes: light changes, and heaps grow. Guess."""


@dataclass(frozen=True)
class Touch:
    """How far the look of a pit, touched or not, is trusted; nats."""

    jostled_nats: float = 5.0
    """Cost of a pit that looks touched though nobody touched it. Guess."""
    most_nats: float = 7.0
    """Greatest weight of a look for or against a touch; vision's value. Also the cost of a board on which any number of
    pits look touched though nobody touched them: it was pushed, or the light changed."""
    unseen_nats: float = 4.0
    """Cost of a deep heap that looks unchanged though it was touched. Guess."""
    unseen_lone_nats: float = 9.0
    """The same for a pit that is empty or holds one seed. Guess."""
    taken_for_misread_nats: float = 1.0
    """Nats from which on a pit's reading counts as wrong."""
    misread_again: float = OFTEN
    """Probability that a misread pit is misread by as many again. Guess."""


@dataclass(frozen=True)
class HandShares:
    """Whose hand moved, by the shares of the board that hands covered. All are guesses."""

    wrong: float = RARELY
    """Share of moves whose player's hand is taken for the other's."""
    seen: float = 0.006
    """Share of the board below which nothing over it is a hand; one that was there may cover half of that."""
    plain: float = 0.03
    """Share of the board from which on there plainly is a hand."""
    absent: float = 0.05
    """Ratio of the lesser share to the greater one up to which the lesser is a cuff or a shadow."""
    present: float = 0.25
    """Ratio from which on the lesser share is a hand that reached in."""


@dataclass(frozen=True)
class HappeningPriors:
    """What people do between two observations: prior probabilities, unless a unit is named. Guesses, unless stated."""

    nothing: float = SELDOM
    """A hand came and went, and nothing changed."""
    unseen_hand: float = SELDOM
    """Something happened though no hand was seen."""
    resting: float = 0.15
    """A hand leaves in the middle of its move, or hands over in it, or lies still."""
    resting_s: float = 1.0
    """Mean number of seconds for which it stays away, then or before it goes on with a move that had ended."""
    again: float = SELDOM
    """A second legal move without an observation between, unless both sides' hands were plainly seen. It counts once
    more, whosever hands were seen, if they were there together as in a race (`Thresholds.race_together`)."""
    interrupted: float = RARELY
    """The other side's hand comes in the middle of a move. Fit: none of 163 such hands, with half a hand added."""
    still_resting: float = OFTEN
    """A hand that came back in the middle of its move left again without a change."""
    unread_nats: float = 15.0
    """Cost of a board in the middle of a move with a fault until the move is known: there are too many such boards to
    list."""
    laid_back: float = SELDOM
    """A move in its middle was laid back."""
    withdrawn: float = SELDOM
    """The board was laid back as it was before the last move, or an earlier one; a move is at first a trial."""
    tampered: float = 0.002
    """Seeds changed with no move made."""
    rearranged: Mapping[str, float] = field(default_factory=lambda: {"setup": OFTEN, "special": 0.00004})
    """A side re-laid two of its pits, where the rules now allow it: before the first move, or as a turn of its own,
    which no written game has an example of. All ways to lay them share this."""
    arranged: float = OFTEN
    """Before Omweso's first move somebody laid his seeds out as he likes. All ways to lay them share this; those with
    few shifted seeds get more of it, so that a board that one move leaves counts as that move."""
    raced: float = OFTEN
    """A race before the first move, if both sides' hands were there together."""
    race_won: float = 0.9
    """The observed winner of a race moves first."""
    raced_boards: float = 50.0
    """Equally likely boards that a race can leave; squared for a board that no interleaving leads to."""
    unknown_nats: float = 10.0
    """Cost of something outside the grammar, and, again, of each board that it may leave."""


FAULTS = {
    # Haste, and rules half known: stops, strings and captures are what beginners get wrong.
    **dict.fromkeys(("double", "skip", "stopped-short", "short-capture", "false-capture"), 0.01),
    # A turn forgotten while talking, a bull overlooked, a seed stuck in a deep pit or in a sleeve.
    **dict.fromkeys(("out-of-turn", "bull-missed", "ran-on", "left-seed", "palmed"), 0.005),
    **dict.fromkeys(("wrong-pit", "double-move", "bull-lifted", "wrong-way", "lone-seed", "starved", "wrong-side",
                     "two-pits", "smuggled", "kept"), 0.0025)}
"""Prior probability that a move has this fault; a tenth in all. It is divided among the start pits, and among the
places in a move where the fault can happen, by their weights (`engine.referee.edits`). Guesses. Three times as much
accuses innocent players where two pits are misread (`tests/bench/decisions/faults.md`)."""


@dataclass(frozen=True)
class MoveShares:
    """Which moves people make and spoil. All are guesses."""

    stops_once_won: float = 0.5
    """Probability, 0 to 1, exclusive, that a player stops on the way once his move has won before its sowing ends; the
    boards at which he may stop share it."""
    places: float = 30.0
    """Places in a move for which the share of a slip of the fingers holds, `DROP_BY_DROP`: it may happen at every
    drop, so a move with fewer places has proportionally less. A single seed laid two pits on is hardly a skipped pit:
    it was sown into the pit and, against the rules, on from there."""
    seldomer: float = 0.3
    """Factor for the less natural way to commit a fault: across a pit's corner instead of its edge, a second pit that
    is not beside the first, a capture beside the facing pit or without any reason, some of a pit's seeds left when all
    had to be taken. The same for each further seed or pit, because more than one or two are hardly overlooked. Seeds
    that the sowing hand hides or adds weigh so much more than those taken out of a pit or added after the move, because
    nobody sees into a full hand; and captured seeds sown on from the wrong pit, by the factor's square, more than a
    single seed that falls astray."""


@dataclass(frozen=True)
class BeamLimits:
    """How much is kept and searched. All are bounds."""

    accounts: int = 40
    """Number of accounts kept."""
    nats: float = 16.0
    """Nats by which an account may be less likely than the best."""
    unexplained_nats: float = 4.0
    """Nats by which the best harmless continuation of an account has to miss the board before faults are searched from
    it."""
    fault_laps: int = 20_000
    """Laps sown in search of faults, or to reproduce one; a count instead of a clock, so that findings repeat."""
    strays: int = 3
    """Seeds that a hand hides or drops at once, and pits that it skips, where any number is possible."""
    deepest_lap: int = 80
    """Number of first laps of a move in which faults are searched, and of laps followed after a fault, in all."""
    open_episodes: int = 6
    """Episodes that later ones may settle."""
    others: int = 3
    """Other happenings that a finding names."""
    history: int = 4
    """Earlier positions to which a board may be laid back, and newest happenings by which accounts of the same game are
    kept apart."""
    positions: int = 64
    """Positions whose continuations are cached."""
    candidates: int = 60
    """Continuations that are aligned with the looks under hands."""
    roots: int = 8
    """Accounts from which faults are searched."""
    far_nats: float = 6.0
    """Nats by which an account may be less likely than the best found for faults to be searched from it."""


@dataclass(frozen=True)
class Align:
    """Costs, in nats, of aligning the looks under hands with the steps of a move. All are guesses unless stated."""

    unreliable: float = 0.02
    """Share of the stays seen between hands that are misread at random."""
    no_hand: float = 8.4
    """Cost of a step whose player's hand was not there since the previous look, and greatest cost of an account by its
    looks."""
    unseen: float = 0.3
    """Cost of a step at a pit that was open in this look and the previous one, and of two steps without a look
    between."""


@dataclass(frozen=True)
class Loss:
    """What a wrong statement costs, relative to 1 for a question. All are stated, not fitted."""

    accused: float = 30.0
    """An innocent player is accused."""
    accused_late: float = 60.0
    """The same if a later move is said to show it."""
    missed: float = 8.0
    """A fault is called legal."""
    misnamed: float = 3.0
    """A different move, or a different fault, is stated."""


@dataclass(frozen=True)
class Thresholds:
    """Probabilities and the like from which on something holds. All are guesses."""

    likely: float = 0.9
    """Probability from which on an account teaches how the board is read, a board in question is taken as it lies, and
    a pit counts as clearly read. People are asked only about a happening that is at least
    as likely as one minus this."""
    midway: float = SELDOM
    """Probability from which on a move may be in its middle."""
    plain_nats: float = 11.0
    """Nats, allowing for misreadings, from which on a pit plainly contradicts a count."""
    race_together: float = 0.6
    """Share of the time of the hand that was there less from which on the two hands were there together, as in a
    race."""


@dataclass(frozen=True)
class Times:
    """Waiting times. All are guesses."""

    accuse_s: float = 0.55
    """Seconds of rest before anybody is accused."""
    ask_s: float = 2.0
    """Seconds of rest before people are asked; with no hand seen, also before anybody is accused."""
    ask_midway_s: float = 3.5
    """The same where a move may be in its middle."""
    change_s: float = 0.8
    """Seconds for which a board has to differ, with no hand seen, before it is mentioned."""
    race_first_s: float = 0.4
    """Seconds by which one hand has to leave before the other for its player to have slept first."""


DROP_BY_DROP = ("skip", "double", "wrong-pit")
"""Faults that may happen at every drop."""

READING, TOUCH, HANDS, PRIORS = MisreadingRates(), Touch(), HandShares(), HappeningPriors()
SHARES, BEAM, ALIGN, LOSS = MoveShares(), BeamLimits(), Align(), Loss()
THRESHOLDS, TIMES = Thresholds(), Times()
