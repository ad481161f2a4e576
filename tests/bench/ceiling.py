"""How much of every seed a picture shows: the ceiling of what anybody could count in it.

Seeds are eggs (squeezed, turned unit spheres) before a pinhole camera. One ray goes through the middle of each pixel
and shows what it hits first; clear glass shows its outer surface. The ceiling is computed without a renderer, so it
does not depend on the light.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

F64 = NDArray[np.float64]
Counts = NDArray[np.int64]
Open = Callable[[F64], NDArray[np.bool_]]
"""Whether points float64[n, 3] are not hidden by the wood."""

LEAST_PIXELS, LEAST_SHARE = 15, 0.1
"""A seed can be counted if it shows at least this many pixels, and this share of what it would cover when unhidden."""


@dataclass(frozen=True)
class Pinhole:
    """A camera that looks at the origin. eye float64[3]: its position; size: pixels across and down; fov: degrees
    across."""

    eye: F64
    size: tuple[int, int]
    fov: float

    @property
    def axes(self) -> F64:
        """Unit vectors float64[3, 3]: to the right in the picture, down in it, and ahead."""
        ahead = -self.eye / np.linalg.norm(self.eye)
        right = np.cross(ahead, [0.0, 1.0, 0.0])
        right /= np.linalg.norm(right)
        return np.stack([right, np.cross(ahead, right), ahead])

    @property
    def focal(self) -> float:
        """The focal length in pixels."""
        return self.size[0] / 2 / math.tan(math.radians(self.fov) / 2)

    def project(self, points: F64) -> F64:
        """Return where points float64[n, 3] appear: float64[n, 2], pixels from the picture's upper left corner."""
        x, y, far = self.axes @ (points - self.eye).T
        return np.stack([self.size[0] / 2 + self.focal * x / far, self.size[1] / 2 + self.focal * y / far], axis=1)

    def rays(self, box: tuple[slice, slice]) -> F64:
        """Return directions float64[h, w, 3], of length 1 along the view axis, through the pixels of a box (rows,
        columns)."""
        v, u = np.mgrid[box] + 0.5
        across, down = (u - self.size[0] / 2) / self.focal, (v - self.size[1] / 2) / self.focal
        return np.asarray(np.stack([across, down, np.ones_like(across)], axis=-1) @ self.axes)

    def box(self, egg: F64) -> tuple[slice, slice]:
        """Return the rows and columns of the picture that contain a whole egg."""
        middle = egg[:3, 3]
        reach = np.linalg.norm(egg[:3, :3], axis=0).max()
        near = float(self.axes[2] @ (middle - self.eye)) - reach
        half = 1.5 * self.focal * reach / near + 1
        low, high = (np.clip(self.project(middle[None])[0] + way * half, 0, self.size) for way in (-1, 1))
        columns, rows = (slice(int(a), math.ceil(b)) for a, b in zip(low, high, strict=True))
        return rows, columns


def seen(eggs: F64, camera: Pinhole, is_open: Open) -> tuple[Counts, Counts]:
    """Return for every egg in how many pixels it is hit first, and how many it would cover alone: int64[n] each.

    eggs float64[n, 4, 4]: from the unit sphere to the world; is_open: which points the wood leaves visible.
    """
    nearest = np.full(camera.size[::-1], np.inf)
    first = np.full(camera.size[::-1], -1)
    alone = np.zeros(len(eggs), np.int64)
    for k, egg in enumerate(eggs):
        box = camera.box(egg)
        rays = camera.rays(box)
        far = _met(egg, camera.eye, rays)
        hit = np.isfinite(far)
        alone[k] = hit.sum()
        hit[hit] = is_open(camera.eye + far[hit][:, None] * rays[hit])
        hit &= far < nearest[box]
        nearest[box][hit], first[box][hit] = far[hit], k
    return np.bincount(first[first >= 0], minlength=len(eggs)).astype(np.int64), alone


def _met(egg: F64, eye: F64, rays: F64) -> F64:
    """Return the distance along rays float64[h, w, 3] to an egg, float64[h, w]; infinite for a miss."""
    back = np.linalg.inv(egg)
    start, along = back[:3, :3] @ eye + back[:3, 3], rays @ back[:3, :3].T
    a, b, c = (along * along).sum(axis=-1), along @ start, float(start @ start) - 1
    root = b * b - a * c
    return np.asarray(np.where(root >= 0, (-b - np.sqrt(root.clip(0))) / a, np.inf), np.float64)


def least_shown(pits: Sequence[int], of: int, shown: Counts, alone: Counts) -> list[dict[str, float] | None]:
    """Return for each of `of` pits the fewest pixels and the smallest share that any seed shows; None for an empty pit.

    pits: the pit of every seed; shown, alone int64[n]: see `seen`.
    """
    where, share = np.array(pits, np.int64), shown / alone.clip(1)
    out: list[dict[str, float] | None] = []
    for pit in range(of):
        here = where == pit
        out.append({"pixels": int(shown[here].min()), "share": round(float(share[here].min()), 4)}
                   if here.any() else None)
    return out


def all_show(least: Mapping[str, float] | None) -> bool:
    """Return whether every seed of a pit shows enough to be counted; true for an empty pit."""
    return least is None or (least["pixels"] >= LEAST_PIXELS and least["share"] >= LEAST_SHARE)
