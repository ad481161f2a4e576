"""The numbers that the judge is tuned by, each with its unit, its range and where it comes from.

Where it comes from is said as *guess* (set by judgement), *fit* (measured, or set so that measured moves come out
right) or *bound* (what the work, the memory or the time allows). Every group is a frozen dataclass with one instance of
its defaults, which modules look up when they need it, so that a test can put another in its place.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Priors:
    """How likely people do what, before anything is seen of the board: shares of all disturbances, 0 to 1.

    They need be right only within a factor of a few: they decide between explanations that fit the readings equally
    well, and how much better than a legal move an accusation has to fit. All are guesses.
    """

    legal: float = 0.94
    """Most moves are legal, even in a quarrelsome game; the legal moves of a position share this equally."""
    answered_at_once: float = 0.01
    """Both players moved with no pause between: fast play, seen now and then."""
    unchanged: float = 0.02
    """A hand reached in, pointed or nudged, and every count stayed."""
    withdrawn: float = 0.01
    """The board was laid back as it was before the last move; a move is at first a trial."""
    withdrawn_further: float = 0.5
    """Factor, 0 to 1: each further step back is so much less likely than the one before."""
    rearranged: Mapping[str, float] = field(default_factory=lambda: {"setup": 0.01, "special": 0.0005})
    """A side laid two of its pits elsewhere, where the rules let it now: before the first move, or as a turn of its
    own, of which no written game has an example. All ways to lay them share this."""
    arranged: float = 0.3
    """Before Omweso's first move: somebody laid his seeds out as he likes. All ways to lay them share this, those with
    few seeds shifted more of it than others, so that a board that one move leaves counts as that move."""
    tampered: float = 0.0005
    """Seeds changed with no move made: rare, since somebody always watches."""
    something_else: float = 0.001
    """Something that this list does not hold, such as several faults in one move, at two pits or more."""
    something_else_boards: float = 1e8
    """Boards, above 1: how many "something else" may leave, each as likely. Some tens of thousands of two faults in one
    move, and a hundred times as many of what is no fault of the list; however many pits it changes, for a relay that
    goes on from a board made wrong changes them all."""
    second_fault: float = 0.03
    """Factor, 0 to 1: who makes one fault in a move makes another in the same."""
    stops_once_won: float = 0.5
    """Share of a move that wins the game before its sowing has ended, 0 to 1, exclusive: how often its player stops
    somewhere on the way; the boards at which he may stop share this."""
    faults: Mapping[str, float] = field(default_factory=lambda: {
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
        "starved": 0.001,
        "wrong-side": 0.0005,
        "two-pits": 0.001,
        # A seed stuck in a deep pit.
        "left-seed": 0.002,
        # Sleight of hand: what a referee is there for, but seldom.
        "palmed": 0.002,
        "smuggled": 0.001,
        "kept": 0.001,
    })
    """Share of each fault; the places in a move where it can happen share it."""
    places: Mapping[str, float] = field(default_factory=lambda: {"skip": 12.0, "double": 12.0, "wrong-pit": 50.0})
    """Places, above 0. Slips of the fingers happen drop by drop: the share is that of a move with so many places for
    one, two laps or three, and a shorter one has so much less of it. A lone seed laid two pits on was hardly sown past
    a pit by mistake: it was sown into the pit and, against the rules, on from there."""


@dataclass(frozen=True)
class EditWeights:
    """How likely a fault is at one place of a move beside other places for it; no units, above 0. All are guesses. What
    has no weight of its own here weighs 1."""

    skipped: tuple[tuple[int, float], ...] = ((1, 1.0), (2, 0.1))
    """Pits on end that are passed by without a seed, each number with its weight."""
    dropped_more: tuple[tuple[int, float], ...] = ((1, 1.0), (2, 0.2), (3, 0.05))
    """Seeds more than one that fall into a pit, each number with its weight."""
    over_a_corner: float = 0.3
    """A seed that falls into a pit that touches the right one by a corner, beside 1 for one by an edge."""
    wrong_way: float = 0.5
    """A lap sown the wrong way while those after it go the right one; and as much for them all going the wrong one."""
    pits_apart: float = 0.2
    """Lifting a second pit that does not lie beside the first, beside 1 for one that does."""
    each_seed_left: float = 0.5
    """Factor, 0 to 1: how much less likely each further seed is that stays in a pit of which all had to be taken. More
    than one or two are hardly overlooked."""
    strays: tuple[tuple[int, float], ...] = ((1, 1.0), (2, 0.5), (3, 0.2))
    """Seeds that are palmed or smuggled at once, each number with its weight: what a hand hides is little. As many are
    changed where no move is made, each number with weight 1."""
    in_hand: float = 4.0
    """How many times as likely the hand that sows keeps seeds back, or has some more, as one takes them out of a pit,
    or lays them in, when all is done: the hand is full and moving, and nobody sees into it."""
    all_palmed: float = 0.5
    """All seeds of a pit palmed when all is done, however many they are, beside 1 for one of them."""
    shifted: float = 0.1
    """Seeds laid from one pit into another with no move made, for each pit that they may go to, beside 1 for one pit
    that holds more or fewer."""
    ran_on_past_capture: float = 0.3
    """Sowing on where something had to be captured, beside 1 for sowing on where nothing had to be."""
    capture_beside_facing: float = 0.2
    """A capture from a pit next to the facing one, beside 1 for the facing one with the last seed."""
    capture_anywhere: float = 0.02
    """A capture from whichever pit of the opponent's, beside 1 for the facing one with the last seed: seeds are palmed
    anywhere, too, and this is what taking all of them is called."""
    capture_undue: float = 0.25
    """Factor, 0 to 1: how much less likely a false capture is where the last seed does not lie in the player's own row,
    or where it is left lying."""
    beyond_string: float = 0.1
    """A pit captured beyond those that are due and not next to the last of them, beside 1 for one that is."""
    instead_beside_facing: float = 0.5
    """A pit next to the facing one captured in place of all that are due, beside 1 for the next one beyond them."""
    instead_anywhere: float = 0.05
    """Any other pit captured in place of all that are due, beside 1 for the next one beyond them."""
    one_won_pit_left: float = 0.5
    """One of the pits left whose seeds are won to be sown on, beside 1 for leaving them all."""
    resown_wrongly: float = 5.0
    """Sowing seeds that were won from where they do not begin, beside 1 for one seed that falls astray: where they
    begin is a rule that beginners get wrong."""


@dataclass(frozen=True)
class Reading:
    """How far the reading of a quiet board is believed, and how the hands over it are."""

    misread: tuple[tuple[int, float, float], ...] = (
        (2, 2e-4, 1e-4), (4, 4e-4, 2e-4), (6, 2e-3, 1e-3), (8, 8e-3, 4e-3), (25, 1e-2, 5e-3))
    """Up to so many seeds: the share, 0 to 1, of readings that are wrong beyond what the eye owns up to, where it is
    just sure, and where it is as sure as can be. Fit (`tests.bench.fit_readings`), rounded up to what readings without
    a fault cannot exclude: of 10,956 pits at rest in 119 recordings, where one was just sure or surer, none of 3,469
    empty pits was misread, 3 of 3,261 with one or two seeds, 2 of 1,942 with three or four, 3 of 1,083 with five or six
    (all one too few), 4 of 261 with seven or eight (three of them two too few). Heaps hide seeds."""
    misread_by: tuple[tuple[int, float, float, float], ...] = (
        (2, 0.3, 0.1, 0.1), (4, 0.2, 0.05, 0.1), (6, 0.2, 0.05, 0.1), (8, 0.2, 0.5, 0.13), (25, 0.18, 0.66, 0.67))
    """Up to so many seeds: the share of misreadings that are too many, and how much rarer each further seed too few is,
    and each too many; 0 to 1. Fit, as the one above, where it is just sure or surer; heaps of more than eight on 2,484
    pits of rendered and simulated tables. Seeds hide one another oftener than one is seen where there is none."""
    misread_anyhow: float = 5e-5
    """Share, 0 to 1: of these, the ones where the count is anything at all, such as a leaf in a pit; the rest are near
    misses. One wildly misread pit must not veto an explanation. Guess."""
    heap: int = 3
    """Seeds: from so many on an empty pit is no near miss. Fit: of 1,181 pits with seeds none was read as empty."""
    just_sure_nats: float = 5.0
    """Nats between a pit's likeliest count and the next where the eye is just sure: 150 to 1. Guess."""
    sharp_nats: float = 10.0
    """Nats where the doubt that it owns up to (1 in 20,000) is less than any misreading allowed for, so that being
    surer still would say nothing more. Guess."""
    clearly: float = 0.9
    """Probability from which a pit is clearly read. Guess."""
    denied_times: float = 100.0
    """A pit denies a count if another is so many times as likely there. Guess."""
    denied_plainly: float = 0.95
    """Probability of the other from which it does so plainly. Guess."""
    plainly_off: float = 0.999
    """Probability that a pit is empty, or not, or off by two or more, from which no misreading explains it away.
    Guess."""
    wrong_hand: float = 0.005
    """Share, 0 to 1: a move whose player's hand was never over the board, though the other's plainly was. People keep
    to their own side of the board, and what the camera calls South's hand is North's only where an arm comes in round a
    corner. Guess."""
    wrong_hand_dim: float = 0.02
    """The same where the other's hand, too, was hardly seen: then this one may well have been overlooked. Guess."""
    hand_seen: float = 0.004
    """Share of the board, 0 to 1, below which nothing over it is called a hand. Guess."""
    hand_plain: float = 0.03
    """Share of the board from which a hand is plainly one: some fingers over a pit. Guess."""
    hand_absent: float = 0.05
    """The lesser hand's share beside the greater one's up to which it is a cuff, a shadow or a part of the greater one.
    An arm across the board leaves some pixels on the wrong side. Guess."""
    hand_cuff: float = 0.1
    """The share up to which it is so, too, as long as it is less than plainly a hand, for such a one sows nothing.
    Guess."""
    hand_present: float = 0.25
    """The share from which on it is a hand that reached in. Guess."""


