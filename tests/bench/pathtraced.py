"""Boards of a second, independent making: heaps settled by Bullet, light traced by Mitsuba, nothing of `vision.render`.

Nothing was ever trained on them: they show whether the eye has learnt to count or has learnt its own renderer.

    python -m tests.bench.pathtraced FOLDER --boards 16 --seed 1

writes 1280×720 pictures and `boards.json`, in the form of the photographs' own list: for each board several frames,
which differ by the camera's noise, and one of the empty board, all with the same exposure. Beside each count, `shows`
holds the result of `tests.bench.ceiling`: the fewest pixels and the smallest share of itself that any seed of the pit
shows, null for an empty pit. Needs `pip install mitsuba pybullet`, and runs several times as fast if Mitsuba finds a
libLLVM of version 17 or later (`DRJIT_LIBLLVM_PATH`).
"""

from __future__ import annotations

import argparse
import json
import math
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from tests.bench.ceiling import Pinhole, least_shown, seen

F64 = NDArray[np.float64]
SIZE = (1280, 720)
SCALE = 10.0
"""Bullet's units per column pitch: Bullet is inaccurate for small things."""
STEPS = 560
"""Simulated steps of 1/240 s until all seeds rest."""
DEEPEST = 10
"""Most surfaces that a light path meets."""

# Name, half axes in radii, colours to choose from, surface, least and largest radius in pit radii.
Kind = tuple[str, tuple[float, float, float], tuple[tuple[float, float, float], ...], str, float, float]
BRIGHT = (
    (0.7, 0.06, 0.05),
    (0.05, 0.12, 0.55),
    (0.75, 0.6, 0.05),
    (0.04, 0.4, 0.1),
    (0.8, 0.8, 0.78),
    (0.3, 0.05, 0.4),
)
KINDS: tuple[Kind, ...] = (
    ("nickernut", (1.05, 0.97, 0.86), ((0.33, 0.35, 0.26), (0.42, 0.38, 0.26)), "satin", 0.19, 0.3),
    ("stone", (1.2, 0.92, 0.6), ((0.3, 0.3, 0.29), (0.15, 0.14, 0.14), (0.5, 0.46, 0.4)), "matt", 0.17, 0.3),
    ("gem", (1.05, 1.0, 0.6), BRIGHT, "glass", 0.2, 0.32),
    ("marble", (1.0, 1.0, 1.0), BRIGHT, "core", 0.2, 0.3),
    ("bead", (1.0, 1.0, 0.8), BRIGHT, "gloss", 0.14, 0.28),
    ("metal", (1.0, 1.0, 1.0), ((0.8, 0.8, 0.82), (0.8, 0.6, 0.3)), "metal", 0.14, 0.26),
    ("dark ball", (1.0, 1.0, 1.0), ((0.02, 0.02, 0.02),), "satin", 0.12, 0.26),
    ("cowrie", (1.35, 0.95, 0.75), ((0.75, 0.68, 0.55),), "slit", 0.17, 0.26),
    ("brown seed", (1.1, 0.95, 0.8), ((0.14, 0.07, 0.035), (0.26, 0.15, 0.08)), "satin", 0.15, 0.27),
    ("bean", (1.35, 0.85, 0.8), ((0.4, 0.1, 0.06), (0.65, 0.6, 0.45), (0.05, 0.04, 0.04)), "satin", 0.15, 0.24),
)
BASES = np.array([(0.42, 0.24, 0.11), (0.25, 0.12, 0.06), (0.6, 0.42, 0.24), (0.1, 0.06, 0.04), (0.5, 0.5, 0.48)])
"""Woods and a stone, linear RGB."""
FOV = 36.0
"""The camera's field of view, degrees across."""
BANDS = ((0, 0), (1, 4), (5, 8), (9, 14), (15, 20))


