"""Check whether the board still lies where it lay when the table last ran, instead of searching the whole picture.

The place counts only if the pits' rims are seen there, fit no better a little aside, and are not seen beyond the
board's edges. (A board that was moved by one pit shows a row of rims beyond one edge, and none along the opposite
edge.) This ensures that the board lies within a twentieth of a pitch of its old place, as far as a board may be nudged
while the table runs. A board that was turned by half a turn in its place counts as lying there, since South is named by
the edge of the picture. A board whose rims are hardly seen is searched for.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from device.eyes.brightening import brightened
from device.eyes.parameters import REMEMBERED
from device.eyes.table_eye import TableEye
from device.journal.events import BoardFound
from engine.board import Board
from vision.board.geometry import jacobian, pit_places, project
from vision.board.lattice import ring_order
from vision.board.rims import WORK, Edges, edges_of, rim_support
from vision.reading import BoardView, Frame

Array = NDArray[np.float64]

LEAST_DETERMINANT = 1e-9
"""A homography with a smaller determinant folds the picture and cannot be a board's."""
LARGE = 17.0
"""If a pit's radius is larger, in pixels of a picture whose longer side is `WORK`, edges are looked for at half that
size: at the full size they are the wood's grain."""


class Remembered:
    """The board's place when the table last ran; it is tried until the eye has a board."""

    def __init__(self, place: BoardView | None = None) -> None:
        """place: where the board lay; None if unknown."""
        self._place, self._next_s = place, -1.0

    def due(self, frame: Frame, eye: TableEye) -> bool:
        """Whether to look at the place in this frame."""
        if eye.view is not None:
            self._place = None
        return self._place is not None and frame.time_ns / 1e9 >= self._next_s

    def look(self, frame: Frame, eye: TableEye) -> None:
        """Give the eye the place if this frame shows the board there; else try again later, since a hand may hide the
        board or the light may be off."""
        self._next_s = frame.time_ns / 1e9 + REMEMBERED.again_s
        if self._place is not None and lies_there(frame.image, self._place):
            eye.place(self._place)


def board_found(view: BoardView, *, placed: bool) -> BoardFound:
    """The event for a board's place. placed: people said where it lies."""
    pits = [(_tenths(view.centres[rc][0]), _tenths(view.centres[rc][1]), _tenths(view.radii[rc]))
            for rc in ring_order(view.rows, view.cols)]
    stores = [(_tenths(x), _tenths(y), _tenths(rx), _tenths(ry)) for x, y, rx, ry in view.stores]
    homography = [float(f"{v:.9g}") for v in view.homography.ravel()]
    return BoardFound(size=view.picture_size, pits=pits, stores=stores, placed=placed, homography=homography)


def _tenths(pixels: float) -> float:
    """Round to a tenth of a pixel."""
    return round(float(pixels), 1)


def view_of(found: BoardFound, board: Board) -> BoardView | None:
    """The view that an event describes; None if its numbers do not describe a board of this size."""
    if len(found.pits) != board.pits or len(found.homography) != 9:
        return None
    homography = np.array(found.homography).reshape(3, 3)
    if not np.isfinite(homography).all() or abs(np.linalg.det(homography)) < LEAST_DETERMINANT:
        return None
    centres, radii = np.zeros((board.rows, board.cols, 2)), np.zeros((board.rows, board.cols))
    for rc, (x, y, r) in zip(ring_order(board.rows, board.cols), found.pits, strict=True):
        centres[rc], radii[rc] = (x, y), r
    places = project(np.linalg.inv(homography), centres)
    usual = np.sqrt(np.abs(np.linalg.det(jacobian(homography, places))))
    in_order = (np.diff(places[..., 0], axis=1) > 0).all() and (np.diff(places[..., 1], axis=0) > 0).all()
    if not in_order or not (radii > 0).all():
        return None
    return BoardView(board.rows, board.cols, centres, radii, homography, float(np.median(radii / usual)), found.size,
                     tuple(found.stores))


def lies_there(image: NDArray[np.uint8], view: BoardView) -> bool:
    """Whether a picture uint8[h, w, 3] shows a board with the pits of `view`; False for pictures of another size."""
    if view.picture_size != (image.shape[1], image.shape[0]):
        return False
    look = _Look.at(brightened(image), view)
    rims = look.rims()
    if rims.mean() < REMEMBERED.mean_rims or np.quantile(rims, 0.2) < REMEMBERED.poor_rims:
        return False
    return not look.better_aside(rims) and look.ends(rims)


@dataclass(frozen=True, slots=True)
class _Look:
    """A look at one place. edges: the picture's edges, at the scale that suits the pits' size. places: float64[rows,
    cols, 2], the pits in board units. sizes: float64[rows, cols], each pit's radius divided by that of a usual pit."""

    edges: Edges
    view: BoardView
    places: Array
    sizes: Array

    @classmethod
    def at(cls, image: NDArray[np.uint8], view: BoardView) -> _Look:
        """Look at the place `view` in a picture uint8[h, w, 3]."""
        work = WORK if np.median(view.radii) * WORK <= LARGE * max(view.picture_size) else WORK // 2
        places = pit_places(view)
        return cls(edges_of(image, work), view, places, view.radii / _radii(view, places))

    def rims(self, step: tuple[float, float] = (0.0, 0.0)) -> Array:
        """float64[rows, cols], the share of each rim that the picture shows where the board is shifted by `step` board
        units."""
        return self._support(self.places + step, self.sizes)

    def better_aside(self, rims: Array) -> bool:
        """Whether most rims of the left or the right half fit better with the board shifted a little.

        The halves are compared one by one because a board that was turned a little shifts them apart. rims: shares at
        the place itself.
        """
        half = rims.shape[1] // 2
        for far in (REMEMBERED.aside_pitch, 2 * REMEMBERED.aside_pitch):
            for step in ((far, 0.0), (-far, 0.0), (0.0, far), (0.0, -far)):
                better = self.rims(step) > rims
                if max(better[:, :half].mean(), better[:, -half:].mean()) > REMEMBERED.better_share:
                    return True
        return False

    def ends(self, rims: Array) -> bool:
        """Whether no row or column of pits lies beyond the board's edges: each edge shows more of its rims than the
        places one step beyond the opposite edge. rims: shares at the place itself."""
        places = self.places
        down, along = (np.median(np.diff(places, axis=axis), axis=(0, 1)) for axis in (0, 1))
        opposite = ((rims[:, 0], places[:, -1] + along), (rims[:, -1], places[:, 0] - along),
                    (rims[0], places[-1] + down), (rims[-1], places[0] - down))
        least = REMEMBERED.ends_share * float(np.median(rims))
        return all(own.mean() - self._support(beyond, 1.0).mean() >= least for own, beyond in opposite)

    def _support(self, places: Array, sizes: Array | float) -> Array:
        """float64[…], the share of a rim that the picture shows at each of the places float64[…, 2]. sizes: the pits'
        radii divided by that of a usual pit."""
        scale, view = self.edges.scale, self.view
        shapes = jacobian(view.homography, places) * (np.asarray(sizes)[..., None, None] * view.pit_radius * scale)
        at = (project(view.homography, places) + 0.5) * scale - 0.5
        return rim_support(self.edges, at.reshape(-1, 2), shapes.reshape(-1, 2, 2)).reshape(places.shape[:-1])


def _radii(view: BoardView, places: Array) -> Array:
    """float64[…], pixels: the radius of a usual pit at places float64[…, 2]."""
    return np.asarray(view.pit_radius * np.sqrt(np.abs(np.linalg.det(jacobian(view.homography, places)))), np.float64)
