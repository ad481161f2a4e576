"""The table's current state, from its live file (`device.journal.live_state`)."""

import time
from pathlib import Path

import msgspec

from device.journal.live_state import LiveState
from device.journal.states import State

STALE_S = 5.0
"""If the live file is older than this, the table is not running."""
LONGEST = 65_536
UNSEEING = ("", State.STARTING, State.SEARCHING, State.BLIND)


def live_state(folder: Path) -> LiveState | None:
    """The live state in this folder; None if the table is not running or the file is unreadable or half written.

    The file's age is measured by this machine's wall clock: if that jumps, the table seems gone for some seconds.
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
