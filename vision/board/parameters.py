"""The tuned numbers by which a board is found: circles, rows, lattices, and what speaks for a board.

Each field has its unit, the range in which it may lie and where its number comes from: what it was fitted on, or that
it is a guess, set by hand. A radius without more words is a pit's.
"""

from __future__ import annotations

from dataclasses import dataclass

from vision.parameter import parameter


@dataclass(frozen=True, slots=True)
class CameraGuess:
    """What is taken for true of a camera that nothing is known of (`vision.board.geometry`)."""

    focal: float = parameter(1.2, unit="longer sides of the picture", least=0.6, most=3,
        source="guess: some 45 degrees across")
    """Focal length."""


@dataclass(frozen=True, slots=True)
class RimLimits:
    """Which edges are circles' rims (`vision.board.rims`)."""

    colour_weight: float = parameter(1.6, unit="times that of lightness", least=0, most=5, source="guess")
    """Of colour in the edges."""
    blur: float = parameter(1.3, unit="pixels at the working size", least=0, most=5, source="guess")
    """Standard deviation of the blur before edges are looked for."""
    least_strength: float = parameter(0.35, unit="levels a pixel", least=0, most=5, source="guess")
    """Of an edge."""
    largest_radius: float = parameter(0.13, unit="longer sides of the picture", least=0.05, most=0.5, source="guess")
    """Greatest radius searched."""
    least_votes: float = parameter(0.22, unit="share of a circle's edge", least=0, most=1, source="guess")
    """Edges that vote for a circle, for it to be looked at."""
    same_place: float = parameter(0.45, unit="radii", least=0.1, most=1, source="guess")
    """Distance of two circles' middles below which they may mean the same."""
    same_radius: float = parameter(1.35, unit="factor", least=1, most=3, source="guess")
    """Ratio of their radii below which they do; concentric rims of other sizes both stay."""
    edge_reach: float = parameter(0.11, unit="radii", least=0.02, most=0.5, source="guess")
    """How far off a rim an edge may run that is its."""
    least_inside: float = parameter(0.45, unit="share of a rim", least=0, most=1, source="guess")
    """That has to lie in the picture for anything to be said of it."""
    smallest_radius: float = parameter(7.0, unit="pixels at the working size", least=3, most=20, source="guess")
    """Least radius searched."""
    radius_ratio: float = parameter(1.11, unit="factor", least=1.02, most=1.3, source="guess")
    """Ratio of successive radii that are searched."""
    aligned: float = parameter(0.88, unit="cosine", least=0.5, most=1, source="guess")
    """Least cosine between an edge's gradient and the rim's normal."""
    nested: float = parameter(0.7, unit="factor", least=0, most=1, source="guess")
    """What is left of a circle's score that lies within a wider one: a seed in its pit."""
    aligned_by_chance: float = parameter(0.3, unit="share", least=0, most=1, source="guess")
    """Share of a texture's edges that lie aligned by chance."""


@dataclass(frozen=True, slots=True)
class ChainLimits:
    """Which circles are a row of pits (`vision.board.chains`)."""

    member_worth: float = parameter(0.3, unit="score", least=0, most=1, source="guess")
    """What each circle of a row is worth beside its score."""
    shrunk_step: float = parameter(0.8, unit="least steps", least=0.3, most=1, source="guess")
    """To which a row's steps may shrink along it."""
    hinge_aside: float = parameter(0.7, unit="times as far as elsewhere", least=0.1, most=1, source="guess")
    """How far aside a circle beyond a hinge may lie."""
    off_one_missing: float = parameter(1.3, unit="times as far as elsewhere", least=1, most=3, source="guess")
    """How far a circle may lie from its place where the one before it is missing."""
    off_two_missing: float = parameter(1.5, unit="times as far as elsewhere", least=1, most=3, source="guess")
    """The same where two are."""
    least_step: float = parameter(1.75, unit="radii", least=1.5, most=2.5, source="guess")
    """Least distance of two neighbouring pits."""
    most_step: float = parameter(4.4, unit="radii", least=2.5, most=8, source="guess")
    """Greatest distance of two neighbouring pits."""
    radius_ratio: float = parameter(1.45, unit="factor", least=1, most=2, source="guess")
    """Greatest ratio of two neighbours' radii."""
    off_place: float = parameter(0.24, unit="steps of the row", least=0.05, most=0.5, source="guess")
    """How far a circle may lie from where the row's steps lead to."""
    least_hinge_step: float = parameter(1.24, unit="steps of the row", least=1.05, most=1.5, source="guess")
    """Least step across a hinge; below it passes for jitter."""
    most_hinge_step: float = parameter(1.82, unit="steps of the row", least=1.5, most=2, source="guess")
    """Greatest step across a hinge."""


