"""The journal as a hall gets it: in full, and the part that everybody may see."""

import logging

from device.journal.events import Event
from device.journal.projection.fold import Hold, Projection

log = logging.getLogger(__name__)


class GameProjections:
    """Two projections of one journal: `whole`, and `public`, which stops before the first verdict that is held back,
    because later events would betray it."""

    def __init__(self) -> None:
        """Start before the first event."""
        self.whole, self.public = Projection(), Projection()
        self._hold = Hold()
        self.number, self.hash, self.first = 0, "", ""

    def enter(self, event: Event) -> None:
        """Take in one event."""
        self.number, self.hash = event.number, event.hash
        self.first = self.first or event.hash
        self.whole.enter(event)
        if self.whole.problem:
            log.warning("event %d of the journal cannot be told to the hall: %s", event.number, self.whole.problem)
        self._hold.note(event)
        for released in self._hold.released():
            self.public.enter(released)

    @property
    def fouls(self) -> list[int]:
        """Numbers of the verdicts that call a move illegal and that nobody has ruled on, oldest first."""
        return [foul.number for foul in reversed(self.whole.fouls) if foul.fate == "open"]

    @property
    def held(self) -> list[int]:
        """Numbers of the verdicts that are held back."""
        return self._hold.verdicts

    @property
    def holding(self) -> bool:
        """Whether events are kept back from the public."""
        return bool(self._hold.back)
