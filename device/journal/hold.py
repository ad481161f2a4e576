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
    """Kept up event by event. on: accusations are held from now on; waiting: numbers of those not looked at yet."""

    def __init__(self) -> None:
        """Nothing is held yet."""
        self.on = False
        self.waiting: set[int] = set()

    def note(self, event: Event) -> None:
        """Take in one event."""
        match event.body:
            case journal.HoldSet(on=on):
                self.on = on
                if not on:
                    self.waiting.clear()
            case journal.VerdictGiven(kind=kind, answers=0) if self.on and kind in KINDS:
                self.waiting.add(event.number)
            case journal.Shown(verdict=n) | journal.LetStand(verdict=n) | journal.Withdraw(verdict=n) | (
                    journal.NotAsSeen(verdict=n)):
                self.waiting.discard(n)
            case journal.CorrectPit() | journal.Forfeit() | journal.NewGame():
                self.waiting.clear()  # who orders this has seen what there is
            case _:
                pass
