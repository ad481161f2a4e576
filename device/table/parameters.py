"""The tuned numbers of the table.

Each field has its unit, the range in which it may lie and where its number comes from: what it was measured on, or that
it is a guess, set by hand.
"""

from __future__ import annotations

from dataclasses import dataclass

from vision.parameter import parameter
from vision.reading import Reading


@dataclass(frozen=True, slots=True)
class Motion:
    """What counts as a hand, as motion and as quiet, in one reading."""

    hands_enter: float = parameter(0.006, unit="share of the board", least=0.001, most=0.05, source="guess")
    """Share of the board that hands cover from which on a hand is there."""
    hands_leave: float = parameter(0.003, unit="share of the board", least=0.0005, most=0.05, source="guess")
    """Share of the board down to which a hand that was there is still there."""
    quiet: float = parameter(0.01, unit="share of the board", least=0.002, most=0.1, source="guess")
    """Share of the board that changes from frame to frame, up to which nothing moves."""
    comes: float = parameter(0.005, unit="share of the board", least=0.001, most=0.05,
        source="guess: what a hand has just left looks like one for a frame or two")
    """Motion without which no hand comes over the board, unless it stays for `stays` frames."""
    stays: int = parameter(4, unit="frames", least=1, most=20, source="guess")
    """Frames after which what looks like a hand is one, though nothing moves."""
    stir: float = parameter(0.02, unit="share of the board", least=0.005, most=0.2, source="guess")
    """Motion that is somebody's, known for a hand or not; less is noise."""
    flicker: float = parameter(0.4, unit="share of the board", least=0.1, most=1, source="guess")
    """Motion from which on it is the light."""

    def stirs(self, reading: Reading) -> bool:
        """Whether something moves that is no noise and no lamp, known for a hand or not."""
        return self.stir < reading.motion < self.flicker


@dataclass(frozen=True, slots=True)
class Waiting:
    """How long the table waits for what."""

    settle_frames: int = parameter(3, unit="readings", least=1, most=10, source="guess")
    """Readings of the quiet board that carry a decision."""
    ask_s: float = parameter(2.0, unit="seconds", least=0.5, most=10, source="guess")
    """Seconds of stillness after which a doubt is said although pits that are hidden may yet be seen, or a hand was
    overlooked. So long, too, a board that is laid, or that is taken as it lies, is read in the hope of a surer one."""
    weigh_again_s: float = parameter(0.35, unit="seconds", least=0.1, most=2, source="guess")
    """Seconds between two weighings of the same move."""
    change_s: float = parameter(0.8, unit="seconds", least=0.2, most=5, source="guess")
    """Seconds for which a board has to read otherwise, with no hand seen, before that is weighed."""
    laid_s: float = parameter(3.0, unit="seconds", least=0.5, most=10, source="guess")
    """Seconds of stillness after which a set-up counts as laid although a pit or two read otherwise."""
    count_still_s: float = parameter(0.06, unit="seconds", least=0.02, most=0.5,
        source="guess: a camera of 15 frames a second has every one counted")
    """Seconds between two countings of a board that is to be judged."""
    count_in_play_s: float = parameter(0.12, unit="seconds", least=0.03, most=1, source="guess")
    """Seconds between two countings while hands are in play."""
    count_quiet_s: float = parameter(0.5, unit="seconds", least=0.1, most=3, source="guess")
    """Seconds between two countings of a quiet board."""


@dataclass(frozen=True, slots=True)
class EvidenceLimits:
    """From when on readings of a pit say something, and how sure it is."""

    seen_share: float = parameter(0.5, unit="share of the readings", least=0, most=1, source="guess")
    """A pit counts as seen when it was open in at least so many of the readings."""
    clear_lead: float = parameter(3.0, unit="nats", least=1, most=6, source="guess")
    """By how much another count has to be likelier for a pit to be read clearly otherwise: 20 to 1."""
    clear_odds: float = parameter(0.8, unit="probability", least=0.5, most=1, source="guess")
    """Probability of the likeliest count from which on a pit is read clearly."""


