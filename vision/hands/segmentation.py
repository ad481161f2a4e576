"""Hands over the board, stillness, and whether the board can be seen at all, frame by frame.

A slowly adapting reference of the board laid flat is held against every frame. What differs from it in colour, in
structure, or by more than a shadow can, and reaches in from the canvas's edge, is a hand. Seeds come and go in the
pits, so a pit's inside has a reference of its own that follows play, and only counts where a hand on the ridge leads to
it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.hands.canvas import OFFSET, UNIT, Canvas
from vision.hands.light import light_over, shows_through
from vision.hands.pixels import border_of, mean_about, mean_of, most_of, quantile, share_of, sides_of
from vision.hands.reference import Usual, spread
from vision.hands.shift import displaced
from vision.reading import BoardView

Array = NDArray[np.float64]
Float = NDArray[np.float32]
Image = NDArray[np.uint8]
Mask = NDArray[np.bool_]

TINT, LIGHTER, DARKER, SHADOW, RELIEF = 0.13, 0.20, 0.20, 0.42, 0.17
"""Differences (natural log of light) that count as one unit of change: of colour, of being lighter, of being darker
than a shadow, how dark a shadow may be, and of fine structure."""
UNSHADED = 0.25
"""Share of the ridge that lies in the light, at least, where a shade lies over the rest: less may be a hand."""
RECENT = 0.8
"""Seconds in which the memory of what moved where fades to a third."""
EXPLAINED_S = 0.12
"""Seconds after a shade was about for which what looked like a hand a frame ago still counts as one."""
FREE = 0.01
"""Share of the board's area below which next to no hands are over it."""
SHOWS = 0.04
"""Share of what looks like hands in which the board's structure has to show through for another light to be looked for,
where none was found of late."""
SHADED = 0.05
"""Share of the canvas over which another light falls than over the rest from which on a shade, or a gleam, is about."""
TRAIL, FRESH, STIRRED = 0.4, 0.8, 0.25
"""How well a movement has to be remembered to lead a hand to the edge, and to be one of just now; and how much of a
region has to have moved just now for it to be a hand though it looks much like the board or the table."""
AROUND = 0.12
"""Share of what lies about a pit that a hand has to cover for what has changed in the pit, and lies still, to be its.
"""
IN_PIT = 0.08
"""Share of a pit from which on it is covered, as far as what covers it shows on its rim, too."""
LEAST_OUTSIDE = 0.1
"""Share of a pixel's surroundings that has to lie beside the pits for these alone to be its surroundings."""
MOVING_CHANGE = 0.7
"""Units of change that are enough where something moved of late."""
BRIDGE = 7
"""Canvas pixels across which parts of a hand belong together."""
LOUDEST = 0.06
"""Difference (natural log of light) in the middle of two frames that is noise at the most."""
REPEATED = 0.0015
"""Difference (natural log of light) between two frames, in the middle, up to which they are the same picture."""
LEAPS, LISTENED, TWICE = 0.06, 2.0, 0.5
"""Share of the board up to which what changes between frames may be the pictures' own unrest, and seconds over which it
is listened to: packed small, a block here and there leaps in every frame, more than any camera's noise. And share of
the usual noise below which a frame is the one before once more, packed anew.
"""
LEAP, LEAP_OF_LIGHT = 0.12, 0.05
"""Share of the board that changes from one frame to the next, and by how much the middle of it gets brighter or darker
(natural log of light), from which on nothing is learnt from the frame: a hand's way in a frame is shorter. Webcams
begin with a broken picture or two and set their exposure in leaps."""
PART = 0.02
"""Share of the board's area that has to be covered without a break for something to lie there: a finger is as large."""
STARTS_S, BEGINS = 1.0, 0.02
"""Seconds in which a camera finds its feet: until two frames are alike but for such a share of the canvas, or for so
long, the reference begins anew with every frame."""
STILL = 0.004
"""Greatest share of the board that may change between frames while nothing moves."""
DRIFT = 6.0
"""Seconds in which the reference follows the light."""
SETTLED = 120.0
"""Seconds after which a thing that has not moved at all is part of the scene."""
LAID = 0.6
"""Seconds after which that holds of what covers no pit: seeds that were captured lie there, or fingers on the edge,
which are noticed again when they move.
"""
LEFT = 0.3
"""Seconds after which a hand that does not move may be one that has left."""
GHOST = 0.35
"""Units of change from which on what lies about a hand that has left belongs to it."""
DARK, LIT = 22.0, 50.0
"""Grey levels: where half of the board is below the former, and next to nothing on it or round it above the latter, it
is too dark to be read. Pale seeds on a dark board stand out in little light, and a black board on a bright table is in
the light, too."""
IDLE_PIXELS = 8
"""Canvas pixels that may change while nothing comes over the board: a fourth of the least hand."""
IDLE_S = 0.2
"""Seconds for which a board over which nothing comes need not be looked at closely again."""
SAMPLED = 3
"""Every so manieth pixel of the board stands for all of them where a median over all is meant."""
DARKER_YET = 0.8
"""Share of these levels below which it becomes too dark where it was not: a hand over a dark board is the brightest
thing there, and when it leaves nothing has got darker."""