@dataclass(frozen=True)
class TimelineWeights:
    """How far the readings taken while hands were in play are believed, and the places of those hands."""

    clear: float = 0.9
    """Probability from which a look is clear. Guess."""
    clear_looks: int = 4
    """Looks: a pit was read clearly in a stay when the first so many clear ones all gave its own count. Guess."""
    unreliable: float = 0.12
    """Share, 0 to 1, of the looks between moving hands that are worth nothing: a blurred seed, a finger taken for wood.
    Guess."""
    readings: int = 128
    """Readings that are laid against a trace; of more than that, so many evenly over the time. Bound."""
    steps_abreast: int = 2048
    """Steps of traces that are aligned side by side: more takes memory and no less time. Bound."""
    most_nats: float = 12.0
    """Nats that those readings say at most against an explanation. Guess."""
    changed_nats: float = 7.0
    """Nats against every pit that was clearly read as an explanation has it while the hands were still in play, and
    clearly otherwise when they had gone, though by that explanation nobody touched it in between: seeds that are
    misread are misread for as long as they lie there. Fit: of 2,900 clear looks at pits that nobody touched any more,
    in clips of the simulated table, one was otherwise than the board afterwards. But with two nats more, a pit that was
    plainly misread by one seed only after the move would be an accusation one time in three."""
    of_other_pits_nats: float = -1.5
    """Nats a stay, of one look each, below which those readings fit no explanation at all, not even the best: they show
    something else than these pits, such as a board that was pushed, and count for nothing. Guess."""
    most_hands_nats: float = 3.0
    """Nats that the places of the hands say at most against a move: they are made out by colour and motion, and not
    always well. Guess."""
    hand_unseen: float = 0.1
    """Share, 0 to 1: how often no pit that is being touched is read as covered. Fit: in eight clips of the simulated
    table, of some thousand readings of 38 moves laid against what was played, it was one in twenty; real hands may be
    slimmer."""
    visit_unread_nats: float = 1.3
    """Nats at most against a touch of which there is no reading; where readings are fewer than touches it is so much
    less. Fit: in those clips it was one in four."""
    visit_due_share: float = 0.5
    """Share, 0 to 1, of the readings that are due to a touch, all being spread evenly, below which it may have been put
    in for a reading of its neighbour. Guess."""
    covered_least: float = 0.05
    """Share of the pits that a reading is taken to have covered at the least: a hand that was not made out at all says
    nothing of where it is. Guess."""
    covered_most: float = 0.95
    """The same at the most: a hand that covers all says nothing of where it is. Guess."""


