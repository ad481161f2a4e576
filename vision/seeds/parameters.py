"""The tuned numbers of counting: the looks at a pit, what they weigh, and what is learnt of a table.

Each field has its unit, the range in which it may lie and where its number comes from: what it was fitted on, or that
it is a guess, set by hand.
"""

from dataclasses import dataclass

from vision.parameter import parameter

_WEIGHED = (
    "fit: the likeliest on 5,047 rendered pits that the networks were not taught by (`python -m vision.train weigh`)")
_ADDED = (
    "chosen on tables of another making: of 589 pits that looked otherwise, and that the counter was not sure of, 60 "
    "were misread and 34 are; where p is 0.99 and more 101 were read and 325 are, 2 and 1 of them wrong; and on 28 "
    "simulated ones: of 2,446 such looks 410 were misread and 376 are; 601 were read and 1,112 are, none and 1 wrong")
_SEED_AREA = (
    "chosen on 2,347 pits of 34 tables of another making: of the 130 that were misread 103 are, and where p is 0.99 "
    "and more 1,650 were read and 1,854 are, 4 and 6 of them wrong")


@dataclass(frozen=True, slots=True)
class CounterLimits:
    """The pictures that the counter gets, and when it looks again (`vision.seeds.counter`)."""

    temperature: float = parameter(0.96, "divisor of the logits", 0.3, 3, "Divides the logits.",
        "fit (Guo et al. 2017) on rendered pits that the network was not taught by (`python -m vision.train counter`)")
    spread_floor: float = parameter(0.04, "share of the greatest grey level", 0, 0.2,
        "Added to a picture's spread, so that noise in an even one is not made much of.",
        "guess; the network was taught with it")
    sure: float = parameter(0.995, "probability", 0.5, 1,
        "If the likeliest count has at least this probability, the pit is not looked at again.")
    covered: float = parameter(0.5, "probability", 0.1, 1,
        "If a pit is covered with at least this probability, it is not looked at again.")
    fine_pits: int = parameter(6, "pits", 1, 32, "Pits that are looked at with all their pixels in one frame of many.",
        "guess: such a look costs the most")
    closer_cut: float = parameter(0.94, "usual margins", 0.8, 1,
        "With how much round them pits of a photograph are cut out once more, closer.")
    wider_cut: float = parameter(1.08, "usual margins", 1, 1.3,
        "With how much round them they are cut out once more, wider.")
    together: int = parameter(8, "pictures", 1, 64, "Pictures that are shown to the network at one time.",
        "guess: what it needs of memory stays small")
    least_loglik: float = parameter(-16.0, "nats", -50, -5,
        "Log-likelihoods are floored here below the best: no picture excludes a count by more than that.")


@dataclass(frozen=True, slots=True)
class StayLimits:
    """Limits for looking at a pit again, and for taking its stay as settled (`vision.seeds.evidence`)."""

    remembered: int = parameter(12, "stays", 2, 64, "Stays of each pit whose looks are remembered.",
        "guess: beside those of two moves some of a hand that hovers")
    noise_frames: int = parameter(3, "counted frames", 1, 30,
        "Newest counted frames whose least noise is taken for the camera's.",
        "guess: light comes within two of them")
    looks: int = parameter(8, "looks", 1, 64, "Looks after which a stay is settled.",
        "one in each position of the picture (`vision.seeds.counter.POSITIONS`)")
    plain_looks: int = parameter(2, "looks", 1, 64,
        "Looks after which a stay is settled if their mean is sure of a count.")
    covered: float = parameter(0.5, "probability", 0.1, 1,
        "If a look shows a hand and not the pit with at least this probability, it does not enter the stay.")
    again_share: float = parameter(0.3, "share of the pits that there is time for", 0.05, 1,
        "Pits that may be looked at again in one counting, together with those looked at because they were touched.",
        "of 1 and 0.3, on 24 moves with a Pi 4's factor: half of the verdicts within 1.16 and 0.82 s, 23 right with "
        "both; where touched pits had to wait as well, large boards were not read before the first move")


_CHANGE = (
    "fit on 60 clips of all three makings: of 963 pits that a legal move had touched none had changed by less than 10 "
    "grey levels, and of 1,210 that nobody had touched one in ten by more than 6")


