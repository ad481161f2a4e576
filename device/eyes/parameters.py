"""The tuned numbers of the eyes: light, noise, frozen pictures, and the time that counting may take.

Each field has its unit, its range and the source of its number: what it was measured on, or that it is a guess, set by
hand.
"""

from __future__ import annotations

from dataclasses import dataclass

from vision.parameter import parameter


@dataclass(frozen=True, slots=True)
class BrighteningLimits:
    """How bright pictures are shown to the networks. A picture's lights are its brightest parts."""

    dim_level: float = parameter(78.0, unit="grey levels", least=20, most=150,
        source="of clips at 44 and 56 nothing was found, or nothing said, and at 69 and 75 dark boards "
               "on paler tables were too dark all the while; those at 86, 90 and 100 are refereed worse "
               "made brighter")
    """A picture with darker lights is dim."""
    lit_level: float = parameter(230.0, unit="grey levels", least=150, most=255, source="guess")
    """The lights of dim pictures are brought to this level."""
    least_gain: float = parameter(0.4, unit="factor", least=0.1, most=1, source="guess")
    """Least gain: overexposed pictures hold no more detail."""
    most_gain: float = parameter(5.0, unit="factor", least=1, most=20, source="guess")
    """Largest gain: noise grows with it."""
    faint_level: float = parameter(110.0, unit="grey levels", least=50, most=200,
        source="dim boards on tables that are not so dim were restless at 68 and 82, and nothing was "
               "said of them")
    """Pictures with darker lights are denoised."""
    first_frames: int = parameter(5, unit="frames", least=1, most=30, source="guess")
    """Denoised frames that are averaged before the board is looked for."""
    night_level: float = parameter(20.0, unit="grey levels", least=0, most=60, source="guess")
    """In pictures with darker lights nothing can be seen; they go to the eye unchanged, which reports it."""
    lights_percentile: float = parameter(99.5, unit="percentile", least=90, most=100,
        source="guess: a lamp's mirror image is brighter than the table that it lights")
    """Percentile of a picture's grey levels that counts as its lights."""
    other_light: float = parameter(1.12, unit="factor", least=1.02, most=2, source="guess")
    """The light has changed if the board is brighter or darker by this factor than when it was found."""
    same_light: float = parameter(1.03, unit="factor", least=1, most=1.2, source="guess")
    """A needed gain below this factor counts as none."""
    plainly_other_light: float = parameter(1.6, unit="factor", least=1.1, most=4,
        source="guess: hands over less than half of the board do not change its middle as much")
    """The same factor while hands are over the board."""
    lasts_s: float = parameter(0.15, unit="seconds", least=0.05, most=2, source="guess")
    """How long a change of the light must last."""
    lasts_with_hands_s: float = parameter(1.0, unit="seconds", least=0.2, most=5, source="guess")
    """The same while hands are over the board."""
    restless_share: float = parameter(0.01, unit="share of the board", least=0.002, most=0.1,
        source="as `device.table.parameters.Motion.quiet`")
    """A picture in little light is at rest if a smaller share of the board changes from frame to frame."""
    restless_s: float = parameter(5.0, unit="seconds", least=1, most=30, source="guess: hands pause more often")
    """A picture in little light that has not come to rest this long after the board was found is too dark: noise hides
    the play."""
    gain_step: float = parameter(1.2, unit="factor", least=1.01, most=2, source="guess")
    """Largest change of the gain from frame to frame, so that nothing seems to move."""


@dataclass(frozen=True, slots=True)
class DenoisingLimits:
    """Telling noise from new things in a picture of little light. A leap is the difference between two frames."""

    newest_share: float = parameter(0.15, unit="share", least=0.02, most=1, source="guess")
    """Least weight of a new picture in the mean where nothing is new; the first pictures weigh alike."""
    usual_factor: float = parameter(2.5, unit="factor", least=1, most=5, source="guess")
    """A difference up to this many times the median difference is noise."""
    new_factor: float = parameter(5.0, unit="factor", least=1, most=20, source="guess")
    """A difference of this many times the median difference is certainly new."""
    least_grey: float = parameter(0.2, unit="grey levels", least=0, most=5, source="guess")
    """Added to the median difference."""
    leap_percentile: float = parameter(99.0, unit="percentile", least=50, most=100,
        source="guess: what was packed small stands as it stood in most of its blocks, so that in the middle "
               "nothing differs, and leaps in some")
    """Percentile of a picture's leaps that counts as its leap."""
    calm_percentile: float = parameter(25.0, unit="percentile", least=0, most=100, source="guess")
    """Percentile of these leaps over the measured frames that counts as noise."""
    leap_factor: float = parameter(1.5, unit="factor", least=1, most=5, source="guess")
    """A leap up to this many times as far shows nothing new."""
    widest_leap_grey: float = parameter(5.0, unit="grey levels", least=1, most=20, source="guess")
    """Larger leaps count as this."""
    listened_frames: int = parameter(16, unit="frames", least=2, most=60, source="guess")
    """Frames over which leaps are measured; hands come and go, so the calmer ones count."""
    repeated_grey: float = parameter(0.25, unit="grey levels", least=0, most=2, source="guess")
    """Smaller leaps mean a repeated frame, as every second one in many recordings."""
    light_change: float = parameter(0.03, unit="share", least=0.005, most=0.2, source="guess")
    """The light has changed if the whole picture is brighter or darker by this share."""


