"""The tuned numbers by which a board is found: circles, rows, lattices, and the evidence for a board.

Each field has its unit, its range and its source: what it was fitted on, or "guess" if it was set by hand. A radius
without further words is a pit's.
"""

from dataclasses import dataclass

from vision.parameter import parameter


@dataclass(frozen=True, slots=True)
class CameraGuess:
    """What is assumed of an unknown camera (`vision.board.geometry`)."""

    focal: float = parameter(1.2, "longer sides of the picture", 0.6, 3, "Focal length.",
        "guess: some 45 degrees across")


@dataclass(frozen=True, slots=True)
class RimLimits:
    """Which edges are rims of circles (`vision.board.rims`)."""

    colour_weight: float = parameter(1.6, "times that of lightness", 0, 5, "Weight of colour in the edges.")
    blur: float = parameter(1.3, "pixels at the working size", 0, 5,
        "Standard deviation of the blur before edge detection.")
    least_strength: float = parameter(0.35, "levels a pixel", 0, 5, "Least strength of an edge.")
    largest_radius: float = parameter(0.13, "longer sides of the picture", 0.05, 0.5, "Greatest radius searched.")
    least_votes: float = parameter(0.22, "share of a circle's edge", 0, 1, "Votes that a circle needs to be examined.")
    same_place: float = parameter(0.45, "radii", 0.1, 1,
        "Distance of two circles' middles below which they may be the same circle.")
    same_radius: float = parameter(1.35, "factor", 1, 3,
        "Ratio of their radii below which they are; concentric rims of other sizes both stay.")
    edge_reach: float = parameter(0.11, "radii", 0.02, 0.5, "Greatest distance of an edge from the rim it belongs to.")
    least_inside: float = parameter(0.45, "share of a rim", 0, 1,
        "Least share in the picture of a rim that is judged at all.")
    smallest_radius: float = parameter(7.0, "pixels at the working size", 3, 20, "Least radius searched.")
    radius_ratio: float = parameter(1.11, "factor", 1.02, 1.3, "Ratio of successive radii that are searched.")
    aligned: float = parameter(0.88, "cosine", 0.5, 1, "Least cosine between an edge's gradient and the rim's normal.")
    nested: float = parameter(0.7, "factor", 0, 1,
        "Factor on the score of a circle within a wider one: a seed in its pit.")
    aligned_by_chance: float = parameter(0.3, "share", 0, 1, "Share of a texture's edges that are aligned by chance.")


@dataclass(frozen=True, slots=True)
class ChainLimits:
    """Which circles form a row of pits (`vision.board.chains`)."""

    member_worth: float = parameter(0.3, "score", 0, 1, "Worth of each circle of a row in addition to its score.")
    shrunk_step: float = parameter(0.8, "least steps", 0.3, 1, "Factor to which a row's steps may shrink along it.")
    hinge_aside: float = parameter(0.7, "times as far as elsewhere", 0.1, 1,
        "How far to the side of the row a circle beyond a hinge may lie.")
    off_one_missing: float = parameter(1.3, "times as far as elsewhere", 1, 3,
        "How far a circle may lie from its place if the one before it is missing.")
    off_two_missing: float = parameter(1.5, "times as far as elsewhere", 1, 3, "The same if two are missing.")
    least_step: float = parameter(1.75, "radii", 1.5, 2.5, "Least distance of two neighbouring pits.")
    most_step: float = parameter(4.4, "radii", 2.5, 8, "Greatest distance of two neighbouring pits.")
    radius_ratio: float = parameter(1.45, "factor", 1, 2, "Greatest ratio of two neighbours' radii.")
    off_place: float = parameter(0.24, "steps of the row", 0.05, 0.5,
        "Greatest distance of a circle from its place in the row.")
    least_hinge_step: float = parameter(1.24, "steps of the row", 1.05, 1.5,
        "Least step across a hinge; a smaller one is jitter.")
    most_hinge_step: float = parameter(1.82, "steps of the row", 1.5, 2, "Greatest step across a hinge.")


