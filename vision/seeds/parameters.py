"""The tuned numbers of counting: the looks at a pit, what they weigh, and what is learnt of a table.

Each field has its unit, the range in which it may lie and where its number comes from: what it was fitted on, or that
it is a guess, set by hand.
"""

from __future__ import annotations

from dataclasses import dataclass

from vision.parameter import parameter

_WEIGHED = (
    "fit: the likeliest on 5,047 rendered pits that the networks were not taught by (`python -m vision.train weigh`)")
_ADDED = (
    "chosen on tables of another making: of 589 pits that looked otherwise, and that the counter was not sure of, 60 "
    "were misread and 34 are; where p is 0.99 and more 101 were read and 325 are, 2 and 1 of them wrong; and on 28 "
    "simulated ones: of 2,446 such looks 410 were misread and 376 are; 601 were read and 1,112 are, none and 1 wrong")
_COVERAGE = (
    "chosen on 2,347 pits of 34 tables of another making: of the 130 that were misread 103 are, and where p is 0.99 "
    "and more 1,650 were read and 1,854 are, 4 and 6 of them wrong")


@dataclass(frozen=True, slots=True)
class CounterLimits:
    """What the counter is shown, and when it looks again (`vision.seeds.counter`)."""

    temperature: float = parameter(0.96, unit="divisor of the logits", least=0.3, most=3,
        source="fit (Guo et al. 2017) on rendered pits that the network was not taught by (`python -m vision.train "
               "counter`)")
    """Divides the logits."""
    spread_floor: float = parameter(0.04, unit="share of the greatest grey level", least=0, most=0.2,
        source="guess; the network was taught with it")
    """Added to a picture's spread, so that noise in an even one is not made much of."""
    sure: float = parameter(0.995, unit="probability", least=0.5, most=1, source="guess")
    """Of the likeliest count, from which on a pit is not looked at again."""
    covered: float = parameter(0.5, unit="probability", least=0.1, most=1, source="guess")
    """That a pit is covered, from which on it is not looked at again."""
    fine_pits: int = parameter(6, unit="pits", least=1, most=32, source="guess: such a look costs the most")
    """Pits that are looked at with all their pixels in one frame of many."""
    closer_cut: float = parameter(0.94, unit="usual margins", least=0.8, most=1, source="guess")
    """With how much round them pits of a photograph are cut out once more, closer."""
    wider_cut: float = parameter(1.08, unit="usual margins", least=1, most=1.3, source="guess")
    """With how much round them they are cut out once more, wider."""
    together: int = parameter(8, unit="pictures", least=1, most=64, source="guess: what it needs of memory stays small")
    """Pictures that are shown to the network at one time."""
    least_loglik: float = parameter(-16.0, unit="nats", least=-50, most=-5, source="guess")
    """Log-likelihoods are floored here below the best: no picture excludes a count by more than that."""


@dataclass(frozen=True, slots=True)
class StayLimits:
    """When a pit is looked at again, and when a stay is settled (`vision.seeds.evidence`)."""

    remembered: int = parameter(12, unit="stays", least=2, most=64,
        source="guess: beside those of two moves some of a hand that hovers")
    """Of each pit, whose looks are remembered."""
    noise_frames: int = parameter(3, unit="counted frames", least=1, most=30,
        source="guess: light comes within two of them")
    """The least noise of so many counts."""
    looks: int = parameter(8, unit="looks", least=1, most=64,
        source="one in each position of the picture (`vision.seeds.counter.POSITIONS`)")
    """After which a stay is settled."""
    plain_looks: int = parameter(2, unit="looks", least=1, most=64, source="guess")
    """After which it is settled where their mean is sure of a count."""
    covered: float = parameter(0.5, unit="probability", least=0.1, most=1, source="guess")
    """That a look shows a hand and not the pit, from which on it does not enter the stay."""
    again_share: float = parameter(0.3, unit="share of the pits that there is time for", least=0.05, most=1,
        source="of 1 and 0.3, on 24 moves with a Pi 4's factor: half of the verdicts within 1.16 and 0.82 s, 23 right "
               "with both; where touched pits had to wait as well, large boards were not read before the first move")
    """So many may be looked at again in one counting, less those that were touched."""


_CHANGE = (
    "fit on 60 clips of all three makings: of 963 pits that a legal move had touched none had changed by less than 10 "
    "grey levels, and of 1,210 that nobody had touched one in ten by more than 6")


