"""The numbers that the referee is tuned by, each with its unit and where it comes from: *fit*, *bound* or *guess*."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class MisreadingRates:
    """How far the reading of a pit is believed."""

    misread: tuple[tuple[int, float, float], ...] = (
        (2, 2e-4, 1e-4), (4, 4e-4, 2e-4), (6, 2e-3, 1e-3), (8, 8e-3, 4e-3), (25, 1e-2, 5e-3))
    """Up to so many seeds: the share of readings that are wrong beyond what the eye owns up to, where it is just sure,
    and where it is as sure as can be. Fit."""
    misread_by: tuple[tuple[int, float, float, float], ...] = (
        (2, 0.3, 0.1, 0.1), (4, 0.2, 0.05, 0.1), (6, 0.2, 0.05, 0.1), (8, 0.2, 0.5, 0.13), (25, 0.18, 0.66, 0.67))
    """Up to so many seeds: the share of misreadings that are too many, and how much rarer each further seed too few is,
    and each too many. Fit."""
    misread_anyhow: float = 5e-5
    """Share of readings in which the count is anything at all. Guess."""
    unsure_anyhow: float = 0.04
    """The same where two counts are as likely; it falls with the odds between the two likeliest. Fit."""
    heap: int = 3
    """Seeds from which on an empty pit is no near miss. Fit."""
    just_sure_nats: float = 5.0
    """Nats between a pit's likeliest count and the next where the eye is just sure. Guess."""
    sharp_nats: float = 10.0
    """The same where it is as sure as can be. Guess."""


@dataclass(frozen=True)
class Change:
    """How far it is believed that a pit looks as before, or otherwise; nats."""

    jostled_nats: float = 5.0
    """Against a pit that looks touched though nobody touched it. Guess."""
    most_nats: float = 7.0
    """The most that a look says for a touch or against it. As vision has it."""
    shaken_nats: float = 7.5
    """Against a board on which any number of pits look touched though nobody touched them: it was pushed, or the light
    changed. Guess."""
    unseen_nats: float = 4.0
    """Against a deep heap that looks as before though it was touched. Guess."""
    unseen_lone_nats: float = 9.0
    """The same of a pit that is empty or holds one seed. Guess."""


    misread_nats: float = 1.0
    """Nats from which on a pit counts as misread."""
    misread_again: float = 0.3
    """Probability that a pit which was misread is misread by as many again, other seeds lying in it."""
    misread_same: float = 0.9
    """The same where it rather looks as before."""


@dataclass(frozen=True)
class HandShares:
    """Whose hand is taken to have moved, by the share of the board that hands covered. All are guesses."""

    wrong: float = 0.005
    """Share of moves whose player's hand is taken for the other's."""
    wrong_dim: float = 0.02
    """The same where the other's hand, too, was hardly seen."""
    seen: float = 0.004
    """Share of the board below which nothing over it is a hand."""
    plain: float = 0.03
    """Share of the board from which on it plainly is one."""
    absent: float = 0.05
    """The lesser hand's share of the greater one's up to which it is a cuff or a shadow."""
    cuff: float = 0.1
    """The same where it covers less than a plain hand."""
    present: float = 0.25
    """The share from which on it is a hand that reached in."""


@dataclass(frozen=True)
class HappeningPriors:
    """How likely people do what between two observations, before anything is seen of it."""

    nothing: float = 0.03
    """A hand came and went, and nothing changed."""
    unseen_hand: float = 0.03
    """Something happened though no hand was seen."""
    legal: float = 0.9
    """A legal move."""
    resting: float = 0.1
    """A hand leaves in the middle of its move."""
    rest_s: float = 1.0
    """Seconds for which it stays away, on average."""
    resting_long: float = 0.005
    """A hand leaves in the middle of its move for a long time."""
    rest_long_s: float = 3.0
    """Seconds for which it stays away then, on average."""
    handed: float = 0.15
    """At a handover: the hand that leaves has not ended its move."""
    again: float = 0.01
    """A second legal move with no observation between, where only one side's hand was plainly there."""
    at_once: float = 0.05
    """Both sides' hands were there together all the time, and the moves were made one after the other."""
    interrupted: float = 0.003
    """The other side's hand comes in the middle of a move. Fit: none of 163 hands that came then, and half of one."""
    still_resting: float = 0.3
    """A hand that came back in the middle of its move left again, with nothing changed."""
    nothing_missed: float = 0.9
    """Nothing was done while nobody watched, no hand having been seen before or since."""
    unread_nats: float = 14.0
    """Against a board in the middle of a move with a fault in it, of which there are too many to list."""
    passed_nats: float = 4.0
    """Against each of the boards that such a move passes through, when it is known which move it is: of some fifty it
    may rest at."""
    laid_back: float = 0.03
    """A move in its middle was laid back."""
    tampered: float = 0.001
    """Seeds changed with no move made."""
    raced: float = 0.5
    """Before the first move, both sides' hands being there together: a race."""
    race_won: float = 0.8
    """Of a race whose winner was seen: he moves first."""
    raced_boards: float = 50.0
    """Boards that a race can leave, each as likely; and where no interleaving of two relays leads there, the square."""
    unknown: float = 0.0005
    """Something that the grammar does not hold."""
    unknown_nats: float = 12.0
    """Nats by which each board that it may leave is less likely."""


