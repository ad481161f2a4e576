"""Clips of path-traced boards (`tests.bench.pathtraced`): heaps that settle by Bullet after every seed dropped or
taken, light traced by Mitsuba, and the hands of `tests.bench.othermaking` laid over the pictures.

    python -m tests.bench.tracedmaking FOLDER --clips N --first K [--moves N]

The contents of one pit hardly light the next one. So one picture is traced for the first change in every pit, one for
the second, and so on; each frame takes every pit from the picture that is due: some three to twelve pictures per clip.
Needs what `tests.bench.pathtraced` needs, and a libLLVM.
"""

from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import click
import cv2
import numpy as np
from numpy.typing import NDArray

from engine.board import Board, Side
from engine.position import Position
from tests.bench import pathtraced
from tests.bench.flatmaking import RATES, played
from tests.bench.otherground import Lamp
from tests.bench.othermaking import Laid, Visit, command, filmed, told
from tests.bench.otherthings import Hand
from tests.bench.pathtraced import KINDS, SCALE, SIZE, STEPS, Kind, Lens, ball, globe, lamps, rgb, staged, surface

U8 = NDArray[np.uint8]
F64 = NDArray[np.float64]
Lying = list[tuple[int, F64]]
"""Seeds by number, and their poses float64[4, 4] in column pitches."""

SEED = 456_000
AFTERWARDS = 240
"""Simulated steps of 1/240 s in which heaps settle after a change."""
LARGEST = 0.26
"""Greatest radius of a seed, in pit radii: about a dozen fit into a pit."""


def settled(where: pathtraced.Board, held: list[list[int]], axes: list[F64], kind: Kind,
            rng: np.random.Generator) -> list[Lying]:
    """Return how the seeds lie after each change. held: for each pit, its counts in order of time; the half axes of
    every added seed are appended to `axes`."""
    import pybullet

    world = pybullet.connect(pybullet.DIRECT)
    radius = min(float(rng.uniform(*kind[4:])), LARGEST) * where.pit
    try:
        pybullet.setGravity(0, 0, -9.8 * SCALE, physicsClientId=world)
        v, f, _ = where.surface(0.04)
        ground = pybullet.createCollisionShape(
            pybullet.GEOM_MESH, vertices=(v * SCALE).tolist(), indices=f.ravel().tolist(),
            flags=pybullet.GEOM_FORCE_CONCAVE_TRIMESH, physicsClientId=world)
        pybullet.createMultiBody(0, ground, physicsClientId=world)
        falling = Falling(pybullet, world, where, radius * np.array(kind[1]), axes, rng, [[] for _ in held])
        found: list[Lying] = []
        for k in range(max(map(len, held))):
            for pit, counts in enumerate(held):
                falling.fill(pit, counts[min(k, len(counts) - 1)])
            for _ in range(AFTERWARDS if k else STEPS):
                pybullet.stepSimulation(physicsClientId=world)
            found.append([(number, _pose(pybullet, world, body, where, pit))
                          for pit, some in enumerate(falling.bodies) for number, body in some])
        return found
    finally:
        pybullet.disconnect(physicsClientId=world)


@dataclass
class Falling:
    """Seeds that fall into pits in a world of Bullet. form: half axes of a seed of average size; axes: those of every
    added seed; bodies: for each pit, its seeds' numbers and bodies."""

    pybullet: Any
    world: int
    where: pathtraced.Board
    form: F64
    axes: list[F64]
    rng: np.random.Generator
    bodies: list[list[tuple[int, int]]]

    def fill(self, pit: int, seeds: int) -> None:
        """Drop seeds into a pit, or take random ones, until it holds `seeds`."""
        lying = self.bodies[pit]
        while len(lying) > seeds:
            _, body = lying.pop(int(self.rng.integers(len(lying))))
            self.pybullet.removeBody(body, physicsClientId=self.world)
        for above in range(seeds - len(lying)):
            self._drop(pit, above)

    def _drop(self, pit: int, above: int) -> None:
        """Let one seed fall from above the others."""
        bullet, rng, where = self.pybullet, self.rng, self.where
        form = self.form * np.exp(rng.normal(0, 0.05, 3))
        spot = where.centres[pit] + rng.normal(0, 0.2 * where.pit, 2).clip(-0.45 * where.pit, 0.45 * where.pit)
        shape = bullet.createCollisionShape(
            bullet.GEOM_MESH, vertices=(ball() * form * SCALE).tolist(), physicsClientId=self.world)
        turn = rng.normal(size=4)
        body = bullet.createMultiBody(
            1.0, shape, basePosition=[*(spot * SCALE), SCALE * (0.1 + 2.4 * form.max() * (above + 1))],
            baseOrientation=(turn / np.linalg.norm(turn)).tolist(), physicsClientId=self.world)
        bullet.changeDynamics(
            body, -1, lateralFriction=0.4, rollingFriction=0.002, restitution=0.05, physicsClientId=self.world)
        self.bodies[pit].append((len(self.axes), body))
        self.axes.append(form)


