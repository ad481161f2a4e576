"""The tuned numbers of the table.

Each field has its unit, its range and the source of its number: what it was measured on; where none is named, it is a
guess, set by hand.
"""

from dataclasses import dataclass

from engine.referee.parameters import TIMES
from vision.parameter import parameter
from vision.reading import Reading


@dataclass(frozen=True, slots=True)
class Motion:
    """What counts as a hand, as motion and as quiet, in one reading. Motion: the changed share of the board."""

    quiet: float = parameter(0.01, "share of the board", 0.002, 0.1,
        "Up to this motion from frame to frame, the board is quiet.")
    least_motion: float = parameter(0.02, "share of the board", 0.005, 0.2,
        "Larger motion is somebody's, whether a hand is seen or not; less is noise.")
    flicker: float = parameter(0.4, "share of the board", 0.1, 1, "Motion as large as this is a change of the light.")

    def shows_motion(self, reading: Reading) -> bool:
        """Whether something moves, a hand or not, beyond noise and changes of light."""
        return self.least_motion < reading.motion < self.flicker


@dataclass(frozen=True, slots=True)
class Waiting:
    """How long a board must rest before something follows, and how often its pits are counted."""

    settle_frames: int = parameter(3, "readings", 1, 10, "Readings of the quiet board needed for a decision.")
    misplaced_s: float = parameter(0.35, "seconds", 0.1, 2, "Rest after which a misplaced board is noticed.")
    laid_s: float = parameter(3.0, "seconds", 0.5, 10,
        "Rest after which a set-up counts as laid although a pit or two differ. If hands come and go for as long "
        "over a board that differs from it, that is said, however short the pauses.")
    count_still_s: float = parameter(0.06, "seconds", 0.02, 0.5,
        "Seconds between two countings of a board that is to be judged.",
        "guess: a camera of 15 frames a second has every one counted")
    count_in_play_s: float = parameter(0.12, "seconds", 0.03, 1,
        "Seconds between two countings while hands are in play.")
    count_quiet_s: float = parameter(0.5, "seconds", 0.1, 3, "Seconds between two countings of a quiet board.")


@dataclass(frozen=True, slots=True)
class LayingLimits:
    """Comparing a board that is being laid with the game's start."""

    agreeing_share: float = parameter(0.8, "share of the pits", 0.5, 1,
        "If at least this share of the pits is open and does not clearly differ from the set-up, a hand that comes "
        "makes the first move. One with seeds that is off by one counts half.")
    known_correlation: float = parameter(0.75, "correlation", 0, 1,
        "If the counts correlate at least this well with a set-up that is known to be laid, and with no board after a "
        "move better, it lies there, however badly it is read.",
        "turned round, or a column aside, the same position reaches it once in twenty times")
    pits_per_wrong: int = parameter(12, "pits", 1, 48,
        "One pit in this many may differ; if more do on a board that is far away, the distance is the reason.")
    misplaced_pits: int = parameter(2, "pits", 1, 8,
        "If at least this many pits clearly differ from the set-up, the board may lie elsewhere than it was found.")
    laid_share: float = parameter(0.6, "share of the set-up's seeds", 0, 1,
        "For that, at least this share of the set-up's seeds must lie there: else people are still laying it.")
    bare_share: float = parameter(0.2, "share of the set-up's seeds", 0, 1,
        "If the board is known to be laid and at most this share of its seeds is read, the board was found wrongly.")
    say_again_s: float = parameter(2.0, "seconds", 0.5, 10, "Pause between two messages about a set-up that differs.")


@dataclass(frozen=True, slots=True)
class SetUpLimits:
    """Explaining a misread set-up by reflections of lamps in the bowls, or by seeds in somebody's hand."""

    in_hand_seeds: int = parameter(2, "seeds", 1, 10,
        "If at least this many seeds are missing, they are in somebody's hand.")
    mirror_pits: int = parameter(3, "pits", 1, 12, "Fewest empty pits by which reflections can be recognised.")
    most_mirrored: int = parameter(2, "lamps", 1, 4, "Most reflections in one pit that are read as seeds.")
    mirrored_empty_share: float = parameter(0.75, "share of the empty pits", 0, 1,
        "Least share of the empty pits in which seeds are read.")
    mirrored_other_share: float = parameter(1 / 3, "share of the other pits", 0, 1,
        "Least share of the other pits in which too many are read; it is lower, as heaps hide reflections.")


@dataclass(frozen=True, slots=True)
class PlacingLimits:
    """Looking for the board elsewhere if its place does not show the set-up."""

    again_s: float = parameter(6.0, "seconds", 1, 60,
        "Pause before the next search: people may still be laying the board.")
    longer_factor: float = parameter(4.0, "factor", 1, 10, "Each pause is this many times as long as the one before.")
    most_places: int = parameter(8, "places", 1, 50, "Most places that are read.",
        "guess: each takes as long as a whole board does")
    pits_per_odd: int = parameter(4, "pits", 1, 24,
        "One pit in this many may differ in one look, as the place is read repeatedly before the game begins.")
    fewer_factor: int = parameter(3, "factor", 1, 10,
        "And the differing pits must be fewer by this factor than at the present place.")