@dataclass(frozen=True, slots=True)
class TouchLimits:
    """How surely a pit that looks different was touched (`vision.seeds.knowledge.changes`)."""

    even_grey: float = parameter(10.0, "grey levels", 2, 40,
        "The greatest change by which a pit is as likely touched as not, where seeds stand out as usual.", _CHANGE)
    slope: float = parameter(5.0, "nats for each factor of e", 1, 20,
        "How fast the log-odds of a touch grow with the change of the pit.", _CHANGE)
    most_nats: float = parameter(7.0, "nats", 1, 20,
        "Log-odds are no surer than this; so unlikely was a pit touched that looks as before.",
        "of those 963 pits none looked as before, of 2,069 others of simulated tables one did")
    same_log_odds: float = parameter(-1.8, "nats", -7, 0, "Log-odds of a touch up to which a stay goes on.",
        "a change of 7 grey levels, or of 5 standard deviations of the camera's noise: of normal noise one cell of "
        "two million differs by more, and a board has some eight thousand")
    noise: float = parameter(7.2, "standard deviations", 3, 15,
        "Least change by which a pit is as likely touched as not, measured by the camera's noise.",
        "as `same_log_odds`")
    contrast_quantile: float = parameter(0.9, "share of the pits", 0.5, 1,
        "Share of the pits in which less stands out than is taken for the whole board.")
    contrast_share: float = parameter(0.2, "share of what stands out", 0.02, 1,
        "Change by which a pit is as likely touched as not where seeds stand out less than usual, as in dim light.")
    least_grey: float = parameter(3.0, "grey levels", 0.5, 10,
        "Least change by which a pit is as likely touched as not, however little its seeds stand out.",
        "guess: a camera's steps are one")
    pit_share: float = parameter(0.8, "share of the way from a picture's middle to its edges", 0.3, 1,
        "Radius of the pit in its picture.", "the picture's margin (`vision.seeds.crops.MARGIN`)")


@dataclass(frozen=True, slots=True)
class KnownLimits:
    """How far to trust a pit's known count while the pit looks unchanged (`vision.seeds.knowledge.known_counts`)."""

    unchanged_nats: float = parameter(7.0, "nats", 1, 20,
        "By which an unchanged picture speaks against any other count than before: one seed in a thousand may come to "
        "lie unseen.",
        "fit: of 2,069 pits of simulated tables whose count had changed one looked as before, of 513 into which "
        "seeds had been laid while they were empty")
    few: int = parameter(2, "seeds", 0, 10,
        "Known count up to which a reading that contradicts it is believed as much as the unchanged picture.",
        "fit: that one pit that looked as before was read as holding its seed, and of 1,667 with so few that nobody "
        "had touched two were read as holding another number")
    reader_sure_nats: float = parameter(3.0, "nats", 0, 10,
        "How much likelier than the known count a reading must hold another one to speak against the unchanged "
        "picture, where more seeds lie than `few`.",
        "fit: of 2,584 pits that nobody had touched and that looked as before it was so of eleven; of 2,069 whose "
        "count had changed two looked as before, and both were read as holding what they held")
    unchanged_beside_sure_nats: float = parameter(0.9, "nats", 0, 7,
        "By which the unchanged picture outweighs such a reading (`reader_sure_nats`).",
        "fit, as the one above")


@dataclass(frozen=True, slots=True)
class CloseUpLimits:
    """The window in which a pit's seeds are looked at from close by (`vision.seeds.close_up`)."""

    seeds_outside: float = parameter(0.3, "seeds", 0, 1,
        "Seeds that may lie farther out than the window's reach on each side.",
        "guess: the map is smeared, and faint where nothing is")
    beside: float = parameter(1.2, "seeds' radii", 0.5, 3, "So much is left beside the outermost seeds.",
        "guess: half the distance of neighbours in a heap is a seed's radius, more or less")
    free: float = parameter(0.04, "share of the picture's side", 0, 0.2, "Left free besides.")
    least_half: float = parameter(0.13, "share of the picture's side", 0.05, 0.4, "Half a window's side at least.")
    least_half_alone: float = parameter(0.3, "share of the picture's side", 0.05, 0.5,
        "Half the side, at least, of a window that holds one seed.")
    most_half: float = parameter(0.4, "share of the picture's side", 0.2, 0.5,
        "Half a window's side from which on the picture shows the seeds as large as the window would.")
    least_seeds: float = parameter(0.5, "seeds", 0, 1, "With fewer in the map there is nothing to look at.")


