"""The current game as a hall gets it, from the journal: in full, and the part that everybody may see.

It builds on `device.journal.game`, which the table uses too.
"""

import logging
from collections import deque
from dataclasses import dataclass

from device.journal.events import Event, Forfeit, GameAnnulled, GameStarted, NotAsSeen, TeamsNamed
from device.journal.game import Game, JudgedMove, Rulings
from device.journal.hold import Hold
from engine.rules import Rules

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Standing:
    """The state of the game, in the fields of `device.publishing.messages.Public`."""

    game: str = ""
    rules: str = ""
    board: str = ""
    position: str = ""
    turn: str = ""
    score: tuple[int, int] = (0, 0)
    south: tuple[str, ...] = ()
    north: tuple[str, ...] = ()


class GameProjection:
    """The game, who plays, and the fouls that nobody has ruled on. An impossible event is logged and skipped."""

    def __init__(self) -> None:
        """Start before the first event."""
        self.game = Game()
        self._teams = TeamsNamed()
        self._began = 0
        """Number of the event that began the game."""
        self._earlier: dict[int, int] = {}
        """Fouls that were open when the next game began, each with the number of the event that began its game."""
        self._annulled: set[int] = set()
        self._rulings = Rulings()

    def enter(self, event: Event) -> None:
        """Take in one event."""
        self._note(event)
        try:
            self.game.fold(event)
        except ValueError as error:
            log.warning("event %d of the journal cannot be told to the hall: %s", event.number, error)

    @property
    def standing(self) -> Standing:
        """The current state of the game."""
        south, north = tuple(self._teams.south), tuple(self._teams.north)
        rules: Rules | None = self.game.rules
        position = self.game.position
        if rules is None or position is None:
            return Standing(south=south, north=north)
        return Standing(rules.game, rules.name, str(position.board), str(position),
                        "" if self.game.over else position.to_move.letter, position.captured, south, north)

    @property
    def fouls(self) -> list[int]:
        """Numbers of the verdicts that call a move illegal and that nobody has ruled on, oldest first."""
        found = {number for number, game in self._earlier.items() if game not in self._annulled}
        if self._began not in self._annulled:
            found |= self._of_this_game()
        return sorted(number for number in found if not self._ruled_on(number))

    def _ruled_on(self, verdict: int) -> bool:
        last = self._rulings.last(verdict)
        return last is not None and not isinstance(last.body, NotAsSeen)

    def _of_this_game(self) -> set[int]:
        """The fouls among the moves that stand, except those judged from people's counts."""
        return {move.number for move in self.game.moves if isinstance(move, JudgedMove) and move.body.kind == "illegal"
                and not self._rulings.counted(move.body.answers)}

    def _note(self, event: Event) -> None:
        match event.body:
            case GameStarted():
                self._earlier |= dict.fromkeys(self._of_this_game(), self._began)
                self._began = event.number
            case TeamsNamed() as teams:
                self._teams = teams
            case GameAnnulled(game=number):
                self._annulled.add(number)
            case _:
                pass
        done = self._rulings.enter(event)
        if done is not None and isinstance(done.body, Forfeit):
            self._give_up(done, done.body.side)

    def _give_up(self, order: Event, side: str) -> None:
        """Take in that a side resigned: this rules on its last foul, if that is open."""
        mine = [move.number for move in self.game.moves if isinstance(move, JudgedMove) and move.body.player == side]
        found = [foul for foul in self.fouls if foul in mine]
        if found:
            self._rulings.rule(found[-1], order)


class GameProjections:
    """Two projections of one journal: `whole`, and `public`, which stops before the first verdict that is held back,
    because later events would betray it."""

    def __init__(self) -> None:
        """Start before the first event."""
        self.whole, self.public = GameProjection(), GameProjection()
        self._hold = Hold()
        self._back: deque[Event] = deque()
        self.number, self.hash, self.first = 0, "", ""

    def enter(self, event: Event) -> None:
        """Take in one event."""
        self.number, self.hash = event.number, event.hash
        self.first = self.first or event.hash
        self.whole.enter(event)
        self._hold.note(event)
        self._back.append(event)
        while self._back and self._back[0].number not in self._hold.waiting:
            self.public.enter(self._back.popleft())

    @property
    def held(self) -> list[int]:
        """Numbers of the verdicts that are held back."""
        return self._hold.verdicts

    @property
    def holding(self) -> bool:
        """Whether events are kept back from the public."""
        return bool(self._back)
