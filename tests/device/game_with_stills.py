"""A data folder with a journal whose verdicts name stills, for tests of quota and backups."""

import hashlib
from pathlib import Path
from typing import cast

from device.journal import Journal
from device.journal.events import Event, VerdictGiven, VerdictKind
from device.journal.head import write_lasting
from device.system.folder import DataFolder


class GameWithStills:
    """A data folder with a game: stills of 1,000 bytes each."""

    def __init__(self, path: Path) -> None:
        """path: of the data folder."""
        self.data = DataFolder(path)
        self.data.make()
        self.journal = Journal(self.data.journal)
        self.count = 0

    def still(self) -> str:
        """Write a still of its own; its name."""
        self.count += 1
        data = f"{self.count:04d}".encode() * 250
        name = hashlib.sha256(data).hexdigest() + ".jpg"
        write_lasting(self.data.evidence / name, data)
        return name

    def verdict(self, kind: str, before: str = "", answers: int = 0) -> Event:
        """Write a verdict of that kind with two stills. before: the first of them, if it is there already; answers:
        the verdict that it replaces."""
        body = VerdictGiven(kind=cast(VerdictKind, kind), player="S", before="", position="", sentence="",
                            still_before=before or self.still(), still_after=self.still(), answers=answers)
        return self.journal.append(body)

    def there(self) -> set[str]:
        """The names of the evidence's files."""
        return {path.name for path in self.data.evidence.iterdir()}


def stills_of(event: Event) -> set[str]:
    """The names of a verdict's stills."""
    assert isinstance(event.body, VerdictGiven)
    return {event.body.still_before, event.body.still_after}
