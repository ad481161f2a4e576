"""Where a board was last found, from the journal; a restarted table looks there first."""

from __future__ import annotations

from collections.abc import Iterable

from device.journal.events import BoardFound, Event, PlaceBoard, TableStarted


class Places:
    """The last place of a board under each camera, by picture size and number of pits.

    When people ask to find the board again, the places under the current camera are forgotten.
    """

    def __init__(self) -> None:
        """Start with no place known."""
        self._camera = ""
        self._found: dict[str, dict[tuple[tuple[int, int], int], BoardFound]] = {}

    @classmethod
    def recalled(cls, events: Iterable[Event]) -> Places:
        """The places after all of a journal's events."""
        places = cls()
        for event in events:
            places.fold(event)
        return places

    def fold(self, event: Event) -> None:
        """Take in one event."""
        match event.body:
            case TableStarted(camera=camera):
                self._camera = camera
            case BoardFound() as found:
                self._found.setdefault(self._camera, {})[found.size, len(found.pits)] = found
            case PlaceBoard(pits=[]):
                self._found.pop(self._camera, None)
            case _:
                pass

    def last(self, size: tuple[int, int], pits: int) -> BoardFound | None:
        """The last place of a board of `pits` pits in pictures of that size (width, height) by the current camera; None
        if unknown."""
        return self._found.get(self._camera, {}).get((size, pits))