@dataclass(frozen=True, slots=True)
class LayingLimits:
    """How a board that is being laid is held against what the game begins from."""

    agreeing_share: float = parameter(0.8, unit="share of the pits", least=0.5, most=1, source="guess")
    """Share of the pits that must not clearly read otherwise than the set-up for a hand that comes in to be the
    first move's."""
    heap_seeds: int = parameter(4, unit="seeds", least=2, most=10, source="guess")
    """Seeds from which on a pit that reads one more or one less counts for half of one that reads otherwise then."""
    known_correlation: float = parameter(0.75, unit="correlation", least=0, most=1,
        source="turned round, or a column aside, the same position reaches it once in twenty times")
    """Correlation of what is read with what is known to have been laid, from which on that is what lies there,
    however badly it is read."""
    move_correlation_lead: float = parameter(0.02, unit="correlation", least=0, most=0.5, source="guess")
    """By how much no board that a move leaves may come nearer then."""
    pits_per_hidden: int = parameter(6, unit="pits", least=1, most=24, source="guess")
    """One of so many may be hidden then."""
    pits_per_wrong: int = parameter(12, unit="pits", least=1, most=48, source="guess")
    """One of so many may be laid wrongly; where more read otherwise on a board that is far off, the distance is
    why."""
    astray_pits: int = parameter(2, unit="pits", least=1, most=8, source="guess")
    """Pits that clearly read otherwise than the set-up, from which on the board may lie elsewhere than it was
    found."""
    laid_share: float = parameter(0.6, unit="share of the set-up's seeds", least=0, most=1, source="guess")
    """Share of the set-up's seeds that has to lie there for that: else people are still laying it."""
    bare_share: float = parameter(0.2, unit="share of the set-up's seeds", least=0, most=1, source="guess")
    """Share of the set-up's seeds up to which, where the board is known to be laid, what was found is hardly the
    board."""
    say_again_s: float = parameter(2.0, unit="seconds", least=0.5, most=10, source="guess")
    """Seconds between two sentences about a set-up that is not read right."""
    unheard_s: float = parameter(3.0, unit="seconds", least=0.5, most=10, source="guess")
    """Seconds of hands that come and go over a board that does not lie as the game begins, after which that is
    said, however short they are away."""


@dataclass(frozen=True, slots=True)
class SetUpLimits:
    """When lamps mirrored in the bowls, or seeds in somebody's hand, explain what is read of a set-up."""

    in_hand_seeds: int = parameter(2, unit="seeds", least=1, most=10, source="guess")
    """Seeds that are missing, at least, for them to be in somebody's hand."""
    mirror_pits: int = parameter(3, unit="pits", least=1, most=12, source="guess")
    """Pits that have to be empty at least for something to be said of what is mirrored in them."""
    most_mirrored: int = parameter(2, unit="lamps", least=1, most=4, source="guess")
    """Lamps mirrored in one pit that pass for seeds, at most."""
    mirrored_empty_share: float = parameter(0.75, unit="share of the empty pits", least=0, most=1, source="guess")
    """Share of the empty pits in which more is read than lies there."""
    mirrored_other_share: float = parameter(1 / 3, unit="share of the other pits", least=0, most=1, source="guess")
    """The same: a heap hides what is mirrored."""


@dataclass(frozen=True, slots=True)
class PlacingLimits:
    """How the board is looked for elsewhere, where the set-up does not lie where it was found."""

    again_s: float = parameter(6.0, unit="seconds", least=1, most=60, source="guess")
    """Seconds until it is looked elsewhere again: it may be being laid."""
    longer_factor: float = parameter(4.0, unit="factor", least=1, most=10, source="guess")
    """So many times as long it is each time."""
    pits_per_wrong: int = parameter(12, unit="pits", least=1, most=48, source="guess")
    """One of so many may be misread."""
    most_places: int = parameter(8, unit="places", least=1, most=50,
        source="guess: each takes as long as a whole board does")
    """Places that are read at most."""
    pits_per_odd: int = parameter(4, unit="pits", least=1, most=24, source="guess")
    """One of so many may be read otherwise in one look: what comes of it is read again and again before the game
    begins."""
    fewer_factor: int = parameter(3, unit="factor", least=1, most=10, source="guess")
    """If there are so many times fewer than where the board lies now."""


