"""The tuned numbers by which hands are told from light, noise and seeds.

Each field has its unit, its range and its source: what it was measured on, or "guess" if it was set by hand.
Differences of light are natural logarithms. Canvas pixels are those of `vision.hands.canvas.Canvas`: sixteen of them
are a column pitch.
"""

from dataclasses import dataclass

from vision.parameter import parameter


@dataclass(frozen=True, slots=True)
class CanvasLimits:
    """The zones of the flat board (`vision.hands.canvas`)."""

    about_begins: float = parameter(3.0, "canvas pixels", 0, 8,
        "Distance from a pit's rim at which its surroundings begin.", "guess: nearer, seeds at the rim shine across")
    about_ends: float = parameter(7.0, "canvas pixels", 2, 16,
        "Distance from a pit's rim at which its surroundings end.")
    pit_edge: float = parameter(1.04, "pits' radii", 1, 1.2,
        "Greatest distance from a pit's middle of a pixel inside the pit.")
    rim_edge: float = parameter(1.32, "pits' radii", 1.1, 2,
        "Greatest distance from a pit's middle of a pixel on its rim.")
    field_margin: float = parameter(0.12, "board units", 0, 1,
        "Margin round the pits' rims that still belongs to the board's area.")
    light_floor_grey: float = parameter(14.0, "grey levels", 1, 50,
        "Constant added before the logarithm of light is taken.", "guess: noise in the dark must not look like light")


@dataclass(frozen=True, slots=True)
class LightLimits:
    """What tells a change of light from a thing that covers the board (`vision.hands.light`)."""

    fine: int = parameter(9, "canvas pixels", 3, 31,
        "Width of the mean that is subtracted to leave the fine structure.")
    window: int = parameter(13, "canvas pixels", 3, 41, "Width of the window in which structures are compared.",
        "guess: most of a pit's rim and what lies beside it")
    alike: float = parameter(0.8, "correlation", 0.3, 1,
        "Least correlation at which the board's structure shows through.",
        "guess: that of skin and board is 0 on the average")
    faintest: float = parameter(0.02, "natural log of light", 0, 0.2,
        "Least spread of a structure in the reference that differs from noise.")
    faintest_in_noise: float = parameter(1.0, "times the frames' noise", 0, 10,
        "The same spread where there is much noise.")
    least_contrast: float = parameter(0.35, "factor", 0, 1,
        "Least contrast of the same structure, relative to the reference.",
        "guess: light from another side raises or lowers it, and a brightness added to every level, as by a mist on "
        "the lens, lowers it")
    most_contrast: float = parameter(2.5, "factor", 1, 10,
        "Greatest contrast of the same structure, relative to the reference.", "guess, as `least_contrast`")
    near: int = parameter(9, "canvas pixels", 3, 41,
        "Width of the average of the light where much of the structure shows through.")
    wide: int = parameter(41, "canvas pixels", 9, 161, "Width of that average where little shows through.")
    enough: float = parameter(0.3, "share of what lies near", 0.01, 1,
        "Share that has to show through for the light to be averaged near by.")
    board_weight: float = parameter(0.1, "share of what lies about", 0, 1, "Weight of the whole board's light.")
    edge_reach: int = parameter(17, "canvas pixels", 3, 61, "Width across which two lights may meet.",
        "guess: the edge of a shade, which the correlation does not see")
    apart: float = parameter(0.15, "natural log of light", 0.02, 1, "Least difference between two lights that meet.")


