"""The numbers that the referee is tuned by, each with its unit and where it comes from: *fit*, *bound* or *guess*."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class MisreadingRates:
    """How far the reading of a pit is believed."""

    misread: tuple[tuple[int, float, float], ...] = (
        (2, 2e-4, 1e-4), (4, 4e-4, 2e-4), (6, 2e-3, 1e-3), (8, 8e-3, 4e-3), (25, 1e-2, 5e-3))
    """Up to so many seeds: the share of readings that are wrong beyond what the eye owns up to, where it is just sure,
    and where it is as sure as can be. Fit, as `engine.judge.parameters.Reading.misread`."""
    misread_by: tuple[tuple[int, float, float, float], ...] = (
        (2, 0.3, 0.1, 0.1), (4, 0.2, 0.05, 0.1), (6, 0.2, 0.05, 0.1), (8, 0.2, 0.5, 0.13), (25, 0.18, 0.66, 0.67))
    """Up to so many seeds: the share of misreadings that are too many, and how much rarer each further seed too few is,
    and each too many. Fit."""
    misread_anyhow: float = 5e-5
    """Share of readings in which the count is anything at all. Guess."""
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
    """A hand leaves in the middle of its move and stays away."""
    handed: float = 0.15
    """At a handover: the hand that leaves has not ended its move."""
    again: float = 0.01
    """A second legal move with no observation between, where only one side's hand was plainly there."""
    interrupted: float = 0.03
    """The other side's hand comes in the middle of a move."""
    still_resting: float = 0.3
    """A hand that came back in the middle of its move left again, with nothing changed."""
    nothing_handed: float = 0.05
    """At a handover: the hand that leaves has done nothing."""
    unread_nats: float = 14.0
    """Against a board in the middle of a move with a fault in it, of which there are too many to list."""
    laid_back: float = 0.03
    """A move in its middle was laid back."""
    tampered: float = 0.001
    """Seeds changed with no move made."""
    unknown: float = 0.0005
    """Something that the grammar does not hold."""
    unknown_nats: float = 14.0
    """Nats by which each board that it may leave is less likely."""


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
    open: float = 1.0
    """Against a step at a pit that was open in this look and the one before."""
    unnoticed: float = 5.0
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

    accused: float = 20.0
    """Somebody is accused who did nothing wrong."""
    accused_late: float = 60.0
    """The same where a later move is said to show it."""
    missed: float = 8.0
    """A fault is called legal."""
    misnamed: float = 3.0
    """Another move is told, or another fault."""
    question: float = 1.0
    """People are asked."""


@dataclass(frozen=True)
class Times:
    """How long is waited, and how much is kept open. All are guesses."""

    accuse_s: float = 0.55
    """Seconds of rest before anybody is accused."""
    ask_s: float = 2.0
    """Seconds of rest before people are asked."""
    ask_midway_s: float = 4.0
    """The same where a move may be in its middle."""
    midway: float = 0.04
    """Probability from which on a move may be in its middle."""
    worth_asking: float = 0.1
    """Probability of the likeliest happening below which nobody is asked about it."""
    open_episodes: int = 6
    """Episodes that later ones may settle. Bound."""
    others: int = 3
    """Other happenings that a finding names. Bound."""


READING, CHANGE, HANDS, PRIORS = MisreadingRates(), Change(), HandShares(), HappeningPriors()
BEAM, ALIGN, LOSS, TIMES = BeamLimits(), Align(), Loss(), Times()
