"""The tuned numbers of the eyes: light, noise, frozen pictures, and the time that counting may take.

Each field has its unit, its range and the source of its number: what it was measured on, or that it is a guess, set by
hand.
"""

from dataclasses import dataclass

from vision.parameter import parameter


@dataclass(frozen=True, slots=True)
class BrighteningLimits:
    """How bright pictures are shown to the networks. A picture's lights are its brightest parts."""

    dim_level: float = parameter(78.0, "grey levels", 20, 150, "A picture with darker lights is dim.",
        "of clips at 44 and 56 nothing was found, or nothing said, and at 69 and 75 dark boards on paler tables were "
        "too dark all the while; those at 86, 90 and 100 are refereed worse made brighter")
    lit_level: float = parameter(230.0, "grey levels", 150, 255,
        "The lights of dim pictures are brought to this level.")
    least_gain: float = parameter(0.4, "factor", 0.1, 1, "Least gain: overexposed pictures hold no more detail.")
    most_gain: float = parameter(5.0, "factor", 1, 20, "Largest gain: noise grows with it.")
    faint_level: float = parameter(110.0, "grey levels", 50, 200, "Pictures with darker lights are denoised.",
        "dim boards on tables that are not so dim were restless at 68 and 82, and nothing was said of them")
    first_frames: int = parameter(5, "frames", 1, 30,
        "Denoised frames that are averaged before the board is looked for.")
    night_level: float = parameter(20.0, "grey levels", 0, 60,
        "In pictures with darker lights nothing can be seen; they go to the eye unchanged, which reports it.")
    lights_percentile: float = parameter(99.5, "percentile", 90, 100,
        "Percentile of a picture's grey levels that counts as its lights.",
        "guess: a lamp's mirror image is brighter than the table that it lights")
    other_light: float = parameter(1.12, "factor", 1.02, 2,
        "The light has changed if the board is brighter or darker by this factor than when it was found.")
    same_light: float = parameter(1.03, "factor", 1, 1.2, "A needed gain below this factor counts as none.")
    plainly_other_light: float = parameter(1.6, "factor", 1.1, 4, "The same factor while hands are over the board.",
        "guess: hands over less than half of the board do not change its middle as much")
    lasts_s: float = parameter(0.15, "seconds", 0.05, 2, "How long a change of the light must last.")
    lasts_with_hands_s: float = parameter(1.0, "seconds", 0.2, 5, "The same while hands are over the board.")
    restless_share: float = parameter(0.01, "share of the board", 0.002, 0.1,
        "A picture in little light is at rest if a smaller share of the board changes from frame to frame.",
        "as `device.table.parameters.Motion.quiet`")
    restless_s: float = parameter(5.0, "seconds", 1, 30,
        "A picture in little light that has not come to rest this long after the board was found is too dark: noise "
        "hides the play.", "guess: hands pause more often")
    gain_step: float = parameter(1.2, "factor", 1.01, 2,
        "Largest change of the gain from frame to frame, so that nothing seems to move.")


@dataclass(frozen=True, slots=True)
class DenoisingLimits:
    """Telling noise from new things in a picture of little light. A leap is the difference between two frames."""

    newest_share: float = parameter(0.15, "share", 0.02, 1,
        "Least weight of a new picture in the mean where nothing is new; the first pictures weigh alike.")
    usual_factor: float = parameter(2.5, "factor", 1, 5,
        "A difference up to this many times the median difference is noise.")
    new_factor: float = parameter(5.0, "factor", 1, 20,
        "A difference of this many times the median difference is certainly new.")
    least_grey: float = parameter(0.2, "grey levels", 0, 5, "Added to the median difference.")
    leap_percentile: float = parameter(99.0, "percentile", 50, 100,
        "Percentile of a picture's leaps that counts as its leap.",
        "guess: what was packed small stands as it stood in most of its blocks, so that in the middle nothing "
        "differs, and leaps in some")
    calm_percentile: float = parameter(25.0, "percentile", 0, 100,
        "Percentile of these leaps over the measured frames that counts as noise.")
    leap_factor: float = parameter(1.5, "factor", 1, 5, "A leap up to this many times as far shows nothing new.")
    widest_leap_grey: float = parameter(5.0, "grey levels", 1, 20, "Larger leaps count as this.")
    listened_frames: int = parameter(16, "frames", 2, 60,
        "Frames over which leaps are measured; hands come and go, so the calmer ones count.")
    repeated_grey: float = parameter(0.25, "grey levels", 0, 2,
        "Smaller leaps mean a repeated frame, as every second one in many recordings.")
    light_change: float = parameter(0.03, "share", 0.005, 0.2,
        "The light has changed if the whole picture is brighter or darker by this share.")


