"""Finds hands over the board, stillness, and whether the board can be seen at all, frame by frame.

Every frame is compared with a slowly adapting reference of the board laid flat. A region that differs from the
reference in colour, in structure, or by more than a shadow can, and that reaches in from the canvas's edge, is a hand.
Seeds come and go in the pits, so a pit's inside has a reference of its own that follows play, and a difference there
counts only if a hand on the ridge leads to it.
"""

from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.hands.canvas import UNIT, Canvas
from vision.hands.light import light_over, shows_through
from vision.hands.parameters import CANVAS, CHANGE, DARKNESS, LEARNING, MOTION, REGION, SHARPNESS, SHIFT
from vision.hands.pixels import (
    area_of,
    border_of,
    mean_about,
    mean_of,
    most_of,
    part_of,
    quantile,
    share_of,
    sides_of,
)
from vision.hands.reference import ReferenceStats, spread
from vision.hands.shift import displaced
from vision.reading import BoardView

Array = NDArray[np.float64]
Float = NDArray[np.float32]
Image = NDArray[np.uint8]
Mask = NDArray[np.bool_]

SAMPLED = 7
"""Step between the pixels of the board that are sampled for a median over all of them."""


@dataclass(frozen=True, slots=True)
class Hands:
    """What one frame shows apart from seeds.

    south, north: share of the board's area covered from either side, 0…1. covered: bool[pits] along the ring. motion:
    share of the board's area that changed since the frame before. quiet: nothing has moved for three frames. moved: the
    board lies elsewhere than before, by `shift` (board units along x and y, and the turn in board units at one unit's
    distance). dark, blurred: too dark, or too blurred, to be read. mask: bool[h, w], the hands on the canvas
    (`Canvas`). lain: seconds for which a part of the hands as large as a finger has not moved.
    """

    south: float
    north: float
    covered: NDArray[np.bool_]
    motion: float
    quiet: bool
    moved: bool
    dark: bool
    blurred: bool
    shift: tuple[float, float, float]
    mask: Mask
    lain: float = 0.0

    @property
    def shares(self) -> tuple[float, float]:
        """The covered shares of South and of North."""
        return self.south, self.north


