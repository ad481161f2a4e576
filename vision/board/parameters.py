"""The tuned numbers by which a board is found: circles, rows, lattices, and the evidence for a board.

Each field has its unit, its range and its source: what it was fitted on, or "guess" if it was set by hand. A radius
without further words is a pit's.
"""

from __future__ import annotations

from dataclasses import dataclass

from vision.parameter import parameter


@dataclass(frozen=True, slots=True)
class CameraGuess:
    """What is assumed of an unknown camera (`vision.board.geometry`)."""

    focal: float = parameter(1.2, unit="longer sides of the picture", least=0.6, most=3,
        source="guess: some 45 degrees across")
    """Focal length."""


@dataclass(frozen=True, slots=True)
class RimLimits:
    """Which edges are rims of circles (`vision.board.rims`)."""

    colour_weight: float = parameter(1.6, unit="times that of lightness", least=0, most=5, source="guess")
    """Weight of colour in the edges."""
    blur: float = parameter(1.3, unit="pixels at the working size", least=0, most=5, source="guess")
    """Standard deviation of the blur before edge detection."""
    least_strength: float = parameter(0.35, unit="levels a pixel", least=0, most=5, source="guess")
    """Least strength of an edge."""
    largest_radius: float = parameter(0.13, unit="longer sides of the picture", least=0.05, most=0.5, source="guess")
    """Greatest radius searched."""
    least_votes: float = parameter(0.22, unit="share of a circle's edge", least=0, most=1, source="guess")
    """Votes that a circle needs to be examined."""
    same_place: float = parameter(0.45, unit="radii", least=0.1, most=1, source="guess")
    """Distance of two circles' middles below which they may be the same circle."""
    same_radius: float = parameter(1.35, unit="factor", least=1, most=3, source="guess")
    """Ratio of their radii below which they are; concentric rims of other sizes both stay."""
    edge_reach: float = parameter(0.11, unit="radii", least=0.02, most=0.5, source="guess")
    """Greatest distance of an edge from the rim it belongs to."""
    least_inside: float = parameter(0.45, unit="share of a rim", least=0, most=1, source="guess")
    """Least share in the picture of a rim that is judged at all."""
    smallest_radius: float = parameter(7.0, unit="pixels at the working size", least=3, most=20, source="guess")
    """Least radius searched."""
    radius_ratio: float = parameter(1.11, unit="factor", least=1.02, most=1.3, source="guess")
    """Ratio of successive radii that are searched."""
    aligned: float = parameter(0.88, unit="cosine", least=0.5, most=1, source="guess")
    """Least cosine between an edge's gradient and the rim's normal."""
    nested: float = parameter(0.7, unit="factor", least=0, most=1, source="guess")
    """Factor on the score of a circle within a wider one: a seed in its pit."""
    aligned_by_chance: float = parameter(0.3, unit="share", least=0, most=1, source="guess")
    """Share of a texture's edges that are aligned by chance."""


@dataclass(frozen=True, slots=True)
class ChainLimits:
    """Which circles form a row of pits (`vision.board.chains`)."""

    member_worth: float = parameter(0.3, unit="score", least=0, most=1, source="guess")
    """Worth of each circle of a row in addition to its score."""
    shrunk_step: float = parameter(0.8, unit="least steps", least=0.3, most=1, source="guess")
    """Factor to which a row's steps may shrink along it."""
    hinge_aside: float = parameter(0.7, unit="times as far as elsewhere", least=0.1, most=1, source="guess")
    """How far to the side of the row a circle beyond a hinge may lie."""
    off_one_missing: float = parameter(1.3, unit="times as far as elsewhere", least=1, most=3, source="guess")
    """How far a circle may lie from its place if the one before it is missing."""
    off_two_missing: float = parameter(1.5, unit="times as far as elsewhere", least=1, most=3, source="guess")
    """The same if two are missing."""
    least_step: float = parameter(1.75, unit="radii", least=1.5, most=2.5, source="guess")
    """Least distance of two neighbouring pits."""
    most_step: float = parameter(4.4, unit="radii", least=2.5, most=8, source="guess")
    """Greatest distance of two neighbouring pits."""
    radius_ratio: float = parameter(1.45, unit="factor", least=1, most=2, source="guess")
    """Greatest ratio of two neighbours' radii."""
    off_place: float = parameter(0.24, unit="steps of the row", least=0.05, most=0.5, source="guess")
    """Greatest distance of a circle from its place in the row."""
    least_hinge_step: float = parameter(1.24, unit="steps of the row", least=1.05, most=1.5, source="guess")
    """Least step across a hinge; a smaller one is jitter."""
    most_hinge_step: float = parameter(1.82, unit="steps of the row", least=1.5, most=2, source="guess")
    """Greatest step across a hinge."""