@dataclass(frozen=True, slots=True)
class RowPairLimits:
    """Which two rows a camera may see as two rows of one board (`vision.board.row_pairs`)."""

    member_worth: float = parameter(0.3, unit="score", least=0, most=1, source="guess")
    """What each circle of two rows is worth beside its score."""
    error_loss: float = parameter(3.0, unit="share of the worth a column pitch", least=0, most=20, source="guess")
    """What two rows lose that a model does not fit."""
    most_error: float = parameter(0.16, unit="column pitches", least=0.02, most=0.5, source="guess")
    """By which a model may miss its circles, root mean square."""
    least_step_ratio: float = parameter(0.7, unit="factor", least=0.3, most=1, source="guess")
    """Of the steps of two rows, at least."""
    most_step_ratio: float = parameter(1.43, unit="factor", least=1, most=3, source="guess")
    """Of the steps of two rows, at most."""
    least_parallel: float = parameter(0.95, unit="cosine", least=0.5, most=1, source="guess")
    """Of the angle between two rows."""
    least_apart: float = parameter(1.5, unit="radii", least=1, most=3, source="guess")
    """Distance of two rows in the picture."""
    most_apart: float = parameter(3.2, unit="steps", least=1, most=6, source="guess")
    """Distance of two rows in the picture."""
    most_depth: float = parameter(6.0, unit="factor", least=1, most=20, source="guess")
    """By which the nearest column pitch may be longer than the farthest."""
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
    """Which candidates a lattice gathers, and what it is worth (`vision.board.lattice`)."""

    least_radius: float = parameter(0.24, unit="column pitches", least=0.1, most=0.4, source="guess")
    """Least radius of a pit."""
    most_radius: float = parameter(0.56, unit="column pitches", least=0.4, most=0.7, source="guess")
    """Greatest radius of a pit."""
    off_place: float = parameter(0.30, unit="column pitches", least=0.1, most=0.5, source="guess")
    """How far a candidate may lie from its place."""
    slender: float = parameter(0.36, unit="column pitches", least=0.1, most=0.5,
        source="guess: pits stand close on a board, seeds and nails do not")
    """Radius below which a filled place is worth less."""
    slender_loss: float = parameter(4.0, unit="filled places a column pitch", least=0, most=20, source="guess")
    """So much less."""
    usual_share: float = parameter(0.85, unit="share of the usual score", least=0.3, most=1, source="guess")
    """Score from which on a candidate is worth its full worth."""
    off_loss: float = parameter(0.5, unit="filled places", least=0, most=2, source="guess")
    """What a candidate as far off its place as it may lie loses, by the square of the distance."""
    unseen_loss: float = parameter(0.25, unit="filled places", least=0, most=2, source="guess")
    """What a place beyond the picture costs."""
    beyond_loss: float = parameter(0.9, unit="filled places", least=0, most=5,
        source="guess: bricks, keys and waffles go on, a board ends")
    """What a filled place just outside a board costs."""
    least_filled_row: float = parameter(0.4, unit="share of a row", least=0, most=1, source="guess")
    """That is filled of a board whose columns are not known."""
    least_filled: float = parameter(0.5, unit="share of the places", least=0, most=1, source="guess")
    """That is filled of a board."""
    plain_hinge: float = parameter(0.2, unit="column pitches", least=0.05, most=0.8, source="guess")
    """Gap from which on a hinge is one that has to lie in the middle."""
    store_reach: float = parameter(2.2, unit="column pitches", least=0.5, most=5, source="guess")
    """From the last pit, within which a store lies."""
    store_aside: float = parameter(0.8, unit="column pitches", least=0.1, most=3, source="guess")
    """From the middle of the rows, within which it lies."""
    pit_radius: float = parameter(0.42, unit="column pitches", least=0.2, most=0.55, source="guess")
    """Radius of the pits of which none was seen."""
    faint_loss: float = parameter(2.2, unit="worth a share of the score", least=0, most=10, source="guess")
    """How fast a candidate loses its worth with a score below the others'."""
    lopsided_loss: float = parameter(3.5, unit="filled places", least=0, most=20, source="guess")
    """What a hinge beside the middle costs a board that is not cut."""
    miss_loss: float = parameter(0.6, unit="filled places", least=0, most=2, source="guess")
    """What an empty place costs, where a filled one earns up to 1."""
    flat_weight: float = parameter(0.3, unit="pits at the ends of rows", least=0, most=10, source="guess")
    """How many pits the supposition weighs that a board is flat."""
    off_bend: float = parameter(0.1, unit="row pitches", least=0.01, most=0.5, source="guess")
    """How far from where the bend leads a pit begins to count less."""
    most_bend: float = parameter(0.6, unit="row pitches", least=0, most=2,
        source="guess: rows that are bent more are pits on arcs")
    """How far the ends of rows may lie aside of their middle."""
    ends_in_line: int = parameter(2, unit="circles", least=0, most=6, source="guess: stores and knobs")
    """Circles in line with a row of pits that are none."""
    plain_score: float = parameter(0.3, unit="score", least=0, most=1, source="guess")
    """Score of a candidate from which on a lattice has to explain it."""
    settled_told: int = parameter(18, unit="lattices", least=1, most=60, source="bound: time")
    """Of those found first, how many are fitted anew where the columns are known."""
    settled: int = parameter(8, unit="lattices", least=1, most=60,
        source="bound: time; where columns are not known, the less likely ones are mostly patterns")
    """The same where they are not."""
    laid: int = parameter(4, unit="lattices", least=1, most=20, source="bound: time")
    """Of those that may explain the same candidates, how many are laid on the picture."""
    laid_elsewhere: int = parameter(6, unit="lattices", least=1, most=20, source="bound: time")
    """The same where a board's other places are looked for."""