@dataclass(frozen=True, slots=True)
class TouchLimits:
    """How surely a pit that looks otherwise was touched (`vision.seeds.knowledge.changes`)."""

    even_grey: float = parameter(10.0, unit="grey levels", least=2, most=40, source=_CHANGE)
    """The greatest change by which a pit is as likely touched as not, where seeds stand out as usual."""
    slope: float = parameter(5.0, unit="nats for each factor of e", least=1, most=20, source=_CHANGE)
    """By which it is the likelier the greater the change."""
    most_nats: float = parameter(7.0, unit="nats", least=1, most=20,
        source="of those 963 pits none looked as before, of 2,069 others of simulated tables one did")
    """Log-odds are no surer than this; so unlikely was a pit touched that looks as before."""
    same_log_odds: float = parameter(-1.8, unit="nats", least=-7, most=0,
        source="a change of 7 grey levels, or of 5 standard deviations of the camera's noise: of normal noise one cell "
               "of two million differs by more, and a board has some eight thousand")
    """Log-odds of a touch up to which a stay goes on."""
    noise: float = parameter(7.2, unit="standard deviations", least=3, most=15, source="as `same_log_odds`")
    """Of the camera's noise, by which a pit changes at least that is as likely touched as not."""
    contrast_quantile: float = parameter(0.9, unit="share of the pits", least=0.5, most=1, source="guess")
    """Share of the pits in which less stands out than what is usual."""
    contrast_share: float = parameter(0.2, unit="share of what stands out", least=0.02, most=1, source="guess")
    """By which a pit changes that is as likely touched as not, where seeds stand out less than usual, as in dim light.
    """
    least_grey: float = parameter(3.0, unit="grey levels", least=0.5, most=10, source="guess: a camera's steps are one")
    """It is no less than this."""
    pit_share: float = parameter(0.8, unit="share of the way from a picture's middle to its edges", least=0.3, most=1,
        source="the picture's margin (`vision.seeds.crops.MARGIN`)")
    """Within which its pit lies."""


@dataclass(frozen=True, slots=True)
class KnownLimits:
    """What a pit tells of its count that was known and looks as before (`vision.seeds.knowledge.known_counts`)."""

    unchanged_nats: float = parameter(7.0, unit="nats", least=1, most=20,
        source="fit: of 2,069 pits of simulated tables whose count had changed one looked as before, of 513 into which "
               "seeds had been laid while they were empty")
    """By which it speaks against any other count than before: one seed in a thousand may come to lie unseen."""
    few: int = parameter(2, unit="seeds", least=0, most=10,
        source="fit: that one pit that looked as before was read as holding its seed, and of 1,667 with so few that "
               "nobody had touched two were read as holding another number")
    """Up to which the camera is believed as much as an unchanged picture."""
    reader_sure_nats: float = parameter(3.0, unit="nats", least=0, most=10,
        source="fit: of 2,584 pits that nobody had touched and that looked as before it was so of eleven; of 2,069 "
               "whose count had changed two looked as before, and both were read as holding what they held")
    """By which the camera has to be surer of another number to be believed where more seeds lie."""
    unchanged_beside_sure_nats: float = parameter(0.9, unit="nats", least=0, most=7, source="fit, as the one above")
    """By which the picture outweighs it then."""


@dataclass(frozen=True, slots=True)
class CloseUpLimits:
    """The window in which a pit's seeds are looked at from close by (`vision.seeds.close_up`)."""

    seeds_outside: float = parameter(0.3, unit="seeds", least=0, most=1,
        source="guess: the map is smeared, and faint where nothing is")
    """Seeds that may lie farther out than the window's reach on each side."""
    beside: float = parameter(1.2, unit="seeds' radii", least=0.5, most=3,
        source="guess: half the distance of neighbours in a heap is a seed's radius, more or less")
    """So much is left beside the outermost seeds."""
    free: float = parameter(0.04, unit="share of the picture's side", least=0, most=0.2, source="guess")
    """Left free besides."""
    least_half: float = parameter(0.13, unit="share of the picture's side", least=0.05, most=0.4, source="guess")
    """Half a window's side at least."""
    least_half_alone: float = parameter(0.3, unit="share of the picture's side", least=0.05, most=0.5, source="guess")
    """Half the side, at least, of a window that holds one seed."""
    most_half: float = parameter(0.4, unit="share of the picture's side", least=0.2, most=0.5, source="guess")
    """Half a window's side from which on the picture shows the seeds as large as the window would."""
    least_seeds: float = parameter(0.5, unit="seeds", least=0, most=1, source="guess")
    """With fewer in the map there is nothing to look at."""