@dataclass(frozen=True, slots=True)
class Hands:
    """What one frame shows beside the seeds.

    south, north: share of the board's area covered from either side, 0…1. covered: bool[pits] along the ring. motion:
    share of the board's area that changed since the frame before. quiet: nothing has moved for three frames. moved: the
    board lies elsewhere than it did, by `shift` (board units along x and y, and the turn in board units at one unit's
    distance). dark, blurred: too dark, or too blurred, to be read. mask: bool[h, w], the hands on the canvas
    (`Canvas`). lain: seconds for which a part of them, of `PART` of the board's area, has not moved.
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
        """South's and North's."""
        return self.south, self.north


class HandWatch:
    """Follows the hands over one board in a running camera.

    view: the board, oriented (`vision.board.lattice.oriented`). Show it every frame once, in order.
    """

    def __init__(self, view: BoardView) -> None:
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
        self._noise = 0.02
        self._leaps, self._heard = [0.0, 0.0], [0.0, 0.0]
        self._still = 0
        self._dark = True
        self._recent: Float = np.zeros(self.canvas.valid.shape, np.float32)
        self._since: Float = np.zeros(self.canvas.valid.shape, np.float32)
        self._lain: Float = np.zeros(self.canvas.valid.shape, np.float32)
        self._free = np.zeros(self._n, np.int64)
        self._astray = 0.0
        self._newest: Hands | None = None
        self._sharp = 0.0
        self._fine: Float | None = None
        self._field = max(1, int((self.canvas.field & self.canvas.valid).sum()))
        self._watched: Mask = np.asarray(self.canvas.field & self.canvas.valid, np.bool_)
        self._on_board, self._in_view = (np.flatnonzero(part)[::SAMPLED] for part in (self._watched, self.canvas.valid))
        self._border = border_of(self.canvas.valid)
        self._outside: Mask = np.asarray(self.canvas.within < 0, np.bool_)
        self._much_outside = np.maximum(mean_about(self._outside.astype(np.float32)), LEAST_OUTSIDE)
        self._rim_area, self._pit_area, self._about_area = (
            np.maximum(1, np.bincount(zone[zone >= 0], minlength=self._n))
            for zone in (self.canvas.rims, self.canvas.pits, self.canvas.about))

    def look(self, image: Image, seconds: float) -> Hands:
        """What the frame shows. image: uint8[h, w, 3] of the size the board was found in; seconds: its time, rising."""
        now = self.canvas.flat(image)
        if self._reference is None or self._before is None:
            self._reference, self._before, self._time, self._began = now.copy(), now.copy(), seconds, seconds
        passed = min(1.0, max(0.0, seconds - self._time))
        motion, moving, usual, lit = self._motion(now)
        if (idle := self._idle(moving, passed)) is not None:
            self._before = now
            return idle
        leaps = motion > LEAP or abs(lit) > LEAP_OF_LIGHT
        if not self._trusted:
            self._begin(now, leaps or float(moving[self.canvas.valid].mean()) > BEGINS, seconds)
        motion = self._calmed(motion, usual, passed)
        self._gain = self._light(now)
        self._recent = np.maximum(self._recent * np.float32(np.exp(-passed / RECENT)), moving.astype(np.float32))
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
        if self._astray == 0.0 and not leaps:  # the pits' references would soon hide that the board has moved
            self._learn(level, covered, moving, passed)
        self._still = self._still + 1 if motion < STILL else 0
        self._before, self._time = now, seconds
        lain = self._longest(np.asarray(near, np.bool_), passed)
        self._newest = Hands(int(south.sum()) / self._field, int(north.sum()) / self._field, covered, motion,
                             self._still >= 3, moved, dark, blurred, shift, self._mask, lain)
        return self._newest

    def _idle(self, moving: Mask, passed: float) -> Hands | None:
        """What the frame shows if nothing lay over the board at the last close look, which is not long ago, and nothing
        has come since; else None."""
        newest = self._newest
        if newest is None or newest.mask.any() or newest.moved or newest.dark or newest.blurred:
            return None
        calm = self._trusted and self._still >= 3 and self._astray == 0.0 and bool((self._free >= 2).all())
        if not calm or passed >= IDLE_S or int((moving & self.canvas.valid).sum()) >= IDLE_PIXELS:
            return None
        self._still += 1
        return replace(newest, motion=0.0, quiet=True)

    def _too_dark(self, now: Float) -> bool:
        """Whether next to nothing on the board or round it is in the light."""
        grey = mean_of(now).ravel()
        least = 1.0 if self._dark else DARKER_YET
        return all(float(np.exp(quantile(grey[where], share))) - OFFSET < least * grade
                   for where, share, grade in ((self._on_board, 0.5, DARK), (self._in_view, 0.99, LIT)))

    # ---- light and change ----

    def _motion(self, now: Float) -> tuple[float, Mask, float, float]:
        """The share of the board that moves, what moves, the difference (natural log of light) in the middle, and by
        how much the middle of the board got lighter since the frame before (natural log of light)."""
        assert self._before is not None
        d = now - self._before
        sampled = d.reshape(-1, 3)[self._on_board]
        lit = float(quantile(sampled.mean(axis=1), 0.5))
        d = most_of(np.abs(d - np.array([quantile(sampled[:, k], 0.5) for k in range(3)], np.float32)))
        watched = self._watched
        usual = float(quantile(d.ravel()[self._on_board], 0.5))
        if usual > REPEATED:  # a picture that comes twice, as in half of many recordings, tells nothing of the noise
            self._noise = 0.95 * self._noise + 0.05 * float(np.clip(usual, 0.004, LOUDEST))
        # A film's pictures are packed whole now and then, and all of a dark one shifts a little with each of these.
        moving = d > max(0.10, 7 * max(self._noise, min(usual, LOUDEST)))
        return float((moving & watched).sum()) / self._field, moving, usual, lit

    def _begin(self, now: Float, otherwise: bool, seconds: float) -> None:
        """A camera that has just begun. otherwise: this picture is another than the one before."""
        if otherwise:
            self._reference = now.copy()
        self._trusted = (seconds > self._began and not otherwise) or seconds - self._began > STARTS_S

    def _calmed(self, motion: float, usual: float, passed: float) -> float:
        """The share that changes beyond what always does where no hand is. Frames that are much like the one before are
        listened to apart: of a camera that is slower than its film every other one is, and in those nothing leaps."""
        kind = int(usual >= TWICE * self._noise)
        if not self._mask.any() and motion < LEAPS:
            self._heard[kind] += passed
            heard = min(self._heard[kind], LISTENED)
            self._leaps[kind] += (motion - self._leaps[kind]) * passed / max(passed, heard, 1e-9)
        return max(0.0, motion - self._leaps[kind])

    def _light(self, now: Float) -> Float:
        """float32[3], the gain of every channel over the reference, from the ridge where no hand was a frame ago: where
        a shade lies over much of it, from the part that lies in the light."""
        assert self._reference is not None
        free = self.canvas.ridge & ~self._mask
        if free.sum() < 0.15 * self.canvas.ridge.sum():
            return self._gain
        at = np.flatnonzero(free)[::SAMPLED]
        gains = now.reshape(-1, 3)[at] - self._reference.reshape(-1, 3)[at]
        usual = np.array([quantile(gains[:, k], 0.5) for k in range(3)], np.float32)
        lighter = gains.mean(axis=1) > usual.mean() + LIGHTER / 2
        if lighter.mean() < UNSHADED:
            return usual
        light = np.asarray(np.median(gains[lighter], axis=0), np.float32)
        by = light - usual
        return light if LIGHTER < by.mean() < SHADOW and np.abs(by - by.mean()).max() < TINT / 2 else usual

    def _field_of_light(self, now: Float, hands: Mask, seconds: float) -> Float | None:
        """float32[h, w, 3], the light over every part of the canvas, beside the reference's; None where the board's
        structure hardly shows through what looks like hands, so that nothing speaks for a shade."""
        assert self._reference is not None
        shown = shows_through(mean_of(now), mean_of(self._reference), self._noise)
        shown &= self._outside & self.canvas.valid
        shown = np.asarray(cv2.erode(shown.astype(np.uint8), np.ones((3, 3), np.uint8)) > 0, np.bool_)
        if float(shown[hands].mean()) < SHOWS and seconds - self._shaded_at > RECENT:
            return None
        light = light_over(now - self._reference, shown, self._gain)
        off = np.abs(mean_of(light - self._gain))[self.canvas.valid]
        if float((off > LIGHTER).mean()) > SHADED:
            self._shaded_at = seconds
        return light

    def _not_gone_yet(self, reaching: tuple[Mask, Mask, Mask], seconds: float) -> tuple[Mask, Mask, Mask]:
        """The hands; where there are next to none any more, and a shade was about, those of the frame before, too: the
        board is not free before two frames say so."""
        before, self._hands_then = self._hands_then, reaching
        free = int((reaching[1] | reaching[2]).sum()) < FREE * self._field
        if not free or seconds - self._shaded_at > EXPLAINED_S or before is None:
            return reaching
        south = reaching[1] | before[1] & ~reaching[2]
        return reaching[0] | before[0], south, (reaching[2] | before[2]) & ~south

    def _change(self, level: Float) -> Float:
        """float32[h, w], how far the frame differs from the reference; 1 and above is no light's doing."""
        assert self._reference is not None
        d = level - self._reference
        mean = mean_of(d)
        tint = most_of(np.abs(d - mean[..., None]))
        about = mean_about(mean * self._outside) / self._much_outside  # what lies in the pits must not shine upon it
        relief = np.abs(mean - np.where(self._outside & (self._much_outside > LEAST_OUTSIDE), about, mean_about(mean)))
        slack = max(1.0, self._noise / 0.02)
        total = (tint / TINT) ** 2 + (np.maximum(0, mean) / LIGHTER) ** 2
        total += (np.maximum(0, -mean - SHADOW) / DARKER) ** 2 + (relief / RELIEF) ** 2
        # The blur adds and takes away along a row, so of nothing something less than nothing may be left.
        return np.asarray(np.sqrt(np.maximum(0, cv2.blur(total, (3, 3)))) / slack, np.float32)

    def _reaching(self, change: Float) -> tuple[Mask, Mask, Mask]:
        """The hands: what is changed and reaches in from the edge; and the parts of it on the field, South's and
        North's."""
        trail = (self._recent > TRAIL) & self.canvas.valid
        weak = ((change > np.where(trail, MOVING_CHANGE, 1.0)) & self.canvas.valid).astype(np.uint8)
        weak = np.asarray(cv2.morphologyEx(weak, cv2.MORPH_OPEN, np.ones((2, 2), np.uint8)), np.uint8)
        weak = np.asarray(cv2.morphologyEx(weak, cv2.MORPH_CLOSE, np.ones((3, 3), np.uint8)), np.uint8)
        weak[~self.canvas.valid] = 0
        # Seeds that lie otherwise than they did are no hand: where nothing moves in a pit, it takes a hand about it.
        # But a board that seems to lie elsewhere is to be seen as such.
        lying = np.asarray((self.canvas.within >= 0) & (self._recent <= FRESH) & (weak > 0), np.bool_)
        lying &= self._astray == 0.0
        weak[lying] = 0
        # Skin the colour of the wood leaves gaps, and an arm the colour of the table is seen by its moving alone.
        wide = cv2.dilate(weak, np.ones((BRIDGE, BRIDGE), np.uint8)) | trail.astype(np.uint8)
        count, every = cv2.connectedComponents(wide, connectivity=8)
        label = np.where(weak > 0, every, 0)
        hands = np.zeros(weak.shape, np.bool_)
        south, north = hands.copy(), hands.copy()
        strong = np.bincount(label[change > 1.6], minlength=count)
        for k in range(1, count):
            one = np.asarray(label == k, np.bool_)
            edge = self._edge_of(one, np.asarray(trail & (every == k), np.bool_), int(strong[k]))
            if edge is None:
                continue
            hands |= one
            mine, hers = sides_of(one, edge)
            south |= mine
            north |= hers
        beside = [share_of(self.canvas.about, part, self._about_area) for part in (south, north)]
        under = lying & (beside[0] + beside[1] > AROUND)[self.canvas.within]
        souths = under & (beside[0] >= beside[1])[self.canvas.within]
        field = self.canvas.field
        return hands | under, (south | souths) & field, (north | under & ~souths) & field

    def _edge_of(self, one: Mask, trail: Mask, strong: int) -> list[int] | None:
        """How many pixels of each border a region bool[h, w] reaches, if it is a hand; None if it is none. trail: where
        something moved that leads to it; strong: its pixels that differ plainly."""
        area = int(one.sum())
        if area < 0.12 * UNIT**2:
            return None
        edge = [int((one & border).sum()) for border in self._border]
        if strong >= 0.25 * area and sum(edge) >= 2:
            return edge
        edge = [int((trail & border).sum()) for border in self._border]
        stirred = float((self._recent[one] > FRESH).mean())
        return edge if sum(edge) >= 2 and stirred >= STIRRED else None

    def _covered(self) -> NDArray[np.bool_]:
        rim = share_of(self.canvas.rims, self._mask, self._rim_area)
        pit = share_of(self.canvas.pits, self._mask, self._pit_area)
        return np.asarray((rim > 0.10) | (pit > IN_PIT) & (rim > 0.02), np.bool_)

    # ---- the reference ----

    def _judge_reference(self, level: Float, change: Float, near: Mask, passed: float) -> None:
        """Where the reference itself shows a hand, which was there from the first and has left, it takes the frame's
        place.

        Of the two, the one that looks more like the rest of the ridge, or of the same strip beside the board, is board
        or table. What has not moved for `SETTLED` seconds is taken for part of the scene, too.
        """
        assert self._reference is not None
        self._since = np.where(self._mask & ~near, self._since + np.float32(passed), np.float32(0))
        if not self._mask.any():
            return
        usual: Usual | None = None
        wide = cv2.dilate(self._mask.astype(np.uint8), np.ones((BRIDGE, BRIDGE), np.uint8))
        count, label = cv2.connectedComponents(wide, connectivity=8)
        for k in range(1, count):
            one = (label == k) & self._mask  # all of a hand at once: what is left of one reaches in from nowhere
            still = float(np.median(self._since[one]))
            if still <= LEFT:
                continue
            usual = usual or Usual.of(self._reference, self.canvas.strips, ~self._mask)
            laid = still >= LAID and not (share_of(self.canvas.pits, one, self._pit_area) > IN_PIT).any()
            if laid or still >= SETTLED or usual.odder(self._reference, level, one):
                gone = spread(one, change > GHOST) & ~(self._mask & ~one)
                self._reference[gone] = level[gone]
                self._mask &= ~one

    def _learn(self, level: Float, covered: NDArray[np.bool_], moving: Mask, passed: float) -> None:
        """The ridge follows the light slowly; a pit that has lain free for some frames follows play at once."""
        assert self._reference is not None
        hand = cv2.dilate(self._mask.astype(np.uint8), np.ones((5, 5), np.uint8)) > 0
        rate = np.where(hand, 0.0, min(1.0, passed / DRIFT)).astype(np.float32)
        busy = np.bincount(self.canvas.pits[moving & (self.canvas.pits >= 0)], minlength=self._n)
        stirred = busy > 0.02 * self._pit_area
        self._free = np.where(covered | stirred, 0, self._free + 1)
        inside = self.canvas.pits >= 0
        free = self._free[self.canvas.pits] >= 2
        rate = np.where(inside, np.where(free, np.float32(0.6), np.float32(0)), rate)
        self._reference += rate[..., None] * (level - self._reference)

    def _longest(self, near: Mask, passed: float) -> float:
        """Seconds for which a part of the hands has not moved. A frame in which they are not seen takes off as much
        again."""
        if not self._mask.any() and not self._lain.any():
            return 0.0
        step = np.where(self._mask, np.float32(passed), np.float32(-passed))
        self._lain = np.where(near, np.float32(0), np.maximum(self._lain + step, np.float32(0)))
        over = self._lain[self._mask & self.canvas.field]
        part = max(1, round(PART * self._field))
        return float(np.partition(over, over.size - part)[over.size - part]) if over.size >= part else 0.0

    # ---- can the board be seen? ----

    def _place(self, level: Float, motion: float, passed: float) -> tuple[tuple[float, float, float], bool]:
        """How far the ridge's edges lie from where they lay; and whether that has lasted, with nothing moving."""
        assert self._reference is not None
        if motion >= 5 * STILL:  # while hands are busy nothing can be said
            return (0.0, 0.0, 0.0), self._astray > 0.7
        lies = displaced(mean_of(level), mean_of(self._reference), self.canvas)
        self._astray = self._astray + passed if lies.astray else 0.0
        return lies.shift, self._astray > 0.7

    def _blurred(self, image: Image, dark: bool) -> bool:
        x0, y0, x1, y1 = self.canvas.patch
        if dark or x1 - x0 < 16 or y1 - y0 < 16 or self._mask.any():
            self._fine = None
            return False
        grey = cv2.cvtColor(image[y0:y1, x0:x1], cv2.COLOR_BGR2GRAY)
        fine, before = np.asarray(cv2.Laplacian(grey, cv2.CV_32F), np.float32), self._fine
        self._fine = fine
        if before is None:
            return False
        # What two frames have in common: a blurred picture has the camera's noise all the same.
        common = float((fine * before).mean() - fine.mean() * before.mean())
        sharp = max(0.0, common) / max(1.0, float(cv2.meanStdDev(grey)[1][0, 0] ** 2))
        if self._sharp == 0.0 or sharp > self._sharp:
            self._sharp = sharp if self._sharp == 0.0 else 0.7 * self._sharp + 0.3 * sharp
        blurred = sharp < 0.25 * self._sharp
        if not blurred:
            self._sharp += 0.01 * (sharp - self._sharp)
        return blurred
