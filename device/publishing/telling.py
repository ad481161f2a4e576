"""Compose the messages `public`, for everybody, and `state`, for the hall."""

from collections.abc import Iterable
from dataclasses import asdict
from itertools import islice
from typing import Any

import msgspec

from device.journal.chain import utc_now
from device.journal.live_state import LiveState
from device.journal.pin import StoredPin
from device.publishing.course import Courses, Standing
from device.publishing.messages import PrivateState, Public
from device.publishing.sight import seeing

MOST_NAMES, LONGEST_NAME = 20, 200
"""Limits of `Public` for a side: names, and characters of each."""
MOST_FOULS = 1000
"""Most open fouls that are listed, the newest."""


class Teller:
    """Composes the two messages. name: the table's. page: the address of its page, "" for none or not known yet."""

    def __init__(self, name: str) -> None:
        """name: the table's."""
        self._name, self.page = name, ""

    def public(self, journal: str, courses: Courses, live: LiveState | None, pin: StoredPin | None) -> Public:
        """What everybody may see. The table's own words betray its verdict on the last move, so they are left out while
        something is held."""
        said = self._common(journal, courses.public.standing, None if courses.holding else live, live, pin)
        return Public(**said)

    def state(self, journal: str, courses: Courses, live: LiveState | None, pin: StoredPin | None,
              sequence: int) -> PrivateState:
        """What the hall may see. sequence: that of the last order taken."""
        said = self._common(journal, courses.whole.standing, live, live, pin)
        return PrivateState(**said, number=courses.number, hash=courses.hash, fouls=courses.whole.fouls[-MOST_FOULS:],
                     held=courses.held[-MOST_FOULS:], sequence=sequence)

    def _common(self, journal: str, standing: Standing, words: LiveState | None, live: LiveState | None,
                pin: StoredPin | None) -> dict[str, Any]:
        told = asdict(standing)
        return told | {
            "name": self._name, "page": self.page, "journal": journal, "at": utc_now(),
            "south": _names(told["south"]), "north": _names(told["north"]),
            "state": live.state if live else "", "seeing": seeing(live),
            "why": words.why[:1000] if words else "", "told": words.told if words else None,
            "pin": pin.derivation if pin else None}


def _names(names: Iterable[str]) -> list[str]:
    """The names, cut to the limits of a message."""
    return [name[:LONGEST_NAME] for name in islice(names, MOST_NAMES)]


def same(one: Public | None, other: Public) -> bool:
    """Whether two messages are equal apart from the time."""
    return one is not None and msgspec.structs.replace(one, at="") == msgspec.structs.replace(other, at="")
