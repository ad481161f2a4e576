"""The tuned numbers of the eyes: light, noise, frozen pictures, and the time that counting may take.

Each field has its unit, the range in which it may lie and where its number comes from: what it was measured on, or that
it is a guess, set by hand.
"""

from __future__ import annotations

from dataclasses import dataclass

from vision.parameter import parameter


@dataclass(frozen=True, slots=True)
class BrighteningLimits:
    """In which light a picture is shown to the networks."""

    dim_level: float = parameter(78.0, unit="grey levels", least=20, most=150,
        source="of clips at 44 and 56 nothing was found, or nothing said, and at 69 and 75 dark boards "
               "on paler tables were too dark all the while; those at 86, 90 and 100 are refereed worse "
               "made brighter")
    """Grey levels of a picture's lights, below which it is dim."""
    lit_level: float = parameter(230.0, unit="grey levels", least=150, most=255, source="guess")
    """Grey levels to which they are brought."""
    least_gain: float = parameter(0.4, unit="factor", least=0.1, most=1, source="guess")
    """Times as bright at least: what is too bright for the camera holds nothing."""
    most_gain: float = parameter(5.0, unit="factor", least=1, most=20, source="guess")
    """Times as bright at most: noise grows as well."""
    faint_level: float = parameter(110.0, unit="grey levels", least=50, most=200,
        source="dim boards on tables that are not so dim were restless at 68 and 82, and nothing was "
               "said of them")
    """Grey levels of a picture's lights, below which its noise is listened to, and averaged away."""
    first_frames: int = parameter(5, unit="frames", least=1, most=30, source="guess")
    """Frames of such a picture that are put together before a board is looked for in it."""
    night_level: float = parameter(20.0, unit="grey levels", least=0, most=60, source="guess")
    """Grey levels of a picture's lights, below which nothing is to be seen, and that is for the eye to say."""
    lights_percentile: float = parameter(99.5, unit="percentile", least=90, most=100,
        source="guess: a lamp's mirror image is brighter than the table that it lights")
    """Percentile of a picture that counts as its lights."""
    other_light: float = parameter(1.12, unit="factor", least=1.02, most=2, source="guess")
    """Factor by which the board is brighter or darker than when it was found for it to be another light."""
    same_light: float = parameter(1.03, unit="factor", least=1, most=1.2, source="guess")
    """Factor by which it is for it to be no other light."""
    plainly_other_light: float = parameter(1.6, unit="factor", least=1.1, most=4,
        source="guess: hands over less than half of the board do not change its middle as much")
    """Factor by which it is for it to be another light, whatever lies over the board."""
    lasts_s: float = parameter(0.15, unit="seconds", least=0.05, most=2, source="guess")
    """How long it has to be so."""
    lasts_with_hands_s: float = parameter(1.0, unit="seconds", least=0.2, most=5, source="guess")
    """How long it has to be so while hands are there."""
    restless_share: float = parameter(0.01, unit="share of the board", least=0.002, most=0.1,
        source="as `device.table.parameters.Motion.quiet`")
    """Share of the board that changes from frame to frame, below which a picture in little light has come to rest."""
    restless_s: float = parameter(5.0, unit="seconds", least=1, most=30, source="guess: hands pause more often")
    """Seconds since the board was found, after which that light is too little if it never came to rest: noise hides
    whatever happens there."""
    gain_step: float = parameter(1.2, unit="factor", least=1.01, most=2, source="guess")
    """Factor by which a frame may be brightened more than the one before, so that nothing seems to move."""


@dataclass(frozen=True, slots=True)
class DenoisingLimits:
    """What in a picture of little light is noise, and what is new."""

    newest_share: float = parameter(0.15, unit="share", least=0.02, most=1, source="guess")
    """Share of a new picture in the mean, at least, where it shows nothing new: the first ones count alike."""
    usual_factor: float = parameter(2.5, unit="factor", least=1, most=5, source="guess")
    """Times what the picture differs by in the middle, up to which there is nothing new."""
    new_factor: float = parameter(5.0, unit="factor", least=1, most=20, source="guess")
    """Factor times that, from which on there is."""
    least_grey: float = parameter(0.2, unit="grey levels", least=0, most=5, source="guess")
    """Added to what the picture differs by in the middle."""
    leap_percentile: float = parameter(99.0, unit="percentile", least=50, most=100,
        source="guess: what was packed small stands as it stood in most of its blocks, so that in the middle "
               "nothing differs, and leaps in some")
    """Percentile of the picture that leaps no farther between two frames."""
    calm_percentile: float = parameter(25.0, unit="percentile", least=0, most=100, source="guess")
    """Percentile of these leaps over the frames that are listened to."""
    leap_factor: float = parameter(1.5, unit="factor", least=1, most=5, source="guess")
    """Times as far there is nothing new."""
    widest_leap_grey: float = parameter(5.0, unit="grey levels", least=1, most=20, source="guess")
    """Grey levels that a leap counts for at most."""
    listened_frames: int = parameter(16, unit="frames", least=2, most=60, source="guess")
    """Frames over which leaps are measured, by the calmest step: a hand comes and goes."""
    repeated_grey: float = parameter(0.25, unit="grey levels", least=0, most=2, source="guess")
    """Grey levels up to which next to nothing leaps between two frames that are one, as in half of many recordings."""
    light_change: float = parameter(0.03, unit="share", least=0.005, most=0.2, source="guess")
    """Share by which a whole picture is brighter or darker for its light to have changed."""