@dataclass(frozen=True, slots=True)
class ProposalLimits:
    """Where the network of pits looks again (`vision.board.proposals`)."""

    sure: float = parameter(0.3, unit="score", least=0.1, most=0.9, source="guess")
    """Score of a candidate of the network from which on it is sure: there it looks again."""
    least_score: float = parameter(0.15, unit="heat", least=0.01, most=0.5, source="guess")
    """Heat above which a peak is a candidate."""
    same_place: float = parameter(0.5, unit="radii", least=0.1, most=1.5, source="guess")
    """Distance below which two candidates mean the same pit."""
    rim_weight: float = parameter(0.7, unit="factor", least=0, most=1, source="guess")
    """Of the score of a candidate from rims that the network did not name."""
    cut_off: float = parameter(0.8, unit="radii", least=0, most=1.5, source="guess")
    """Distance from a part's edge below which a candidate is cut by it."""
    small_radius: float = parameter(13.0, unit="pixels of the network's picture", least=4, most=30, source="guess")
    """Radius below which pits are looked at in pieces of the picture."""
    piece: float = parameter(0.62, unit="share of a part's side", least=0.5, most=1, source="guess")
    """Side of such a piece: they overlap by more than a pit."""


@dataclass(frozen=True, slots=True)
class FittingLimits:
    """How a hypothesis is drawn onto the picture's rims (`vision.board.hypothesis`)."""

    rim_reach: tuple[float, ...] = parameter((0.30, 0.20, 0.16, 0.11, 0.11), unit="radii", least=0.02, most=0.5,
        source="guess")
    """Round by round, how far off a rim's edge may lie."""
    place_reach: tuple[float, ...] = parameter((0.0, 0.0, 0.2, 0.22, 0.22), unit="radii", least=0, most=0.5,
        source="guess")
    """Round by round, how far a pit may lie off its place on the lattice: at first the board moves as a whole."""
    uneven: float = parameter(0.07, unit="radii", least=0, most=0.5, source="guess")
    """How far a pit may lie off even steps on any board."""
    unevener: float = parameter(3.5, unit="factor", least=1, most=10, source="guess")
    """How many times as far off as its board's middle one it may lie."""
    place_weight: float = parameter(4.0, unit="edge points", least=0, most=50, source="guess")
    """How many edge points a pit's place on the lattice weighs."""
    network_weight: float = parameter(0.7, unit="share of a rim", least=0, most=1, source="guess")
    """Share of a rim that the network's word, when it is sure, weighs as much as."""
    shape_bias: float = parameter(0.05, unit="share of rims a unit of the logarithm", least=0, most=1, source="guess")
    """What speaks against rows that lie otherwise apart, in columns, than was supposed."""
    steadied_bare: float = parameter(0.75, unit="share of the way", least=0, most=1,
        source="244 pits of ten rendered carved boards (`vision.train.views`, seed 74000001): where a tenth, half and "
               "nine tenths of the rims are seen, they mislead by 0.22, 0.14 and 0.06 radii, even steps by 0.15")
    """Share of the way to its place at even steps that a pit without a rim is brought in the end."""
    steadied_plain: float = parameter(0.1, unit="share of the way", least=0, most=1, source="the same pits")
    """The same of one whose whole rim is seen."""