@dataclass(frozen=True, slots=True)
class RowPairLimits:
    """When two rows of circles may be two rows of one board (`vision.board.row_pairs`)."""

    member_worth: float = parameter(0.3, unit="score", least=0, most=1, source="guess")
    """Worth of each circle of two rows in addition to its score."""
    error_loss: float = parameter(3.0, unit="share of the worth a column pitch", least=0, most=20, source="guess")
    """What two rows lose by the error of their model."""
    most_error: float = parameter(0.16, unit="column pitches", least=0.02, most=0.5, source="guess")
    """Greatest root mean square error of a model at its circles."""
    least_step_ratio: float = parameter(0.7, unit="factor", least=0.3, most=1, source="guess")
    """Least ratio of the steps of two rows."""
    most_step_ratio: float = parameter(1.43, unit="factor", least=1, most=3, source="guess")
    """Greatest ratio of the steps of two rows."""
    least_parallel: float = parameter(0.95, unit="cosine", least=0.5, most=1, source="guess")
    """Least cosine of the angle between two rows."""
    least_apart: float = parameter(1.5, unit="radii", least=1, most=3, source="guess")
    """Least distance of two rows in the picture."""
    most_apart: float = parameter(3.2, unit="steps", least=1, most=6, source="guess")
    """Greatest distance of two rows in the picture."""
    most_depth: float = parameter(6.0, unit="factor", least=1, most=20, source="guess")
    """Greatest ratio of the nearest column pitch to the farthest."""
    most_skew: float = parameter(0.30, unit="cosine", least=0, most=0.7,
        source="guess: hand-carved rows may be shifted, and the camera's focal length is a guess")
    """Greatest cosine between rows and columns of the board."""
    most_lean: float = parameter(0.62, unit="cosine", least=0, most=0.9, source="guess, as `most_skew`")
    """Greatest cosine between rows and columns in the picture."""
    least_row_pitch: float = parameter(0.72, unit="column pitches", least=0.4, most=1, source="guess")
    """Least distance of rows."""
    most_row_pitch: float = parameter(2.4, unit="column pitches", least=1, most=4, source="guess")
    """Greatest distance of rows."""