@dataclass(frozen=True, slots=True)
class RowPairLimits:
    """When two rows of circles may be two rows of one board (`vision.board.row_pairs`)."""

    member_worth: float = parameter(0.3, "score", 0, 1, "Worth of each circle of two rows in addition to its score.")
    error_loss: float = parameter(3.0, "share of the worth a column pitch", 0, 20,
        "What two rows lose by the error of their model.")
    most_error: float = parameter(0.16, "column pitches", 0.02, 0.5,
        "Greatest root mean square error of a model at its circles.")
    least_step_ratio: float = parameter(0.7, "factor", 0.3, 1, "Least ratio of the steps of two rows.")
    most_step_ratio: float = parameter(1.43, "factor", 1, 3, "Greatest ratio of the steps of two rows.")
    least_parallel: float = parameter(0.95, "cosine", 0.5, 1, "Least cosine of the angle between two rows.")
    least_apart: float = parameter(1.5, "radii", 1, 3, "Least distance of two rows in the picture.")
    most_apart: float = parameter(3.2, "steps", 1, 6, "Greatest distance of two rows in the picture.")
    most_depth: float = parameter(6.0, "factor", 1, 20, "Greatest ratio of the nearest column pitch to the farthest.")
    most_skew: float = parameter(0.30, "cosine", 0, 0.7, "Greatest cosine between rows and columns of the board.",
        "guess: hand-carved rows may be shifted, and the camera's focal length is a guess")
    most_lean: float = parameter(0.62, "cosine", 0, 0.9, "Greatest cosine between rows and columns in the picture.",
        "guess, as `most_skew`")
    least_row_pitch: float = parameter(0.72, "column pitches", 0.4, 1, "Least distance of rows.")
    most_row_pitch: float = parameter(2.4, "column pitches", 1, 4, "Greatest distance of rows.")


@dataclass(frozen=True, slots=True)
class LatticeLimits:
    """Which candidates a lattice gathers, and its worth (`vision.board.lattice`)."""

    least_radius: float = parameter(0.24, "column pitches", 0.1, 0.4, "Least radius of a pit.")
    most_radius: float = parameter(0.56, "column pitches", 0.4, 0.7, "Greatest radius of a pit.")
    off_place: float = parameter(0.30, "column pitches", 0.1, 0.5, "Greatest distance of a candidate from its place.")
    slender: float = parameter(0.36, "column pitches", 0.1, 0.5, "Radius below which a filled place is worth less.",
        "guess: pits stand close on a board, seeds and nails do not")
    slender_loss: float = parameter(4.0, "filled places a column pitch", 0, 20, "How much less such a place is worth.")
    usual_share: float = parameter(0.85, "share of the usual score", 0.3, 1,
        "Score from which on a candidate has its full worth.")
    off_loss: float = parameter(0.5, "filled places", 0, 2,
        "Loss of a candidate at the greatest distance from its place; it grows with the squared distance.")
    unseen_loss: float = parameter(0.25, "filled places", 0, 2, "Cost of a place beyond the picture.")
    beyond_loss: float = parameter(0.9, "filled places", 0, 5, "Cost of a filled place just outside a board.",
        "guess: bricks, keys and waffles go on, a board ends")
    least_filled_row: float = parameter(0.4, "share of a row", 0, 1,
        "Least filled share of a row of a board whose number of columns is unknown.")
    least_filled: float = parameter(0.5, "share of the places", 0, 1, "Least filled share of a board.")
    plain_hinge: float = parameter(0.2, "column pitches", 0.05, 0.8,
        "Gap from which on a hinge is plain, and has to lie in the middle.")
    store_reach: float = parameter(2.2, "column pitches", 0.5, 5, "Greatest distance of a store from the last pit.")
    store_aside: float = parameter(0.8, "column pitches", 0.1, 3,
        "Greatest distance of a store from the line halfway between the outer rows.")
    pit_radius: float = parameter(0.42, "column pitches", 0.2, 0.55, "Radius assumed for the pits if none was seen.")
    faint_loss: float = parameter(2.2, "worth a share of the score", 0, 10,
        "How fast a candidate loses worth when its score is below the others'.")
    lopsided_loss: float = parameter(3.5, "filled places", 0, 20,
        "Cost of a hinge off the middle of a board that is not cut.")
    miss_loss: float = parameter(0.6, "filled places", 0, 2, "Cost of an empty place; a filled one earns up to 1.")
    flat_weight: float = parameter(0.3, "pits at the ends of rows", 0, 10, "Weight of the prior that a board is flat.")
    off_bend: float = parameter(0.1, "row pitches", 0.01, 0.5,
        "Distance from the bend at which a pit begins to count less.")
    most_bend: float = parameter(0.6, "row pitches", 0, 2, "Greatest displacement of the ends of rows from the middle.",
        "guess: rows that are bent more are pits on arcs")
    ends_in_line: int = parameter(2, "circles", 0, 6, "Number of circles in line with a row of pits that are no pits.",
        "guess: stores and knobs")
    plain_score: float = parameter(0.3, "score", 0, 1, "Score from which on a lattice has to explain a candidate.")
    settled_of_known_size: int = parameter(18, "lattices", 1, 60,
        "Number of the lattices found first that are refitted where the number of columns is known.", "bound: time")
    settled: int = parameter(8, "lattices", 1, 60, "The same where it is unknown.",
        "bound: time; where columns are not known, the less likely ones are mostly patterns")
    laid: int = parameter(4, "lattices", 1, 20,
        "Number of lattices laid on the picture among those for the same candidates.", "bound: time")
    laid_elsewhere: int = parameter(6, "lattices", 1, 20, "The same where other places of a board are searched.",
        "bound: time")