@dataclass(frozen=True)
class Board:
    """A random board, in column pitches. pit: half width; power: of the bowl's profile; centres float64[pits, 2]."""

    rows: int
    cols: int
    pit: float
    depth: float
    power: float
    centres: F64

    @classmethod
    def draw(cls, rng: np.random.Generator, rows: int, cols: int) -> Board:
        pitch = float(rng.uniform(0.95, 1.15))
        xy = [
            (c - (cols - 1) / 2, (rows - 1 - r) * pitch - (rows - 1) * pitch / 2)
            for r in range(rows)
            for c in range(cols)
        ]
        return cls(
            rows,
            cols,
            float(rng.uniform(0.38, 0.45)),
            float(rng.uniform(0.16, 0.32)),
            float(rng.choice(np.array([2.0, 3.0, 5.0]))),
            np.array(xy),
        )

    def height(self, x: F64, y: F64) -> F64:
        """Return the height of the wood's surface at these places."""
        z = np.zeros_like(x)
        for cx, cy in self.centres:
            q = np.hypot(x - cx, y - cy) / self.pit
            z = np.minimum(z, np.where(q < 1, -self.depth * (1 - q**self.power), 0.0))
        return z

    def is_open(self, points: F64, eye: F64) -> NDArray[np.bool_]:
        """Return whether points float64[n, 3] are visible from an eye above the wood. A point in the wood is hidden,
        and so is one whose line of sight does not pass through its pit's opening. A bowl bulges nowhere, so nothing
        else is in the way."""
        x, y, z = points.T
        down = np.minimum(1.0, eye[2] / (eye[2] - z))  # share of the line at which it passes the opening
        through = eye + down[:, None] * (points - eye)
        pit = ((points[:, None, :2] - self.centres) ** 2).sum(axis=2).argmin(axis=1)
        inside = np.linalg.norm(through[:, :2] - self.centres[pit], axis=1) < self.pit
        return np.asarray((z >= 0) | (inside & (z >= self.height(x, y))))

    def surface(self, step: float) -> tuple[F64, NDArray[np.int32], tuple[float, float]]:
        """Return the top as a mesh: float64[n, 3], int32[m, 3], and its half size."""
        hx, hy = self.centres.max(axis=0) + self.pit + 0.22
        x, y = np.arange(-hx, hx + step, step), np.arange(-hy, hy + step, step)
        gx, gy = np.meshgrid(x, y)
        v = np.stack([gx.ravel(), gy.ravel(), self.height(gx, gy).ravel()], axis=1)
        k = (np.arange(len(y) - 1)[:, None] * len(x) + np.arange(len(x) - 1)).ravel()
        faces = np.concatenate([np.stack([k, k + 1, k + len(x)], 1), np.stack([k + 1, k + len(x) + 1, k + len(x)], 1)])
        return v, faces.astype(np.int32), (float(hx), float(hy))


def ball(n: int = 10) -> F64:
    """Return points float64[n * n, 3] all over the unit sphere."""
    k = np.arange(n * n)
    z = 1 - (2 * k + 1) / (n * n)
    a = k * math.pi * (3 - math.sqrt(5))
    return np.stack([np.sqrt(1 - z * z) * np.cos(a), np.sqrt(1 - z * z) * np.sin(a), z], axis=1)


def globe(mi: Any, path: Path) -> None:
    """Write the unit sphere as a smooth mesh, which can be squeezed, unlike Mitsuba's own sphere."""
    n, m = 48, 25
    a, b = np.meshgrid(np.linspace(0, 2 * math.pi, n + 1), np.linspace(0, math.pi, m))
    v = np.stack([np.sin(b) * np.cos(a), np.sin(b) * np.sin(a), np.cos(b)], axis=2).reshape(-1, 3)
    k = (np.arange(m - 1)[:, None] * (n + 1) + np.arange(n)).ravel()
    f = np.concatenate([np.stack([k, k + n + 1, k + 1], 1), np.stack([k + 1, k + n + 1, k + n + 2], 1)])
    mesh = mi.Mesh("globe", len(v), len(f), has_vertex_normals=True)
    parameters = mi.traverse(mesh)
    parameters["vertex_positions"] = parameters["vertex_normals"] = v.astype(np.float32).ravel()
    parameters["faces"] = f.astype(np.int32).ravel()
    parameters.update()
    mesh.write_ply(str(path))