@dataclass(frozen=True)
class MoveShares:
    """How likely people do what, before anything is seen of the board: shares of all disturbances, 0 to 1.

    They need be right only within a factor of a few: they decide between explanations that fit the readings equally
    well, and how much better than a legal move an accusation has to fit. All are guesses.
    """

    withdrawn: float = 0.01
    """The board was laid back as it was before the last move; a move is at first a trial."""
    withdrawn_further: float = 0.5
    """Factor, 0 to 1: each further step back is so much less likely than the one before."""
    rearranged: Mapping[str, float] = field(default_factory=lambda: {"setup": 0.2, "special": 0.00002})
    """A side laid two of its pits elsewhere, where the rules let it now: before the first move, or as a turn of its
    own, of which no written game has an example. All ways to lay them share this."""
    arranged: float = 0.3
    """Before Omweso's first move: somebody laid his seeds out as he likes. All ways to lay them share this, those with
    few seeds shifted more of it than others, so that a board that one move leaves counts as that move."""
    stops_once_won: float = 0.5
    """Share of a move that wins the game before its sowing has ended, 0 to 1, exclusive: how often its player stops
    somewhere on the way; the boards at which he may stop share this."""
    faults: Mapping[str, float] = field(default_factory=lambda: {
        # Haste: the fingers slip, or the eye loses the pit. The commonest in fast sowing.
        "double": 0.006,
        "skip": 0.006,
        "wrong-pit": 0.0015,
        "stopped-short": 0.004,
        # A turn forgotten while talking.
        "out-of-turn": 0.003,
        "double-move": 0.0015,
        # Rules half known: bulls, strings and captures are what beginners get wrong.
        "short-capture": 0.004,
        "false-capture": 0.004,
        "bull-missed": 0.003,
        "ran-on": 0.003,
        "bull-lifted": 0.0015,
        "wrong-way": 0.0015,
        "lone-seed": 0.0015,
        "starved": 0.0015,
        "wrong-side": 0.00075,
        "two-pits": 0.0015,
        # A seed stuck in a deep pit.
        "left-seed": 0.003,
        # Sleight of hand: what a referee is there for, but seldom.
        "palmed": 0.0025,
        "smuggled": 0.00125,
        "kept": 0.0015,
    })
    """Share of each fault; the places in a move where it can happen share it."""
    places: Mapping[str, float] = field(default_factory=lambda: {"skip": 12.0, "double": 12.0, "wrong-pit": 50.0})
    """Places, above 0. Slips of the fingers happen drop by drop: the share is that of a move with so many places for
    one, two laps or three, and a shorter one has so much less of it. A lone seed laid two pits on was hardly sown past
    a pit by mistake: it was sown into the pit and, against the rules, on from there."""


@dataclass(frozen=True)
class EditWeights:
    """How likely a fault is at one place of a move, or in one way, beside 1 for another: no units, above 0. All are
    guesses."""

    oftener: float = 4.0
    """The hand that sows keeps seeds back, or has some more, beside one that takes them out of a pit, or lays them in,
    when all is done: it is full and moving, and nobody sees into it. Likewise won seeds sown on from where they do not
    begin, beside one seed that falls astray: where they begin is a rule that beginners get wrong."""
    seldomer: float = 0.3
    """The less natural way beside the natural one: over a corner of a pit and not over its edge, a second pit that does
    not lie beside the first, a capture beside the facing pit, one that the last seed gives no reason for, some of a
    pit's seeds left where all had to be taken."""
    anywhere: float = 0.03
    """A capture from whichever pit of the opponent's, beside the facing one: seeds are palmed anywhere, too, and this
    is what taking all of them is called."""
    each_further: float = 0.3
    """Factor for each further seed that is palmed, smuggled, dropped or left, and each further pit that is passed by:
    what a hand hides is little, and more than one or two are hardly overlooked."""


