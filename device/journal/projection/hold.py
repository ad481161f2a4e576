"""The hold: where asked for, spectators see accusations only after the referee has looked at them.

Later events would betray a held verdict, so spectators see nothing from the first held verdict on. It goes on, in
order, when the referee rules, shows the verdict, or ends the hold.
"""

from device.journal import events as journal
from device.journal.events import Event

KINDS = ("illegal", "not-sure", "tampered")
"""Verdicts that accuse, or ask people."""


class Hold:
    """Which accusations are held now. on: new ones are held. waiting: for the number of each held event, the number of
    the verdict that it is about; these differ if the event answers a question."""

    def __init__(self) -> None:
        """Start with nothing held."""
        self.on = False
        self.waiting: dict[int, int] = {}

    @property
    def verdicts(self) -> list[int]:
        """Numbers of the held verdicts, ascending."""
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
                self.waiting.clear()  # whoever orders this has seen the held verdicts
            case _:
                pass