@dataclass(frozen=True, slots=True)
class SightLimits:
    """When the table says that it does not see."""

    trouble_s: float = parameter(0.33, "seconds", 0.1, 0.5,
        "How long a trouble must last before it is reported, and all must be well before the table sees again: a "
        "passing shadow is not blindness.",
        "guess: blindness is to be said within half a second")
    not_found_s: float = parameter(8.0, "seconds", 1, 60,
        "How long a board is looked for before it is reported as not found.")
    no_hands_share: float = parameter(0.5, "share of the board", 0.2, 1,
        "Hands at play never cover more than this; if more is covered, something hides the board.")
    hole_s: float = parameter(0.5, "seconds", 0.2, 2,
        "If two pictures are farther apart than this, the table was blind in between.",
        "guess: a seed is dropped in less")
    hole_factor: float = parameter(4.0, "factor", 1.5, 20, "And farther apart than this many usual intervals.",
        "as `FrozenLimits.silent_factor`")
    unsaid_s: float = parameter(8.0, "seconds", 2, 60,
        "How long a changed board may go without a verdict: a thoughtful hand comes back sooner, and spectators "
        "begin to ask later.")
    pause_s: float = parameter(1.0, "seconds", 0.2, 5,
        "That is reported only after nobody has plainly moved for this long, so as not to interrupt a sowing.")
    longest_relay_s: float = parameter(30.0, "seconds", 10, 120, "After this long it is reported in any case.",
        "guess: the longest relays last less")
    far_radius_px: float = parameter(14.0, "pixels", 5, 40,
        "If a pit's radius is smaller, distance may be the reason for a misread board. Plain seeds are read at 7 "
        "pixels too, so size alone keeps nobody from playing.",
        "ninety pits of photographs that were made smaller: 79 % read right at a radius of 15 pixels, 6 % wrong by "
        "more than one seed; at 13 pixels 73 and 13 %, at 9 pixels 60 and 20 %")


@dataclass(frozen=True, slots=True)
class JudgementLimits:
    """How sure a verdict has to be before the eye learns from it and the board is taken as it lies, and how turns
    are timed."""

    teaching_confidence: float = parameter(0.995, "probability", 0.9, 1,
        "The board after a legal move of at least this probability teaches the eye.")
    opening_moves: int = parameter(2, "moves", 0, 6,
        "After more moves than this, a board that lies as at the start begins the next game, and is no move taken "
        "back.")
    clear_lead: float = parameter(3.0, "nats", 1, 6,
        "A pit clearly differs from a count if another count is likelier by more than this: 20 to 1.")
    steals: float = parameter(0.5, "probability", 0.1, 1,
        "Prior that a side moves by right after the other's time to begin has run out.")
    steals_close: float = parameter(0.0022, "probability", 0, 0.1,
        "The same close to the end of that time: so that people are asked.",
        "guess: about as likely as a move out of turn")
    close_call_s: float = parameter(0.25, "seconds", 0, 1,
        "How close to the end of a turn's time nobody can tell whether a hand came before it.",
        "guess: when a hand lifts and when it comes is seen to two or three frames")
    read_lead: float = parameter(8.0, "nats", 2, 50,
        "Lead of the read or decided counts over all others when a later move is judged again.")
    most_judged_again: int = parameter(12, "moves", 1, 100,
        "Most moves that are judged again, since the table waits meanwhile.")


@dataclass(frozen=True, slots=True)
class TurnedLimits:
    """Deciding that the picture shows the board mirrored or turned."""

    mirrored_nats: float = parameter(-4.0, "nats", -12, 0,
        "Prior log-odds of a mirrored picture if the board is symmetric and nobody has moved.",
        "guess: one set-up in fifty")
    turned_nats: float = parameter(-9.0, "nats", -20, -2,
        "Prior log-odds of any other turn, or of one since the move before.", "guess: one move in eight thousand")
    legal_nats: float = parameter(8.0, "nats", 2, 15,
        "How much each legal move so far speaks against a mirrored picture from the beginning.",
        "guess: a wrong way beside a legal one")
    doubt_odds: float = parameter(0.01, "odds", 0.0001, 0.5, "From these odds on nobody is accused.",
        "guess: an accusation's own odds")
    sure_odds: float = parameter(50.0, "odds", 5, 1000, "From these odds on the picture is turned, with a message.")
    worth_nats: float = parameter(25.0, "nats", 10, 60,
        "If the pits speak more strongly against every legal move, the turned picture is not weighed.",
        "bound: more would not be believed")


@dataclass(frozen=True, slots=True)
class ObservingLimits:
    """When the board is observed."""

    unclear_s: float = parameter(0.4, "seconds", 0.1, 2,
        "How long a hand may be unclear. Then it is said whose has come, plain or not; what is left of a plain one is "
        "part of the rest, as it waits at the edge, or is none; and a handover has ended.")
    hidden_s: float = parameter(1.2, "seconds", 0.3, 5,
        "After this long a board is at rest even with a hidden pit; before, a hand may hide it.")
    unnoticed_s: float = parameter(0.1, "seconds", 0, 1,
        "The board may have been at rest for this long before it was first read so.")
    restless_s: float = parameter(3.0, "seconds", 1, 10,
        "A picture without hands that does not come to rest is read anyway after this long.")
    settled: int = parameter(2, "readings", 1, 10, "Readings needed for an observation.")
    looks: int = parameter(96, "readings", 16, 1000,
        "Most looks kept of one episode; beyond, every second one of the older half is dropped.", "bound")


RESTS_S = tuple(TIMES.ask_midway_s * 2 ** (k / 2) for k in range(-9, 4))
"""Times of rest, seconds, at which the board is observed: from 0.15 s to 10 s, and when people may have to be asked."""

WAITING = Waiting()
LAYING = LayingLimits()
SET_UP = SetUpLimits()
PLACING = PlacingLimits()
SIGHT = SightLimits()
JUDGEMENT = JudgementLimits()
MOTION = Motion()
OBSERVING = ObservingLimits()
TURNED = TurnedLimits()