def settle(board: Board, counts: list[int], axes: F64, rng: np.random.Generator) -> tuple[list[int], F64]:
    """Let seeds fall until they rest; return the pit of each (-1 outside) and poses float64[n, 4, 4] in column pitches.

    axes float64[n, 3]: the seeds' half axes, pit after pit.
    """
    import pybullet

    world = pybullet.connect(pybullet.DIRECT)
    try:
        pybullet.setGravity(0, 0, -9.8 * SCALE, physicsClientId=world)
        v, f, _ = board.surface(0.04)
        ground = pybullet.createCollisionShape(
            pybullet.GEOM_MESH,
            vertices=(v * SCALE).tolist(),
            indices=f.ravel().tolist(),
            flags=pybullet.GEOM_FORCE_CONCAVE_TRIMESH,
            physicsClientId=world,
        )
        pybullet.createMultiBody(0, ground, physicsClientId=world)
        bodies, points = [], ball()
        for k, pit in enumerate(np.repeat(np.arange(len(counts)), counts)):
            i = k - sum(counts[:pit])
            spot = board.centres[pit] + rng.normal(0, 0.28 * board.pit, 2).clip(-0.55 * board.pit, 0.55 * board.pit)
            shape = pybullet.createCollisionShape(
                pybullet.GEOM_MESH, vertices=(points * axes[k] * SCALE).tolist(), physicsClientId=world
            )
            turn = rng.normal(size=4)
            bodies.append(
                pybullet.createMultiBody(
                    1.0,
                    shape,
                    basePosition=[*(spot * SCALE), SCALE * (0.15 + 2.4 * axes[k].max() * (i + 1))],
                    baseOrientation=(turn / np.linalg.norm(turn)).tolist(),
                    physicsClientId=world,
                )
            )
            pybullet.changeDynamics(
                bodies[-1], -1, lateralFriction=0.4, rollingFriction=0.002, restitution=0.1, physicsClientId=world
            )
        for _ in range(STEPS):
            pybullet.stepSimulation(physicsClientId=world)
        poses, home = np.zeros((len(bodies), 4, 4)), []
        for i, body in enumerate(bodies):
            at, turn = pybullet.getBasePositionAndOrientation(body, physicsClientId=world)
            poses[i, :3, :3] = np.array(pybullet.getMatrixFromQuaternion(turn)).reshape(3, 3)
            poses[i, :3, 3], poses[i, 3, 3] = np.array(at) / SCALE, 1.0
            off = np.linalg.norm(board.centres - poses[i, :2, 3], axis=1)
            inside = off.min() < 0.95 * board.pit and -board.depth < poses[i, 2, 3] < 0.6
            home.append(int(off.argmin()) if inside else -1)
        return home, poses
    finally:
        pybullet.disconnect(physicsClientId=world)


def wood(rng: np.random.Generator, base: F64) -> NDArray[np.float32]:
    """Return a texture of streaks, float32[512, 512, 3], linear."""

    def noise(h: int, w: int) -> F64:
        return np.asarray(cv2.resize(rng.normal(size=(h, w)), (512, 512), interpolation=cv2.INTER_CUBIC), float)

    rings = np.sin(2 * math.pi * (4 * np.linspace(0, 1, 512)[:, None] + 0.35 * noise(6, 3)) * rng.uniform(1, 3))
    tone = 1 + 0.14 * rings + 0.10 * noise(256, 6) + 0.06 * noise(500, 40)
    return np.asarray((base * tone.clip(0.4, 1.6)[..., None]).clip(0.01, 0.95), np.float32)


def surface(finish: str, colour: F64) -> dict[str, Any]:
    """Return Mitsuba's material for a seed."""
    shown = rgb(colour.clip(0.01, 0.95))
    match finish:
        case "glass":
            return {"type": "dielectric", "specular_transmittance": rgb(0.25 + 0.75 * colour / colour.max())}
        case "core":
            return {"type": "dielectric"}
        case "metal":
            return {"type": "roughconductor", "alpha": 0.12, "specular_reflectance": shown}
        case "matt":
            return {"type": "diffuse", "reflectance": shown}
        case "gloss":
            return {"type": "plastic", "diffuse_reflectance": shown}
    return {"type": "roughplastic", "diffuse_reflectance": shown, "alpha": 0.16}


