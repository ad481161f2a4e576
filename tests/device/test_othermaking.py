"""Clips of another making: what is drawn is what the truth says."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np

from engine.position import Position
from tests.bench.othermaking import SIZE, Scene, make, start_of, visits

NUMBER = 6
"""A board of twelve pits."""


def test_the_seeds_lie_where_they_were_dropped_as_many_as_the_game_says_and_can_be_seen() -> None:
    rules, start, pace, rng = start_of(NUMBER)
    scene = Scene(start, rng)
    for visit in visits(rules, start, pace, 4, scene.edge, rng):
        for _, pit, by in visit.changes:
            scene.change(pit, by)
        assert tuple(len(lies) for lies in scene.heaps.lies) == visit.turn.after.counts
        for pit, lies in enumerate(scene.heaps.lies):
            at = np.array([(x, y) for x, y, _ in lies]).reshape(-1, 2)
            assert (np.linalg.norm(at - scene.where.centres[pit], axis=1) < scene.where.radius).all()
            edge = np.abs(at - scene.where.centres[pit]) + 1.5 * scene.heaps.size
            assert (edge < 0.5 * scene.where.pitch).all(), "drawing the next pit anew would cut it"
            drawn = _part(scene, scene.canvas.astype(float), pit) - _part(scene, scene.bare, pit)
            assert (np.abs(drawn).max() > 12) == bool(lies)
            assert all(share > 0.2 for share in _showing(at, scene.heaps.size))


def test_a_clip_holds_what_its_truth_says(tmp_path: Path) -> None:
    truth = make(NUMBER, tmp_path / "clip", moves=1)
    film = cv2.VideoCapture(str(tmp_path / "clip.mp4"))
    frames = []
    while (got := film.read())[0]:
        frames.append(got[1])
    move = truth["moves"][0]
    assert frames[0].shape == (SIZE[1], SIZE[0], 3) and len(frames) / 15 > move["t_out"] + 2
    before, after = Position.parse(truth["start"]), Position.parse(move["position"])
    rules, start, _, rng = start_of(NUMBER)
    scene = Scene(start, rng)
    changed = np.abs(frames[-1].astype(float) - frames[0]).max(2)
    places = cv2.perspectiveTransform(scene.where.centres[None].astype(np.float64), scene.matrix)[0]
    for pit, (x, y) in enumerate(places):
        if before.counts[pit] != after.counts[pit]:
            assert changed[round(y) - 30:round(y) + 30, round(x) - 30:round(x) + 30].max() > 25
    assert before == start and rules.name == truth["rules"]


def _part(scene: Scene, picture: np.ndarray, pit: int) -> np.ndarray:
    (x, y), r = scene.where.centres[pit], int(0.8 * scene.where.radius)
    return picture[round(float(y)) - r:round(float(y)) + r, round(float(x)) - r:round(float(x)) + r]


def _showing(at: np.ndarray, size: float) -> list[float]:
    """Of every seed the share that no later one hides, each taken for a disc."""
    y, x = np.mgrid[-size:size:15j, -size:size:15j]
    disc = np.stack([x, y], -1)[np.hypot(x, y) < size]
    return [float((np.linalg.norm(one + disc[:, None] - at[k + 1:], axis=-1) > size).all(1).mean())
            for k, one in enumerate(at)]