@dataclass(frozen=True, slots=True)
class BandLimits:
    """Detecting a lamp's bands in the picture."""

    frames: int = parameter(15, "frames", 5, 60,
        "Pictures over which bands are measured and a row's usual light is averaged.")
    there: float = parameter(0.01, "share of a row's light", 0.002, 0.05, "Bands this strong are removed.")
    gone: float = parameter(0.005, "share of a row's light", 0.001, 0.05,
        "Bands that become weaker than this have ended.")
    unexplained: float = parameter(0.5, "share of the bands", 0.1, 1,
        "Largest median residual of the rows, relative to the bands, for the fit to count.")
    outlier: float = parameter(3.0, "factor", 1.5, 10,
        "Rows farther from the fit than this many median distances are left out: something lies along them.")
    largest: float = parameter(1.5, "factor", 1, 3,
        "Bands of one picture are limited to this many times the usual strength.")


@dataclass(frozen=True, slots=True)
class FrozenLimits:
    """Detecting frozen or missing pictures of a camera."""

    frozen_s: float = parameter(0.4, "seconds", 0.1, 3,
        "A frozen picture stays identical to the bit for at least this long.")
    frozen_frames: int = parameter(4, "frames", 2, 30, "And for at least this many frames.")
    first_frames: int = parameter(20, "frames", 2, 100,
        "Frames needed first, to know that this camera's pictures differ.",
        "guess: a drawn table's pictures, and those of a recording that was pressed hard, stay the same when nothing "
        "moves")
    longer_factor: int = parameter(4, "factor", 1, 10,
        "And for this many times as many frames as the longest repetition so far.")
    drawn_share: float = parameter(0.95, "share of a recording's picture", 0.5, 1,
        "If successive pictures of a recording agree on average in more than this share of their pixels, to the bit, "
        "a repeated picture means nothing: they are drawn, or compression removed the noise.")
    average_pictures: int = parameter(12, "pictures", 1, 60, "Pictures over which that share is averaged.")
    dull_grey: int = parameter(16, "grey levels", 1, 60,
        "A picture that is within this of black, or of white, everywhere may well repeat.",
        "guess: the lens is covered, or blinded; that is for the eye to say")
    silent_s: float = parameter(0.4, "seconds", 0.1, 3,
        "A camera has fallen silent if no picture comes for at least this long.")
    silent_factor: int = parameter(4, "factor", 1, 20, "And for this many usual intervals.")


@dataclass(frozen=True, slots=True)
class CountingLimits:
    """How many pits are counted in one go, beside the frames."""

    quick_s: float = parameter(0.35, "seconds", 0.05, 2,
        "How long one counting may take, and so delay news of hands, unless one pit takes longer.")
    first_pits: int = parameter(8, "pits", 1, 32, "Pits counted in one go until the time for a pit is known.")
    cores_left: int = parameter(1, "cores", 0, 4, "Cores left free of worker processes.",
        "the frames, the table and the page need about one together; the workers are less urgent than they")
    most_workers: int = parameter(3, "processes", 0, 16,
        "Most worker processes that share the counting. A single one would bring nothing, so then there is none.",
        "a Raspberry Pi's four cores but for one; each takes some 50 MB")
    newest_weight: float = parameter(0.3, "weight", 0, 1,
        "Weight of the newest counting in the running mean of a pit's time.")


@dataclass(frozen=True, slots=True)
class RememberedLimits:
    """When a board counts as lying where it lay before the table was restarted."""

    mean_rims: float = parameter(0.36, "share of a rim", 0.2, 0.9,
        "Least mean share of its pits' rims that must be seen there.",
        "as `vision.board.find` asks of a board whose size is known")
    poor_rims: float = parameter(0.2, "share of a rim", 0, 0.9, "Least share of the rim of four pits in five.")
    aside_pitch: float = parameter(0.1, "column pitches", 0.04, 0.2,
        "Shifted by this, or by twice this, the rims must not fit better.",
        "of 30 drawn boards that were moved by a tenth of a pitch along the rows or across them none was taken, and "
        "of those moved so aslant one")
    better_share: float = parameter(0.6, "share of half a board's pits", 0.3, 1,
        "Largest share of pits whose rims may fit better when shifted.")
    ends_share: float = parameter(0.4, "share of the usual rim", 0, 1,
        "How much more of the rims must be seen at an edge than one step beyond the opposite edge.",
        "of 40 drawn boards all that lay still and showed their rims stood out by 0.44 and more, and of those moved "
        "by a pit along the rows none by more than 0.22")
    again_s: float = parameter(0.4, "seconds", 0.1, 5, "Pause between two looks, while the board is not found.",
        "as `vision.eye` searches again")


@dataclass(frozen=True, slots=True)
class PaceLimits:
    """When the table looks at too few of its camera's pictures."""

    frames: int = parameter(30, "frames", 2, 300, "Frames over which the rates are measured.")
    fewest: float = parameter(4.0, "pictures a second", 1, 15, "A lower rate is too low for quick hands.")
    good_part: float = parameter(0.7, "share", 0.1, 1,
        "If the table looks at a smaller share of the camera's pictures, the page says so.")


BRIGHTENING = BrighteningLimits()
DENOISING = DenoisingLimits()
BANDS = BandLimits()
FROZEN_LIMITS = FrozenLimits()
COUNTING = CountingLimits()
REMEMBERED = RememberedLimits()
PACE = PaceLimits()