@dataclass(frozen=True, slots=True)
class ReferenceLimits:
    """What the canvas usually looks like without a hand (`vision.hands.reference`)."""

    fewest_pixels: int = parameter(20, "canvas pixels", 1, 200,
        "Fewest pixels from which a strip's usual look is learnt.")
    spread_factor: float = parameter(1.5, "factor", 1, 3, "Factor from a strip's median deviation to its spread.",
        "guess, from the median of the absolute deviations to a standard deviation")
    least_spread: float = parameter(0.05, "natural log of light", 0, 0.5, "Constant added to that spread.")
    least_area: float = parameter(0.05, "squares of a column pitch", 0, 1,
        "Least area, on the ridge or beside the board, of a region whose look is judged.")
    odder_by: float = parameter(0.8, "spreads", 0, 5,
        "How much odder a region has to look in the reference than now for the reference to show a hand there.")
    odder_share: float = parameter(0.75, "share of its oddness", 0, 1,
        "Greatest oddness now, with `odder_by` added, relative to the oddness in the reference.")


@dataclass(frozen=True, slots=True)
class ShiftLimits:
    """When a board has moved (`vision.hands.shift`)."""

    moved: float = parameter(0.10, "board units", 0.02, 0.5, "Shift from which on the board has moved.")
    moved_plainly: float = parameter(0.05, "board units", 0.01, 0.5,
        "The same where either half of the board shows the shift plainly.",
        "guess: beside a striped cloth the edges of a board that was nudged look like hands all round it")
    plain: float = parameter(0.9, "OpenCV's response", 0.2, 1, "Least response at which a half shows a shift plainly.")
    trusted: float = parameter(0.12, "OpenCV's response", 0.01, 0.9,
        "Least response at which a half's shift is believed.")
    strongest_edge: float = parameter(1.5, "natural log of light a pixel, by Sobel", 0.2, 5,
        "Cap on the strength of an edge.")
    alike: float = parameter(0.9, "correlation of the edges", 0.5, 1,
        "Correlation from which on the board lies where it lay, whatever shift is measured.")
    unlike: float = parameter(0.35, "correlation of the edges", 0, 0.9,
        "Correlation below which the board has moved or is gone, whatever shift is measured.")
    displaced_s: float = parameter(0.7, "seconds", 0.1, 5, "Time for which a board has to lie elsewhere to have moved.")
    busy_factor: float = parameter(5.0, "times what may change while nothing moves", 1, 50,
        "Change from which on hands are too busy for the board's place to be judged.")


@dataclass(frozen=True, slots=True)
class SharpnessLimits:
    """When a picture is blurred (`vision.hands.segmentation`)."""

    blurred: float = parameter(0.5, "share of the usual structure", 0.02, 0.9,
        "Fine structure below which a frame is blurred.",
        "30 drawn boards: other seeds leave 0.61 and more, blur by two pixels of 1280 up to 0.59, by four up to 0.45")
    sharper_weight: float = parameter(0.3, "weight", 0, 1,
        "Weight of a frame that is sharper than usual in the usual sharpness.")
    weight: float = parameter(0.01, "weight", 0, 1, "Weight of every other frame that is not blurred.")


@dataclass(frozen=True, slots=True)
class ChangeLimits:
    """How a frame differs from the reference by more than light (`vision.hands.segmentation`)."""

    tint: float = parameter(0.13, "natural log of light", 0.02, 1,
        "Change of colour that counts as one unit of change.")
    lighter: float = parameter(0.20, "natural log of light", 0.02, 1, "Brightening that counts as one unit of change.")
    darker: float = parameter(0.20, "natural log of light", 0.02, 1,
        "Darkening beyond a shadow that counts as one unit of change.")
    shadow: float = parameter(0.42, "natural log of light", 0.05, 2, "Greatest darkening by a shadow.")
    relief: float = parameter(0.17, "natural log of light", 0.02, 1,
        "Change of fine structure that counts as one unit of change.")
    strong: float = parameter(1.6, "units of change", 1, 5, "Change from which on a pixel differs plainly.")
    least_ridge: float = parameter(0.15, "share of the ridge", 0, 1,
        "Share that has to be free for the light to be measured on it.")
    least_outside: float = parameter(0.1, "share of a pixel's surroundings", 0, 1,
        "Share that has to lie outside the pits for the pits to be left out of the surroundings.")
    moving_change: float = parameter(0.7, "units of change", 0.1, 1,
        "Change that suffices where something moved recently.")
    gone_change: float = parameter(0.35, "units of change", 0.05, 1,
        "Change from which on the surroundings of a hand that has left belong to it.")
    unshaded: float = parameter(0.25, "share of the ridge", 0, 1,
        "Least share in full light where a shadow covers the rest.", "guess: less may be a hand")
    shaded: float = parameter(0.05, "share of the canvas", 0, 1,
        "Share in a different light from which on there is a shadow or a gleam.")
    shows: float = parameter(0.04, "share of what looks like hands", 0, 1,
        "Share in which the board's structure has to show through for a change of light to be looked for, if none "
        "was found recently.")
    explained_s: float = parameter(0.12, "seconds", 0, 2,
        "Time after a shadow for which a hand of the frame before still counts.")
    free: float = parameter(0.01, "share of the board", 0, 0.2,
        "Covered share below which hardly any hand is over the board.")