@dataclass(frozen=True, slots=True)
class ProposalLimits:
    """Where the network of pits takes a second look (`vision.board.proposals`)."""

    sure: float = parameter(0.3, "score", 0.1, 0.9,
        "Score from which on the network is sure of a candidate, and takes a second look around it.")
    least_score: float = parameter(0.15, "heat", 0.01, 0.5, "Heat above which a peak is a candidate.")
    same_place: float = parameter(0.5, "radii", 0.1, 1.5, "Distance below which two candidates are the same pit.")
    rim_weight: float = parameter(0.7, "factor", 0, 1,
        "Factor on the score of a candidate from rims that the network did not propose.")
    cut_off: float = parameter(0.8, "radii", 0, 1.5,
        "Distance from a part's edge below which the edge cuts a candidate.")
    small_radius: float = parameter(13.0, "pixels of the network's picture", 4, 30,
        "Radius below which pits are examined in pieces of the picture.")
    piece: float = parameter(0.62, "share of a part's side", 0.5, 1,
        "Side of such a piece; pieces overlap by more than a pit.")


@dataclass(frozen=True, slots=True)
class FittingLimits:
    """How a hypothesis is fitted to the picture's rims (`vision.board.hypothesis`)."""

    rim_reach: tuple[float, ...] = parameter((0.30, 0.20, 0.16, 0.11, 0.11), "radii", 0.02, 0.5,
        "Greatest distance of an edge from the rim, for each round.")
    place_reach: tuple[float, ...] = parameter((0.0, 0.0, 0.2, 0.22, 0.22), "radii", 0, 0.5,
        "Greatest distance of a pit from its place on the lattice, for each round: at first the board moves as a "
        "whole.")
    uneven: float = parameter(0.07, "radii", 0, 0.5, "Distance from even steps that a pit of any board may have.")
    unevener: float = parameter(3.5, "factor", 1, 10,
        "Greatest distance of a pit from even steps, relative to the median of its board.")
    place_weight: float = parameter(4.0, "edge points", 0, 50, "Weight of a pit's place on the lattice.")
    network_weight: float = parameter(0.7, "share of a rim", 0, 1, "Weight of a pit that the network is sure of.")
    shape_bias: float = parameter(0.05, "share of rims a unit of the logarithm", 0, 1,
        "Penalty on rows whose distance, in columns, differs from the assumed one.")
    steadied_bare: float = parameter(0.75, "share of the way", 0, 1,
        "Share of the way to even steps by which a pit without a visible rim is moved in the end.",
        "244 pits of ten rendered carved boards (`vision.train.views`, seed 74000001): where a tenth, half and nine "
        "tenths of the rims are seen, they mislead by 0.22, 0.14 and 0.06 radii, even steps by 0.15")
    steadied_plain: float = parameter(0.1, "share of the way", 0, 1, "The same for a pit whose whole rim is visible.",
        "the same pits")