@dataclass(frozen=True, slots=True)
class MiddlesLimits:
    """How to read the peaks by which a network marks the middles of seeds (`vision.seeds.seed_middles`)."""

    blur: float = parameter(0.7, "places", 0, 3,
        "Standard deviation of the blur under which neighbouring places are one peak.")
    least_peak: float = parameter(0.05, "heat", 0, 0.5, "Peaks that are not so high are none.")
    lift_scale: float = parameter(3.077, "factor", 0.1, 10,
        "By what the logit of a peak's height is multiplied for that of the probability that a seed is there (Platt "
        "1999).", _WEIGHED)
    lift_shift: float = parameter(2.232, "logit", -10, 10, "What is added to that product.", _WEIGHED)
    plain_peak: float = parameter(0.3, "heat", 0.05, 0.9,
        "Least height of a peak that is held to be a seed when it is measured how crowded seeds lie.")
    hidden_share: float = parameter(0.393, "share of the seeds that are seen", 0, 2,
        "As many besides are to be expected hidden under them in a pit that they fill; in one that they fill less, "
        "the less.", _WEIGHED)
    most_hidden: float = parameter(8.0, "seeds", 0, 20, "Seeds that are expected to be hidden, at most.")
    least_loglik: float = parameter(-16.0, "nats", -50, -5, "No look speaks against a count more loudly than this.")


@dataclass(frozen=True, slots=True)
class MapLimits:
    """How the counter's map of seeds is read, and how all the looks are weighed (`vision.seeds.seed_map`)."""

    least_top: float = parameter(0.02, "seeds a cell", 0, 0.2, "A top is at least so high.")
    top_share: float = parameter(0.4, "share of the usual top", 0, 1,
        "A top is at least so high beside the pit's usual one.")
    usual_top_percentile: float = parameter(70.0, "percentile", 0, 100,
        "The percentile of a pit's tops that is its usual one.")
    fast_weights: tuple[float, ...] = parameter((0.199, 0.689, -0.035, 0.227, -0.333, 0.108, 0.007, -0.093, -0.174,
        0.604),
        "weight", -2, 2,
        "Weights of what speaks for a count, in the order of `vision.seeds.seed_map.evidence`, without the look at "
        "all the pixels.", _WEIGHED)
    full_weights: tuple[float, ...] = parameter((0.047, 0.594, -0.005, -0.091, -0.3, -0.001, 0.002, -0.015, 0.152,
        0.354, 0.252, -0.089, -0.157, -0.412, -0.04, 0.088, -0.034, -0.01, 0.996),
        "weight", -2, 2, "The same with it.", _WEIGHED)


@dataclass(frozen=True, slots=True)
class AdaptationPriors:
    """How far tables differ in how the counter reads them (`vision.seeds.knowledge.adaptation`)."""

    factor_sd: float = parameter(0.05, "natural log", 0.005, 0.5,
        "Standard deviation among tables of the factor by which seeds are read.")
    temperature_sd: float = parameter(0.3, "natural log", 0.02, 1,
        "Standard deviation among tables of the temperature.")
    kept: float = parameter(0.9, "share", 0, 1, "Share of what was learnt that is left at the next lesson.",
        "guess: light and seeds change in a day")
    worst_loglik: float = parameter(-3.0, "nats", -20, 0, "No single pit speaks against a pair more loudly than this.",
        "guess: one misread pit must not bend the table")