def pictures(
    rng: np.random.Generator, rows: int, cols: int, samples: int, frames: int
) -> tuple[list[NDArray[np.uint8]], list[dict[str, Any]], str]:
    """Make one board. Return its pictures, uint8[720, 1280, 3] BGR each: `frames` of them, then one of the empty board;
    its pits in the photographs' form; the kind of its seeds."""
    import mitsuba as mi

    board = Board.draw(rng, rows, cols)
    kind = KINDS[rng.integers(len(KINDS))]
    counts, axes = drawn(rng, board, kind)
    home, poses = settle(board, counts, axes, rng)
    with TemporaryDirectory(prefix="inkeek-pathtraced-") as folder:
        table, eye = staged(mi, rng, board, samples, Path(folder))
        table |= lamps(mi, rng)
        truth, heaps = seeds(mi, rng, kind, home, poses, axes, Path(folder))
        full, bare = (
            np.asarray(mi.render(mi.load_dict(scene), seed=int(rng.integers(1 << 30))), np.float32)[..., :3]
            for scene in (table | heaps, table)
        )
    held = [truth.count(pit) for pit in range(len(board.centres))]
    lens = Lens.draw(full, rng)
    taken = [lens.picture(light, rng) for light in (*[full] * frames, bare)]
    shows = shown(board, home, poses, axes, eye)
    return taken, [pit | {"shows": least} for pit, least in zip(pits(board, held, eye), shows, strict=True)], kind[0]


def shown(board: Board, home: list[int], poses: F64, axes: F64, eye: F64) -> list[dict[str, float] | None]:
    """Return how much the seeds of each pit show; see `tests.bench.ceiling.least_shown`. home, poses: see `settle`."""
    lying = np.array([i for i, pit in enumerate(home) if pit >= 0], np.int64)
    eggs = poses[lying]
    eggs[:, :3, :3] *= axes[lying][:, None, :]
    pixels, alone = seen(eggs, Pinhole(eye, SIZE, FOV), lambda points: board.is_open(points, eye))
    return least_shown([home[i] for i in lying], len(board.centres), pixels, alone)


def drawn(rng: np.random.Generator, board: Board, kind: Kind) -> tuple[list[int], F64]:
    """Return how many seeds fall into each pit, evenly over the bands that have room, and their half axes."""
    _, form, _, _, least, most = kind
    radius = float(rng.uniform(least, most)) * board.pit
    room = int(1.25 * (board.pit / radius) ** 2)
    fit = [b for b in BANDS if b[0] <= room]
    counts = []
    for _ in board.centres:
        low, high = fit[rng.integers(len(fit))]
        counts.append(int(rng.integers(low, min(high, room) + 1)))
    return counts, radius * np.array(form) * np.exp(rng.normal(0, 0.05, (sum(counts), 3)))


def staged(mi: Any, rng: np.random.Generator, board: Board, samples: int, folder: Path) -> tuple[dict[str, Any], F64]:
    """Return the scene of the empty board on its table under the sky with the camera, and the camera's place."""
    place = mi.ScalarTransform4f

    def texture() -> dict[str, Any]:
        base = BASES[rng.integers(len(BASES))]
        return {"type": "bitmap", "bitmap": mi.Bitmap(wood(rng, base)), "raw": True}

    v, f, (hx, hy) = board.surface(0.02)
    top = mi.Mesh("board", len(v), len(f), has_vertex_texcoords=True)
    parameters = mi.traverse(top)
    parameters["vertex_positions"] = v.astype(np.float32).ravel()
    parameters["faces"] = f.ravel()
    parameters["vertex_texcoords"] = (v[:, :2] / 5 + 0.5).astype(np.float32).ravel()
    parameters.update()
    top.write_ply(str(folder / "board.ply"))
    a, tilt = rng.uniform(0, 2 * math.pi), math.radians(rng.uniform(0, 20))
    wide = max(hx, hy * SIZE[0] / SIZE[1]) / float(rng.uniform(0.78, 0.92))
    far = wide / math.tan(math.radians(FOV) / 2)
    eye = far * np.array([math.sin(tilt) * math.cos(a), math.sin(tilt) * math.sin(a), math.cos(tilt)])
    sky = rng.uniform(0.15, 0.6) * np.exp(rng.normal(0, 0.08, 3))
    skin = ("roughplastic", "diffuse_reflectance") if rng.random() < 0.5 else ("diffuse", "reflectance")
    ground = {"type": "diffuse", "reflectance": texture()}
    return {
        "type": "scene",
        "integrator": {"type": "path", "max_depth": DEEPEST},
        "sensor": {
            "type": "perspective",
            "fov": FOV,
            "fov_axis": "x",
            "to_world": place().look_at(origin=eye.tolist(), target=[0, 0, 0], up=[0, 1, 0]),
            "film": {"type": "hdrfilm", "width": SIZE[0], "height": SIZE[1], "pixel_format": "rgb"},
            "sampler": {"type": "independent", "sample_count": samples},
        },
        "sky": {"type": "constant", "radiance": rgb(sky)},
        "board": {
            "type": "ply",
            "filename": str(folder / "board.ply"),
            "bsdf": {"type": "twosided", "inner": {"type": skin[0], skin[1]: texture()}},
        },
        "table": {"type": "rectangle", "to_world": place().translate([0, 0, -0.5]).scale([30, 30, 1]), "bsdf": ground},
        "body": {
            "type": "cube",
            "to_world": place().translate([0, 0, -0.41]).scale([hx, hy, 0.05]),
            "bsdf": {"type": "diffuse", "reflectance": rgb(np.array([0.2, 0.12, 0.06]))},
        },
    }, eye


