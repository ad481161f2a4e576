"""The tuned numbers by which hands are told from light, noise and seeds.

Each field has its unit, its range and its source: what it was measured on, or "guess" if it was set by hand.
Differences of light are natural logarithms. Canvas pixels are those of `vision.hands.canvas.Canvas`: sixteen of them
are a column pitch.
"""

from __future__ import annotations

from dataclasses import dataclass

from vision.parameter import parameter


@dataclass(frozen=True, slots=True)
class CanvasLimits:
    """The zones of the flat board (`vision.hands.canvas`)."""

    about_begins: float = parameter(3.0, unit="canvas pixels", least=0, most=8,
        source="guess: nearer, seeds at the rim shine across")
    """Distance from a pit's rim at which its surroundings begin."""
    about_ends: float = parameter(7.0, unit="canvas pixels", least=2, most=16, source="guess")
    """Distance from a pit's rim at which its surroundings end."""
    pit_edge: float = parameter(1.04, unit="pits' radii", least=1, most=1.2, source="guess")
    """Greatest distance from a pit's middle of a pixel inside the pit."""
    rim_edge: float = parameter(1.32, unit="pits' radii", least=1.1, most=2, source="guess")
    """Greatest distance from a pit's middle of a pixel on its rim."""
    field_margin: float = parameter(0.12, unit="board units", least=0, most=1, source="guess")
    """Margin round the pits' rims that still belongs to the board's area."""
    light_floor_grey: float = parameter(14.0, unit="grey levels", least=1, most=50,
        source="guess: noise in the dark must not look like light")
    """Constant added before the logarithm of light is taken."""


@dataclass(frozen=True, slots=True)
class LightLimits:
    """What tells a change of light from a thing that covers the board (`vision.hands.light`)."""

    fine: int = parameter(9, unit="canvas pixels", least=3, most=31, source="guess")
    """Width of the mean that is subtracted to leave the fine structure."""
    window: int = parameter(13, unit="canvas pixels", least=3, most=41,
        source="guess: most of a pit's rim and what lies beside it")
    """Width of the window in which structures are compared."""
    alike: float = parameter(0.8, unit="correlation", least=0.3, most=1,
        source="guess: that of skin and board is 0 on the average")
    """Least correlation at which the board's structure shows through."""
    faintest: float = parameter(0.02, unit="natural log of light", least=0, most=0.2, source="guess")
    """Least spread of a structure in the reference that differs from noise."""
    faintest_in_noise: float = parameter(1.0, unit="times the frames' noise", least=0, most=10, source="guess")
    """The same spread where there is much noise."""
    least_contrast: float = parameter(0.35, unit="factor", least=0, most=1,
        source="guess: light from another side raises or lowers it, and a brightness added to every level, as by a "
               "mist on the lens, lowers it")
    """Least contrast of the same structure, relative to the reference."""
    most_contrast: float = parameter(2.5, unit="factor", least=1, most=10, source="guess, as `least_contrast`")
    """Greatest contrast of the same structure, relative to the reference."""
    near: int = parameter(9, unit="canvas pixels", least=3, most=41, source="guess")
    """Width of the average of the light where much of the structure shows through."""
    wide: int = parameter(41, unit="canvas pixels", least=9, most=161, source="guess")
    """Width of that average where little shows through."""
    enough: float = parameter(0.3, unit="share of what lies near", least=0.01, most=1, source="guess")
    """Share that has to show through for the light to be averaged near by."""
    board_weight: float = parameter(0.1, unit="share of what lies about", least=0, most=1, source="guess")
    """Weight of the whole board's light."""
    edge_reach: int = parameter(17, unit="canvas pixels", least=3, most=61,
        source="guess: the edge of a shade, which the correlation does not see")
    """Width across which two lights may meet."""
    apart: float = parameter(0.15, unit="natural log of light", least=0.02, most=1, source="guess")
    """Least difference between two lights that meet."""


