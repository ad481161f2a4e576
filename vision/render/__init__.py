"""Draws pictures of invented boards, for training the eye and for the simulated table.

`tracer` is the ray tracer (compiled by numba), `pile` lets seeds settle in a pit, `materials` and `textures` define
what things look like, `styles` draws a whole table at random, `scene` puts it together.
"""

import contextlib
from pathlib import Path


def forget_stale(folder: Path) -> list[Path]:
    """Delete machine code that numba cached in `folder/__pycache__` before the newest source in `folder` was written.

    numba checks only the file of the function itself, not the files of the functions it calls: without this, a cached
    `tracer` would go on using an old `shading`.
    """
    newest = max((p.stat().st_mtime for p in folder.glob("*.py")), default=0.0)
    old = []
    for kept in folder.glob("__pycache__/*.nbi"):
        with contextlib.suppress(OSError):  # another process may delete it, or the folder may not be writable
            if kept.stat().st_mtime < newest:
                kept.unlink()
                old.append(kept)
    return old


forget_stale(Path(__file__).parent)
