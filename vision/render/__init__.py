"""Pictures of boards that never were: for training the eye, and for the simulated table.

`tracer` is the ray tracer (compiled by numba), `pile` lets seeds settle in a pit, `materials` and `textures` say what
things look like, `styles` draws a whole table by lot, `scene` puts it together.
"""

from __future__ import annotations

import contextlib
from pathlib import Path


def forget_stale(folder: Path) -> list[Path]:
    """Throw away machine code that numba kept in `folder/__pycache__` from before the newest source in `folder`.

    numba asks only whether the file of the function itself has changed, not the files of those that it calls: a changed
    `shading` would go on being drawn as it was, inside a kept `tracer`.
    """
    newest = max((p.stat().st_mtime for p in folder.glob("*.py")), default=0.0)
    old = []
    for kept in folder.glob("__pycache__/*.nbi"):
        with contextlib.suppress(OSError):  # another process may be at it, or the folder not ours
            if kept.stat().st_mtime < newest:
                kept.unlink()
                old.append(kept)
    return old


forget_stale(Path(__file__).parent)
