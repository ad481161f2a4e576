"""The hold: accusations are kept from spectators until the referee has looked at them, where that was asked for.

What came after a held verdict would tell of it, so spectators' books end before the first one and go on, in order, when
the referee has ruled, has shown it, or has ended the hold.
"""

from __future__ import annotations

from device.journal import events as journal
from device.journal.events import Event

KINDS = ("illegal", "not-sure", "tampered")
"""Verdicts that accuse, or ask people."""


class Hold:
    """Kept up event by event. on: accusations are held from now on; waiting: numbers of the events not looked at yet,
    each with the verdict that it is about, which is another where it answers a question."""

    def __init__(self) -> None:
        """Nothing is held yet."""
        self.on = False
        self.waiting: dict[int, int] = {}

    @property
    def verdicts(self) -> list[int]:
        """Numbers of the verdicts not looked at yet."""
        return sorted(set(self.waiting.values()))

    def note(self, event: Event) -> None:
        """Take in one event."""
        match event.body:
            case journal.HoldSet(on=on):
                self.on = on
                if not on:
                    self.waiting.clear()
            case journal.VerdictGiven(kind=kind, answers=0, instead_of=about) if self.on and kind in KINDS:
                self.waiting[event.number] = about or event.number
            case journal.Shown(verdict=n) | journal.LetStand(verdict=n) | journal.Withdraw(verdict=n) | (
                    journal.NotAsSeen(verdict=n)):
                self.waiting = {number: verdict for number, verdict in self.waiting.items() if verdict != n}
            case journal.CorrectPit() | journal.Forfeit() | journal.AgreeEnd() | journal.NewGame():
                self.waiting.clear()  # who orders this has seen what there is
            case _:
                pass
