"""Shards of rendered pictures on disk, each from a seed of its own, so that an interrupted run continues where it
stopped."""

import multiprocessing as mp
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

Make = Callable[[int, int], tuple[NDArray[Any], ...]]


def _one(job: tuple[Make, Path, int, int]) -> Path:
    make, path, seed, size = job
    if not path.exists():
        partial = path.with_suffix(".part.npz")
        np.savez(partial, *make(seed, size))
        partial.replace(path)
    return path


def render(make: Make, folder: Path, shards: int, size: int, seed: int, workers: int) -> list[Path]:
    """Render the missing ones of `shards` shards of `size` pictures each; shard k comes from seed `seed + k`."""
    folder.mkdir(parents=True, exist_ok=True)
    jobs = [(make, folder / f"{seed + k:06d}.npz", seed + k, size) for k in range(shards)]
    began = time.monotonic()
    done = []
    with mp.get_context("spawn").Pool(workers) as pool:
        for path in pool.imap(_one, jobs):
            done.append(path)
            print(f"{folder.name}: {len(done)} of {shards} shards, {time.monotonic() - began:.0f} s", flush=True)
    return done


def load(folder: Path) -> tuple[NDArray[Any], ...]:
    """Return all shards of a folder, joined in the order of their seeds. Raises FileNotFoundError if there are none."""
    paths = sorted((p for p in folder.glob("*.npz") if ".part" not in p.name), key=lambda p: (len(p.stem), p.stem))
    if not paths:
        raise FileNotFoundError(f"no shards in {folder}: render them first")
    parts = []
    for path in paths:
        with np.load(path) as shard:
            parts.append([shard[k] for k in shard.files])
    return tuple(np.concatenate(column) for column in zip(*parts, strict=True))