@dataclass(frozen=True, slots=True)
class ColumnLimits:
    """Which columns are a board's (`vision.board.columns`)."""

    kept: float = parameter(0.62, unit="share of the middle column's rims", least=0, most=1, source="guess")
    """Above which an end column stays."""
    kept_needed: float = parameter(0.3, unit="share of the middle column's rims", least=0, most=1, source="guess")
    """Above which it stays where no board has fewer columns."""
    added: float = parameter(0.75, unit="share of the middle column's rims", least=0, most=1, source="guess")
    """Above which a column more is one."""
    facing_share: float = parameter(0.6, unit="share of the usual", least=0, most=1, source="guess")
    """Of the rims where the rows face each other, below which a column is taken for part of a store."""
    facing_weight: float = parameter(0.6, unit="weight", least=0, most=2, source="guess")
    """Of what is missing of it."""
    named: float = parameter(0.5, unit="score", least=0, most=1, source="guess")
    """The network's mean score of a column from which on nothing speaks for part of a store."""
    plain_score: float = parameter(0.5, unit="score", least=0, most=1, source="guess")
    """The network's mean score at all places from which on no other circles are looked for."""
    alike: float = parameter(0.6, unit="share of the middle column's score", least=0, most=1, source="guess")
    """Score by the network from which on an end column is one of pits."""
    unlike: float = parameter(0.5, unit="share of the middle column's score", least=0, most=1,
        source="guess: the rims of stores are round, too")
    """Score by the network up to which an end column is hardly one of pits."""
    named_odds: float = parameter(0.05, unit="probability", least=0, most=0.5, source="guess")
    """Of a size from which on it is said that a board may have it."""
    store_loss: float = parameter(0.45, unit="share of the middle column's rims", least=0, most=2, source="guess")
    """What speaks against an end column where a store lies, when the other end's store lies beyond the pits."""


