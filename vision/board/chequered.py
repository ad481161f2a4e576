"""Tells squares of two alternating colours, as on boards for chess and draughts, from pits in rows."""

import numpy as np
from numpy.typing import NDArray

from vision.board.geometry import pit_affines
from vision.board.parameters import ACCEPTANCE
from vision.reading import BoardView

_ACROSS = np.linspace(-1, 1, 7)
_DISC = np.array([(x, y) for x in _ACROSS for y in _ACROSS if x * x + y * y <= 1])
"""Points of the unit disc at which a pit's colour is sampled."""


def chequered(image: NDArray[np.uint8], view: BoardView) -> bool:
    """Whether two plain colours alternate along at least two rows of the board's places; men may stand on the others.
    Pits that alternately hold seeds and are empty do not count: seeds make a pit uneven.

    image: uint8[h, w, 3]. Beyond the picture's edge its edge pixels are repeated.
    """
    at = view.centres[..., None, :] + ACCEPTANCE.square_inside * np.einsum("rcij,pj->rcpi", pit_affines(view), _DISC)
    x, y = (np.clip(np.rint(at[..., k]), 0, image.shape[1 - k] - 1).astype(np.intp) for k in (0, 1))
    colours = image[y, x].astype(np.float64)
    tones = colours.mean(2)
    along = np.linalg.qr(np.stack([np.ones(view.cols), np.arange(view.cols, dtype=np.float64)], 1))[0]
    turn = (-1.0) ** np.arange(view.cols)
    turn -= along @ (along.T @ turn)
    turn /= np.linalg.norm(turn)
    left = tones - np.einsum("ck,dk,rdx->rcx", along, along, tones)
    in_turn = np.einsum("c,rcx->rx", turn, left)
    share = (in_turn**2).sum(1) / np.maximum((left**2).sum((1, 2)), 1e-9)
    apart = 2 * np.linalg.norm(in_turn, axis=1) / np.sqrt(view.cols)  # distance of a row's two colours
    uneven = np.sqrt(colours.var(2).sum(-1))
    both = np.maximum(np.median(uneven[:, ::2], axis=1), np.median(uneven[:, 1::2], axis=1))
    squares = (share > ACCEPTANCE.square_share) & (both < ACCEPTANCE.square_uneven * apart)
    return bool(squares.sum() >= 2)
