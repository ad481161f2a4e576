"""Finds round rims in a picture without learning: edges vote for the centres of the circles they may belong to.

After the fast radial symmetry of Loy and Zelinsky (2003), for edges of either sign, since one wall of a carved pit lies
in shade and the other in light.
"""

import math
from collections.abc import Iterable
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.board.chains import Candidate
from vision.board.parameters import RIMS

Image = NDArray[np.uint8]
Array = NDArray[np.float64]
Float = NDArray[np.float32]

WORK = 640
"""Longer side of the picture as it is searched, pixels."""
ANGLES = 48
"""Number of places examined along a rim."""


@dataclass(frozen=True, slots=True)
class Edges:
    """The edges of a picture scaled to the working size. nx, ny: float32[h, w], the unit gradient of the channel that
    changes most. thin: bool[h, w], edges one pixel wide. density: float32[h, w], the share of edge pixels in the
    surroundings. strength: float32[h, w]. scale: working pixels per pixel."""

    nx: Float
    ny: Float
    strength: Float
    thin: NDArray[np.bool_]
    density: Float
    scale: float


def edges_of(image: Image, work: int = WORK) -> Edges:
    """Find edges in lightness and colour. image: uint8[h, w, 3], BGR."""
    scale = work / max(image.shape[:2])
    size = (max(8, round(image.shape[1] * scale)), max(8, round(image.shape[0] * scale)))
    small = cv2.resize(image, size, interpolation=cv2.INTER_AREA if scale < 1 else cv2.INTER_CUBIC)
    gx, gy, strength = _steepest(np.asarray(small, np.uint8))
    around = cv2.blur(strength, (61, 61), borderType=cv2.BORDER_REFLECT)
    even = np.sqrt(strength / (around + 0.5))  # faint rims on dark wood count beside bright seeds
    weight = even / (strength + 1e-6) * 64
    ex, ey = (np.clip(g * weight, -2000, 2000).astype(np.int16) for g in (gx, gy))
    thin = cv2.Canny(ex, ey, 42, 62, L2gradient=True) > 0
    thin &= strength > RIMS.least_strength
    density = cv2.blur(thin.astype(np.float32), (41, 41), borderType=cv2.BORDER_REFLECT)
    n = np.maximum(strength, 1e-6)
    nx, ny = (np.asarray(g / n, np.float32) for g in (gx, gy))
    return Edges(nx, ny, strength, thin, np.asarray(density, np.float32), scale)


def _steepest(image: Image) -> tuple[Float, Float, Float]:
    """The gradient, at each pixel, of the channel that changes most there: along x, along y, and its length, float32[h,
    w] each."""
    gx, gy, power = (np.zeros(image.shape[:2], np.float32) for _ in range(3))
    weights = (1.0, RIMS.colour_weight, RIMS.colour_weight)
    for plane, weight in zip(cv2.split(cv2.cvtColor(image, cv2.COLOR_BGR2LAB)), weights, strict=True):
        smooth = cv2.GaussianBlur(plane.astype(np.float32) * np.float32(weight), (0, 0), RIMS.blur)
        dx, dy = (cv2.Sobel(smooth, cv2.CV_32F, *d, ksize=3, scale=0.125) for d in ((1, 0), (0, 1)))
        here = dx * dx + dy * dy
        steeper = here > power
        for kept, new in ((gx, dx), (gy, dy), (power, here)):
            np.copyto(kept, new, where=steeper)
    return gx, gy, np.asarray(np.sqrt(power), np.float32)


def round_rims(scales: Iterable[Edges], limit: int = 70) -> list[Candidate]:
    """Find circles supported by edges, best first, in pixels of the picture; score: share of the rim found beyond
    chance.

    scales: the picture's edges at several working sizes; the coarser ones ignore the grain of carpets and carving.
    """
    found: list[Candidate] = []
    for edges in scales:
        found += _circles(edges, limit)
    found.sort(key=lambda c: -c.score)
    p = np.array([(c.x, c.y, c.r, c.score) for c in found], np.float64).reshape(-1, 4)
    kept = _thinned(p, limit)
    return [found[i]._replace(score=found[i].score * (RIMS.nested if _nested(p[i], p[kept]) else 1.0)) for i in kept]


def _nested(one: Array, all_: Array) -> bool:
    """Whether a circle lies within a wider one of similar score, as a seed does in its pit."""
    within = np.hypot(all_[:, 0] - one[0], all_[:, 1] - one[1]) + 0.8 * one[2] < all_[:, 2]
    return bool((within & (all_[:, 3] > 0.6 * one[3]) & (all_[:, 2] > 1.35 * one[2])).any())


def _circles(edges: Edges, limit: int) -> list[Candidate]:
    y, x = np.nonzero(edges.thin)
    if len(x) < 20:
        return []
    nx, ny = edges.nx[y, x], edges.ny[y, x]
    h, w = edges.thin.shape
    peaks: list[Array] = []
    radius = RIMS.smallest_radius
    while radius <= RIMS.largest_radius * max(h, w):
        peaks.append(_peaks(_votes(x, y, nx, ny, radius, (h, w)), radius))
        radius *= RIMS.radius_ratio
    found = np.vstack(peaks)
    support = rim_support(edges, found[:, :2], found[:, 2, None, None] * np.eye(2))
    found[:, 3] = support + 0.1 * np.minimum(found[:, 3], 1)
    found = found[np.argsort(-found[:, 3])]
    back = _thinned(found, limit)
    return [Candidate((p[0] + 0.5) / edges.scale - 0.5, (p[1] + 0.5) / edges.scale - 0.5, p[2] / edges.scale,
                      float(min(1.0, p[3]))) for p in found[back]]