@dataclass(frozen=True, slots=True)
class ReferenceLimits:
    """What the canvas usually looks like without a hand (`vision.hands.reference`)."""

    fewest_pixels: int = parameter(20, unit="canvas pixels", least=1, most=200, source="guess")
    """Fewest pixels from which a strip's usual look is learnt."""
    spread_factor: float = parameter(1.5, unit="factor", least=1, most=3,
        source="guess, from the median of the absolute deviations to a standard deviation")
    """Factor from a strip's median deviation to its spread."""
    least_spread: float = parameter(0.05, unit="natural log of light", least=0, most=0.5, source="guess")
    """Constant added to that spread."""
    least_area: float = parameter(0.05, unit="squares of a column pitch", least=0, most=1, source="guess")
    """Least area, on the ridge or beside the board, of a region whose look is judged."""
    odder_by: float = parameter(0.8, unit="spreads", least=0, most=5, source="guess")
    """How much odder a region has to look in the reference than now for the reference to show a hand there."""
    odder_share: float = parameter(0.75, unit="share of its oddness", least=0, most=1, source="guess")
    """Greatest oddness now, with `odder_by` added, relative to the oddness in the reference."""


@dataclass(frozen=True, slots=True)
class ShiftLimits:
    """When a board has moved (`vision.hands.shift`)."""

    moved: float = parameter(0.10, unit="board units", least=0.02, most=0.5, source="guess")
    """Shift from which on the board has moved."""
    moved_plainly: float = parameter(0.05, unit="board units", least=0.01, most=0.5,
        source="guess: beside a striped cloth the edges of a board that was nudged look like hands all round it")
    """The same where either half of the board shows the shift plainly."""
    plain: float = parameter(0.9, unit="OpenCV's response", least=0.2, most=1, source="guess")
    """Least response at which a half shows a shift plainly."""
    trusted: float = parameter(0.12, unit="OpenCV's response", least=0.01, most=0.9, source="guess")
    """Least response at which a half's shift is believed."""
    strongest_edge: float = parameter(1.5, unit="natural log of light a pixel, by Sobel", least=0.2, most=5,
        source="guess")
    """Cap on the strength of an edge."""
    alike: float = parameter(0.9, unit="correlation of the edges", least=0.5, most=1, source="guess")
    """Correlation from which on the board lies where it lay, whatever shift is measured."""
    unlike: float = parameter(0.35, unit="correlation of the edges", least=0, most=0.9, source="guess")
    """Correlation below which the board has moved or is gone, whatever shift is measured."""
    astray_s: float = parameter(0.7, unit="seconds", least=0.1, most=5, source="guess")
    """Time for which a board has to lie elsewhere to have moved."""
    busy_factor: float = parameter(5.0, unit="times what may change while nothing moves", least=1, most=50,
        source="guess")
    """Change from which on hands are too busy for the board's place to be judged."""


@dataclass(frozen=True, slots=True)
class SharpnessLimits:
    """When a picture is blurred (`vision.hands.segmentation`)."""

    blurred: float = parameter(0.25, unit="share of the usual sharpness", least=0.02, most=0.9, source="guess")
    """Sharpness below which a frame is blurred."""
    sharper_weight: float = parameter(0.3, unit="weight", least=0, most=1, source="guess")
    """Weight of a frame that is sharper than usual in the usual sharpness."""
    weight: float = parameter(0.01, unit="weight", least=0, most=1, source="guess")
    """Weight of every other frame that is not blurred."""


@dataclass(frozen=True, slots=True)
class ChangeLimits:
    """How a frame differs from the reference by more than light (`vision.hands.segmentation`)."""

    tint: float = parameter(0.13, unit="natural log of light", least=0.02, most=1, source="guess")
    """Change of colour that counts as one unit of change."""
    lighter: float = parameter(0.20, unit="natural log of light", least=0.02, most=1, source="guess")
    """Brightening that counts as one unit of change."""
    darker: float = parameter(0.20, unit="natural log of light", least=0.02, most=1, source="guess")
    """Darkening beyond a shadow that counts as one unit of change."""
    shadow: float = parameter(0.42, unit="natural log of light", least=0.05, most=2, source="guess")
    """Greatest darkening by a shadow."""
    relief: float = parameter(0.17, unit="natural log of light", least=0.02, most=1, source="guess")
    """Change of fine structure that counts as one unit of change."""
    strong: float = parameter(1.6, unit="units of change", least=1, most=5, source="guess")
    """Change from which on a pixel differs plainly."""
    least_ridge: float = parameter(0.15, unit="share of the ridge", least=0, most=1, source="guess")
    """Share that has to be free for the light to be measured on it."""
    least_outside: float = parameter(0.1, unit="share of a pixel's surroundings", least=0, most=1, source="guess")
    """Share that has to lie outside the pits for the pits to be left out of the surroundings."""
    moving_change: float = parameter(0.7, unit="units of change", least=0.1, most=1, source="guess")
    """Change that suffices where something moved recently."""
    gone_change: float = parameter(0.35, unit="units of change", least=0.05, most=1, source="guess")
    """Change from which on the surroundings of a hand that has left belong to it."""
    unshaded: float = parameter(0.25, unit="share of the ridge", least=0, most=1, source="guess: less may be a hand")
    """Least share in full light where a shadow covers the rest."""
    shaded: float = parameter(0.05, unit="share of the canvas", least=0, most=1, source="guess")
    """Share in a different light from which on there is a shadow or a gleam."""
    shows: float = parameter(0.04, unit="share of what looks like hands", least=0, most=1, source="guess")
    """Share in which the board's structure has to show through for a change of light to be looked for, if none was
    found recently."""
    explained_s: float = parameter(0.12, unit="seconds", least=0, most=2, source="guess")
    """Time after a shadow for which a hand of the frame before still counts."""
    free: float = parameter(0.01, unit="share of the board", least=0, most=0.2, source="guess")
    """Covered share below which hardly any hand is over the board."""


