"""The tuned numbers by which hands are told from light, noise and seeds.

Each field has its unit, the range in which it may lie and where its number comes from: what it was measured on, or that
it is a guess, set by hand. Differences of light are natural logarithms. Canvas pixels are those of
`vision.hands.canvas.Canvas`: sixteen of them are a column pitch.
"""

from __future__ import annotations

from dataclasses import dataclass

from vision.parameter import parameter


@dataclass(frozen=True, slots=True)
class CanvasLimits:
    """What of the flat board is what (`vision.hands.canvas`)."""

    about_begins: float = parameter(3.0, unit="canvas pixels", least=0, most=8,
        source="guess: nearer, seeds at the rim shine across")
    """How far from a pit's rim what is about it begins."""
    about_ends: float = parameter(7.0, unit="canvas pixels", least=2, most=16, source="guess")
    """How far from a pit's rim what is about it ends."""
    pit_edge: float = parameter(1.04, unit="pits' radii", least=1, most=1.2, source="guess")
    """From a pit's middle, up to which a pixel lies in it."""
    rim_edge: float = parameter(1.32, unit="pits' radii", least=1.1, most=2, source="guess")
    """From a pit's middle, up to which a pixel lies on its rim."""
    field_margin: float = parameter(0.12, unit="board units", least=0, most=1, source="guess")
    """Round the pits' rims that belongs to the board's area."""
    light_floor_grey: float = parameter(14.0, unit="grey levels", least=1, most=50,
        source="guess: noise in the dark must not look like light")
    """Added before the logarithm of light is taken."""


@dataclass(frozen=True, slots=True)
class LightLimits:
    """Where another light falls, and where something else lies (`vision.hands.light`)."""

    fine: int = parameter(9, unit="canvas pixels", least=3, most=31, source="guess")
    """Across which the mean is taken off, so that the fine structure is left."""
    window: int = parameter(13, unit="canvas pixels", least=3, most=41,
        source="guess: most of a pit's rim and what lies beside it")
    """Across which the structure is compared."""
    alike: float = parameter(0.8, unit="correlation", least=0.3, most=1,
        source="guess: that of skin and board is 0 on the average")
    """From which on the board's structure shows through."""
    faintest: float = parameter(0.02, unit="natural log of light", least=0, most=0.2, source="guess")
    """Spread of a structure in the reference that can be told from noise."""
    faintest_in_noise: float = parameter(1.0, unit="times the frames' noise", least=0, most=10, source="guess")
    """The same, where there is much noise."""
    least_contrast: float = parameter(0.35, unit="factor", least=0, most=1,
        source="guess: light from another side raises or lowers it, and a brightness added to every level, as by a "
               "mist on the lens, lowers it")
    """Times as strong as in the reference, at least, that a structure may be which is the same."""
    most_contrast: float = parameter(2.5, unit="factor", least=1, most=10, source="guess, as `least_contrast`")
    """Times as strong as in the reference, at most."""
    near: int = parameter(9, unit="canvas pixels", least=3, most=41, source="guess")
    """Across which the light is averaged where much of the structure shows through."""
    wide: int = parameter(41, unit="canvas pixels", least=9, most=161, source="guess")
    """Across which it is averaged where little shows through."""
    enough: float = parameter(0.3, unit="share of what lies near", least=0.01, most=1, source="guess")
    """That has to show through for it alone to tell the light."""
    board_weight: float = parameter(0.1, unit="share of what lies about", least=0, most=1, source="guess")
    """As much as the whole board's light weighs."""
    edge_reach: int = parameter(17, unit="canvas pixels", least=3, most=61,
        source="guess: the edge of a shade, which the correlation does not see")
    """Across which two lights may meet."""
    apart: float = parameter(0.15, unit="natural log of light", least=0.02, most=1, source="guess")
    """Difference from which on two lights that meet are two."""


@dataclass(frozen=True, slots=True)
class ReferenceLimits:
    """What is usual where no hand is (`vision.hands.reference`)."""

    fewest_pixels: int = parameter(20, unit="canvas pixels", least=1, most=200, source="guess")
    """That a strip of the canvas needs for it to be known how it looks."""
    spread_factor: float = parameter(1.5, unit="factor", least=1, most=3,
        source="guess, from the median of the absolute deviations to a standard deviation")
    """By which a strip's deviations are multiplied for its spread."""
    least_spread: float = parameter(0.05, unit="natural log of light", least=0, most=0.5, source="guess")
    """Added to it."""
    least_area: float = parameter(0.05, unit="squares of a column pitch", least=0, most=1, source="guess")
    """Of a region, on the ridge or beside the board, that is asked how usual it looks."""
    odder_by: float = parameter(0.8, unit="spreads", least=0, most=5, source="guess")
    """By which what lay in a region has to look odder than what lies there now for it to have been a hand."""
    odder_share: float = parameter(0.75, unit="share of its oddness", least=0, most=1, source="guess")
    """Up to which what lies there now, and that much, has to look odd."""