@dataclass(frozen=True, slots=True)
class LevellingLimits:
    """How a picture is levelled on a board that is seen slantwise (`vision.board.levelling`, `vision.board.find`)."""

    room_along: float = parameter(2.4, unit="board units", least=0.5, most=5, source="guess")
    """Beyond the pits, along the rows, that is redrawn with them: for stores, and for columns that were not seen."""
    room_across: float = parameter(1.6, unit="board units", least=0.5, most=5, source="guess")
    """Beyond the pits, across the rows, that is redrawn with them: for rows that were not seen."""
    reach_along: float = parameter(7.0, unit="board units", least=0, most=12, source="guess")
    """Beyond the pits, along the rows, within which others are taken for the board's."""
    reach_across: float = parameter(1.0, unit="board units", least=0, most=4, source="guess")
    """Beyond the pits, across the rows, within which others are taken for the board's."""
    longest_side: int = parameter(1120, unit="pixels", least=320, most=4000, source="guess")
    """Greatest longer side of a levelled picture."""
    farthest: float = parameter(4.0, unit="factor", least=1, most=20, source="guess: beyond it all is smeared")
    """How many times as far as its middle a levelled picture reaches at most."""
    slanted: float = parameter(1.25, unit="slant", least=1, most=2, source="guess")
    """From which slant on a board is looked at again in the picture levelled on it (`vision.board.levelling.slant`)."""
    guessed_tilt_deg: float = parameter(45.0, unit="degrees off the plumb", least=20, most=70, source="guess")
    """Tilt that is tried where no board was found."""
    rounds: int = parameter(2, unit="rounds", least=1, most=5, source="guess")
    """How often a picture is levelled at most, each time on what was found in the last."""
    level: float = parameter(1.1, unit="slant", least=1, most=1.5, source="guess")
    """Slant of a levelled board up to which it is worth its full worth."""
    askew: float = parameter(1.25, unit="slant", least=1, most=2, source="guess")
    """Slant of a levelled board from which on it was levelled on the wrong thing, and is levelled again."""