@dataclass(frozen=True, slots=True)
class BandLimits:
    """Detecting a lamp's bands in the picture."""

    frames: int = parameter(15, unit="frames", least=5, most=60, source="guess")
    """Pictures over which bands are measured and a row's usual light is averaged."""
    there: float = parameter(0.01, unit="share of a row's light", least=0.002, most=0.05, source="guess")
    """Bands this strong are removed."""
    gone: float = parameter(0.005, unit="share of a row's light", least=0.001, most=0.05, source="guess")
    """Bands that become weaker than this have ended."""
    unexplained: float = parameter(0.5, unit="share of the bands", least=0.1, most=1, source="guess")
    """Largest median residual of the rows, relative to the bands, for the fit to count."""
    outlier: float = parameter(3.0, unit="factor", least=1.5, most=10, source="guess")
    """Rows farther from the fit than this many median distances are left out: something lies along them."""
    largest: float = parameter(1.5, unit="factor", least=1, most=3, source="guess")
    """Bands of one picture are limited to this many times the usual strength."""


@dataclass(frozen=True, slots=True)
class FrozenLimits:
    """Detecting frozen or missing pictures of a camera."""

    frozen_s: float = parameter(0.4, unit="seconds", least=0.1, most=3, source="guess")
    """A frozen picture stays identical to the bit for at least this long."""
    frozen_frames: int = parameter(4, unit="frames", least=2, most=30, source="guess")
    """And for at least this many frames."""
    first_frames: int = parameter(20, unit="frames", least=2, most=100,
        source="guess: a drawn table's pictures, and those of a recording that was pressed hard, stay the same "
               "when nothing moves")
    """Frames needed first, to know that this camera's pictures differ."""
    longer_factor: int = parameter(4, unit="factor", least=1, most=10, source="guess")
    """And for this many times as many frames as the longest repetition so far."""
    drawn_share: float = parameter(0.95, unit="share of a recording's picture", least=0.5, most=1, source="guess")
    """If successive pictures of a recording agree on average in more than this share of their pixels, to the bit, a
    repeated picture means nothing: they are drawn, or compression removed the noise."""
    average_pictures: int = parameter(12, unit="pictures", least=1, most=60, source="guess")
    """Pictures over which that share is averaged."""
    dull_grey: int = parameter(16, unit="grey levels", least=1, most=60,
        source="guess: the lens is covered, or blinded; that is for the eye to say")
    """A picture that is within this of black, or of white, everywhere may well repeat."""
    silent_s: float = parameter(0.4, unit="seconds", least=0.1, most=3, source="guess")
    """A camera has fallen silent if no picture comes for at least this long."""
    silent_factor: int = parameter(4, unit="factor", least=1, most=20, source="guess")
    """And for this many usual intervals."""


@dataclass(frozen=True, slots=True)
class CountingLimits:
    """How many pits are counted in one go, beside the frames."""

    quick_s: float = parameter(0.35, unit="seconds", least=0.05, most=2, source="guess")
    """How long one counting may take, and so delay news of hands, unless one pit takes longer."""
    first_pits: int = parameter(8, unit="pits", least=1, most=32, source="guess")
    """Pits counted in one go until the time for a pit is known."""
    cores_left: int = parameter(1, unit="cores", least=0, most=4,
        source="the frames, the table and the page need about one together; the workers are less urgent than they")
    """Cores left free of worker processes."""
    most_workers: int = parameter(3, unit="processes", least=0, most=16,
        source="a Raspberry Pi's four cores but for one; each takes some 50 MB")
    """Most worker processes that share the counting. A single one would bring nothing, so then there is none."""
    newest_weight: float = parameter(0.3, unit="weight", least=0, most=1, source="guess")
    """Weight of the newest counting in the running mean of a pit's time."""


@dataclass(frozen=True, slots=True)
class RememberedLimits:
    """When a board counts as lying where it lay before the table was restarted."""

    mean_rims: float = parameter(0.36, unit="share of a rim", least=0.2, most=0.9,
        source="as `vision.board.find` asks of a board whose size is known")
    """Least mean share of its pits' rims that must be seen there."""
    poor_rims: float = parameter(0.2, unit="share of a rim", least=0, most=0.9, source="guess")
    """Least share of the rim of four pits in five."""
    aside_pitch: float = parameter(0.1, unit="column pitches", least=0.04, most=0.2,
        source="of 30 drawn boards that were moved by a tenth of a pitch along the rows or across them none was taken, "
               "and of those moved so aslant one")
    """Shifted by this, or by twice this, the rims must not fit better."""
    better_share: float = parameter(0.6, unit="share of half a board's pits", least=0.3, most=1, source="guess")
    """Largest share of pits whose rims may fit better when shifted."""
    ends_share: float = parameter(0.4, unit="share of the usual rim", least=0, most=1,
        source="of 40 drawn boards all that lay still and showed their rims stood out by 0.44 and more, and of those "
               "moved by a pit along the rows none by more than 0.22")
    """How much more of the rims must be seen at an edge than one step beyond the opposite edge."""
    again_s: float = parameter(0.4, unit="seconds", least=0.1, most=5, source="as `vision.eye` searches again")
    """Pause between two looks, while the board is not found."""


@dataclass(frozen=True, slots=True)
class PaceLimits:
    """When the table looks at too few of its camera's pictures."""

    frames: int = parameter(30, unit="frames", least=2, most=300, source="guess")
    """Frames over which the rates are measured."""
    fewest: float = parameter(4.0, unit="pictures a second", least=1, most=15, source="guess")
    """A lower rate is too low for quick hands."""
    good_part: float = parameter(0.7, unit="share", least=0.1, most=1, source="guess")
    """If the table looks at a smaller share of the camera's pictures, the page says so."""


BRIGHTENING = BrighteningLimits()
DENOISING = DenoisingLimits()
BANDS = BandLimits()
FROZEN_LIMITS = FrozenLimits()
COUNTING = CountingLimits()
REMEMBERED = RememberedLimits()
PACE = PaceLimits()
