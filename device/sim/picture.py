"""Pictures of the simulated table: board and seeds from the renderer, and the players' hands over them."""

from collections.abc import Iterable, Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from device.sim.gestures import HandAt, Point, Reachable
from device.south import South
from engine.board import Board, Side
from vision.render.hands import Hand, Lamp
from vision.render.limbs import POSES
from vision.render.scene import RenderedTable
from vision.render.skin import HandStyle
from vision.render.styles import SceneStyle

Image = NDArray[np.uint8]

_TURNS = {"top": cv2.ROTATE_180, "left": cv2.ROTATE_90_CLOCKWISE, "right": cv2.ROTATE_90_COUNTERCLOCKWISE}
SHUTTER_S = 1 / 60


class TablePicture:
    """Pictures of one board and two players.

    The board is drawn with South at the bottom, and the finished picture is turned.
    """

    def __init__(
        self,
        board: Board,
        style: SceneStyle,
        hands: tuple[HandStyle, HandStyle],
        *,
        size: tuple[int, int] = (1280, 720),
        south: South = "bottom",
        samples: int = 2,
    ) -> None:
        """board, style, hands: what is drawn; size: width and height, pixels; south: the picture's edge where South
        sits; samples: rays per side of a pixel."""
        self.board, self.size, self.south = board, size, south
        upright = size if south in ("bottom", "top") else (size[1], size[0])
        self.scene = RenderedTable(style, size=upright, samples=samples)
        self._to_pixels = self.scene.homography
        self._lamp = Lamp.of(self.scene)
        self._hands = {side: Hand(hands[side]) for side in Side}
        self._shown = [0] * board.pits
        self.beside: list[Point] = []
        """Seeds that lie on the table beside the board, at (column, row)."""
        self._unseen = [(side, pose) for pose in POSES for side in Side]

    @property
    def reach(self) -> Reachable:
        """Where hands rest: outside the picture, or on the table beside the board if the picture is wide."""
        w, h = self.scene.size
        back = np.linalg.inv(self._to_pixels)
        far = []
        for y in (0, h):
            v = back @ (w / 2, y, 1)
            row = float(v[1] / v[2])
            far.append(row - (self.board.rows - 1) if y else -row)
        style = self.scene.style
        edge = (style.pit_ry + style.margin) / style.row_pitch + 0.45
        return Reachable(float(np.clip(max(far) + 1.0, edge + 1.0, 4.5)), float(edge))

    def show(self, counts: Sequence[int]) -> None:
        """Set the seeds in the pits, along the ring; only changed pits are redrawn."""
        for pit, n in enumerate(counts):
            if n != self._shown[pit]:
                self.scene.set_pit(*self.board.place(pit), n)
                self._shown[pit] = n

    def _pixel(self, place: Point) -> Point:
        v = self._to_pixels @ (*place, 1.0)
        return (float(v[0] / v[2]), float(v[1] / v[2]))

    def _lay_beside(self, image: Image, place: Point, scale: float) -> None:
        """Draw a seed on the bare table: only its colour and its shadow."""
        x, y = (round(v) for v in self._pixel(place))
        size = max(2, round(self.scene.style.bag.radius * scale))
        cv2.circle(image, (x + size // 2, y + size // 2), size, (40, 45, 50), -1, cv2.LINE_AA)
        cv2.circle(image, (x, y), size, (140, 150, 150), -1, cv2.LINE_AA)

    def frame(self, hands: Iterable[HandAt], rng: np.random.Generator) -> Image:
        """uint8[h, w, 3] BGR: the table with these hands over it, as from a camera."""
        image = self.scene.image()
        scale = self.scene.scale
        for place in self.beside:
            self._lay_beside(image, place, scale)
        seen = tuple(hands)
        if not seen and self._unseen:
            # While nobody moves, prepare the hands, one pose a frame.
            side, pose = self._unseen.pop(0)
            self._hands[side].prepare(pose, scale)
        for hand in seen:
            moved = (hand.speed[0] * SHUTTER_S * scale, hand.speed[1] * SHUTTER_S * scale * self.scene.style.row_pitch)
            self._hands[hand.side].draw(
                image,
                self._pixel(hand.tip),
                self._pixel(hand.shoulder),
                hand.pose,
                scale=scale,
                lamp=self._lamp,
                height=hand.height,
                motion=moved,
            )
        image = self.scene.finish(image, rng)
        return np.asarray(cv2.rotate(image, _TURNS[self.south]), np.uint8) if self.south in _TURNS else image