@dataclass(frozen=True, slots=True)
class AddedLimits:
    """How the seeds added to a pit are counted, and how surely (`vision.seeds.knowledge.added_seeds`)."""

    otherwise: float = parameter(0.6, "spreads of the picture", 0.1, 3,
        "Difference from which on a cell of the map looks otherwise.", _ADDED)
    sd: float = parameter(0.2, "seeds", 0.02, 1,
        "Standard deviation of the difference between two maps' numbers of seeds, apart from what each seed adds.",
        _ADDED)
    sd_each_now: float = parameter(0.2, "seeds", 0, 1,
        "Added to `sd`, in quadrature, for each seed that lies where the pit looks otherwise: of seeds that are new "
        "the counter's errors have nothing to be held against.", _ADDED)
    sd_each_then: float = parameter(0.2, "seeds", 0, 1,
        "Added to `sd`, in quadrature, for each seed that lay where the pit looks otherwise.", _ADDED)
    anyhow: float = parameter(0.2, "share", 0.001, 0.9,
        "How often the difference is off for another reason, by any number.", _ADDED)
    anyhow_range: float = parameter(12.0, "seeds", 1, 50,
        "Width of the range in which it then lies, all of it equally likely (`anyhow`).", _ADDED)
    usual_held: int = parameter(10, "differences", 1, 200,
        "How many known differences the usual spread is worth beside those of this table.", _ADDED)
    most_off: float = parameter(9.0, "variances", 1, 50, "The most that one difference says of the table's spread.",
        _ADDED)
    weight: float = parameter(0.6, "weight", 0, 1, "What the log-likelihoods of the difference are multiplied by.",
        _ADDED + "; what misleads the counter in the new seeds misleads this, too")


@dataclass(frozen=True, slots=True)
class SeedAreaLimits:
    """What the share of a pit that its heap takes up tells about the count (`vision.seeds.knowledge.seed_area`)."""

    light_floor_grey: float = parameter(12.0, "grey levels", 1, 50,
        "Added before the logarithm is taken, so that noise in the dark is none.")
    otherwise: float = parameter(0.4, "natural log of light", 0.05, 1.5,
        "Difference from the empty pit from which on something lies at a place.")
    fewest_pits: int = parameter(4, "pits", 1, 32,
        "Known pits, with 1 to `plain_seeds` seeds, that are needed before anything is said.")
    plain_seeds: int = parameter(6, "seeds", 1, 20,
        "Greatest count of a known pit from which the share of one seed is learnt.")
    kept_pits: int = parameter(120, "pits", 10, 2000, "Known pits that are remembered.")
    full_share: float = parameter(1.5, "share of a pit", 1, 5,
        "Share that endlessly many seeds would take up, were the pit large enough.",
        "guess: in heaps they hide one another")
    nothing_share: float = parameter(0.01, "share of a pit", 0.001, 0.1,
        "Added to a share before the logarithm is taken, so that 0 has one, too.")
    usual_sd: float = parameter(0.3, "natural log of the share", 0.05, 1,
        "Standard deviation of the share before any pit is known.")
    usual_held: int = parameter(8, "pits", 1, 100,
        "Number of known pits that `usual_sd` is worth beside those of this table.")
    sd_each: float = parameter(0.04, "natural log of the share", 0, 0.5,
        "Standard deviation of the share that each seed beyond three adds, in quadrature.")
    most_off: float = parameter(9.0, "variances", 1, 50,
        "Squared deviation of a share beyond which it speaks no louder against a count.", _SEED_AREA)
    weight: float = parameter(0.6, "weight", 0, 1, "What the log-likelihoods of the share are multiplied by.",
        _SEED_AREA + "; what misleads the counter misleads this, too")


@dataclass(frozen=True, slots=True)
class EmptyPitLimits:
    """When pits' empty pictures are used (`vision.seeds.knowledge.empty_pits`)."""

    kept: float = parameter(0.8, "share", 0, 1,
        "Share of what earlier lessons said for or against the empty pictures that is left at the next lesson.")
    worst_loglik: float = parameter(-3.0, "nats", -20, 0,
        "The most that one pit says against the empty pictures, and with the other sign for them.",
        "guess: of one misread pit nothing follows")
    tried_pits: int = parameter(6, "pits", 1, 32, "Pits that are read both ways at a lesson, each time others.",
        "guess: reading costs, and there may be a lesson every move")
    harm: float = parameter(-4.0, "nats", -50, 0,
        "If the lessons together say no more than this for the empty pictures, these are not used.")
    alike: float = parameter(0.85, "correlation", 0, 1,
        "Least correlation of each pit with the mean of all, if pits that are only supposed to be empty are to be "
        "taken for empty.")
    alike_within: float = parameter(0.68, "share of the way from a picture's middle to its edges", 0.2, 1,
        "Radius within which pits are compared for `alike`.")
    alike_smoothing: float = parameter(1 / 16, "sides of a pit's picture", 0, 0.25,
        "How far the pictures are smoothed before they are compared for `alike`: a lamp's image wanders a little from "
        "pit to pit.")
    mirrored_pits: int = parameter(3, "pits", 1, 32,
        "Empty pits that have to be read as holding something for bowls to mirror.")
    mirrored_share: float = parameter(0.5, "share of the empty pits", 0, 1,
        "Share of the empty pits that has to be read as holding something for bowls to mirror.")