@dataclass(frozen=True)
class Pictures:
    """How far it is believed that a pit looks as before the move, or otherwise; nats unless said."""

    jostled_nats: float = 5.0
    """Against a trace, at the most, for a pit that looks otherwise though by it nobody touched it or it is empty as
    before, or the same though it was lifted and filled again. Sleeves and fingers brush seeds, and people straighten
    them: one pit in 150. Guess; in clips of the simulated table, where nobody does, it was one in 850."""
    unchanged_nats: float = 4.0
    """By which a pit that looks as before speaks at the most against it that it holds something else. Guess: on 120
    recordings judged rightly it did so seven nats oftener where it held the same, but dark seeds on dark wood less."""
    same_log_odds: float = -1.8
    """Log-odds that a pit was touched, up to which it looks as before. As vision has it: a stay goes on so long."""
    most_pits: int = 2
    """Pits that look otherwise and count at the most: where there are more, the whole board was pushed, or the light
    has changed. Guess."""


@dataclass(frozen=True)
class Bounds:
    """What an explanation needs to be said aloud."""

    plain: float = 0.99
    """Posterior from which a board is plain, whoever it was that left it. Guess."""
    surely_read: float = 0.99
    """Probability of a pit's likeliest count from which on people need not look there, as long as another pit is less
    surely read. Guess."""
    legal: float = 0.99
    """Posterior that a legal verdict needs. People play fairly so much oftener than not that a legal move is likely
    even against what is seen; below this, people are asked to look. Guess."""
    harmless: float = 0.95
    """Posterior that every other verdict needs that accuses nobody. Guess."""
    fault_better_nats: float = 3.0
    """Nats by which no fault may fit all that was seen better than a legal move that is said aloud, where board and
    timeline both speak for it. That people play fairly is no answer to two witnesses who agree. Fit: of 4,992 legal
    moves with the measured eye seven were not said for this, and 49 more for the next; of 2,496 faults of one seed in
    one pit 13 were no longer called legal."""
    fault_better_each_nats: float = 1.0
    """Nats that board and timeline each have to say for it at the least. Where the timeline says so much against what
    one pit plainly shows, it is misread. Fit, as the one above."""
    accused_board: float = 0.8
    """Posterior that the board of an accusation needs among all boards: play goes on from it. Guess."""
    accused: float = 0.95
    """Posterior that an accusation needs. Fit: misreadings are allowed for so amply, and faults taken to be so rare,
    that of 9,000 legal moves with the measured eye none came to 0.9, and one to 0.8: an answer made at once. What comes
    nearest is a pit that is plainly misread only when the hands have gone. At 150 to 1 none of 720 such would be
    accused, with 0.8 one in twenty; at 1,100 to 1 one in thirteen, with 0.92 one in six, and one fault in a hundred
    more would be caught. But of 25 heaps that were misread at 20 to 1 or more all had been misread while hands were
    there, too."""
    accused_denying_pits: int = 2
    """Pits that deny the board of an accusation from which on it is not made: several are no misreading, more was done
    than is told, by more than one hand it may be. Guess."""
    accused_nats: float = 9.0
    """Nats of evidence at clearly read pits, and of whose hands were there, by which an accusation has to fit better
    than the best explanation that accuses nobody and has another board. Of one with the same board the pits say
    nothing, and the hands have to. Guess."""
    rearranged_nats: float = 7.0
    """Nats by which it has to be likelier than any turn of rearranging that leaves another board. Against those the
    board says nothing: of the many ways to lay two pits' seeds one nearly always fits as well. But hardly one looks
    sown. Guess."""
    one_seed_nats: float = 2.0
    """Nats of them that have to come from what was seen while the hands were there, where one seed in one pit is all
    that lies otherwise: no picture of one pit is so sharp that it accuses. Guess."""
    most_timeline_nats: float = 6.0
    """Nats of the timeline that count at most towards `accused_nats`: an accusation rests on the board that lies there.
    Guess."""
    timeline_against_times: float = 2.0
    """How many times they count against it: where the board says one thing and the timeline another, marks in a pit
    that was never seen empty may be taken for a seed, in two pits alike. Guess."""
    both_hands_nats: float = -2.0
    """Log-likelihood of both sides' hands above which nobody is accused where a legal move and its legal answer leave
    the very board: what was read meanwhile may speak against them, but does not exclude them. Guess."""
    hand_absent_nats: float = -4.5
    """Log-likelihood of a player's hand up to which he is not accused: it was not there, and the other side's plainly
    was. Guess."""
    pits_shifted: int = 3
    """Pits that change at most where seeds are shifted by hand and not sown. Guess."""
    accused_whichever: float = 0.99
    """Odds, 0 to 1, that the boards a move may have been made from need together for an accusation to be the same from
    all that are likely. Guess."""
    harmless_whichever: float = 0.9
    """The same of what accuses nobody. Guess."""
    race_together: float = 0.6
    """Share of its time, 0 to 1, for which in a race the hand that was there less has to be there with the other: of
    players who move in turn, the second reaches in when the first is done. Guess."""
    race_single_nats: float = 3.0
    """Nats by which a single move may fit worse than a race and still is the explanation. Guess."""
    race_board_nats: float = 3.0
    """Nats by which the board of a race has to be likelier than any other of as many seeds: 20 to 1. Guess."""
    race_first_s: float = 0.4
    """Seconds by which one hand has to be gone before the other for its player to have slept first. Guess."""