@dataclass(frozen=True, slots=True)
class RegionLimits:
    """Which changed regions are hands, and what they cover (`vision.hands.segmentation`)."""

    recent_s: float = parameter(0.8, unit="seconds", least=0.1, most=5, source="guess")
    """Time in which the memory of movement fades to 1/e."""
    trail: float = parameter(0.4, unit="memory, 0 to 1", least=0, most=1, source="guess")
    """Memory of movement that can connect a hand to the edge."""
    fresh: float = parameter(0.8, unit="memory, 0 to 1", least=0, most=1, source="guess")
    """Memory of movement from which on it was just now."""
    stirred: float = parameter(0.25, unit="share of a region", least=0, most=1, source="guess")
    """Share that has to have moved just now for a region that looks much like board or table to be a hand."""
    bridge: int = parameter(7, unit="canvas pixels", least=1, most=21, source="guess")
    """Gap across which parts belong to one hand."""
    least_area: float = parameter(0.12, unit="squares of a column pitch", least=0.01, most=2, source="guess")
    """Least area of a hand."""
    strong_share: float = parameter(0.25, unit="share of a region", least=0, most=1, source="guess")
    """Share that has to differ plainly for a region to be a hand, unless movement leads to it."""
    edge_pixels: int = parameter(2, unit="canvas pixels", least=1, most=20, source="guess")
    """Fewest pixels of the canvas's edge that a hand reaches."""
    both_sides: float = parameter(0.3, unit="share of the other edge's pixels", least=0, most=1, source="guess")
    """Share from which on a region that crosses both long edges is two hands that touch."""
    rim_covered: float = parameter(0.10, unit="share of a rim", least=0, most=1, source="guess")
    """Covered share of the rim from which on a pit is covered."""
    rim_touched: float = parameter(0.02, unit="share of a rim", least=0, most=1, source="guess")
    """The same if `pit_covered` of the pit itself is covered, too."""
    about_covered: float = parameter(0.12, unit="share of what lies about a pit", least=0, most=1, source="guess")
    """Share of a pit's surroundings that a hand has to cover for a still change in the pit to belong to the hand."""
    pit_covered: float = parameter(0.08, unit="share of a pit", least=0, most=1, source="guess")
    """Covered share of the pit itself from which on `rim_touched` suffices."""
    part: float = parameter(0.02, unit="share of the board", least=0.001, most=0.2,
        source="guess: a finger is as large")
    """Least share that has to stay covered for something to lie there."""