@dataclass(frozen=True, slots=True)
class ColumnLimits:
    """Which columns are a board's (`vision.board.columns`)."""

    kept: float = parameter(0.62, "share of the middle column's rims", 0, 1, "Rims above which an end column stays.")
    kept_needed: float = parameter(0.3, "share of the middle column's rims", 0, 1,
        "The same if no board has fewer columns.")
    added: float = parameter(0.75, "share of the middle column's rims", 0, 1, "Rims above which a column is added.")
    facing_share: float = parameter(0.6, "share of the usual", 0, 1,
        "Rims between facing rows below which a column is taken for part of a store.")
    facing_weight: float = parameter(0.6, "weight", 0, 2, "Weight of the rims missing there.")
    named: float = parameter(0.5, "score", 0, 1,
        "Mean network score of a column from which on it cannot be part of a store.")
    plain_score: float = parameter(0.5, "score", 0, 1,
        "Mean network score of all places from which on no other circles are searched.")
    alike: float = parameter(0.6, "share of the middle column's score", 0, 1,
        "Network score from which on an end column consists of pits.")
    unlike: float = parameter(0.5, "share of the middle column's score", 0, 1,
        "Network score up to which an end column hardly consists of pits.", "guess: the rims of stores are round, too")
    named_odds: float = parameter(0.05, "probability", 0, 0.5,
        "Probability of a size from which on it is reported as possible.")
    store_loss: float = parameter(0.45, "share of the middle column's rims", 0, 2,
        "Penalty on an end column where a store lies, if the other end's store lies beyond the pits.")


@dataclass(frozen=True, slots=True)
class LevellingLimits:
    """How a picture is levelled on a board seen at a slant (`vision.board.levelling`, `vision.board.find`)."""

    room_along: float = parameter(2.4, "board units", 0.5, 5,
        "Margin beyond the pits, along the rows, of the levelled picture: for stores and unseen columns.")
    room_across: float = parameter(1.6, "board units", 0.5, 5,
        "Margin beyond the pits, across the rows, of the levelled picture: for unseen rows.")
    reach_along: float = parameter(7.0, "board units", 0, 12,
        "Distance beyond the pits, along the rows, within which other pits are taken for the board's.")
    reach_across: float = parameter(1.0, "board units", 0, 4,
        "Distance beyond the pits, across the rows, within which other pits are taken for the board's.")
    longest_side: int = parameter(1120, "pixels", 320, 4000, "Greatest longer side of a levelled picture.")
    farthest: float = parameter(4.0, "factor", 1, 20,
        "Greatest distance in a levelled picture, relative to its middle's distance.",
        "guess: beyond it all is smeared")
    slanted: float = parameter(1.25, "slant", 1, 2,
        "Slant from which on a board is searched again in the levelled picture (`vision.board.levelling.slant`).")
    guessed_tilt_deg: float = parameter(45.0, "degrees off the plumb", 20, 70, "Tilt to try where no board was found.")
    rounds: int = parameter(2, "rounds", 1, 5,
        "Greatest number of levellings of a picture, each based on the last result.")
    level: float = parameter(1.1, "slant", 1, 1.5, "Slant of a levelled board up to which it has its full worth.")
    askew: float = parameter(1.25, "slant", 1, 2,
        "Slant of a levelled board from which on the levelling was wrong and is repeated.")