def lamps(mi: Any, rng: np.random.Generator) -> dict[str, Any]:
    """Return one lamp or two: squares of light, from a bulb's size to a window's, out of the camera's view."""
    place = mi.ScalarTransform4f
    out = {}
    for k in range(int(rng.integers(1, 3))):
        b, up, size = rng.uniform(0, 2 * math.pi), rng.uniform(0.5, 1.2), rng.uniform(1.5, 10.0)
        at = 40 * np.array([math.cos(b) * math.cos(up), math.sin(b) * math.cos(up), math.sin(up)])
        colour = np.array([1.0, rng.uniform(0.85, 1.0), rng.uniform(0.65, 1.05)])
        out[f"lamp{k}"] = {
            "type": "rectangle",
            "emitter": {"type": "area", "radiance": rgb(rng.uniform(400, 1300) / size**2 / (k + 1) * colour)},
            "to_world": place().look_at(at.tolist(), [0, 0, 0], [0.01, 0.02, 1]).scale([size, size, 1]),
        }
    return out


def seeds(
    mi: Any, rng: np.random.Generator, kind: Kind, home: list[int], poses: F64, axes: F64, folder: Path
) -> tuple[list[int], dict[str, Any]]:
    """Return the pit of every seed that stayed in one, and these seeds as Mitsuba's shapes."""
    _, _, colours, finish, _, _ = kind
    globe(mi, folder / "globe.ply")
    egg = {"type": "ply", "filename": str(folder / "globe.ply")}
    palette = [colours[i] for i in rng.permutation(len(colours))[: int(rng.integers(1, len(colours) + 1))]]
    lying, out = [], {}
    for i, pit in enumerate(home):
        if pit < 0:
            continue
        lying.append(pit)
        colour = np.array(palette[rng.integers(len(palette))])
        to = mi.ScalarTransform4f(poses[i].tolist())
        out[f"seed{i}"] = {
            **egg,
            "to_world": to.scale(axes[i].tolist()),
            "bsdf": surface(finish, colour * rng.uniform(0.85, 1.15)),
        }
        if finish == "core":
            inner = to.scale((axes[i] * [0.75, 0.6, 0.16]).tolist())
            out[f"core{i}"] = {**egg, "to_world": inner, "bsdf": {"type": "diffuse", "reflectance": rgb(colour)}}
        if finish == "slit":
            inner = to.translate([0, 0, float(0.62 * axes[i, 2])]).scale((axes[i] * [0.7, 0.09, 0.42]).tolist())
            dark = {"type": "diffuse", "reflectance": rgb(np.array([0.1, 0.06, 0.04]))}
            out[f"slit{i}"] = {**egg, "to_world": inner, "bsdf": dark}
    return lying, out


def rgb(colour: F64) -> dict[str, Any]:
    """Return a colour in Mitsuba's form."""
    return {"type": "rgb", "value": colour.tolist()}


