"""Where a board was last seen to lie, as the journal tells it: known when a table starts anew."""

from __future__ import annotations

from collections.abc import Iterable

from device.journal.events import BoardFound, Event, PlaceBoard, TableStarted


class Places:
    """The newest place of a board under each camera, by the size of its pictures and the number of the board's pits.

    Where people ask for the board to be looked for anew, the places under their camera are forgotten.
    """

    def __init__(self) -> None:
        """No board was seen yet."""
        self._camera = ""
        self._found: dict[str, dict[tuple[tuple[int, int], int], BoardFound]] = {}

    @classmethod
    def recalled(cls, events: Iterable[Event]) -> Places:
        """As a journal leaves them."""
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
        """Where a board of so many pits was found last, in pictures of that size by the camera that is open now; None
        where that is not known."""
        return self._found.get(self._camera, {}).get((size, pits))