@dataclass(frozen=True, slots=True)
class SightLimits:
    """When the table says that it does not see."""

    trouble_s: float = parameter(0.33, unit="seconds", least=0.1, most=0.5,
        source="guess: blindness is to be said within half a second")
    """Seconds for which a trouble has to last until it is said: a passing shadow is no blindness."""
    not_found_s: float = parameter(8.0, unit="seconds", least=1, most=60, source="guess")
    """Seconds for which a board that was never found is looked for until that is said."""
    no_hands_share: float = parameter(0.5, unit="share of the board", least=0.2, most=1, source="guess")
    """Share of the board that hands at play do not cover."""
    sighted_s: float = parameter(0.3, unit="seconds", least=0.1, most=2, source="guess")
    """How long all must be well until the table sees again."""
    hole_s: float = parameter(0.5, unit="seconds", least=0.2, most=2, source="guess: a seed is dropped in less")
    """Seconds between two pictures above which nobody watched in between."""
    hole_factor: float = parameter(4.0, unit="factor", least=1.5, most=20, source="as `FrozenLimits.silent_factor`")
    """And so many times as long as the pictures usually take."""
    unsaid_s: float = parameter(8.0, unit="seconds", least=2, most=60, source="guess")
    """Seconds for which a changed board is waited for: a hand that is drawn back in thought comes again sooner, and
    who looks on begins to ask after that."""
    pause_s: float = parameter(1.0, unit="seconds", least=0.2, most=5, source="guess")
    """Seconds for which nobody plainly moves before it is said: whoever is sowing is let go on."""
    longest_relay_s: float = parameter(30.0, unit="seconds", least=10, most=120,
        source="guess: the longest relays last less")
    """Seconds after which it is said all the same."""
    far_radius_px: float = parameter(14.0, unit="pixels", least=5, most=40,
        source="ninety pits of photographs that were made smaller: 79 % read right at a radius of 15 "
               "pixels, 6 % wrong by more than one seed; at 13 pixels 73 and 13 %, at 9 pixels 60 and 20 "
               "%")
    """Radius of a pit below which a board that is misread may be so because it is too far off. Plain seeds are read
    at 7 pixels, too, so that size alone keeps nobody from playing."""


@dataclass(frozen=True, slots=True)
class JudgementLimits:
    """How sure a verdict has to be before the eye learns from it and the board is taken as it lies, and how turns and
    quiet readings are timed."""

    teaching_confidence: float = parameter(0.995, unit="probability", least=0.9, most=1, source="guess")
    """Probability from which on a legal move's board teaches the eye."""
    opening_moves: int = parameter(2, unit="moves", least=0, most=6, source="guess")
    """Moves after which a board that lies as at the beginning is the next game's, and no move taken back."""
    lies: float = parameter(0.9, unit="probability", least=0.5, most=1, source="guess")
    """From which on a board that was asked about is taken as it lies."""
    steals: float = parameter(0.5, unit="probability", least=0.1, most=1, source="guess")
    """That a side moves as by right once the other's time to begin is over."""
    steals_close: float = parameter(0.0022, unit="probability", least=0, most=0.1, source="guess")
    """The same about the time at which that ends: as likely as that it moves out of turn."""
    close_call_s: float = parameter(0.25, unit="seconds", least=0, most=1,
        source="guess: when a hand lifts and when it comes is seen to two or three frames")
    """Seconds about the end of a turn's time, within which nobody can tell whether a hand was there before it."""
    read_lead: float = parameter(8.0, unit="nats", least=2, most=50, source="guess")
    """Nats between a count that was read, or decided by the rules, after a later move and any other."""
    quiet_window_s: float = parameter(5.0, unit="seconds", least=1, most=30, source="guess")
    """Seconds of quiet readings after which they are gathered anew: light and shade change slowly."""
    most_judged_again: int = parameter(12, unit="moves", least=1, most=100, source="guess")
    """Moves that are judged again at the most, for the table waits meanwhile."""