@dataclass(frozen=True, slots=True)
class LatticeLimits:
    """Which candidates a lattice gathers, and its worth (`vision.board.lattice`)."""

    least_radius: float = parameter(0.24, unit="column pitches", least=0.1, most=0.4, source="guess")
    """Least radius of a pit."""
    most_radius: float = parameter(0.56, unit="column pitches", least=0.4, most=0.7, source="guess")
    """Greatest radius of a pit."""
    off_place: float = parameter(0.30, unit="column pitches", least=0.1, most=0.5, source="guess")
    """Greatest distance of a candidate from its place."""
    slender: float = parameter(0.36, unit="column pitches", least=0.1, most=0.5,
        source="guess: pits stand close on a board, seeds and nails do not")
    """Radius below which a filled place is worth less."""
    slender_loss: float = parameter(4.0, unit="filled places a column pitch", least=0, most=20, source="guess")
    """How much less such a place is worth."""
    usual_share: float = parameter(0.85, unit="share of the usual score", least=0.3, most=1, source="guess")
    """Score from which on a candidate has its full worth."""
    off_loss: float = parameter(0.5, unit="filled places", least=0, most=2, source="guess")
    """Loss of a candidate at the greatest distance from its place; it grows with the squared distance."""
    unseen_loss: float = parameter(0.25, unit="filled places", least=0, most=2, source="guess")
    """Cost of a place beyond the picture."""
    beyond_loss: float = parameter(0.9, unit="filled places", least=0, most=5,
        source="guess: bricks, keys and waffles go on, a board ends")
    """Cost of a filled place just outside a board."""
    least_filled_row: float = parameter(0.4, unit="share of a row", least=0, most=1, source="guess")
    """Least filled share of a row of a board whose number of columns is unknown."""
    least_filled: float = parameter(0.5, unit="share of the places", least=0, most=1, source="guess")
    """Least filled share of a board."""
    plain_hinge: float = parameter(0.2, unit="column pitches", least=0.05, most=0.8, source="guess")
    """Gap from which on a hinge is plain, and has to lie in the middle."""
    store_reach: float = parameter(2.2, unit="column pitches", least=0.5, most=5, source="guess")
    """Greatest distance of a store from the last pit."""
    store_aside: float = parameter(0.8, unit="column pitches", least=0.1, most=3, source="guess")
    """Greatest distance of a store from the line halfway between the outer rows."""
    pit_radius: float = parameter(0.42, unit="column pitches", least=0.2, most=0.55, source="guess")
    """Radius assumed for the pits if none was seen."""
    faint_loss: float = parameter(2.2, unit="worth a share of the score", least=0, most=10, source="guess")
    """How fast a candidate loses worth when its score is below the others'."""
    lopsided_loss: float = parameter(3.5, unit="filled places", least=0, most=20, source="guess")
    """Cost of a hinge off the middle of a board that is not cut."""
    miss_loss: float = parameter(0.6, unit="filled places", least=0, most=2, source="guess")
    """Cost of an empty place; a filled one earns up to 1."""
    flat_weight: float = parameter(0.3, unit="pits at the ends of rows", least=0, most=10, source="guess")
    """Weight of the prior that a board is flat."""
    off_bend: float = parameter(0.1, unit="row pitches", least=0.01, most=0.5, source="guess")
    """Distance from the bend at which a pit begins to count less."""
    most_bend: float = parameter(0.6, unit="row pitches", least=0, most=2,
        source="guess: rows that are bent more are pits on arcs")
    """Greatest displacement of the ends of rows from the middle."""
    ends_in_line: int = parameter(2, unit="circles", least=0, most=6, source="guess: stores and knobs")
    """Number of circles in line with a row of pits that are no pits."""
    plain_score: float = parameter(0.3, unit="score", least=0, most=1, source="guess")
    """Score from which on a lattice has to explain a candidate."""
    settled_told: int = parameter(18, unit="lattices", least=1, most=60, source="bound: time")
    """Number of the lattices found first that are refitted where the number of columns is known."""
    settled: int = parameter(8, unit="lattices", least=1, most=60,
        source="bound: time; where columns are not known, the less likely ones are mostly patterns")
    """The same where it is unknown."""
    laid: int = parameter(4, unit="lattices", least=1, most=20, source="bound: time")
    """Number of lattices laid on the picture among those for the same candidates."""
    laid_elsewhere: int = parameter(6, unit="lattices", least=1, most=20, source="bound: time")
    """The same where other places of a board are searched."""


@dataclass(frozen=True, slots=True)
class ProposalLimits:
    """Where the network of pits takes a second look (`vision.board.proposals`)."""

    sure: float = parameter(0.3, unit="score", least=0.1, most=0.9, source="guess")
    """Score from which on the network is sure of a candidate, and takes a second look around it."""
    least_score: float = parameter(0.15, unit="heat", least=0.01, most=0.5, source="guess")
    """Heat above which a peak is a candidate."""
    same_place: float = parameter(0.5, unit="radii", least=0.1, most=1.5, source="guess")
    """Distance below which two candidates are the same pit."""
    rim_weight: float = parameter(0.7, unit="factor", least=0, most=1, source="guess")
    """Factor on the score of a candidate from rims that the network did not propose."""
    cut_off: float = parameter(0.8, unit="radii", least=0, most=1.5, source="guess")
    """Distance from a part's edge below which the edge cuts a candidate."""
    small_radius: float = parameter(13.0, unit="pixels of the network's picture", least=4, most=30, source="guess")
    """Radius below which pits are examined in pieces of the picture."""
    piece: float = parameter(0.62, unit="share of a part's side", least=0.5, most=1, source="guess")
    """Side of such a piece; pieces overlap by more than a pit."""