class HandWatch:
    """Follows the hands over one board in a running camera. Show it every frame once, in order."""

    def __init__(self, view: BoardView) -> None:
        """view: the board, oriented (`vision.board.lattice.oriented`)."""
        self.canvas = Canvas(view)
        self._n = view.rows * view.cols
        self._reference: Float | None = None
        self._before: Float | None = None
        self._time = 0.0
        self._hands_then: tuple[Mask, Mask, Mask] | None = None
        self._shaded_at = -1.0
        self._began, self._trusted = 0.0, False
        self._mask: Mask = np.zeros(self.canvas.valid.shape, np.bool_)
        self._gain: Float = np.zeros(3, np.float32)
        self._noise = MOTION.usual_noise
        self._leaps, self._heard = [0.0, 0.0], [0.0, 0.0]
        self._still = 0
        self._dark = True
        self._recent: Float = np.zeros(self.canvas.valid.shape, np.float32)
        self._since: Float = np.zeros(self.canvas.valid.shape, np.float32)
        self._lain: Float = np.zeros(self.canvas.valid.shape, np.float32)
        self._free = np.zeros(self._n, np.int64)
        self._displaced_s = 0.0
        self._newest: Hands | None = None
        self._sharp = np.zeros(2)
        self._details: tuple[Float, Float] | None = None
        self._field = max(1, area_of(self.canvas.field & self.canvas.valid))
        self._watched: Mask = np.asarray(self.canvas.field & self.canvas.valid, np.bool_)
        self._on_board, self._in_view = (np.flatnonzero(part)[::SAMPLED] for part in (self._watched, self.canvas.valid))
        self._border = border_of(self.canvas.valid)
        self._outside: Mask = np.asarray(self.canvas.within < 0, np.bool_)
        self._much_outside = np.maximum(mean_about(self._outside.astype(np.float32)), CHANGE.least_outside)
        self._rim_area, self._pit_area, self._about_area = (
            np.maximum(1, np.bincount(zone[zone >= 0], minlength=self._n))
            for zone in (self.canvas.rims, self.canvas.pits, self.canvas.about))

    def look(self, image: Image, seconds: float) -> Hands:
        """Examine a frame. image: uint8[h, w, 3] of the size the board was found in; seconds: its time, ascending."""
        now = self.canvas.flat(image)
        if self._reference is None or self._before is None:
            self._reference, self._before, self._time, self._began = now.copy(), now.copy(), seconds, seconds
        passed = min(1.0, max(0.0, seconds - self._time))
        motion, moving, usual, lit = self._motion(now)
        if (idle := self._idle(moving, passed)) is not None:
            self._before = now
            return idle
        leaps = motion > MOTION.leap or abs(lit) > MOTION.leap_of_light
        if not self._trusted:
            self._begin(now, leaps or part_of(moving[self.canvas.valid]) > MOTION.begins, seconds)
        motion = self._calmed(motion, usual, passed)
        self._gain = self._light(now)
        fade = np.float32(np.exp(-passed / REGION.recent_s))
        self._recent = np.maximum(self._recent * fade, moving.astype(np.float32))
        level = now - self._gain
        change = self._change(level)
        reaching = self._reaching(change)
        if reaching[0].any():
            light = self._field_of_light(now, reaching[0], seconds)
            if light is not None:
                level = now - light
                change = self._change(level)
                reaching = self._reaching(change)
        self._mask, south, north = self._not_gone_yet(reaching, seconds)
        near = cv2.dilate(moving.astype(np.uint8), np.ones((5, 5), np.uint8)) > 0
        self._judge_reference(level, change, np.asarray(near, np.bool_), passed)
        covered = self._covered()
        self._dark = dark = self._too_dark(now)
        shift, moved = self._place(level, motion, passed)
        blurred = self._blurred(image, dark)
        if self._displaced_s == 0.0 and not leaps:  # learning now would soon hide that the board has moved
            self._learn(level, covered, moving, passed)
        self._still = self._still + 1 if motion < MOTION.still else 0
        self._before, self._time = now, seconds
        lain = self._longest(np.asarray(near, np.bool_), passed)
        self._newest = Hands(area_of(south) / self._field, area_of(north) / self._field, covered, motion,
                             self._still >= MOTION.quiet_frames, moved, dark, blurred, shift, self._mask, lain)
        return self._newest

    def _idle(self, moving: Mask, passed: float) -> Hands | None:
        """Return the newest result again if nothing lay over the board at the last close look, a short time ago, and
        nothing has come since; else None."""
        newest = self._newest
        if newest is None or newest.mask.any() or newest.moved or newest.dark or newest.blurred:
            return None
        calm = self._trusted and self._still >= MOTION.quiet_frames and self._displaced_s == 0.0
        calm = calm and bool((self._free >= LEARNING.pit_frames).all())
        if not calm or passed >= MOTION.idle_s or area_of(moving & self.canvas.valid) >= MOTION.idle_pixels:
            return None
        self._still += 1
        return replace(newest, motion=0.0, quiet=True)

    def _too_dark(self, now: Float) -> bool:
        """Whether hardly anything on the board or round it is in the light."""
        grey = mean_of(now).ravel()
        least = 1.0 if self._dark else DARKNESS.darker_yet
        asked = ((self._on_board, 0.5, DARKNESS.dark_grey), (self._in_view, 0.99, DARKNESS.lit_grey))
        return all(float(np.exp(quantile(grey[where], share))) - CANVAS.light_floor_grey < least * grade
                   for where, share, grade in asked)

    # ---- light and change ----

    def _motion(self, now: Float) -> tuple[float, Mask, float, float]:
        """Return the moving share of the board, the moving pixels, the median difference from the frame before, and by
        how much the board's median brightness rose since then (both natural log of light)."""
        assert self._before is not None
        d = now - self._before
        sampled = d.reshape(-1, 3)[self._on_board]
        lit = float(quantile(sampled.mean(axis=1), 0.5))
        d = most_of(np.abs(d - np.array([quantile(sampled[:, k], 0.5) for k in range(3)], np.float32)))
        watched = self._watched
        usual = float(quantile(d.ravel()[self._on_board], 0.5))
        # A repeated picture, as every second one in many recordings, says nothing about the noise.
        if usual > MOTION.repeated:
            newest = float(np.clip(usual, MOTION.least_noise, MOTION.most_noise))
            self._noise = (1 - MOTION.noise_weight) * self._noise + MOTION.noise_weight * newest
        # Keyframes shift the brightness of dark compressed video slightly, so the present difference counts as noise.
        moving = d > max(MOTION.moving, MOTION.moving_in_noise * max(self._noise, min(usual, MOTION.most_noise)))
        return area_of(moving & watched) / self._field, moving, usual, lit

    def _begin(self, now: Float, otherwise: bool, seconds: float) -> None:
        """Start the reference of a camera that has just begun. otherwise: this picture differs from the one before."""
        if otherwise:
            self._reference = now.copy()
        self._trusted = (seconds > self._began and not otherwise) or seconds - self._began > MOTION.starts_s

    def _calmed(self, motion: float, usual: float, passed: float) -> float:
        """Return the changed share less the usual flicker, which is learnt while no hand is seen. motion: the changed
        share; usual: the noise of this frame; passed: seconds since the frame before. Frames that nearly repeat the one
        before have an average of their own: if the camera is slower than the video, every second frame is such a copy,
        and copies do not flicker."""
        kind = int(usual >= MOTION.repacked * self._noise)
        if not self._mask.any() and motion < MOTION.most_leaps:
            self._heard[kind] += passed
            heard = min(self._heard[kind], MOTION.listened_s)
            self._leaps[kind] += (motion - self._leaps[kind]) * passed / max(passed, heard, 1e-9)
        return max(0.0, motion - self._leaps[kind])

    def _light(self, now: Float) -> Float:
        """float32[3], the gain of every channel over the reference, from the ridge where no hand was a frame ago; if a
        shadow covers much of it, from the part in full light."""
        assert self._reference is not None
        free = self.canvas.ridge & ~self._mask
        if area_of(free) < CHANGE.least_ridge * area_of(self.canvas.ridge):
            return self._gain
        at = np.flatnonzero(free)[::SAMPLED]
        gains = now.reshape(-1, 3)[at] - self._reference.reshape(-1, 3)[at]
        usual = np.array([quantile(gains[:, k], 0.5) for k in range(3)], np.float32)
        lighter = gains.mean(axis=1) > usual.mean() + CHANGE.lighter / 2
        if part_of(lighter) < CHANGE.unshaded:
            return usual
        light = np.asarray(np.median(gains[lighter], axis=0), np.float32)
        by = light - usual
        shade = CHANGE.lighter < by.mean() < CHANGE.shadow and np.abs(by - by.mean()).max() < CHANGE.tint / 2
        return light if shade else usual

    def _field_of_light(self, now: Float, hands: Mask, seconds: float) -> Float | None:
        """float32[h, w, 3], the light over every part of the canvas relative to the reference; None if the board's
        structure hardly shows through the supposed hands, so that nothing suggests a shadow."""
        assert self._reference is not None
        shown = shows_through(mean_of(now), mean_of(self._reference), self._noise)
        shown &= self._outside & self.canvas.valid
        shown = np.asarray(cv2.erode(shown.astype(np.uint8), np.ones((3, 3), np.uint8)) > 0, np.bool_)
        if part_of(shown[hands]) < CHANGE.shows and seconds - self._shaded_at > REGION.recent_s:
            return None
        light = light_over(now - self._reference, shown, self._gain)
        off = np.abs(mean_of(light - self._gain))[self.canvas.valid]
        if part_of(off > CHANGE.lighter) > CHANGE.shaded:
            self._shaded_at = seconds
        return light

    def _not_gone_yet(self, reaching: tuple[Mask, Mask, Mask], seconds: float) -> tuple[Mask, Mask, Mask]:
        """Return the hands; if hardly any are left just after a shadow, with those of the frame before: the board is
        free only after two such frames."""
        before, self._hands_then = self._hands_then, reaching
        free = area_of(reaching[1] | reaching[2]) < CHANGE.free * self._field
        if not free or seconds - self._shaded_at > CHANGE.explained_s or before is None:
            return reaching
        south = reaching[1] | before[1] & ~reaching[2]
        return reaching[0] | before[0], south, (reaching[2] | before[2]) & ~south

    def _change(self, level: Float) -> Float:
        """float32[h, w], how far the frame differs from the reference; light alone stays below 1."""
        assert self._reference is not None
        d = level - self._reference
        mean = mean_of(d)
        tint = most_of(np.abs(d - mean[..., None]))
        about = mean_about(mean * self._outside) / self._much_outside  # without light reflected by seeds in the pits
        told = self._outside & (self._much_outside > CHANGE.least_outside)
        relief = np.abs(mean - np.where(told, about, mean_about(mean)))
        slack = max(1.0, self._noise / MOTION.usual_noise)
        total = (tint / CHANGE.tint) ** 2 + (np.maximum(0, mean) / CHANGE.lighter) ** 2
        total += (np.maximum(0, -mean - CHANGE.shadow) / CHANGE.darker) ** 2 + (relief / CHANGE.relief) ** 2
        # Rounding in the blur may leave small negative values.
        return np.asarray(np.sqrt(np.maximum(0, cv2.blur(total, (3, 3)))) / slack, np.float32)

    def _reaching(self, change: Float) -> tuple[Mask, Mask, Mask]:
        """Return the hands, that is, changed regions that reach in from the edge; and their parts on the field, South's
        and North's."""
        trail = (self._recent > REGION.trail) & self.canvas.valid
        weak = ((change > np.where(trail, CHANGE.moving_change, 1.0)) & self.canvas.valid).astype(np.uint8)
        weak = np.asarray(cv2.morphologyEx(weak, cv2.MORPH_OPEN, np.ones((2, 2), np.uint8)), np.uint8)
        weak = np.asarray(cv2.morphologyEx(weak, cv2.MORPH_CLOSE, np.ones((3, 3), np.uint8)), np.uint8)
        weak[~self.canvas.valid] = 0
        # Rearranged seeds are no hand: a still change in a pit counts only with a hand about the pit.
        # But a board that seems to have moved must still be noticed.
        lying = np.asarray((self.canvas.within >= 0) & (self._recent <= REGION.fresh) & (weak > 0), np.bool_)
        lying &= self._displaced_s == 0.0
        weak[lying] = 0
        # Skin the colour of the wood leaves gaps; an arm the colour of the table shows only while it moves.
        wide = cv2.dilate(weak, np.ones((REGION.bridge, REGION.bridge), np.uint8)) | trail.astype(np.uint8)
        count, every = cv2.connectedComponents(wide, connectivity=8)
        label = np.where(weak > 0, every, 0)
        hands = np.zeros(weak.shape, np.bool_)
        south, north = hands.copy(), hands.copy()
        strong = np.bincount(label[change > CHANGE.strong], minlength=count)
        areas = np.bincount(label.ravel(), minlength=count)
        for k in range(1, count):
            if areas[k] < REGION.least_area * UNIT**2:
                continue
            one = np.asarray(label == k, np.bool_)
            edge = self._edge_of(one, np.asarray(trail & (every == k), np.bool_), int(strong[k]))
            if edge is None:
                continue
            hands |= one
            mine, hers = sides_of(one, edge)
            south |= mine
            north |= hers
        beside = [share_of(self.canvas.about, part, self._about_area) for part in (south, north)]
        under = lying & (beside[0] + beside[1] > REGION.about_covered)[self.canvas.within]
        souths = under & (beside[0] >= beside[1])[self.canvas.within]
        field = self.canvas.field
        return hands | under, (south | souths) & field, (north | under & ~souths) & field

    def _edge_of(self, one: Mask, trail: Mask, strong: int) -> list[int] | None:
        """Count the pixels of each border that a region bool[h, w] reaches, if it is a hand; None if not. trail: where
        something moved that leads to it; strong: the number of its plainly different pixels."""
        edge = [area_of(one & border) for border in self._border]
        if strong >= REGION.strong_share * area_of(one) and sum(edge) >= REGION.edge_pixels:
            return edge
        edge = [area_of(trail & border) for border in self._border]
        moving = part_of(self._recent[one] > REGION.fresh)
        return edge if sum(edge) >= REGION.edge_pixels and moving >= REGION.moving_share else None

    def _covered(self) -> NDArray[np.bool_]:
        rim = share_of(self.canvas.rims, self._mask, self._rim_area)
        pit = share_of(self.canvas.pits, self._mask, self._pit_area)
        touched = (pit > REGION.pit_covered) & (rim > REGION.rim_touched)
        return np.asarray((rim > REGION.rim_covered) | touched, np.bool_)

    # ---- the reference ----

    def _judge_reference(self, level: Float, change: Float, near: Mask, passed: float) -> None:
        """Replace the reference by the frame where the reference shows a hand that was there from the start and has
        left.

        The one of the two that looks more like the rest of the ridge, or of the same strip beside the board, is board
        or table. A thing that has not moved for long becomes part of the scene, too.
        """
        assert self._reference is not None
        self._since = np.where(self._mask & ~near, self._since + np.float32(passed), np.float32(0))
        if not self._mask.any():
            return
        usual: ReferenceStats | None = None
        wide = cv2.dilate(self._mask.astype(np.uint8), np.ones((REGION.bridge, REGION.bridge), np.uint8))
        count, label = cv2.connectedComponents(wide, connectivity=8)
        for k in range(1, count):
            one = (label == k) & self._mask  # a whole hand at once: a remnant of one would not reach the edge
            still = float(np.median(self._since[one]))
            if still <= LEARNING.left_s:
                continue
            usual = usual or ReferenceStats.of(self._reference, self.canvas.strips, ~self._mask)
            laid = still >= LEARNING.laid_s and not self._over_a_pit(one)
            if laid or still >= LEARNING.settled_s or usual.less_typical(self._reference, level, one):
                gone = spread(one, change > CHANGE.gone_change, np.asarray(self._mask & ~one, np.bool_))
                self._reference[gone] = level[gone]
                self._mask &= ~one

    def _over_a_pit(self, one: Mask) -> bool:
        """Whether a region bool[h, w] covers a pit."""
        return bool((share_of(self.canvas.pits, one, self._pit_area) > REGION.pit_covered).any())

    def _learn(self, level: Float, covered: NDArray[np.bool_], moving: Mask, passed: float) -> None:
        """Update the reference: the ridge follows the light slowly, a pit free for some frames follows play at once."""
        assert self._reference is not None
        hand = cv2.dilate(self._mask.astype(np.uint8), np.ones((5, 5), np.uint8)) > 0
        rate = np.where(hand, 0.0, min(1.0, passed / LEARNING.drift_s)).astype(np.float32)
        busy = np.bincount(self.canvas.pits[moving & (self.canvas.pits >= 0)], minlength=self._n)
        moving = busy > LEARNING.pit_moving_share * self._pit_area
        self._free = np.where(covered | moving, 0, self._free + 1)
        inside = self.canvas.pits >= 0
        free = self._free[self.canvas.pits] >= LEARNING.pit_frames
        rate = np.where(inside, np.where(free, np.float32(LEARNING.pit_rate), np.float32(0)), rate)
        self._reference += rate[..., None] * (level - self._reference)

    def _longest(self, near: Mask, passed: float) -> float:
        """Seconds for which a part of the hands has not moved. Each frame without that part subtracts its own
        duration."""
        if not self._mask.any() and not self._lain.any():
            return 0.0
        step = np.where(self._mask, np.float32(passed), np.float32(-passed))
        self._lain = np.where(near, np.float32(0), np.maximum(self._lain + step, np.float32(0)))
        over = self._lain[self._mask & self.canvas.field]
        part = max(1, round(REGION.part * self._field))
        return float(np.partition(over, over.size - part)[over.size - part]) if over.size >= part else 0.0

    # ---- can the board be seen? ----

    def _place(self, level: Float, motion: float, passed: float) -> tuple[tuple[float, float, float], bool]:
        """Return how far the ridge's edges have shifted; and whether a shift has lasted, with nothing moving."""
        assert self._reference is not None
        if motion >= SHIFT.busy_factor * MOTION.still:  # busy hands hide the shift
            return (0.0, 0.0, 0.0), self._displaced_s > SHIFT.displaced_s
        lies = displaced(mean_of(level), mean_of(self._reference), self.canvas)
        self._displaced_s = self._displaced_s + passed if lies.elsewhere else 0.0
        return lies.shift, self._displaced_s > SHIFT.displaced_s

    def _blurred(self, image: Image, dark: bool) -> bool:
        """Whether there is much less fine structure than usual, both by itself and beside the coarser structure. Seeds
        that come or go change the one or the other; blur takes from both."""
        x0, y0, x1, y1 = self.canvas.patch
        if dark or x1 - x0 < 16 or y1 - y0 < 16 or self._mask.any():
            self._details = None
            return False
        grey = np.asarray(cv2.cvtColor(image[y0:y1, x0:x1], cv2.COLOR_BGR2GRAY), np.uint8)
        details, before = _details(grey), self._details
        self._details = details
        if before is None:
            return False
        # Compare what two frames have in common: a blurred picture still has the camera's noise.
        fine, coarse = (max(0.0, float((now * then).mean() - now.mean() * then.mean()))
                        for now, then in zip(details, before, strict=True))
        sharp = np.array([fine, fine / max(1.0, coarse)])
        if not self._sharp.any():
            self._sharp = sharp
        blurred = bool((sharp < SHARPNESS.blurred * self._sharp).all())
        if not blurred:
            weight = np.where(sharp > self._sharp, SHARPNESS.sharper_weight, SHARPNESS.weight)
            self._sharp = self._sharp + weight * (sharp - self._sharp)
        return blurred


def _details(grey: Image) -> tuple[Float, Float]:
    """Return the structure of a picture at half of its size and at a quarter: float32, what differs from the pixels
    beside."""
    half = cv2.resize(grey, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
    quarter = cv2.resize(half, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
    fine, coarse = (np.asarray(cv2.Laplacian(part, cv2.CV_32F), np.float32) for part in (half, quarter))
    return fine, coarse
