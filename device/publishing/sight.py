"""What the table says of itself just now, from its live file (`device.journal.live_state`)."""

from __future__ import annotations

import time
from pathlib import Path

import msgspec

from device.journal.live_state import LiveState
from device.journal.states import State

STALE_S = 5.0
"""A live file that is older means that the table does not run."""
LONGEST = 65_536
UNSEEING = ("", State.STARTING, State.SEARCHING, State.BLIND)


def live_state(folder: Path) -> LiveState | None:
    """What the table in this live folder shows; None where it does not run. A file caught half written counts as none.

    The file's age is judged by the wall clock, by which it was written on this machine: where that jumps, the table
    seems gone for some seconds.
    """
    path = folder / "state.json"
    try:
        if abs(time.time() - path.stat().st_mtime) > STALE_S:
            return None
        with path.open("rb") as file:
            raw = file.read(LONGEST + 1)
        return msgspec.json.decode(raw, type=LiveState) if len(raw) <= LONGEST else None
    except (OSError, msgspec.DecodeError):
        return None


def seeing(state: LiveState | None) -> bool:
    """Whether the table sees the board."""
    return state is not None and state.state not in UNSEEING
