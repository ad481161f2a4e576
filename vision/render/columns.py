"""The layout of the tracer's inputs: everything is packed into flat arrays, because numba compiles those best.

World units are column pitches: x to South's right, y towards South (as in the picture), z up, the board's top at z = 0.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

F32 = NDArray[np.float32]
F64 = NDArray[np.float64]

# Columns of `pits`: centre, half axes, in-plane superellipse exponent, depth, power of the bowl's profile, rim's
# width of paint.
PIT_X, PIT_Y, PIT_RX, PIT_RY, PIT_SQUARE, PIT_DEPTH, PIT_POWER, PIT_LIP, PIT_FIRST, PIT_SEEDS = range(10)
PIT_COLUMNS = 10
# Columns of `parts`: centre 3, matrix M 9 (an ellipsoid's surface is |M (p - c)| = 1), row of `looks`, squares of the
# farthest point's distance and of the mean half axis, shape: 0 ellipsoid, 1 cylinder along its x, 2 along its z.
PART_SHAPE = 15
PART_COLUMNS = 16
# Columns of `looks`: first colour 3, second colour 3, pattern, its scale, gloss, shine, glass, slit, bump.
LOOK_PATTERN, LOOK_SCALE, LOOK_GLOSS, LOOK_SHINE, LOOK_GLASS, LOOK_SLIT, LOOK_BUMP, LOOK_METAL = range(6, 14)
LOOK_COLUMNS = 14
# Columns of `limbs` (capsules): end 3, end 3, radius at either end, colour 3, gloss, stripes, stripe colour 3.
LIMB_COLUMNS = 16
# `board`: centre 2, half axes 2, outline exponent, thickness, bevel, gap's place, gap's half width, gap's axis (0
# none, 1 x, 2 y),
# texture scale, table's texture scale, how much of the pits is painted, gloss, wood's bump, rim paint, varnish
# (how much of the room and the lamp is mirrored), its shine, floor (1: `bowl` is the picture of one pit's floor, the
# pit's rim at `FLOOR_RIM` of its side from the middle; 0: wood that goes on from pit to pit).
BOARD_FLOOR = 18
BOARD_COLUMNS = 19
FLOOR_RIM = 0.42
# `light`: direction to the lamp 3, its colour 3, softness, sky colour 3, ground bounce 3, direction to a window that
# only glossy things show 3, its strength; where the room's dark side is 3, how dark it is, and how dark the camera's
# own mirror image.
LIGHT_COLUMNS = 22
# `camera`: position 3, rotation rows (right, down, forward) 9, focal length in pixels, principal point 2, radial
# distortion k1.
CAMERA_COLUMNS = 16

GRID = 16  # cells a world unit in the map of places

# What `place_map` says of a cell besides its nearest pit: anything, bare flat top, table well away from the board,
# inside the
# outline (pits, gap, no edge). Most rays meet plain places, and need no marching there.
ANY, FLAT, TABLE, INSIDE = range(4)


class TracedScene(NamedTuple):
    """What rays meet, and the light there; the arrays' columns are explained above. grid: int16[h, w, 2] and field:
    float32[h, w], the map of places, see `surfaces.place_map`; ox, oy: the map's corner, world units; wood, bowl,
    table: textures float32[s, s, 3].

    Functions that are called many times for each ray take the arrays that they need one by one, because passing the
    whole scene takes longer than they do.
    """

    pits: F64
    grid: NDArray[np.int16]
    field: F32
    ox: float
    oy: float
    board: F64
    parts: F64
    looks: F64
    limbs: F64
    light: F64
    wood: F32
    bowl: F32
    table: F32