@dataclass(frozen=True, slots=True)
class TurnedLimits:
    """When the picture is taken to show the board in a mirror, or turned round."""

    mirrored_nats: float = parameter(-4.0, unit="nats", least=-12, most=0, source="guess: one set-up in fifty")
    """Log-odds of a mirror, where the board looks the same in it and nobody has moved."""
    turned_nats: float = parameter(-9.0, unit="nats", least=-20, most=-2, source="guess: one move in eight thousand")
    """Log-odds that it is turned otherwise, or was turned since the move before."""
    legal_nats: float = parameter(8.0, unit="nats", least=2, most=15, source="guess: a wrong way beside a legal one")
    """Nats by which each legal move that was told speaks against a mirror from the first picture on."""
    doubt_odds: float = parameter(0.01, unit="odds", least=0.0001, most=0.5, source="guess: an accusation's own odds")
    """From which on nobody is accused."""
    sure_odds: float = parameter(50.0, unit="odds", least=5, most=1000, source="guess")
    """From which on it is said, and the picture is turned."""
    pit_nats: float = parameter(10.0, unit="nats", least=5, most=20, source="guess: as a pit that is misread")
    """The most that one pit says against a legal move in the turned picture."""
    worth_nats: float = parameter(25.0, unit="nats", least=10, most=60, source="bound: more would not be believed")
    """Nats that its pits say against every legal move, beyond which a turned picture is not weighed."""


@dataclass(frozen=True, slots=True)
class ObservingLimits:
    """When the board is observed."""

    plain_hand: float = parameter(0.03, unit="share of the board", least=0.01, most=0.2, source="guess")
    """Share of the board from which on a hand is plainly one."""
    cuff: float = parameter(0.25, unit="share of the greater hand", least=0.05, most=1, source="guess")
    """Share of the other hand up to which a hand is its cuff or its shadow."""
    handed_share: float = parameter(0.3, unit="share of the hand that leaves", least=0, most=1, source="guess")
    """At a handover: how much of the hand that stays counts as there before."""
    handover_s: float = parameter(0.25, unit="seconds", least=0.05, most=1, source="guess")
    """Seconds for which the board is read at a handover, at the most."""
    hand_told_s: float = parameter(0.4, unit="seconds", least=0.1, most=2, source="guess")
    """Seconds after which it is said whose hand has come, plain or not."""
    hidden_s: float = parameter(1.2, unit="seconds", least=0.3, most=5, source="guess")
    """Seconds after which a board is at rest though a pit is hidden: before that a hand may hide it."""
    unnoticed_s: float = parameter(0.1, unit="seconds", least=0, most=1, source="guess")
    """Seconds by which the board may have been at rest before it was first read so."""
    restless_s: float = parameter(3.0, unit="seconds", least=1, most=10, source="guess")
    """Seconds after which a picture that never comes to rest, with no hand in it, is read all the same."""
    settled: int = parameter(2, unit="readings", least=1, most=10, source="guess")
    """Readings that an observation takes."""
    looks: int = parameter(96, unit="readings", least=16, most=1000, source="bound")
    """Looks kept of one episode; of more, every second of the older half is let go."""


RESTS_S = (0.15, 0.35, 0.6, 0.9, 1.3, 1.8, 2.5, 3.5, 5.0, 7.0, 10.0)
"""Seconds of rest after which the board is observed again. Guess."""

EVIDENCE = EvidenceLimits()
LAYING = LayingLimits()
SET_UP = SetUpLimits()
PLACING = PlacingLimits()
SIGHT = SightLimits()
JUDGEMENT = JudgementLimits()
MOTION = Motion()
OBSERVING = ObservingLimits()
TURNED = TurnedLimits()