@dataclass(frozen=True, slots=True)
class AcceptanceLimits:
    """The evidence for a board, and how much of it is needed (`vision.board.find`)."""

    par: float = parameter(0.34, "share of a rim", 0, 1,
        "Share of a rim that is evidence neither for nor against a pit.")
    network_worth: float = parameter(0.2, "rims", 0, 1, "Additional worth of a pit that the network is sure of.")
    least_score: float = parameter(0.42, "mean share of the rims", 0, 1, "Score up to which a board's rims are faint.")
    shown: float = parameter(3.0, "odds", 0.01, 1000, "Prior odds that a picture shows a board.",
        "who has a board looked for mostly shows one; of 198 rendered pictures (`vision.train.views`, seed 74000001) "
        "all 71 boards pass whose pits were found, and 15 of 77 other things; with even odds 70 and 6")
    network_fails: float = parameter(0.05, "probability", 0.001, 0.5,
        "Prior probability that the network's output has nothing to do with the picture.",
        "guess: it may see pits everywhere; with even odds the same of those pictures pass as with 0")
    possible: float = parameter(200.0, "odds", 1, 10_000,
        "Odds against a board up to which a refusal names the board it might be.")
    least_radius: float = parameter(3.0, "pixels", 1, 10, "Least mean radius of a board's pits.")
    goes_on: float = parameter(0.65, "share of the board's own", 0.2, 1,
        "Rims beside the board from which on it is part of a pattern.")
    least_rim: float = parameter(0.28, "share of a rim", 0, 1, "Least share of a rim at all pits but the worst.")
    least_rim_named: float = parameter(0.12, "share of a rim", 0, 1,
        "The same, if the network is sure of nearly all pits.",
        "guess: on dark or plain wood hardly a rim is seen")
    named_sure: float = parameter(0.9, "share of the pits", 0.5, 1,
        "Share of the pits that the network has to be sure of for that.")
    least_rim_everywhere: float = parameter(0.02, "share of a rim", 0, 1,
        "The same, if the network sees something at nearly all places of that size: hardly any rim.")
    something_score: float = parameter(0.1, "score", 0, 0.5,
        "Score from which on the network sees something at a place.")
    something_everywhere: float = parameter(0.95, "share of the pits", 0.5, 1,
        "Share of the places where the network has to see something for that.")
    least_named: float = parameter(0.3, "mean score", 0, 1,
        "Least mean network score at the pits of a board that only the levelled picture shows, or that the picture's "
        "edge cuts.",
        "guess: there are more ways to see a pattern slantwise than straight, and a part of one than all of it")
    doubtful: float = parameter(0.5, "mean share of the rims", 0, 1,
        "Score up to which the picture is searched again with its dark parts brightened.",
        "guess: of a dark board the rims are faint, and the shade in its pits is plain, so that the half of every "
        "pit that lies in shade is taken for all of it")
    dark_power: float = parameter(0.5, "exponent", 0.2, 1,
        "Exponent applied to light, as a share of its maximum, to brighten dark parts.")
    named_score: float = parameter(0.5, "score", 0.1, 1,
        "Score from which on the network is sure of a pit, so that less of its rim suffices.")
    worst_fifth: float = parameter(0.2, "share of the pits", 0, 0.5,
        "Share of the pits whose rims may be fainter than the least.")
    worst_of_known_size: float = parameter(0.5, "share of the pits", 0, 0.8, "The same if the board's size was given.",
        "guess: arms, shade and worn rims hide them; half the pits of a size that was told are no chance")
    rough_loss: float = parameter(2.0, "share of the score a column pitch", 0, 10,
        "What a board loses if its pits lie off even steps.")
    most_rough_loss: float = parameter(0.5, "share of the score", 0, 1, "Greatest such loss.")
    beside_inside: float = parameter(0.6, "share of the places", 0, 1,
        "Least share in the picture of the places beside the board, for a pattern to be recognised there.")
    beside_score: float = parameter(0.7, "share of what speaks for the usual pit", 0, 1,
        "Least score of a circle beside the board that resembles its pits.")
    beside_off: float = parameter(0.5, "radii", 0.1, 1, "Greatest distance of such a circle from its place.")
    beside_least_radius: float = parameter(0.7, "factor", 0.3, 1,
        "Least radius of such a circle, relative to the pits'.")
    beside_most_radius: float = parameter(1.4, "factor", 1, 3,
        "Greatest radius of such a circle, relative to the pits'.")
    least_side: int = parameter(64, "pixels", 16, 320, "Shortest side of a picture that is searched.")
    other_size: float = parameter(1.5, "factor", 1.05, 3,
        "Greatest ratio between a moved board's pits and their earlier size, either way.")
    aside_columns: int = parameter(2, "columns", 0, 4,
        "Columns by which a board may have been found too far to one side.",
        "guess: stores, and what lies in them, look like pits")
    apart: float = parameter(0.15, "radii", 0.02, 1,
        "Mean distance of two boards' pits from which on the boards differ.")
    square_inside: float = parameter(0.6, "radii", 0.2, 0.9,
        "Radius within which a pit's colour is sampled for squares.", "guess: clear of the rim")
    square_share: float = parameter(0.6, "share of the variance", 0.5, 1,
        "Share of a row's colour variance that alternates, from which on the row consists of squares.",
        "chosen: second-best row of drawn squares that were taken for 4x8 0.73; of 21 photographs at most 0.37")
    square_uneven: float = parameter(0.3, "distances of the two colours", 0.1, 1, "Greatest variation within a square.",
        "chosen: squares of a drawn draughts board 0.07; pits of 20 photographs at least 1.6; drawn heaps of twenty in "
        "every other pit, second-least row, 0.39")