def trace_rims(edges: Edges, centres: Array, shapes: Array, give: float = RIMS.edge_reach,
               angles: int = ANGLES) -> tuple[Array, NDArray[np.bool_]]:
    """Find the nearest edge along each rim: its distance from the rim, float64[n, angles] in radii, NaN without an
    edge; and which angles lie in the picture, bool[n, angles]. Angles run from the board's x axis towards its y axis.

    centres: float64[n, 2], working pixels. shapes: float64[n, 2, 2], from the unit circle to the rim. give: greatest
    distance of an edge, in radii.
    """
    t = np.linspace(0, 2 * math.pi, angles, endpoint=False)
    unit = np.stack([np.cos(t), np.sin(t)])
    normals = np.linalg.inv(shapes).swapaxes(1, 2) @ unit
    normals /= np.linalg.norm(normals, axis=1, keepdims=True)
    steps = max(1, math.ceil(give * float(np.linalg.norm(shapes, axis=1).max(initial=1.0))))
    d = give * np.array(sorted(range(-steps, steps + 1), key=abs)) / steps  # the nearest edge counts
    rays = shapes @ unit
    h, w = edges.thin.shape
    x, y = (np.rint(centres[:, k, None] + rays[:, k] * (1 + d[:, None, None])).astype(np.int32) for k in (0, 1))
    within = (x >= 0) & (x < w) & (y >= 0) & (y < h)
    at = np.where(within, y * w + x, 0)
    there = within & edges.thin.ravel()[at]
    _, rim, angle = places = np.nonzero(there)
    edge = at[places]
    there[places] = np.abs(edges.nx.ravel()[edge] * normals[rim, 0, angle]
                           + edges.ny.ravel()[edge] * normals[rim, 1, angle]) > RIMS.aligned
    off = np.full(rays.shape[::2], np.nan)
    for step, here in zip(d[::-1], there[::-1], strict=True):
        off[here] = step
    return off, within.any(0)


def rim_support(edges: Edges, centres: Array, shapes: Array, give: float = RIMS.edge_reach) -> Array:
    """float64[n], 0…1: the share of each rim along which an edge runs, less the share that the texture would give by
    chance.

    Arguments as for `trace_rims`. A rim gets 0 if less than `RIMS.least_inside` of it lies in the picture.
    """
    off, within = trace_rims(edges, centres, shapes, give)
    share = (~np.isnan(off)).sum(1) / np.maximum(within.sum(1), 1)
    h, w = edges.thin.shape
    at = np.clip(np.round(centres).astype(np.int64), 0, (w - 1, h - 1))
    radius = np.sqrt(np.abs(np.linalg.det(shapes)))
    chance = 1 - np.exp(-edges.density[at[:, 1], at[:, 0]] * 2 * give * radius * RIMS.aligned_by_chance)
    out = np.clip((share - chance) / (1 - 0.9 * chance), 0, 1)
    return np.where(within.mean(1) >= RIMS.least_inside, out, 0.0)


def _votes(x: NDArray[np.intp], y: NDArray[np.intp], nx: Float, ny: Float, radius: float,
           shape: tuple[int, int]) -> tuple[Float, int, int]:
    """Let edges vote for the centres of circles of this radius, at a resolution that suits the radius.

    Returns the map of votes, the pixels per cell, and the border in cells: circles reach beyond the picture.
    """
    cell = max(1, int(radius / 9))
    pad = math.ceil(radius / cell)
    h, w = shape[0] // cell + 1 + 2 * pad, shape[1] // cell + 1 + 2 * pad
    total = np.zeros(h * w, np.float64)
    for sign in (1, -1):
        cx = np.round((x + sign * radius * nx) / cell).astype(np.int64) + pad
        cy = np.round((y + sign * radius * ny) / cell).astype(np.int64) + pad
        ok = (cx >= 0) & (cx < w) & (cy >= 0) & (cy < h)
        total += np.bincount(cy[ok] * w + cx[ok], minlength=h * w)
    sigma = 0.10 * radius / cell + 0.4
    votes = cv2.GaussianBlur(total.reshape(h, w).astype(np.float32), (0, 0), sigma)
    return np.asarray(votes * np.float32(2 * math.pi * sigma**2 / (2 * math.pi * radius) * 1.2), np.float32), cell, pad


def _peaks(voted: tuple[Float, int, int], radius: float) -> Array:
    votes, cell, pad = voted
    k = 2 * max(1, round(0.35 * radius / cell)) + 1
    top = (votes >= cv2.dilate(votes, np.ones((k, k), np.uint8))) & (votes > RIMS.least_votes)
    y, x = np.nonzero(top)
    order = np.argsort(-votes[y, x])[:60]
    y, x = y[order], x[order]
    return np.stack([(x - pad) * cell, (y - pad) * cell, np.full(len(x), radius), votes[y, x]], 1).astype(np.float64)


def _thinned(found: Array, limit: int) -> list[int]:
    """Keep the strongest of the circles (x, y, r, score; best first) that mean the same one; concentric rims of clearly
    different size all stay."""
    kept: list[int] = []
    for i, p in enumerate(found):
        if len(kept) >= limit:
            break
        q = found[kept]
        near = np.hypot(q[:, 0] - p[0], q[:, 1] - p[1]) < RIMS.same_place * np.minimum(q[:, 2], p[2])
        ratio = np.maximum(q[:, 2] / p[2], p[2] / q[:, 2])
        if not (near & (ratio < RIMS.same_radius)).any():
            kept.append(i)
    return kept