@dataclass(frozen=True)
class BeamLimits:
    """How much is kept and how far is searched. All are bounds."""

    accounts: int = 40
    """Accounts that are kept."""
    nats: float = 16.0
    """Nats by which an account may be less likely than the best."""
    faults_nats: float = 4.0
    """Nats that the best account without a fault loses on the board before faults are looked for."""
    fault_laps: int = 20_000
    """Laps sown in search of faults; a count and no clock, so that findings repeat."""
    strays: int = 3
    """Seeds that a hand hides or drops at once, and pits that it passes by, where any number could be."""
    deepest_lap: int = 80
    """Faults are looked for in the first so many laps of a move, and the play after them is followed for as many."""
    choice_laps: int = 160
    """Laps that all the choices after one fault may take together."""
    trace_laps: int = 60_000
    """Laps that may be played to come to the trace of a finding again, among faults of its kind."""
    open_episodes: int = 6
    """Episodes that later ones may settle."""
    others: int = 3
    """Other happenings that a finding names."""
    history: int = 4
    """Earlier positions to which a board may be laid back."""
    positions: int = 32
    """Positions of which what can follow is remembered."""
    candidates: int = 60
    """Ways to carry accounts on that are laid against the looks under hands."""
    roots: int = 8
    """Accounts from which faults are looked for."""
    told_apart: int = 3
    """Happenings, the newest, by which accounts that leave the same game are kept apart."""
    longest_trace: int = 300
    """Steps of a move beyond which it is not laid against the looks."""
    fault_nats: float = 5.0
    """Nats that a fault costs at the least."""
    far_nats: float = 10.0
    """Nats by which what a search may find may be less likely than the best."""


@dataclass(frozen=True)
class Align:
    """How looks under hands are laid against the steps of a move; nats. All are guesses unless said."""

    unreliable: float = 0.02
    """Share of the stays seen between hands that are read anyhow."""
    no_hand: float = 12.0
    """Against a step for which its player's hand was not there since the look before."""
    open: float = 0.2
    """Against a step at a pit that was open in this look and the one before."""
    unnoticed: float = 1.0
    """The same where the pit shows the same stay in both."""
    unseen: float = 0.3
    """Against two steps with no look between."""
    most: float = 12.0
    """The most that the looks say against an account."""
    weight: float = 0.7
    """How far they are believed."""


@dataclass(frozen=True)
class Loss:
    """What it costs to say something that is not so; a question costs 1. All are stated, not fitted."""

    accused: float = 30.0
    """Somebody is accused who did nothing wrong."""
    accused_late: float = 60.0
    """The same where a later move is said to show it."""
    missed: float = 8.0
    """A fault is called legal."""
    misnamed: float = 3.0
    """Another move is told, or another fault."""
    question: float = 1.0
    """People are asked."""
    plain_nats: float = 11.0
    """Nats, misreadings allowed for, from which on a pit plainly contradicts a count. Guess."""


@dataclass(frozen=True)
class Times:
    """How long is waited. All are guesses."""

    accuse_s: float = 0.55
    """Seconds of rest before anybody is accused."""
    ask_s: float = 2.0
    """Seconds of rest before people are asked."""
    ask_midway_s: float = 3.5
    """The same where a move may be in its middle."""
    midway: float = 0.04
    """Probability from which on a move may be in its middle."""
    worth_asking: float = 0.1
    """Probability of the likeliest happening below which nobody is asked about it."""
    change_s: float = 0.8
    """Seconds for which a board has to lie otherwise, with no hand seen, before it is spoken of."""
    unseen_s: float = 2.5
    """The same before anybody is accused, or asked."""
    race_together: float = 0.6
    """Share of its time for which in a race the hand that was there less has to be there with the other."""
    race_first_s: float = 0.4
    """Seconds by which one hand has to be gone before the other for its player to have slept first."""


READING, CHANGE, HANDS, PRIORS = MisreadingRates(), Change(), HandShares(), HappeningPriors()
SHARES, EDIT_WEIGHTS = MoveShares(), EditWeights()
BEAM, ALIGN, LOSS, TIMES = BeamLimits(), Align(), Loss(), Times()