@dataclass(frozen=True, slots=True)
class HandedLimits:
    """Which circles given by people are pits of a board seen at a slant (`vision.board.handed`)."""

    least_pits: int = parameter(8, "circles", 6, 16, "Fewest circles in which a board is searched.",
        "guess: through fewer some homography always runs")
    most_pits: int = parameter(48, "circles", 10, 64, "Most circles in which a board is searched.")
    least_row: int = parameter(3, "circles", 3, 6, "Fewest circles of a row.")
    most_missing: int = parameter(2, "pits", 0, 4, "Most pits of the board that may be missing.")
    off_row: float = parameter(0.4, "radii", 0.05, 0.8, "Greatest distance of a circle from the line of its row.",
        "guess: two rows seen from low aside are hardly more than a radius apart")
    bows: tuple[float, ...] = parameter((0.0, -0.5, 0.5, -1.0, 1.0), "mean radii", -2, 2,
        "Bows of the rows to try if no plane fits.", "guess: a museum's board of four rows sags by 0.4")
    rows_tried: int = parameter(8, "rows", 1, 40, "Number of possible outermost rows that are followed.")
    gaps: tuple[float, ...] = parameter((0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.8, 1.0), "pitches", 0, 1.5,
        "Gaps to try between the middle columns, or between the middle rows of four.")
    gap_loss: float = parameter(0.002, "column pitches of the error", 0, 0.1, "What a board loses by such a gap.")
    missing_loss: float = parameter(0.005, "column pitches of the error a pit", 0, 0.1,
        "What a board loses for every pit assumed missing.")
    unlikely_loss: float = parameter(0.002, "column pitches of the error a squared standard deviation", 0, 0.1,
        "What a board loses by an unusual position or an unusual lens.",
        "guess: so that rows shifted by a column are told from a board with two pits missing")
    most_error: float = parameter(0.08, "column pitches", 0.02, 0.5,
        "Greatest root mean square distance of the circles from their places.",
        "guess: circles are marked by hand, on boards carved by hand")
    usual_skew: float = parameter(0.06, "cosine", 0.01, 0.3, "Usual deviation of rows and columns from a right angle.",
        "guess: of circles marked by hand; with random cameras and boards the shapes come out better than with one "
        "focal length for all")
    focal_spread: float = parameter(0.35, "natural logarithm", 0.05, 1,
        "Usual deviation of focal lengths from `CameraGuess.focal`.", "guess: from wide lenses to portraits")
    row_pitch: float = parameter(1.2, "column pitches", 0.8, 2, "Usual distance of rows.")
    row_pitch_spread: float = parameter(0.25, "natural logarithm", 0.05, 1, "Its usual deviation.")
    round_from: float = parameter(0.9, "shorter half axis by longer", 0.5, 1,
        "Axis ratio of the flattest pit from which on all pits are taken for round.",
        "guess: so much comes of how circles are marked")
    beside: float = parameter(0.9, "sum of two radii", 0.5, 1,
        "Distance from which on two circles lie beside each other instead of overlapping.",
        "guess: rims may touch, and circles are marked by hand")


CAMERA = CameraGuess()
RIMS = RimLimits()
CHAINS = ChainLimits()
ROW_PAIRS = RowPairLimits()
LATTICE = LatticeLimits()
PROPOSALS = ProposalLimits()
FITTING = FittingLimits()
COLUMNS = ColumnLimits()
LEVELLING = LevellingLimits()
ACCEPTANCE = AcceptanceLimits()
HANDED = HandedLimits()