@dataclass(frozen=True, slots=True)
class OcclusionLimits:
    """When to believe the counter that a pit is covered (`vision.seeds.knowledge.occlusion`)."""

    usual_quantile: float = parameter(0.75, "share of the open pits", 0.5, 1,
        "Share of the open pits that are called covered less surely than is taken for the whole board.")
    margin: float = parameter(1.0, "nats", 0, 10,
        "By which a pit has to be called covered more surely than open ones are, to be as likely covered as not.")
    least_probability: float = parameter(1e-6, "probability", 1e-12, 0.01,
        "Probabilities are kept so far from 0 and 1.")


_SEEN_SO = (
    "fit on 525 rendered tables, two thirds of them rare, with 3,682 pits that the networks were not taught by "
    "(`python -m vision.train together`)")


@dataclass(frozen=True, slots=True)
class WholeBoardPriors:
    """How the pits of one photograph resemble one another, in what they hold and in how they are misread
    (`vision.seeds.whole_board`)."""

    least_pits: int = parameter(6, "pits", 1, 32, "Fewer pits are no board, and each is read for itself.",
        "the smallest games have two rows of three")
    set_up: float = parameter(0.15, "probability", 0, 1, "The board is set up, or nearly so.",
        "guess; of the photographs of `tests.bench.photos` more than half are")
    played: float = parameter(0.2, "share of its pits", 0, 1, "A move has changed these already: any count.")
    empty: tuple[float, ...] = parameter((0.0, 0.5), "share of its pits", 0, 1, "Empty by the rules; equally likely.")
    four: float = parameter(0.5, "weight", 0, 1, "The other pits hold four, as in most written games.")
    none: float = parameter(0.14, "weight", 0, 1, "They hold none: nobody plays.")
    columns: float = parameter(0.1, "weight", 0, 1, "They hold as many as a row has pits, as in congkak.")
    other_number: float = parameter(0.36, "weight", 0, 1, "They hold any number.")
    means: tuple[float, ...] = parameter((0.5, 1.0, 2.0, 4.0, 8.0, 16.0), "seeds", 0.1, 30,
        "Mean counts of a board that is not set up; equally likely.",
        "the counts of games played at random by the written rules are distributed like this")
    any_count: float = parameter(0.2, "share of its pits", 0, 1, "Any count is equally likely there.")
    sure_nats: float = parameter(6.0, "nats", 1, 100,
        "Nats between a pit's two likeliest counts at which a misread board concerns the pit only by a third: the "
        "surer a pit is, the less it is concerned.",
        "guess; on the rendered tables it does not fall: seeds of their wood's colour are surely read as none")
    missed: float = parameter(0.545, "share of the seeds", 0, 1, "Seeds look like the wood, or lie in the dark.",
        _SEEN_SO)
    doubled: float = parameter(0.218, "share of the seeds", 0, 1, "A seed has two faces, and is taken for two.",
        _SEEN_SO)
    log_odds: tuple[float, ...] = parameter((-0.92, -2.12), "nats", -10, 3,
        "Log-odds that seeds are missed and that they are doubled, in this order, if no pit is sure of anything.",
        _SEEN_SO)
    for_each_nat: float = parameter(0.54, "nats", 0, 3,
        "By which `log_odds` fall with each nat between the two likeliest counts of a pit, on average.", _SEEN_SO)


COUNTER = CounterLimits()
STAYS = StayLimits()
KNOWN = KnownLimits()
TOUCH = TouchLimits()
CLOSE_UP = CloseUpLimits()
MIDDLES = MiddlesLimits()
MAPS = MapLimits()
ADAPTATION = AdaptationPriors()
ADDED = AddedLimits()
SEED_AREA = SeedAreaLimits()
EMPTY_PITS = EmptyPitLimits()
OCCLUSION = OcclusionLimits()
WHOLE_BOARD = WholeBoardPriors()