@dataclass(frozen=True, slots=True)
class MotionLimits:
    """What moves, what is noise, and when a frame needs no close look (`vision.hands.segmentation`)."""

    usual_noise: float = parameter(0.02, unit="natural log of light", least=0.001, most=0.1, source="guess")
    """Median difference of two frames that is assumed before the noise is known; more noise than this raises what
    counts as change."""
    least_noise: float = parameter(0.004, unit="natural log of light", least=0, most=0.1, source="guess")
    """Least noise assumed."""
    noise_weight: float = parameter(0.05, unit="weight", least=0, most=1, source="guess")
    """Weight of the newest frame in the noise estimate."""
    moving: float = parameter(0.10, unit="natural log of light", least=0.01, most=1, source="guess")
    """Difference between frames from which on something moves."""
    moving_in_noise: float = parameter(7.0, unit="times the noise", least=1, most=30, source="guess")
    """The same where there is much noise."""
    quiet_frames: int = parameter(3, unit="frames", least=1, most=30, source="guess")
    """Frames without movement after which it is quiet."""
    most_noise: float = parameter(0.06, unit="natural log of light", least=0.01, most=0.5, source="guess")
    """Greatest median difference of two frames that is noise."""
    repeated: float = parameter(0.0015, unit="natural log of light", least=0, most=0.02, source="guess")
    """Median difference up to which two frames are the same picture."""
    most_leaps: float = parameter(0.06, unit="share of the board", least=0, most=0.5,
        source="guess: packed small, a block here and there leaps in every frame, more than any camera's noise")
    """Change between frames up to which it may be the video's own flicker."""
    listened_s: float = parameter(2.0, unit="seconds", least=0.2, most=10, source="guess")
    """Time over which that flicker is averaged."""
    packed_anew: float = parameter(0.5, unit="share of the usual noise", least=0, most=1, source="guess")
    """Noise below which a frame is a re-encoded copy of the one before."""
    leap: float = parameter(0.12, unit="share of the board", least=0.02, most=1,
        source="guess: a hand's way in a frame is shorter, and webcams begin with a broken picture or two")
    """Change from one frame to the next from which on nothing is learnt from the frame."""
    leap_of_light: float = parameter(0.05, unit="natural log of light", least=0.01, most=1,
        source="guess: webcams set their exposure in leaps")
    """Change of the board's median brightness from which on nothing is learnt from the frame."""
    starts_s: float = parameter(1.0, unit="seconds", least=0, most=5, source="guess")
    """Time for which a camera may need to settle: until then the reference restarts with every unsettled frame."""
    begins: float = parameter(0.02, unit="share of the canvas", least=0, most=0.2, source="guess")
    """Greatest difference of two frames from which the reference is started."""
    still: float = parameter(0.004, unit="share of the board", least=0.0005, most=0.05, source="guess")
    """Greatest change between frames while nothing moves."""
    idle_pixels: int = parameter(8, unit="canvas pixels", least=0, most=100, source="guess: a fourth of the least hand")
    """Number of pixels that may change while nothing comes over the board."""
    idle_s: float = parameter(0.2, unit="seconds", least=0, most=2, source="guess")
    """Longest time between close looks at a board over which nothing comes."""


@dataclass(frozen=True, slots=True)
class LearningLimits:
    """How the reference follows the board (`vision.hands.segmentation`)."""

    drift_s: float = parameter(6.0, unit="seconds", least=0.5, most=60, source="guess")
    """Time constant with which the reference follows the light."""
    pit_rate: float = parameter(0.6, unit="share a frame", least=0, most=1, source="guess")
    """Rate at which a free pit's reference approaches its present look."""
    pit_frames: int = parameter(2, unit="frames", least=1, most=30, source="guess")
    """Frames for which a pit has to be free before that."""
    pit_stirred: float = parameter(0.02, unit="share of a pit", least=0, most=1, source="guess")
    """Moving share from which on a pit is not free."""
    settled_s: float = parameter(120.0, unit="seconds", least=5, most=1000, source="guess")
    """Time after which a motionless thing is part of the scene."""
    laid_s: float = parameter(0.6, unit="seconds", least=0.1, most=10,
        source="guess: seeds that were captured lie there, or fingers on the edge, which are noticed again when they "
               "move")
    """The same for a thing that covers no pit."""
    left_s: float = parameter(0.3, unit="seconds", least=0.05, most=5, source="guess")
    """Time after which a motionless hand may be one that has left."""


@dataclass(frozen=True, slots=True)
class DarknessLimits:
    """When a board is too dark to be read (`vision.hands.segmentation`)."""

    dark_grey: float = parameter(22.0, unit="grey levels", least=5, most=80,
        source="guess: pale seeds on a dark board stand out in little light")
    """In darkness half of the board is below this."""
    lit_grey: float = parameter(50.0, unit="grey levels", least=10, most=150,
        source="guess: a black board on a bright table is in the light, too")
    """In darkness hardly anything on the board or round it is above this."""
    darker_yet: float = parameter(0.8, unit="share of these levels", least=0.3, most=1,
        source="guess: a hand over a dark board is the brightest thing there, and when it leaves nothing has got "
               "darker")
    """Share below which a board becomes too dark that was not."""


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