@dataclass(frozen=True, slots=True)
class FittingLimits:
    """How a hypothesis is fitted to the picture's rims (`vision.board.hypothesis`)."""

    rim_reach: tuple[float, ...] = parameter((0.30, 0.20, 0.16, 0.11, 0.11), unit="radii", least=0.02, most=0.5,
        source="guess")
    """Greatest distance of an edge from the rim, for each round."""
    place_reach: tuple[float, ...] = parameter((0.0, 0.0, 0.2, 0.22, 0.22), unit="radii", least=0, most=0.5,
        source="guess")
    """Greatest distance of a pit from its place on the lattice, for each round: at first the board moves as a whole."""
    uneven: float = parameter(0.07, unit="radii", least=0, most=0.5, source="guess")
    """Distance from even steps that a pit of any board may have."""
    unevener: float = parameter(3.5, unit="factor", least=1, most=10, source="guess")
    """Greatest distance of a pit from even steps, relative to the median of its board."""
    place_weight: float = parameter(4.0, unit="edge points", least=0, most=50, source="guess")
    """Weight of a pit's place on the lattice."""
    network_weight: float = parameter(0.7, unit="share of a rim", least=0, most=1, source="guess")
    """Weight of a pit that the network is sure of."""
    shape_bias: float = parameter(0.05, unit="share of rims a unit of the logarithm", least=0, most=1, source="guess")
    """Penalty on rows whose distance, in columns, differs from the assumed one."""
    steadied_bare: float = parameter(0.75, unit="share of the way", least=0, most=1,
        source="244 pits of ten rendered carved boards (`vision.train.views`, seed 74000001): where a tenth, half and "
               "nine tenths of the rims are seen, they mislead by 0.22, 0.14 and 0.06 radii, even steps by 0.15")
    """Share of the way to even steps by which a pit without a visible rim is moved in the end."""
    steadied_plain: float = parameter(0.1, unit="share of the way", least=0, most=1, source="the same pits")
    """The same for a pit whose whole rim is visible."""


@dataclass(frozen=True, slots=True)
class ColumnLimits:
    """Which columns are a board's (`vision.board.columns`)."""

    kept: float = parameter(0.62, unit="share of the middle column's rims", least=0, most=1, source="guess")
    """Rims above which an end column stays."""
    kept_needed: float = parameter(0.3, unit="share of the middle column's rims", least=0, most=1, source="guess")
    """The same if no board has fewer columns."""
    added: float = parameter(0.75, unit="share of the middle column's rims", least=0, most=1, source="guess")
    """Rims above which a column is added."""
    facing_share: float = parameter(0.6, unit="share of the usual", least=0, most=1, source="guess")
    """Rims between facing rows below which a column is taken for part of a store."""
    facing_weight: float = parameter(0.6, unit="weight", least=0, most=2, source="guess")
    """Weight of the rims missing there."""
    named: float = parameter(0.5, unit="score", least=0, most=1, source="guess")
    """Mean network score of a column from which on it cannot be part of a store."""
    plain_score: float = parameter(0.5, unit="score", least=0, most=1, source="guess")
    """Mean network score of all places from which on no other circles are searched."""
    alike: float = parameter(0.6, unit="share of the middle column's score", least=0, most=1, source="guess")
    """Network score from which on an end column consists of pits."""
    unlike: float = parameter(0.5, unit="share of the middle column's score", least=0, most=1,
        source="guess: the rims of stores are round, too")
    """Network score up to which an end column hardly consists of pits."""
    named_odds: float = parameter(0.05, unit="probability", least=0, most=0.5, source="guess")
    """Probability of a size from which on it is reported as possible."""
    store_loss: float = parameter(0.45, unit="share of the middle column's rims", least=0, most=2, source="guess")
    """Penalty on an end column where a store lies, if the other end's store lies beyond the pits."""