@dataclass(frozen=True, slots=True)
class RegionLimits:
    """Which changed regions are hands, and what they cover (`vision.hands.segmentation`)."""

    recent_s: float = parameter(0.8, "seconds", 0.1, 5, "Time in which the memory of movement fades to 1/e.")
    trail: float = parameter(0.4, "memory, 0 to 1", 0, 1, "Memory of movement that can connect a hand to the edge.")
    fresh: float = parameter(0.8, "memory, 0 to 1", 0, 1, "Memory of movement from which on it was just now.")
    moving_share: float = parameter(0.25, "share of a region", 0, 1,
        "Share that has to have moved just now for a region that looks much like board or table to be a hand.")
    bridge: int = parameter(7, "canvas pixels", 1, 21, "Gap across which parts belong to one hand.")
    least_area: float = parameter(0.12, "squares of a column pitch", 0.01, 2, "Least area of a hand.")
    strong_share: float = parameter(0.25, "share of a region", 0, 1,
        "Share that has to differ plainly for a region to be a hand, unless movement leads to it.")
    edge_pixels: int = parameter(2, "canvas pixels", 1, 20, "Fewest pixels of the canvas's edge that a hand reaches.")
    both_sides: float = parameter(0.3, "share of the other edge's pixels", 0, 1,
        "Share from which on a region that crosses both long edges is two hands that touch.")
    rim_covered: float = parameter(0.10, "share of a rim", 0, 1,
        "Covered share of the rim from which on a pit is covered.")
    rim_touched: float = parameter(0.02, "share of a rim", 0, 1,
        "The same if `pit_covered` of the pit itself is covered, too.")
    about_covered: float = parameter(0.12, "share of what lies about a pit", 0, 1,
        "Share of a pit's surroundings that a hand has to cover for a still change in the pit to belong to the hand.")
    pit_covered: float = parameter(0.08, "share of a pit", 0, 1,
        "Covered share of the pit itself from which on `rim_touched` suffices.")
    part: float = parameter(0.02, "share of the board", 0.001, 0.2,
        "Least share that has to stay covered for something to lie there.", "guess: a finger is as large")