@dataclass(frozen=True, slots=True)
class BandLimits:
    """When a lamp lays bands across the picture."""

    frames: int = parameter(15, unit="frames", least=5, most=60, source="guess")
    """Pictures over which bands are measured, and a row's usual light is averaged."""
    there: float = parameter(0.01, unit="share of a row's light", least=0.002, most=0.05, source="guess")
    """Bands this strong are taken out."""
    gone: float = parameter(0.005, unit="share of a row's light", least=0.001, most=0.05, source="guess")
    """Weaker ones are gone."""
    unexplained: float = parameter(0.5, unit="share of the bands", least=0.1, most=1, source="guess")
    """What bands leave unexplained of the middle row's light, at most."""
    outlier: float = parameter(3.0, unit="factor", least=1.5, most=10, source="guess")
    """Times the middle row's distance from the bands, beyond which a row is left out: something lies along it."""
    largest: float = parameter(1.5, unit="factor", least=1, most=3, source="guess")
    """Times the usual strength, which no picture's bands exceed."""


@dataclass(frozen=True, slots=True)
class FrozenLimits:
    """When a camera's pictures are frozen, or do not come."""

    frozen_s: float = parameter(0.4, unit="seconds", least=0.1, most=3, source="guess")
    """Seconds for which a picture has to stay the same to the bit."""
    frozen_frames: int = parameter(4, unit="frames", least=2, most=30, source="guess")
    """Frames for which it has to stay so."""
    first_frames: int = parameter(20, unit="frames", least=2, most=100,
        source="guess: a drawn table's pictures, and those of a recording that was pressed hard, stay the same "
               "when nothing moves")
    """Frames that have to come first, for it to be known that this camera's pictures differ."""
    longer_factor: int = parameter(4, unit="factor", least=1, most=10, source="guess")
    """Times the longest such stay so far that it has to last."""
    drawn_share: float = parameter(0.95, unit="share of a recording's picture", least=0.5, most=1, source="guess")
    """Share of a recording's picture that is the same to the bit in the one before, on the average of those that
    differ, from which on nothing follows from one that stays: it was drawn, or all noise was pressed out of it."""
    average_pictures: int = parameter(12, unit="pictures", least=1, most=60, source="guess")
    """Over which that is averaged."""
    dull_grey: int = parameter(16, unit="grey levels", least=1, most=60,
        source="guess: the lens is covered, or blinded; that is for the eye to say")
    """From black, or from white, within which the whole of a picture may well stay the same."""
    silent_s: float = parameter(0.4, unit="seconds", least=0.1, most=3, source="guess")
    """Seconds after which a camera whose next picture does not come has fallen silent."""
    silent_factor: int = parameter(4, unit="factor", least=1, most=20, source="guess")
    """And so many times as long as they usually take."""


@dataclass(frozen=True, slots=True)
class CountingLimits:
    """How many pits are counted at one time, beside the frames."""

    quick_s: float = parameter(0.35, unit="seconds", least=0.05, most=2, source="guess")
    """Seconds that one counting may take: so late the table hears of hands at the most, unless one pit takes longer."""
    first_pits: int = parameter(8, unit="pits", least=1, most=32, source="guess")
    """Pits that are counted at one time before it is known how long one takes."""
    cores_left: int = parameter(1, unit="cores", least=0, most=4,
        source="the frames, the table and the page need about one together; the workers are less urgent than they")
    """Cores of the machine that no worker process is made for."""
    most_workers: int = parameter(3, unit="processes", least=0, most=16,
        source="a Raspberry Pi's four cores but for one; each takes some 50 MB")
    """Worker processes that share the counting, at most. One alone would bring nothing, so then there is none."""
    newest_weight: float = parameter(0.3, unit="weight", least=0, most=1, source="guess")
    """Weight of the newest counting in what a pit is taken to cost."""


@dataclass(frozen=True, slots=True)
class RememberedLimits:
    """When a board is taken to lie where it lay before the table was started anew."""

    mean_rims: float = parameter(0.36, unit="share of a rim", least=0.2, most=0.9,
        source="as `vision.board.find` asks of a board whose size is known")
    """Share of its pits' rims that has to be seen there."""
    poor_rims: float = parameter(0.2, unit="share of a rim", least=0, most=0.9, source="guess")
    """The same of four pits in five."""
    aside_pitch: float = parameter(0.1, unit="column pitches", least=0.04, most=0.2,
        source="of 30 drawn boards that were moved by a tenth of a pitch along the rows or across them none was taken, "
               "and of those moved so aslant one")
    """So far aside, and twice as far, the rims may not run better."""
    better_share: float = parameter(0.6, unit="share of half a board's pits", least=0.3, most=1, source="guess")
    """Pits whose rims may run better there."""
    ends_share: float = parameter(0.4, unit="share of the usual rim", least=0, most=1,
        source="of 40 drawn boards all that lay still and showed their rims stood out by 0.44 and more, and of those "
               "moved by a pit along the rows none by more than 0.22")
    """By how much more of the rims at an edge has to be seen than a step beyond the opposite one."""
    again_s: float = parameter(0.4, unit="seconds", least=0.1, most=5, source="as `vision.eye` searches again")
    """Between two looks, as long as the board is not found."""


@dataclass(frozen=True, slots=True)
class PaceLimits:
    """When a table is said to look at too few of its camera's pictures."""

    frames: int = parameter(30, unit="frames", least=2, most=300, source="guess")
    """Frames over which is counted."""
    fewest: float = parameter(4.0, unit="pictures a second", least=1, most=15, source="guess")
    """Fewer are too few for quick hands."""
    good_part: float = parameter(0.7, unit="share", least=0.1, most=1, source="guess")
    """Share of the camera's pictures, below which it is said."""


BRIGHTENING = BrighteningLimits()
DENOISING = DenoisingLimits()
BANDS = BandLimits()
FROZEN_LIMITS = FrozenLimits()
COUNTING = CountingLimits()
REMEMBERED = RememberedLimits()
PACE = PaceLimits()