@dataclass(frozen=True, slots=True)
class MiddlesLimits:
    """What the peaks of the network of seeds' middles mean (`vision.seeds.seed_middles`)."""

    blur: float = parameter(0.7, unit="places", least=0, most=3, source="guess")
    """Standard deviation of the blur under which neighbouring places are one peak."""
    least_peak: float = parameter(0.05, unit="heat", least=0, most=0.5, source="guess")
    """Peaks that are not so high are none."""
    lift_scale: float = parameter(3.077, unit="factor", least=0.1, most=10, source=_WEIGHED)
    """By what the logit of a peak's height is multiplied for that of the probability that a seed is there (Platt 1999).
    """
    lift_shift: float = parameter(2.232, unit="logit", least=-10, most=10, source=_WEIGHED)
    """What is added to it then."""
    plain_peak: float = parameter(0.3, unit="heat", least=0.05, most=0.9, source="guess")
    """Peaks so high are held to be seeds where it is asked how crowded they lie."""
    hidden_share: float = parameter(0.393, unit="share of the seeds that are seen", least=0, most=2, source=_WEIGHED)
    """As many besides are to be expected hidden under them in a pit that they fill; in one that they fill less, the
    less."""
    most_hidden: float = parameter(8.0, unit="seeds", least=0, most=20, source="guess")
    """Seeds that are expected to be hidden, at most."""
    least_loglik: float = parameter(-16.0, unit="nats", least=-50, most=-5, source="guess")
    """No look speaks against a count more loudly than this."""


@dataclass(frozen=True, slots=True)
class MapLimits:
    """What the counter's map of seeds says besides, and what all the looks weigh (`vision.seeds.seed_map`)."""

    least_top: float = parameter(0.02, unit="seeds a cell", least=0, most=0.2, source="guess")
    """A top is at least so high."""
    top_share: float = parameter(0.4, unit="share of the usual top", least=0, most=1, source="guess")
    """A top is at least so high beside the pit's usual one."""
    usual_top_percentile: float = parameter(70.0, unit="percentile", least=0, most=100, source="guess")
    """The percentile of a pit's tops that is its usual one."""
    fast_weights: tuple[float, ...] = parameter(
        (0.199, 0.689, -0.035, 0.227, -0.333, 0.108, 0.007, -0.093, -0.174, 0.604),
        unit="weight", least=-2, most=2, source=_WEIGHED)
    """Weights of what speaks for a count, in the order of `vision.seeds.seed_map.evidence`, without the look at all the
    pixels."""
    full_weights: tuple[float, ...] = parameter(
        (0.047, 0.594, -0.005, -0.091, -0.3, -0.001, 0.002, -0.015, 0.152, 0.354,
         0.252, -0.089, -0.157, -0.412, -0.04, 0.088, -0.034, -0.01, 0.996),
        unit="weight", least=-2, most=2, source=_WEIGHED)
    """The same with it."""


@dataclass(frozen=True, slots=True)
class AdaptationPriors:
    """How far tables differ in how the counter reads them (`vision.seeds.knowledge.adaptation`)."""

    factor_sd: float = parameter(0.05, unit="natural log", least=0.005, most=0.5, source="guess")
    """Standard deviation among tables of the factor by which seeds are read."""
    temperature_sd: float = parameter(0.3, unit="natural log", least=0.02, most=1, source="guess")
    """Standard deviation among tables of the temperature."""
    kept: float = parameter(0.9, unit="share", least=0, most=1, source="guess: light and seeds change in a day")
    """Share of what was learnt that is left at the next lesson."""
    worst_loglik: float = parameter(-3.0, unit="nats", least=-20, most=0,
        source="guess: one misread pit must not bend the table")
    """No single pit speaks against a pair more loudly than this."""


@dataclass(frozen=True, slots=True)
class AddedLimits:
    """What the seeds that came to lie in a pit say (`vision.seeds.knowledge.added_seeds`)."""

    otherwise: float = parameter(0.6, unit="spreads of the picture", least=0.1, most=3, source=_ADDED)
    """Difference by which a cell of the map looks otherwise."""
    sd: float = parameter(0.2, unit="seeds", least=0.02, most=1, source=_ADDED)
    """Standard deviation of the difference."""
    sd_each_now: float = parameter(0.2, unit="seeds", least=0, most=1, source=_ADDED)
    """Added to it, in quadrature, for each seed that lies where the pit looks otherwise: of seeds that are new the
    counter's errors have nothing to be held against."""
    sd_each_then: float = parameter(0.2, unit="seeds", least=0, most=1, source=_ADDED)
    """Added to it, in quadrature, for each seed that lay there."""
    anyhow: float = parameter(0.2, unit="share", least=0.001, most=0.9, source=_ADDED)
    """How often it is off for any other reason."""
    anyhow_range: float = parameter(12.0, unit="seeds", least=1, most=50, source=_ADDED)
    """By up to so many seeds it is off then."""
    usual_held: int = parameter(10, unit="differences", least=1, most=200, source=_ADDED)
    """How many known differences the usual spread is worth beside those of this table."""
    most_off: float = parameter(9.0, unit="variances", least=1, most=50, source=_ADDED)
    """The most that one difference says of the table's spread."""
    weight: float = parameter(0.6, unit="weight", least=0, most=1,
        source=_ADDED + "; what misleads the counter in the new seeds misleads this, too")
    """Of what is said."""