@dataclass(frozen=True, slots=True)
class ShiftLimits:
    """When a board lies elsewhere (`vision.hands.shift`)."""

    moved: float = parameter(0.10, unit="board units", least=0.02, most=0.5, source="guess")
    """Shift that counts as moved."""
    moved_plainly: float = parameter(0.05, unit="board units", least=0.01, most=0.5,
        source="guess: beside a striped cloth the edges of a board that was nudged look like hands all round it")
    """Shift that does where either half of the board shows it plainly."""
    plain: float = parameter(0.9, unit="OpenCV's response", least=0.2, most=1, source="guess")
    """How sure OpenCV has to be of a half's shift for that."""
    trusted: float = parameter(0.12, unit="OpenCV's response", least=0.01, most=0.9, source="guess")
    """How sure it has to be for a half's shift to be believed."""
    strongest_edge: float = parameter(1.5, unit="natural log of light a pixel, by Sobel", least=0.2, most=5,
        source="guess")
    """More than this an edge does not count for."""
    alike: float = parameter(0.9, unit="correlation of the edges", least=0.5, most=1, source="guess")
    """From which on a board that seems to be shifted lies where it lay."""
    unlike: float = parameter(0.35, unit="correlation of the edges", least=0, most=0.9, source="guess")
    """Below which it lies elsewhere, or is gone, however it seems to be shifted."""
    astray_s: float = parameter(0.7, unit="seconds", least=0.1, most=5, source="guess")
    """For which it has to lie elsewhere to have moved."""
    busy_factor: float = parameter(5.0, unit="times what may change while nothing moves", least=1, most=50,
        source="guess")
    """From which change on hands are busy, so that nothing can be said."""


@dataclass(frozen=True, slots=True)
class SharpnessLimits:
    """When a picture is blurred (`vision.hands.segmentation`)."""

    blurred: float = parameter(0.25, unit="share of the usual sharpness", least=0.02, most=0.9, source="guess")
    """Below which a frame is blurred."""
    sharper_weight: float = parameter(0.3, unit="weight", least=0, most=1, source="guess")
    """Of a frame that is sharper than usual in what is usual."""
    weight: float = parameter(0.01, unit="weight", least=0, most=1, source="guess")
    """Of every frame that is not blurred."""


@dataclass(frozen=True, slots=True)
class ChangeLimits:
    """What differs from the reference by more than light (`vision.hands.segmentation`)."""

    tint: float = parameter(0.13, unit="natural log of light", least=0.02, most=1, source="guess")
    """One unit of change of colour."""
    lighter: float = parameter(0.20, unit="natural log of light", least=0.02, most=1, source="guess")
    """One unit of change of being lighter."""
    darker: float = parameter(0.20, unit="natural log of light", least=0.02, most=1, source="guess")
    """One unit of change of being darker than a shadow."""
    shadow: float = parameter(0.42, unit="natural log of light", least=0.05, most=2, source="guess")
    """How dark a shadow may be."""
    relief: float = parameter(0.17, unit="natural log of light", least=0.02, most=1, source="guess")
    """One unit of change of fine structure."""
    strong: float = parameter(1.6, unit="units of change", least=1, most=5, source="guess")
    """From which on a pixel differs plainly."""
    least_ridge: float = parameter(0.15, unit="share of the ridge", least=0, most=1, source="guess")
    """That has to be free for it to tell the light."""
    least_outside: float = parameter(0.1, unit="share of a pixel's surroundings", least=0, most=1, source="guess")
    """That has to lie beside the pits for these alone to be its surroundings."""
    moving_change: float = parameter(0.7, unit="units of change", least=0.1, most=1, source="guess")
    """Enough where something moved of late."""
    gone_change: float = parameter(0.35, unit="units of change", least=0.05, most=1, source="guess")
    """From which on what lies about a hand that has left belongs to it."""
    unshaded: float = parameter(0.25, unit="share of the ridge", least=0, most=1, source="guess: less may be a hand")
    """That lies in the light, at least, where a shade lies over the rest."""
    shaded: float = parameter(0.05, unit="share of the canvas", least=0, most=1, source="guess")
    """Over which another light falls than over the rest from which on a shade, or a gleam, is about."""
    shows: float = parameter(0.04, unit="share of what looks like hands", least=0, most=1, source="guess")
    """In which the board's structure has to show through for another light to be looked for, where none was found of
    late."""
    explained_s: float = parameter(0.12, unit="seconds", least=0, most=2, source="guess")
    """After a shade was about, for which what looked like a hand a frame ago still counts as one."""
    free: float = parameter(0.01, unit="share of the board", least=0, most=0.2, source="guess")
    """Below which next to no hands are over it."""