@dataclass(frozen=True, slots=True)
class MotionLimits:
    """What moves, what is noise, and when a frame needs no close look (`vision.hands.segmentation`)."""

    usual_noise: float = parameter(0.02, "natural log of light", 0.001, 0.1,
        "Median difference of two frames that is assumed before the noise is known; more noise than this raises what "
        "counts as change.")
    least_noise: float = parameter(0.004, "natural log of light", 0, 0.1, "Least noise assumed.")
    noise_weight: float = parameter(0.05, "weight", 0, 1, "Weight of the newest frame in the noise estimate.")
    moving: float = parameter(0.10, "natural log of light", 0.01, 1,
        "Difference between frames from which on something moves.")
    moving_in_noise: float = parameter(7.0, "times the noise", 1, 30, "The same where there is much noise.")
    quiet_frames: int = parameter(3, "frames", 1, 30, "Frames without movement after which it is quiet.")
    most_noise: float = parameter(0.06, "natural log of light", 0.01, 0.5,
        "Greatest median difference of two frames that is noise.")
    repeated: float = parameter(0.0015, "natural log of light", 0, 0.02,
        "Median difference up to which two frames are the same picture.")
    most_leaps: float = parameter(0.06, "share of the board", 0, 0.5,
        "Change between frames up to which it may be the video's own flicker.",
        "guess: packed small, a block here and there leaps in every frame, more than any camera's noise")
    listened_s: float = parameter(2.0, "seconds", 0.2, 10, "Time over which that flicker is averaged.")
    repacked: float = parameter(0.5, "share of the usual noise", 0, 1,
        "Noise below which a frame is a re-encoded copy of the one before.")
    leap: float = parameter(0.12, "share of the board", 0.02, 1,
        "Change from one frame to the next from which on nothing is learnt from the frame.",
        "guess: a hand's way in a frame is shorter, and webcams begin with a broken picture or two")
    leap_of_light: float = parameter(0.05, "natural log of light", 0.01, 1,
        "Change of the board's median brightness from which on nothing is learnt from the frame.",
        "guess: webcams set their exposure in leaps")
    starts_s: float = parameter(1.0, "seconds", 0, 5,
        "Time for which a camera may need to settle: until then the reference restarts with every unsettled frame.")
    begins: float = parameter(0.02, "share of the canvas", 0, 0.2,
        "Greatest difference of two frames from which the reference is started.")
    still: float = parameter(0.004, "share of the board", 0.0005, 0.05,
        "Greatest change between frames while nothing moves.")
    idle_pixels: int = parameter(8, "canvas pixels", 0, 100,
        "Number of pixels that may change while nothing comes over the board.", "guess: a fourth of the least hand")
    idle_s: float = parameter(0.2, "seconds", 0, 2,
        "Longest time between close looks at a board over which nothing comes.")


@dataclass(frozen=True, slots=True)
class LearningLimits:
    """How the reference follows the board (`vision.hands.segmentation`)."""

    drift_s: float = parameter(6.0, "seconds", 0.5, 60, "Time constant with which the reference follows the light.")
    pit_rate: float = parameter(0.6, "share a frame", 0, 1,
        "Rate at which a free pit's reference approaches its present look.")
    pit_frames: int = parameter(2, "frames", 1, 30, "Frames for which a pit has to be free before that.")
    pit_moving_share: float = parameter(0.02, "share of a pit", 0, 1, "Moving share from which on a pit is not free.")
    settled_s: float = parameter(120.0, "seconds", 5, 1000, "Time after which a motionless thing is part of the scene.")
    laid_s: float = parameter(0.6, "seconds", 0.1, 10, "The same for a thing that covers no pit.",
        "guess: seeds that were captured lie there, or fingers on the edge, which are noticed again when they move")
    left_s: float = parameter(0.3, "seconds", 0.05, 5, "Time after which a motionless hand may be one that has left.")


@dataclass(frozen=True, slots=True)
class DarknessLimits:
    """When a board is too dark to be read (`vision.hands.segmentation`)."""

    dark_grey: float = parameter(22.0, "grey levels", 5, 80, "In darkness half of the board is below this.",
        "guess: pale seeds on a dark board stand out in little light")
    lit_grey: float = parameter(50.0, "grey levels", 10, 150,
        "In darkness hardly anything on the board or round it is above this.",
        "guess: a black board on a bright table is in the light, too")
    darker_yet: float = parameter(0.8, "share of these levels", 0.3, 1,
        "Share below which a board becomes too dark that was not.",
        "guess: a hand over a dark board is the brightest thing there, and when it leaves nothing has got darker")


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