@dataclass(frozen=True, slots=True)
class AcceptanceLimits:
    """What speaks for a board, and how much it takes (`vision.board.find`)."""

    par: float = parameter(0.34, unit="share of a rim", least=0, most=1, source="guess")
    """Share of a rim that speaks neither for nor against a pit."""
    network_worth: float = parameter(0.2, unit="rims", least=0, most=1, source="guess")
    """What a pit that the network is sure of is worth besides."""
    least_score: float = parameter(0.42, unit="mean share of the rims", least=0, most=1, source="guess")
    """Score up to which a board's rims are faint."""
    shown: float = parameter(3.0, unit="odds", least=0.01, most=1000,
        source="who has a board looked for mostly shows one; of 198 rendered pictures (`vision.train.views`, seed "
               "74000001) all 71 boards pass whose pits were found, and 15 of 77 other things; with even odds 70 and 6")
    """How much likelier a picture shows a board, beforehand, than not."""
    network_fails: float = parameter(0.05, unit="probability", least=0.001, most=0.5,
        source="guess: it may see pits everywhere; with even odds the same of those pictures pass as with 0")
    """That what the network says of a picture has nothing to do with it."""
    possible: float = parameter(200.0, unit="odds", least=1, most=10_000, source="guess")
    """Odds against a board up to which a refusal says which one it might be."""
    least_radius: float = parameter(3.0, unit="pixels", least=1, most=10, source="guess")
    """Mean radius of the pits under which nothing is a board."""
    goes_on: float = parameter(0.65, unit="share of the board's own", least=0.2, most=1, source="guess")
    """Rims beside the board from which on it is no board but part of a pattern."""
    least_rim: float = parameter(0.28, unit="share of a rim", least=0, most=1, source="guess")
    """Least share of a rim found at all pits but the worst."""
    least_rim_named: float = parameter(0.12, unit="share of a rim", least=0, most=1,
        source="guess: on dark or plain wood hardly a rim is seen")
    """The same where the network is sure of nearly all pits that it was told to look for."""
    named_sure: float = parameter(0.9, unit="share of the pits", least=0.5, most=1, source="guess")
    """How many of them it has to be sure of for that."""
    least_rim_everywhere: float = parameter(0.02, unit="share of a rim", least=0, most=1, source="guess")
    """The same where the network has something at nearly all of just these: next to none."""
    something_score: float = parameter(0.1, unit="score", least=0, most=0.5, source="guess")
    """Score from which on the network has something at a place."""
    something_everywhere: float = parameter(0.95, unit="share of the pits", least=0.5, most=1, source="guess")
    """At how many of them it has to have something for that."""
    least_named: float = parameter(0.3, unit="mean score", least=0, most=1,
        source="guess: there are more ways to see a pattern slantwise than straight, and a part of one than all of it")
    """Least mean score that the network gives the pits of a board that only the levelled picture shows, or that the
    picture's edge cuts."""
    doubtful: float = parameter(0.5, unit="mean share of the rims", least=0, most=1,
        source="guess: of a dark board the rims are faint, and the shade in its pits is plain, so that the half of "
               "every pit that lies in shade is taken for all of it")
    """Score up to which it is looked again with the dark drawn out."""
    dark_power: float = parameter(0.5, unit="exponent", least=0.2, most=1, source="guess")
    """The power to which light, as a share of the most, is taken for that."""
    named_score: float = parameter(0.5, unit="score", least=0.1, most=1, source="guess")
    """Of a pit of which the network is sure, where it was told how many to look for."""
    worst_fifth: float = parameter(0.2, unit="share of the pits", least=0, most=0.5, source="guess")
    """Whose rims may be found less than the least."""
    worst_told: float = parameter(0.5, unit="share of the pits", least=0, most=0.8,
        source="guess: arms, shade and worn rims hide them; half the pits of a size that was told are no chance")
    """The same where the board's size is told."""
    rough_loss: float = parameter(2.0, unit="share of the score a column pitch", least=0, most=10, source="guess")
    """What pits off even steps cost a board."""
    most_rough_loss: float = parameter(0.5, unit="share of the score", least=0, most=1, source="guess")
    """The most that they cost it."""
    beside_inside: float = parameter(0.6, unit="share of the places", least=0, most=1, source="guess")
    """Beside the board that have to lie in the picture for it to be asked whether the pattern goes on."""
    beside_score: float = parameter(0.7, unit="share of what speaks for the usual pit", least=0, most=1, source="guess")
    """Of a circle beside the board that is like its pits."""
    beside_off: float = parameter(0.5, unit="radii", least=0.1, most=1, source="guess")
    """From its place, up to which it is."""
    beside_least_radius: float = parameter(0.7, unit="factor", least=0.3, most=1, source="guess")
    """Of its radius in the pits', at least."""
    beside_most_radius: float = parameter(1.4, unit="factor", least=1, most=3, source="guess")
    """Of its radius in the pits', at most."""
    least_side: int = parameter(64, unit="pixels", least=16, most=320, source="guess")
    """Pictures with a shorter side than this are not searched."""
    other_size: float = parameter(1.5, unit="factor", least=1.05, most=3, source="guess")
    """As large, or as small, as they were its pits may be in a picture of a board that was moved."""
    aside_columns: int = parameter(2, unit="columns", least=0, most=4,
        source="guess: stores, and what lies in them, look like pits")
    """Columns by which a board may have been found aside."""
    apart: float = parameter(0.15, unit="radii", least=0.02, most=1, source="guess")
    """Distance of two boards' pits, in the mean, from which on they are not the same."""
    square_inside: float = parameter(0.6, unit="radii", least=0.2, most=0.9, source="guess: clear of the rim")
    """Within which the colour of a pit, or of what is taken for one, is looked at."""
    square_share: float = parameter(0.75, unit="share of the variance", least=0.5, most=1,
        source="chosen: least row of a chess board taken for 4x8 0.94; of 20 photographs of boards at most 0.29")
    """Of the colours of a row's places, from which on they go in turn."""
    square_uneven: float = parameter(0.5, unit="distances of the two colours", least=0.1, most=1,
        source="guess: seeds that cover two fifths of a pit make it uneven by 1.2 of what they change its mean")
    """Up to which places of either colour vary in themselves, as squares do."""


