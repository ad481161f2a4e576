"""Plays a game record through: checks every move by the rules, and finds the first mistake."""

from dataclasses import dataclass

from engine.board import Side
from engine.games import race
from engine.games.base import MoveError, Over
from engine.games.rearranging import relaid
from engine.position import Position
from engine.records.record import BACK, RACE, SET, UNREAD, Item, Record, numbers

MOST_NAMED = 60
"""Most legal moves that a sentence lists."""


@dataclass(frozen=True, slots=True)
class RecordMistake:
    """The first mistake. index: of the item, None for the start or the end; number: of the move; player: who moved;
    word: as written; why: what is wrong with it; before: the position there; legal: the moves that were possible;
    endless: the pits whose sowing never ends."""

    index: int | None
    number: int | None
    player: Side | None
    word: str
    why: str
    before: Position
    legal: tuple[str, ...] = ()
    endless: tuple[str, ...] = ()

    @property
    def sentence(self) -> str:
        """The whole mistake in one sentence."""
        where = "the result" if self.index is None and self.word else "the start"
        if self.number is not None:
            where = f"move {self.number}"
        whose = f" ({self.player.title})" if self.player is not None else ""
        said = f", {self.word[:60]}" if self.word else ""
        text = f"{where}{whose}{said}: {self.why}"
        if self.legal:
            more = f" and {len(self.legal) - MOST_NAMED} more" if len(self.legal) > MOST_NAMED else ""
            text += f"; legal there: {', '.join(self.legal[:MOST_NAMED])}{more}"
        elif self.endless:
            text += f"; no move there ends (begun from {', '.join(self.endless)})"
        return text


@dataclass(frozen=True, slots=True)
class Replayed:
    """A record played through. positions: the start, then the position after each correct item; plays: those that
    stand, in order; over: how the rules ended the game; wrong: the first mistake, None for none."""

    record: Record
    positions: tuple[Position, ...]
    plays: tuple[Item, ...]
    over: Over | None
    wrong: RecordMistake | None

    @property
    def moves(self) -> int:
        """Number of plays that stand, of any kind."""
        return len(self.plays)

    @property
    def legal(self) -> int:
        """Number of legal moves that stand."""
        return sum(item.legal for item in self.plays)

    @property
    def fouls(self) -> int:
        """Number of illegal moves that stand."""
        return sum(item.foul for item in self.plays)

    @property
    def unread(self) -> int:
        """Number of unidentified moves that stand."""
        return sum(item.word == UNREAD for item in self.plays)


def replay(record: Record) -> Replayed:
    """Play a record through, up to the first mistake."""
    return _Replay(record).run()


class _Replay:
    """The game during replay. before: the plays that stand, each with the position it was made in, for taking it back;
    arranged: for each side that has rearranged, the position it rearranged from."""

    def __init__(self, record: Record) -> None:
        self.record, self.rules = record, record.rules
        self.positions = [record.start]
        self.before: list[tuple[Item, Position, dict[Side, Position]]] = []
        self.arranged: dict[Side, Position] = {}

    @property
    def position(self) -> Position:
        return self.positions[-1]

    def _over(self) -> Over | None:
        return self.rules.ended(self.position, [position for _, position, _ in self.before])

    def run(self) -> Replayed:
        record = self.record
        problems = self.rules.problem_sentences(record.start)
        if problems:
            return self._found(RecordMistake(None, None, None, "", problems[0], record.start))
        for index, item in enumerate(record.items):
            try:
                after = self._after(item)
            except MoveError as e:
                return self._found(self._wrong(index, item, str(e)))
            if item.play:
                self.before.append((item, self.position, self.arranged))
            if item.legal and "=" in item.word and after.ply == 0:
                self.arranged = {_mover(item): self.position} | self.arranged
            self.positions.append(after)
        return self._found(self._end())

    def _after(self, item: Item) -> Position:
        """Return the position after an item. Raises MoveError if there is none."""
        if item.word == BACK:
            if not self.before:
                raise MoveError("there is no move to take back")
            _, position, self.arranged = self.before.pop()
            return position
        if item.word == SET and item.after is not None:
            return item.after
        over = self._over()
        if over is not None:
            raise MoveError(f"the game was over, {over.result[0]}-{over.result[1]}: {over.reason}")
        if item.word == RACE and item.after is not None:
            self._check_race(item.after)
        if item.after is not None:
            return item.after
        move = self.rules.play(self.position, item.word)
        side = _mover(item)
        first = self.arranged.get(side) if move.ends == "arranged" else None
        if first is not None and not relaid(self.rules, first, move.position.counts, side):
            raise MoveError(f"{side.title} has rearranged already")
        return move.position

    def _check_race(self, after: Position) -> None:
        if not self.rules.races:
            raise MoveError(f"{self.rules.title} is begun here without a race")
        if self.position.ply:
            raise MoveError("a race comes before the first move")
        wrong = race.problems(self.rules, self.position, after)
        if wrong:
            raise MoveError(wrong[0])

    def _wrong(self, index: int, item: Item, why: str) -> RecordMistake:
        due = [n for n in numbers(self.rules, self.record.start, self.record.items[:index + 1]) if n is not None]
        number = due[-1] if due else None
        why = why.removeprefix(f"move {item.word}: ")
        if not item.legal:
            return RecordMistake(index, number, None, item.word, why, self.position)
        found = self.rules.moves(self.position)
        name = self.position.board.name
        return RecordMistake(index, number, _mover(item), item.word, why, self.position,
                             tuple(m.name for m in found.moves), tuple(map(name, found.endless)))

    def _end(self) -> RecordMistake | None:
        """Return what is wrong with the result, if anything; people may agree on any result."""
        record, over = self.record, self._over()
        if record.ended or (record.result is None and record.winner is None):
            return None
        won = "a draw" if record.winner is None else f"{record.winner.title} wins"
        said = f"{record.end}, {won}"
        if over is None:
            why = f"the game is not over: {self.position.to_move.title} can move, and no Termination is given"
            return RecordMistake(None, None, None, said, why, self.position)
        if (over.result, over.winner) == (record.result, record.winner):
            return None
        won = "a draw" if over.winner is None else f"{over.winner.title} wins"
        why = f"the game ended {over.result[0]}-{over.result[1]}, {won}: {over.reason}"
        return RecordMistake(None, None, None, said, why, self.position)

    def _found(self, wrong: RecordMistake | None) -> Replayed:
        over = self._over() if wrong is None else None
        plays = tuple(item for item, _, _ in self.before)
        return Replayed(self.record, tuple(self.positions), plays, over, wrong)


def _mover(item: Item) -> Side:
    """The player of a legal move, by its letter: small letters are South's pits."""
    return Side.SOUTH if item.word[0].islower() else Side.NORTH