@dataclass(frozen=True, slots=True)
class LevellingLimits:
    """How a picture is levelled on a board seen at a slant (`vision.board.levelling`, `vision.board.find`)."""

    room_along: float = parameter(2.4, unit="board units", least=0.5, most=5, source="guess")
    """Margin beyond the pits, along the rows, of the levelled picture: for stores and unseen columns."""
    room_across: float = parameter(1.6, unit="board units", least=0.5, most=5, source="guess")
    """Margin beyond the pits, across the rows, of the levelled picture: for unseen rows."""
    reach_along: float = parameter(7.0, unit="board units", least=0, most=12, source="guess")
    """Distance beyond the pits, along the rows, within which other pits are taken for the board's."""
    reach_across: float = parameter(1.0, unit="board units", least=0, most=4, source="guess")
    """Distance beyond the pits, across the rows, within which other pits are taken for the board's."""
    longest_side: int = parameter(1120, unit="pixels", least=320, most=4000, source="guess")
    """Greatest longer side of a levelled picture."""
    farthest: float = parameter(4.0, unit="factor", least=1, most=20, source="guess: beyond it all is smeared")
    """Greatest distance in a levelled picture, relative to its middle's distance."""
    slanted: float = parameter(1.25, unit="slant", least=1, most=2, source="guess")
    """Slant from which on a board is searched again in the levelled picture (`vision.board.levelling.slant`)."""
    guessed_tilt_deg: float = parameter(45.0, unit="degrees off the plumb", least=20, most=70, source="guess")
    """Tilt to try where no board was found."""
    rounds: int = parameter(2, unit="rounds", least=1, most=5, source="guess")
    """Greatest number of levellings of a picture, each based on the last result."""
    level: float = parameter(1.1, unit="slant", least=1, most=1.5, source="guess")
    """Slant of a levelled board up to which it has its full worth."""
    askew: float = parameter(1.25, unit="slant", least=1, most=2, source="guess")
    """Slant of a levelled board from which on the levelling was wrong and is repeated."""