def _pose(pybullet: Any, world: int, body: int, where: pathtraced.Board, pit: int) -> F64:
    """Return the pose of a seed; one that has rolled out of its pit is put back."""
    at, turn = pybullet.getBasePositionAndOrientation(body, physicsClientId=world)
    pose = np.eye(4)
    pose[:3, :3] = np.array(pybullet.getMatrixFromQuaternion(turn)).reshape(3, 3)
    pose[:3, 3] = np.array(at) / SCALE
    if np.linalg.norm(where.centres[pit] - pose[:2, 3]) > 0.97 * where.pit:
        pose[:3, 3] = (*where.centres[pit], max(pose[2, 3], 0.05))
        pybullet.resetBasePositionAndOrientation(
            body, [*(where.centres[pit] * SCALE), 0.3 * SCALE], turn, physicsClientId=world)
    return pose


def traced(where: pathtraced.Board, kind: Kind, layers: list[Lying], axes: list[F64], samples: int,
           rng: np.random.Generator) -> tuple[list[U8], F64, float]:
    """Return the pictures uint8[720, 1280, 3], the camera's place, and the camera's noise."""
    import mitsuba as mi

    _, _, colours, finish, _, _ = kind
    palette = [colours[i] for i in rng.permutation(len(colours))[: int(rng.integers(1, len(colours) + 1))]]
    shades = [np.array(palette[int(rng.integers(len(palette)))]) * rng.uniform(0.85, 1.15) for _ in axes]
    with TemporaryDirectory(prefix="inkeek-traced-") as name:
        folder = Path(name)
        table, eye = staged(mi, rng, where, samples, folder)
        table |= lamps(mi, rng)
        globe(mi, folder / "globe.ply")
        egg = {"type": "ply", "filename": str(folder / "globe.ply")}
        lights = []
        for lying in layers:
            scene = dict(table)
            for i, pose in lying:
                to = mi.ScalarTransform4f(pose.tolist())
                scene[f"seed{i}"] = {**egg, "to_world": to.scale(axes[i].tolist()), "bsdf": surface(finish, shades[i])}
                if finish == "core":
                    inner = to.scale((axes[i] * [0.75, 0.6, 0.16]).tolist())
                    plain = {"type": "diffuse", "reflectance": rgb(shades[i])}
                    scene[f"core{i}"] = {**egg, "to_world": inner, "bsdf": plain}
                elif finish == "slit":
                    inner = to.translate([0, 0, float(0.62 * axes[i][2])]).scale((axes[i] * [0.7, 0.09, 0.42]).tolist())
                    dark = {"type": "diffuse", "reflectance": rgb(np.array([0.1, 0.06, 0.04]))}
                    scene[f"slit{i}"] = {**egg, "to_world": inner, "bsdf": dark}
            light = mi.render(mi.load_dict(scene), seed=int(rng.integers(1 << 30)))
            lights.append(np.asarray(light, np.float32)[..., :3])
    lens = Lens.draw(lights[0], rng)
    still = replace(lens, noise=0.0)
    return [still.picture(light, rng) for light in lights], eye, lens.noise