@dataclass(frozen=True)
class Effort:
    """How far is searched. Work is counted in laps sown, and never in seconds, so that verdicts repeat. All are bounds,
    unless said."""

    faults_worth: float = 0.005
    """Odds, 0 to 1: faults are looked for unless all of them together could not be so likely beside the best legal
    explanation. Guess."""
    far_nats: float = 25.0
    """Nats by which an explanation may be less likely than another and still be worth a look: one of e²⁵ decides
    nothing, and even ten thousand of them together do not. Guess."""
    remembered_positions: int = 4
    """Positions of which all that can follow is remembered; the faults of one take some megabytes."""
    fault_laps: int = 60_000
    """Laps sown in search of faults."""
    second_fault_laps: int = 6_000
    """Laps sown in search of a second one in the same move."""
    first_faults: int = 24
    """First faults after which a second is looked for."""
    verdict_trace_laps: int = 60_000
    """Laps that may be played to come to the trace of the verdict again, among faults of its kind."""
    traces_laps: int = 12_000
    """Laps that may be played to come to the traces that are laid against the timeline. Only an accusation has to be
    come to again; against one that is not, `TimelineWeights.most_nats` stands."""
    deepest_lap: int = 80
    """Faults are looked for in the first so many laps of a move, and the play after them is followed for as many."""
    choice_laps: int = 160
    """Laps that all the choices after one fault may take together."""
    longest_trace: int = 1200
    """Steps beyond which nobody has sown a move: at six drops a second that is more than three minutes. A fault may set
    off a relay that hardly ends; laid against readings it would take all the time and memory there is."""
    timeline_boards: int = 16
    """Boards, the likeliest, whose traces are laid against the readings taken meanwhile."""
    timeline_within_nats: float = 16.0
    """Nats by which such a board is less likely than the best at the most."""
    other_boards: int = 3
    """Positions, the likeliest, that a verdict names beside the one that it says lies there."""
    traces_a_board: int = 3
    """Traces of each board that are laid against them, the likeliest."""


PRIORS = Priors()
EDIT_WEIGHTS = EditWeights()
READING = Reading()
TIMELINE = TimelineWeights()
PICTURES = Pictures()
BOUNDS = Bounds()
EFFORT = Effort()