@dataclass(frozen=True, slots=True)
class AcceptanceLimits:
    """The evidence for a board, and how much of it is needed (`vision.board.find`)."""

    par: float = parameter(0.34, unit="share of a rim", least=0, most=1, source="guess")
    """Share of a rim that is evidence neither for nor against a pit."""
    network_worth: float = parameter(0.2, unit="rims", least=0, most=1, source="guess")
    """Additional worth of a pit that the network is sure of."""
    least_score: float = parameter(0.42, unit="mean share of the rims", least=0, most=1, source="guess")
    """Score up to which a board's rims are faint."""
    shown: float = parameter(3.0, unit="odds", least=0.01, most=1000,
        source="who has a board looked for mostly shows one; of 198 rendered pictures (`vision.train.views`, seed "
               "74000001) all 71 boards pass whose pits were found, and 15 of 77 other things; with even odds 70 and 6")
    """Prior odds that a picture shows a board."""
    network_fails: float = parameter(0.05, unit="probability", least=0.001, most=0.5,
        source="guess: it may see pits everywhere; with even odds the same of those pictures pass as with 0")
    """Prior probability that the network's output has nothing to do with the picture."""
    possible: float = parameter(200.0, unit="odds", least=1, most=10_000, source="guess")
    """Odds against a board up to which a refusal names the board it might be."""
    least_radius: float = parameter(3.0, unit="pixels", least=1, most=10, source="guess")
    """Least mean radius of a board's pits."""
    goes_on: float = parameter(0.65, unit="share of the board's own", least=0.2, most=1, source="guess")
    """Rims beside the board from which on it is part of a pattern."""
    least_rim: float = parameter(0.28, unit="share of a rim", least=0, most=1, source="guess")
    """Least share of a rim at all pits but the worst."""
    least_rim_named: float = parameter(0.12, unit="share of a rim", least=0, most=1,
        source="guess: on dark or plain wood hardly a rim is seen")
    """The same, if the network is sure of nearly all pits of the size it was given."""
    named_sure: float = parameter(0.9, unit="share of the pits", least=0.5, most=1, source="guess")
    """Share of the pits that the network has to be sure of for that."""
    least_rim_everywhere: float = parameter(0.02, unit="share of a rim", least=0, most=1, source="guess")
    """The same, if the network sees something at nearly all places of that size: hardly any rim."""
    something_score: float = parameter(0.1, unit="score", least=0, most=0.5, source="guess")
    """Score from which on the network sees something at a place."""
    something_everywhere: float = parameter(0.95, unit="share of the pits", least=0.5, most=1, source="guess")
    """Share of the places where the network has to see something for that."""
    least_named: float = parameter(0.3, unit="mean score", least=0, most=1,
        source="guess: there are more ways to see a pattern slantwise than straight, and a part of one than all of it")
    """Least mean network score at the pits of a board that only the levelled picture shows, or that the picture's edge
    cuts."""
    doubtful: float = parameter(0.5, unit="mean share of the rims", least=0, most=1,
        source="guess: of a dark board the rims are faint, and the shade in its pits is plain, so that the half of "
               "every pit that lies in shade is taken for all of it")
    """Score up to which the picture is searched again with its dark parts brightened."""
    dark_power: float = parameter(0.5, unit="exponent", least=0.2, most=1, source="guess")
    """Exponent applied to light, as a share of its maximum, to brighten dark parts."""
    named_score: float = parameter(0.5, unit="score", least=0.1, most=1, source="guess")
    """Score of a pit that the network is sure of, where its number of pits was given."""
    worst_fifth: float = parameter(0.2, unit="share of the pits", least=0, most=0.5, source="guess")
    """Share of the pits whose rims may be fainter than the least."""
    worst_told: float = parameter(0.5, unit="share of the pits", least=0, most=0.8,
        source="guess: arms, shade and worn rims hide them; half the pits of a size that was told are no chance")
    """The same if the board's size was given."""
    rough_loss: float = parameter(2.0, unit="share of the score a column pitch", least=0, most=10, source="guess")
    """What a board loses if its pits lie off even steps."""
    most_rough_loss: float = parameter(0.5, unit="share of the score", least=0, most=1, source="guess")
    """Greatest such loss."""
    beside_inside: float = parameter(0.6, unit="share of the places", least=0, most=1, source="guess")
    """Least share in the picture of the places beside the board, for a pattern to be recognised there."""
    beside_score: float = parameter(0.7, unit="share of what speaks for the usual pit", least=0, most=1, source="guess")
    """Least score of a circle beside the board that resembles its pits."""
    beside_off: float = parameter(0.5, unit="radii", least=0.1, most=1, source="guess")
    """Greatest distance of such a circle from its place."""
    beside_least_radius: float = parameter(0.7, unit="factor", least=0.3, most=1, source="guess")
    """Least radius of such a circle, relative to the pits'."""
    beside_most_radius: float = parameter(1.4, unit="factor", least=1, most=3, source="guess")
    """Greatest radius of such a circle, relative to the pits'."""
    least_side: int = parameter(64, unit="pixels", least=16, most=320, source="guess")
    """Shortest side of a picture that is searched."""
    other_size: float = parameter(1.5, unit="factor", least=1.05, most=3, source="guess")
    """Greatest ratio between a moved board's pits and their earlier size, either way."""
    aside_columns: int = parameter(2, unit="columns", least=0, most=4,
        source="guess: stores, and what lies in them, look like pits")
    """Columns by which a board may have been found too far to one side."""
    apart: float = parameter(0.15, unit="radii", least=0.02, most=1, source="guess")
    """Mean distance of two boards' pits from which on the boards differ."""
    square_inside: float = parameter(0.6, unit="radii", least=0.2, most=0.9, source="guess: clear of the rim")
    """Radius within which a pit's colour is sampled for squares."""
    square_share: float = parameter(0.75, unit="share of the variance", least=0.5, most=1,
        source="chosen: least row of a chess board taken for 4x8 0.94; of 20 photographs of boards at most 0.29")
    """Share of a row's colour variance that alternates, from which on the row consists of squares."""
    square_uneven: float = parameter(0.5, unit="distances of the two colours", least=0.1, most=1,
        source="guess: seeds that cover two fifths of a pit make it uneven by 1.2 of what they change its mean")
    """Greatest variation within a square."""