@dataclass(frozen=True, slots=True)
class RegionLimits:
    """Which changed regions are hands, and what they cover (`vision.hands.segmentation`)."""

    recent_s: float = parameter(0.8, unit="seconds", least=0.1, most=5, source="guess")
    """In which the memory of what moved where fades to a third."""
    trail: float = parameter(0.4, unit="memory, 0 to 1", least=0, most=1, source="guess")
    """How well a movement has to be remembered to lead a hand to the edge."""
    fresh: float = parameter(0.8, unit="memory, 0 to 1", least=0, most=1, source="guess")
    """How well it has to be remembered to be one of just now."""
    stirred: float = parameter(0.25, unit="share of a region", least=0, most=1, source="guess")
    """That has to have moved just now for it to be a hand though it looks much like the board or the table."""
    bridge: int = parameter(7, unit="canvas pixels", least=1, most=21, source="guess")
    """Across which parts of a hand belong together."""
    least_area: float = parameter(0.12, unit="squares of a column pitch", least=0.01, most=2, source="guess")
    """Of a region that is a hand."""
    strong_share: float = parameter(0.25, unit="share of a region", least=0, most=1, source="guess")
    """That has to differ plainly for it to be a hand, unless movement leads to it."""
    edge_pixels: int = parameter(2, unit="canvas pixels", least=1, most=20, source="guess")
    """Of the canvas's edge that a hand reaches at the least."""
    both_sides: float = parameter(0.3, unit="share of the other edge's pixels", least=0, most=1, source="guess")
    """From which on a region that comes in over both long edges is two hands that touch."""
    rim_covered: float = parameter(0.10, unit="share of a rim", least=0, most=1, source="guess")
    """From which on its pit is covered."""
    rim_touched: float = parameter(0.02, unit="share of a rim", least=0, most=1, source="guess")
    """From which on it is, where much of the pit itself is covered, too."""
    about_covered: float = parameter(0.12, unit="share of what lies about a pit", least=0, most=1, source="guess")
    """That a hand has to cover for what has changed in the pit, and lies still, to be its."""
    pit_covered: float = parameter(0.08, unit="share of a pit", least=0, most=1, source="guess")
    """From which on it is covered, as far as what covers it shows on its rim, too."""
    part: float = parameter(0.02, unit="share of the board", least=0.001, most=0.2,
        source="guess: a finger is as large")
    """That has to be covered without a break for something to lie there."""


