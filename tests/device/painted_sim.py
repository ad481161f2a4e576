"""The simulated table, painted and not drawn."""

from collections.abc import Iterable, Sequence

import numpy as np

from device.sim.camera import SimCamera
from device.sim.gestures import HandAt, Reachable
from device.sim.picture import TablePicture
from device.sim.world import World
from engine.board import Board, Side
from tests.device.painted import painted


class PaintedTable(TablePicture):
    """What lies on the simulated table, painted and not drawn."""

    def __init__(self, board: Board) -> None:
        """board: what is painted."""
        self.board = board
        self._counts = [0] * board.pits

    @property
    def reach(self) -> Reachable:
        """How far hands go away."""
        return Reachable()

    def show(self, counts: Sequence[int]) -> None:
        """What lies in the pits from now on."""
        self._counts = list(counts)

    def frame(self, hands: Iterable[HandAt], rng: np.random.Generator) -> np.ndarray:
        """The picture, with these hands in it."""
        there = {hand.side for hand in hands}
        image = painted(self._counts, (0.1 * (Side.SOUTH in there), 0.1 * (Side.NORTH in there)))
        image[8:] = rng.integers(60, 200, image[8:].shape)  # as every sensor has it
        return image


class PaintedSim(SimCamera):
    """The simulated players' camera; as fast as it is asked."""

    def _drawn(self, world: World) -> PaintedTable:
        picture = PaintedTable(world.position.board)
        world.reach_as(picture.reach)
        return picture
