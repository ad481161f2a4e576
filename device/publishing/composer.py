"""Compose the messages `public`, for everybody, and `state`, for the hall, from journal and live state."""

import time
from collections.abc import Iterable
from itertools import islice
from pathlib import Path
from typing import Any

import msgspec

from device.journal.chain import utc_now
from device.journal.live_state import LiveState, read_state
from device.journal.pin import StoredPin
from device.journal.projection.fold import Projection
from device.journal.states import State
from device.publishing.messages import PrivateState, Public
from device.publishing.projections import GameProjections

STALE_S = 5.0
"""If the live file is older than this, the table is not running."""
UNSEEING = ("", State.STARTING, State.SEARCHING, State.BLIND)


def live_state(folder: Path) -> LiveState | None:
    """The live state in this folder; None if the table is not running or the file is unreadable or half written.

    The file's age is measured by this machine's wall clock: if that jumps, the table seems gone for some seconds.
    """
    try:
        age = abs(time.time() - (folder / "state.json").stat().st_mtime)
    except OSError:
        return None
    return None if age > STALE_S else read_state(folder)


def seeing(state: LiveState | None) -> bool:
    """Whether the table sees the board."""
    return state is not None and state.state not in UNSEEING


MOST_NAMES, LONGEST_NAME = 20, 200
"""Limits of `Public` for a side: names, and characters of each."""
MOST_FOULS = 1000
"""Most open fouls that are listed, the newest."""


class StateComposer:
    """Composes the two messages. name: the table's. page: the address of its page, "" for none or not known yet."""

    def __init__(self, name: str) -> None:
        """name: the table's."""
        self._name, self.page = name, ""

    def public(self, journal: str, projections: GameProjections, live: LiveState | None,
               pin: StoredPin | None) -> Public:
        """What everybody may see. The table's own words betray its verdict on the last move, so they are left out while
        something is held."""
        said = self._common(journal, standing_of(projections.public), None if projections.holding else live, live, pin)
        return Public(**said)

    def state(self, journal: str, projections: GameProjections, live: LiveState | None, pin: StoredPin | None,
              sequence: int) -> PrivateState:
        """What the hall may see. sequence: that of the last order taken."""
        said = self._common(journal, standing_of(projections.whole), live, live, pin)
        return PrivateState(**said, number=projections.number, hash=projections.hash, sequence=sequence,
                            fouls=projections.fouls[-MOST_FOULS:], held=projections.held[-MOST_FOULS:])

    def _common(self, journal: str, standing: dict[str, Any], words: LiveState | None, live: LiveState | None,
                pin: StoredPin | None) -> dict[str, Any]:
        return standing | {
            "name": self._name, "page": self.page, "journal": journal, "at": utc_now(),
            "state": live.state if live else "", "seeing": seeing(live),
            "why": words.why[:1000] if words else "", "told": words.told if words else None,
            "pin": pin.derivation if pin else None}


def standing_of(now: Projection) -> dict[str, Any]:
    """The state of the game, as fields of `Public`."""
    rules, position = now.game.rules, now.game.position
    names = {"south": _names(now.teams.south), "north": _names(now.teams.north)}
    if rules is None or position is None:
        return names
    turn = "" if now.game.over else position.to_move.letter
    return {"game": rules.game, "rules": rules.name, "board": str(position.board), "position": str(position),
            "turn": turn, "score": position.captured, **names}


def _names(names: Iterable[str]) -> list[str]:
    """The names, cut to the limits of a message."""
    return [name[:LONGEST_NAME] for name in islice(names, MOST_NAMES)]


def same(one: Public | None, other: Public) -> bool:
    """Whether two messages are equal apart from the time."""
    return one is not None and msgspec.structs.replace(one, at="") == msgspec.structs.replace(other, at="")