@dataclass(frozen=True, slots=True)
class HandedLimits:
    """Which circles that people hand over are pits of a board seen slantwise (`vision.board.handed`)."""

    least_pits: int = parameter(8, unit="circles", least=6, most=16,
        source="guess: through fewer some homography always runs")
    """From which on a board is looked for in them."""
    most_pits: int = parameter(48, unit="circles", least=10, most=64, source="guess")
    """Up to which it is."""
    least_row: int = parameter(3, unit="circles", least=3, most=6, source="guess")
    """Of a row."""
    most_missing: int = parameter(2, unit="pits", least=0, most=4, source="guess")
    """Of the board that were not handed over."""
    off_row: float = parameter(0.4, unit="radii", least=0.05, most=0.8,
        source="guess: two rows seen from low aside are hardly more than a radius apart")
    """How far a circle may lie off the line of its row."""
    bows: tuple[float, ...] = parameter((0.0, -0.5, 0.5, -1.0, 1.0), unit="mean radii", least=-2, most=2,
        source="guess: a museum's board of four rows sags by 0.4")
    """By which rows are supposed to be bowed where no plane goes through them."""
    rows_tried: int = parameter(8, unit="rows", least=1, most=40, source="guess")
    """How many of those that may lie outermost are followed."""
    gaps: tuple[float, ...] = parameter((0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.8, 1.0), unit="pitches", least=0, most=1.5,
        source="guess")
    """By which the middle columns, or the middle rows of four, are supposed to lie further apart."""
    gap_loss: float = parameter(0.002, unit="column pitches of the error", least=0, most=0.1, source="guess")
    """What a board loses that is supposed to part there."""
    missing_loss: float = parameter(0.005, unit="column pitches of the error a pit", least=0, most=0.1, source="guess")
    """What it loses for every pit that is supposed to be missing."""
    unlikely_loss: float = parameter(0.002, unit="column pitches of the error a squared standard deviation", least=0,
        most=0.1, source="guess: so that rows shifted by a column are told from a board with two pits missing")
    """What it loses for lying as boards seldom do before a lens that is seldom used."""
    most_error: float = parameter(0.08, unit="column pitches", least=0.02, most=0.5,
        source="guess: circles are marked by hand, on boards carved by hand")
    """By which the circles may lie off their places, root mean square."""
    usual_skew: float = parameter(0.06, unit="cosine", least=0.01, most=0.3,
        source="guess: of circles marked by hand; with random cameras and boards the shapes come out better than with "
               "one focal length for all")
    """By which rows and columns of the board usually miss their right angle."""
    focal_spread: float = parameter(0.35, unit="natural logarithm", least=0.05, most=1,
        source="guess: from wide lenses to portraits")
    """By which focal lengths usually differ from `CameraGuess.focal`."""
    row_pitch: float = parameter(1.2, unit="column pitches", least=0.8, most=2, source="guess")
    """Usual distance of rows."""
    row_pitch_spread: float = parameter(0.25, unit="natural logarithm", least=0.05, most=1, source="guess")
    """By which it usually differs."""
    round_from: float = parameter(0.9, unit="shorter half axis by longer", least=0.5, most=1,
        source="guess: so much comes of how circles are marked")
    """From which on, at the flattest pit, pits are taken for round."""
    beside: float = parameter(0.9, unit="sum of two radii", least=0.5, most=1,
        source="guess: rims may touch, and circles are marked by hand")
    """Distance from which on two circles are taken to lie beside each other, and not over each other."""


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