@dataclass(frozen=True, slots=True)
class MotionLimits:
    """What moves, what is noise, and when nothing is looked at closely (`vision.hands.segmentation`)."""

    usual_noise: float = parameter(0.02, unit="natural log of light", least=0.001, most=0.1, source="guess")
    """Difference in the middle of two frames that is taken for noise before any is known; more than that raises what
    counts as change."""
    least_noise: float = parameter(0.004, unit="natural log of light", least=0, most=0.1, source="guess")
    """What is taken for noise at the least."""
    noise_weight: float = parameter(0.05, unit="weight", least=0, most=1, source="guess")
    """Of the newest frame in what is known of the noise."""
    moving: float = parameter(0.10, unit="natural log of light", least=0.01, most=1, source="guess")
    """Difference between frames from which on something moves."""
    moving_in_noise: float = parameter(7.0, unit="times the noise", least=1, most=30, source="guess")
    """The same, where there is much noise."""
    quiet_frames: int = parameter(3, unit="frames", least=1, most=30, source="guess")
    """Without movement after which it is quiet."""
    most_noise: float = parameter(0.06, unit="natural log of light", least=0.01, most=0.5, source="guess")
    """Difference in the middle of two frames that is noise at the most."""
    repeated: float = parameter(0.0015, unit="natural log of light", least=0, most=0.02, source="guess")
    """Difference between two frames, in the middle, up to which they are the same picture."""
    most_leaps: float = parameter(0.06, unit="share of the board", least=0, most=0.5,
        source="guess: packed small, a block here and there leaps in every frame, more than any camera's noise")
    """Up to which what changes between frames may be the pictures' own unrest."""
    listened_s: float = parameter(2.0, unit="seconds", least=0.2, most=10, source="guess")
    """Over which that is listened to."""
    packed_anew: float = parameter(0.5, unit="share of the usual noise", least=0, most=1, source="guess")
    """Below which a frame is the one before once more, packed anew."""
    leap: float = parameter(0.12, unit="share of the board", least=0.02, most=1,
        source="guess: a hand's way in a frame is shorter, and webcams begin with a broken picture or two")
    """That changes from one frame to the next from which on nothing is learnt from the frame."""
    leap_of_light: float = parameter(0.05, unit="natural log of light", least=0.01, most=1,
        source="guess: webcams set their exposure in leaps")
    """By how much the middle of the board gets brighter or darker from which on nothing is learnt from the frame."""
    starts_s: float = parameter(1.0, unit="seconds", least=0, most=5, source="guess")
    """In which a camera finds its feet: so long, at most, the reference begins anew with every frame."""
    begins: float = parameter(0.02, unit="share of the canvas", least=0, most=0.2, source="guess")
    """In which two frames may differ for the reference to be begun."""
    still: float = parameter(0.004, unit="share of the board", least=0.0005, most=0.05, source="guess")
    """That may change between frames while nothing moves, at most."""
    idle_pixels: int = parameter(8, unit="canvas pixels", least=0, most=100, source="guess: a fourth of the least hand")
    """That may change while nothing comes over the board."""
    idle_s: float = parameter(0.2, unit="seconds", least=0, most=2, source="guess")
    """For which a board over which nothing comes need not be looked at closely again."""


@dataclass(frozen=True, slots=True)
class LearningLimits:
    """How the reference follows the board (`vision.hands.segmentation`)."""

    drift_s: float = parameter(6.0, unit="seconds", least=0.5, most=60, source="guess")
    """In which the reference follows the light."""
    pit_rate: float = parameter(0.6, unit="share a frame", least=0, most=1, source="guess")
    """By which a free pit's reference comes nearer to what lies in it."""
    pit_frames: int = parameter(2, unit="frames", least=1, most=30, source="guess")
    """For which a pit has to lie free for that."""
    pit_stirred: float = parameter(0.02, unit="share of a pit", least=0, most=1, source="guess")
    """In which something moves, from which on it does not lie free."""
    settled_s: float = parameter(120.0, unit="seconds", least=5, most=1000, source="guess")
    """After which a thing that has not moved at all is part of the scene."""
    laid_s: float = parameter(0.6, unit="seconds", least=0.1, most=10,
        source="guess: seeds that were captured lie there, or fingers on the edge, which are noticed again when they "
               "move")
    """After which that holds of what covers no pit."""
    left_s: float = parameter(0.3, unit="seconds", least=0.05, most=5, source="guess")
    """After which a hand that does not move may be one that has left."""


@dataclass(frozen=True, slots=True)
class DarknessLimits:
    """When a board is too dark to be read (`vision.hands.segmentation`)."""

    dark_grey: float = parameter(22.0, unit="grey levels", least=5, most=80,
        source="guess: pale seeds on a dark board stand out in little light")
    """Half of the board is below it where it is too dark."""
    lit_grey: float = parameter(50.0, unit="grey levels", least=10, most=150,
        source="guess: a black board on a bright table is in the light, too")
    """Next to nothing on the board, or round it, is above it where it is too dark."""
    darker_yet: float = parameter(0.8, unit="share of these levels", least=0.3, most=1,
        source="guess: a hand over a dark board is the brightest thing there, and when it leaves nothing has got "
               "darker")
    """Below which it becomes too dark where it was not."""


CANVAS = CanvasLimits()
LIGHT = LightLimits()
REFERENCE = ReferenceLimits()
SHIFT = ShiftLimits()
SHARPNESS = SharpnessLimits()
CHANGE = ChangeLimits()
REGION = RegionLimits()
MOTION = MotionLimits()
LEARNING = LearningLimits()
DARKNESS = DarknessLimits()