@dataclass(frozen=True)
class Lens:
    """The camera's fixed settings: exposure and white balance float64[3] (RGB), blur in pixels, noise of 255."""

    gain: F64
    soft: float
    noise: float

    @classmethod
    def draw(cls, light: NDArray[np.float32], rng: np.random.Generator) -> Lens:
        """Return random settings with an exposure for this linear light."""
        gain = rng.uniform(0.75, 1.15) * 0.30 / max(1e-6, float(np.median(light)))
        gain = min(gain, 0.8 / max(1e-6, float(np.percentile(light, 90))))
        white = np.exp(rng.normal(0, 0.05, 3))
        return cls(gain * white, float(rng.uniform(0.4, 0.9)), float(rng.uniform(0.5, 2.5)))

    def picture(self, light: NDArray[np.float32], rng: np.random.Generator) -> NDArray[np.uint8]:
        """Return linear RGB light as a picture, uint8[h, w, 3] BGR."""
        x = (light * self.gain).clip(0, 1)
        srgb = np.where(x < 0.0031308, 12.92 * x, 1.055 * x ** (1 / 2.4) - 0.055)[..., ::-1] * 255
        soft = cv2.GaussianBlur(srgb.astype(np.float32), (0, 0), self.soft)
        return np.asarray((soft + rng.normal(0, self.noise, soft.shape)).clip(0, 255) + 0.5, np.uint8)


def pits(board: Board, counts: list[int], eye: F64) -> list[dict[str, Any]]:
    """Return the pits' places in the picture and their counts."""
    camera = Pinhole(eye, SIZE, FOV)
    out = []
    for (cx, cy), n in zip(board.centres, counts, strict=True):
        t = np.linspace(0, 2 * math.pi, 32, endpoint=False)
        rim = np.stack([cx + board.pit * np.cos(t), cy + board.pit * np.sin(t), np.zeros_like(t)], axis=1)
        seen_at = camera.project(rim)
        area = abs(cv2.contourArea(seen_at.astype(np.float32)))
        out.append(
            {
                "cx": round(float(seen_at[:, 0].mean()), 2),
                "cy": round(float(seen_at[:, 1].mean()), 2),
                "r": round(math.sqrt(area / math.pi), 2),
                "count": n,
                "confidence": "sure",
                "kind": "pit",
            }
        )
    return out


def main() -> None:
    """Make the boards (see the module); a board that exists is not made again."""
    ask = argparse.ArgumentParser(description="Path-traced boards with settled heaps.")
    ask.add_argument("folder", type=Path)
    ask.add_argument("--boards", type=int, default=16)
    ask.add_argument("--seed", type=int, default=1)
    ask.add_argument("--samples", type=int, default=48, help="light paths a pixel")
    ask.add_argument("--frames", type=int, default=10, help="pictures of each board, which differ by noise")
    ask.add_argument("--variant", default="llvm_ad_rgb", help="scalar_rgb where there is no libLLVM")
    told = ask.parse_args()
    try:
        import mitsuba as mi
    except ImportError:
        ask.exit(1, "mitsuba is missing: pip install mitsuba pybullet\n")
    mi.set_variant(told.variant)
    (told.folder / "boards").mkdir(parents=True, exist_ok=True)
    listed = told.folder / "boards.json"
    known = json.loads(listed.read_text()) if listed.exists() else []
    for k in range(len(known), told.boards):
        rows, cols = ((2, 8), (4, 8))[k % 2]
        rng = np.random.default_rng((told.seed, k))
        taken, truth, kind = pictures(rng, rows, cols, told.samples, max(1, told.frames))
        files = [f"boards/{k:03d}{part}.jpg" for part in ("", *(f"-{i}" for i in range(1, len(taken) - 1)), "-empty")]
        for file, image in zip(files, taken, strict=True):
            cv2.imwrite(str(told.folder / file), image, [cv2.IMWRITE_JPEG_QUALITY, 92])
        known.append({"file": files[0], "frames": files[:-1], "empty": files[-1], "seeds": kind, "pits": truth})
        listed.write_text(json.dumps(known))
        print(f"{files[0]}: {rows}×{cols}, {kind}, {sum(p['count'] for p in truth)} seeds", flush=True)


if __name__ == "__main__":
    main()