@dataclass(frozen=True, slots=True)
class HandedLimits:
    """Which circles given by people are pits of a board seen at a slant (`vision.board.handed`)."""

    least_pits: int = parameter(8, unit="circles", least=6, most=16,
        source="guess: through fewer some homography always runs")
    """Fewest circles in which a board is searched."""
    most_pits: int = parameter(48, unit="circles", least=10, most=64, source="guess")
    """Most circles in which a board is searched."""
    least_row: int = parameter(3, unit="circles", least=3, most=6, source="guess")
    """Fewest circles of a row."""
    most_missing: int = parameter(2, unit="pits", least=0, most=4, source="guess")
    """Most pits of the board that may be missing."""
    off_row: float = parameter(0.4, unit="radii", least=0.05, most=0.8,
        source="guess: two rows seen from low aside are hardly more than a radius apart")
    """Greatest distance of a circle from the line of its row."""
    bows: tuple[float, ...] = parameter((0.0, -0.5, 0.5, -1.0, 1.0), unit="mean radii", least=-2, most=2,
        source="guess: a museum's board of four rows sags by 0.4")
    """Bows of the rows to try if no plane fits."""
    rows_tried: int = parameter(8, unit="rows", least=1, most=40, source="guess")
    """Number of possible outermost rows that are followed."""
    gaps: tuple[float, ...] = parameter((0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.8, 1.0), unit="pitches", least=0, most=1.5,
        source="guess")
    """Gaps to try between the middle columns, or between the middle rows of four."""
    gap_loss: float = parameter(0.002, unit="column pitches of the error", least=0, most=0.1, source="guess")
    """What a board loses by such a gap."""
    missing_loss: float = parameter(0.005, unit="column pitches of the error a pit", least=0, most=0.1, source="guess")
    """What a board loses for every pit assumed missing."""
    unlikely_loss: float = parameter(0.002, unit="column pitches of the error a squared standard deviation", least=0,
        most=0.1, source="guess: so that rows shifted by a column are told from a board with two pits missing")
    """What a board loses by an unusual position or an unusual lens."""
    most_error: float = parameter(0.08, unit="column pitches", least=0.02, most=0.5,
        source="guess: circles are marked by hand, on boards carved by hand")
    """Greatest root mean square distance of the circles from their places."""
    usual_skew: float = parameter(0.06, unit="cosine", least=0.01, most=0.3,
        source="guess: of circles marked by hand; with random cameras and boards the shapes come out better than with "
               "one focal length for all")
    """Usual deviation of rows and columns from a right angle."""
    focal_spread: float = parameter(0.35, unit="natural logarithm", least=0.05, most=1,
        source="guess: from wide lenses to portraits")
    """Usual deviation of focal lengths from `CameraGuess.focal`."""
    row_pitch: float = parameter(1.2, unit="column pitches", least=0.8, most=2, source="guess")
    """Usual distance of rows."""
    row_pitch_spread: float = parameter(0.25, unit="natural logarithm", least=0.05, most=1, source="guess")
    """Its usual deviation."""
    round_from: float = parameter(0.9, unit="shorter half axis by longer", least=0.5, most=1,
        source="guess: so much comes of how circles are marked")
    """Axis ratio of the flattest pit from which on all pits are taken for round."""
    beside: float = parameter(0.9, unit="sum of two radii", least=0.5, most=1,
        source="guess: rims may touch, and circles are marked by hand")
    """Distance from which on two circles lie beside each other instead of overlapping."""


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