class Traced:
    """A table of traced pictures. layers: the picture after each pit's first change, second change, and so on."""

    def __init__(self, board: Board, layers: list[U8], pits: list[dict[str, Any]], noise: float,
                 rng: np.random.Generator) -> None:
        self.board, self.layers, self.rng = board, layers, rng
        grid = np.array([(k % board.cols, k // board.cols) for k in range(board.pits)], np.float32)
        self.to_picture, _ = cv2.findHomography(grid, np.array([(p["cx"], p["cy"]) for p in pits], np.float32))
        x, y = np.meshgrid(np.arange(SIZE[0], dtype=np.float32), np.arange(SIZE[1], dtype=np.float32))
        places = cv2.perspectiveTransform(np.stack([x, y], -1).reshape(1, -1, 2), np.linalg.inv(self.to_picture))
        near = np.clip(np.round(places.reshape(*x.shape, 2)), 0, (board.cols - 1, board.rows - 1)).astype(int)
        self.cell = near[..., 1] * board.cols + near[..., 0]
        self.canvas, self.shown = layers[0].copy(), [0] * board.pits
        self.pitch = float(np.linalg.norm(np.subtract(self.at(1, 0), self.at(0, 0))))
        palm = self.pitch * float(rng.uniform(0.95, 1.25)) * max(1.0, board.cols / 9)
        lamp = Lamp.chosen(rng)
        self.hands = [Hand(palm, lamp, rng) for _ in Side]
        self.south = "bottom" if rng.random() < 0.6 else "top"
        self.noise = rng.standard_normal((SIZE[1] + 64, SIZE[0] + 64, 3), dtype=np.float32) * np.float32(noise)

    def at(self, col: float, row: float) -> tuple[float, float]:
        """Return the pixel of a place on the board."""
        x, y = cv2.perspectiveTransform(np.array([[[col, row]]], np.float32), self.to_picture)[0, 0]
        return float(x), float(y)

    def change(self, pit: int, _: int) -> None:
        """Show the pit as it is after its next change."""
        k = number(self.board, pit)
        self.shown[k] += 1
        here = self.cell == k
        self.canvas[here] = self.layers[self.shown[k]][here]

    def frame(self, hands: list[Laid]) -> U8:
        """Return the picture that the camera takes now."""
        picture, last = self.canvas.copy(), self.board.rows - 1
        for side, col, row, pose, (dx, dy) in hands:
            way = 1 if side is Side.SOUTH else -1
            far = self.at(0.75 * col + 0.125 * (self.board.cols - 1) + 0.5 * way, last + 6.0 if way > 0 else -6.0)
            self.hands[side].lay(picture, self.at(col, row), far, 0.25 * self.pitch, pose,
                                 (dx * self.pitch, dy * self.pitch))
        if self.south == "top":
            picture = np.asarray(cv2.rotate(picture, cv2.ROTATE_180), np.uint8)
        a, b = (int(k) for k in self.rng.integers(64, size=2))
        return np.asarray(np.clip(picture + self.noise[a:a + SIZE[1], b:b + SIZE[0]], 0, 255), np.uint8)


def number(board: Board, pit: int) -> int:
    """Return a pit's number as `pathtraced.Board` counts: row by row."""
    row, col = board.place(pit)
    return row * board.cols + col


def held_by(start: Position, done: list[Visit]) -> list[list[int]]:
    """Return each pit's counts in order of time; pits row by row."""
    held = [[0]] * start.board.pits
    for pit, n in enumerate(start.counts):
        counts = [n]
        for _, changed, by in sorted(change for v in done for change in v.changes):
            if changed == pit:
                counts.append(counts[-1] + by)
        held[number(start.board, pit)] = counts
    return held


def make(clip: int, stem: Path, moves: int = 3, samples: int = 32) -> dict[str, Any]:
    """Write `stem`.mp4 and `stem`.truth.json for the clip of that number; return the truth."""
    rules, start, pace, done, rng = played(clip, SEED, moves)
    where = pathtraced.Board.draw(rng, start.board.rows, start.board.cols)
    kind, axes = KINDS[int(rng.integers(len(KINDS)))], list[F64]()
    layers = settled(where, held_by(start, done), axes, kind, rng)
    pictures, eye, noise = traced(where, kind, layers, axes, samples, rng)
    pits = pathtraced.pits(where, [0] * start.board.pits, eye)
    table, fps = Traced(start.board, pictures, pits, noise, rng), RATES[int(rng.integers(len(RATES)))]
    filmed(stem, done, table.change, lambda _, hands: table.frame(hands), fps, SIZE)
    return told(stem, rules, start, pace, done, table.south, f"path-traced, {kind[0]}, at {fps:g}")


def with_many_rays(number: int, stem: Path, moves: int) -> dict[str, Any]:
    """Make a clip with the variant of Mitsuba that traces many rays at once. Raises click.ClickException without
    Mitsuba."""
    try:
        import mitsuba
    except ImportError as error:
        raise click.ClickException("mitsuba is missing: pip install mitsuba pybullet") from error
    mitsuba.set_variant("llvm_ad_rgb")
    return make(number, stem, moves)


if __name__ == "__main__":
    command(with_many_rays, 3)()