@dataclass(frozen=True, slots=True)
class CoverageLimits:
    """What the share of a pit that a heap covers says (`vision.seeds.knowledge.coverage`)."""

    light_floor_grey: float = parameter(12.0, unit="grey levels", least=1, most=50, source="guess")
    """Added before the logarithm is taken, so that noise in the dark is none."""
    otherwise: float = parameter(0.4, unit="natural log of light", least=0.05, most=1.5, source="guess")
    """By how much a place differs that something covers."""
    fewest_pits: int = parameter(4, unit="pits", least=1, most=32, source="guess")
    """Known pits that are needed before anything is said."""
    plain_seeds: int = parameter(6, unit="seeds", least=1, most=20, source="guess")
    """Seeds up to which a known pit counts for that."""
    kept_pits: int = parameter(120, unit="pits", least=10, most=2000, source="guess")
    """Known pits that are remembered."""
    full_share: float = parameter(1.5, unit="share of a pit", least=1, most=5,
        source="guess: in heaps they hide one another")
    """What endlessly many seeds would cover, were the pit as large."""
    nothing_share: float = parameter(0.01, unit="share of a pit", least=0.001, most=0.1, source="guess")
    """As good as nothing."""
    usual_sd: float = parameter(0.3, unit="natural log of the share", least=0.05, most=1, source="guess")
    """Standard deviation of the share before any pit is known."""
    usual_held: int = parameter(8, unit="pits", least=1, most=100, source="guess")
    """How many pits' word that has."""
    sd_each: float = parameter(0.04, unit="natural log of the share", least=0, most=0.5, source="guess")
    """How much of it, in quadrature, comes with each seed beyond three."""
    most_off: float = parameter(9.0, unit="variances", least=1, most=50, source=_COVERAGE)
    """Beyond which a share is odd for any reason."""
    weight: float = parameter(0.6, unit="weight", least=0, most=1,
        source=_COVERAGE + "; what misleads the counter misleads this, too")
    """Of what is said."""


@dataclass(frozen=True, slots=True)
class EmptyPitLimits:
    """When pits' empty pictures are used (`vision.seeds.knowledge.empty_pits`)."""

    kept: float = parameter(0.8, unit="share", least=0, most=1, source="guess")
    """Share of what earlier lessons said for or against them that is left at the next one."""
    worst_loglik: float = parameter(-3.0, unit="nats", least=-20, most=0,
        source="guess: of one misread pit nothing follows")
    """By which one pit speaks against them, or the other way for them, at most."""
    tried_pits: int = parameter(6, unit="pits", least=1, most=32,
        source="guess: reading costs, and there may be a lesson every move")
    """Pits that are read both ways at a lesson, each time others."""
    harm: float = parameter(-4.0, unit="nats", least=-50, most=0, source="guess")
    """In all, from which on they are not used."""
    alike: float = parameter(0.85, unit="correlation", least=0, most=1, source="guess")
    """Correlation with what is usual in them that every pit has at least, of those that are but supposed to be empty.
    """
    alike_within: float = parameter(0.68, unit="share of the way from a picture's middle to its edges", least=0.2,
        most=1, source="guess")
    """Within which it is looked at for that."""
    alike_smoothing: float = parameter(1 / 16, unit="sides of a pit's picture", least=0, most=0.25, source="guess")
    """How far it is smoothed for that: a lamp's image wanders a little from pit to pit."""
    mirrored_pits: int = parameter(3, unit="pits", least=1, most=32, source="guess")
    """Empty pits that have to be read as holding something for bowls to mirror."""
    mirrored_share: float = parameter(0.5, unit="share of the empty pits", least=0, most=1, source="guess")
    """Their share for that."""


@dataclass(frozen=True, slots=True)
class OcclusionLimits:
    """When the counter's word that a pit is covered is believed (`vision.seeds.knowledge.occlusion`)."""

    usual_quantile: float = parameter(0.75, unit="share of the open pits", least=0.5, most=1, source="guess")
    """Share that is called covered less surely than the board is then known to be called."""
    margin: float = parameter(1.0, unit="nats", least=0, most=10, source="guess")
    """By which a pit has to be called covered more surely than open ones are, to be as likely covered as not."""
    least_probability: float = parameter(1e-6, unit="probability", least=1e-12, most=0.01, source="guess")
    """Probabilities are kept so far from 0 and 1."""


COUNTER = CounterLimits()
STAYS = StayLimits()
KNOWN = KnownLimits()
CHANGE = TouchLimits()
CLOSE_UP = CloseUpLimits()
MIDDLES = MiddlesLimits()
MAPS = MapLimits()
ADAPTATION = AdaptationPriors()
ADDED = AddedLimits()
COVERAGE = CoverageLimits()
EMPTY_PITS = EmptyPitLimits()
OCCLUSION = OcclusionLimits()
