"""The games of a journal in order: when they were played, what they were, how they ended, and each one's events."""

from __future__ import annotations

from array import array
from collections import Counter, OrderedDict
from collections.abc import Iterable
from dataclasses import dataclass, field
from sys import intern

from device.journal import events as journal
from device.journal.events import Event
from web.readmodel.feed import Details, Item, OverNow
from web.readmodel.marks import Place
from web.readmodel.matches import MatchBook
from web.readmodel.reasons import MessageJson, message_json

MOST_GAMES = 2000
"""Games that are listed; older ones stay in the journal."""
EARLIEST = "2026"
"""Games before this year show a wrong clock, such as that of a machine switched on without a network: inkeek is not
older."""


@dataclass(slots=True)
class PlayedGame:
    """One game. number, last: the numbers of its first and latest event. verdicts: the numbers of its verdicts; fouls:
    how many of them are illegal now. result, winner, reason: as in `GameOver`, "" during the game. told: the reason's
    message. at, ended: ISO times. annulled: "agreed" or "over-time" if the game does not count."""

    number: int
    at: str
    game: str
    rules: str
    board: str
    start: str
    last: int
    verdicts: array[int] = field(default_factory=lambda: array("q"))
    fouls: int = 0
    over: bool = False
    result: str = ""
    winner: str = ""
    reason: str = ""
    told: MessageJson | None = None
    ended: str = ""
    annulled: str = ""
    sets: dict[str, str] = field(default_factory=dict)
    """The changed fields of the rules, as words."""
    retractions: list[Retraction] = field(default_factory=list)
    objections: list[int] = field(default_factory=list)
    """Verdicts that somebody at the table objected to, with or without a ruling since, except objections taken back."""
    teams: journal.TeamsNamed = field(default_factory=journal.TeamsNamed)
    """The players."""
    place: Place | None = None
    """Where the board lay in the camera's pictures at the start; None if unknown."""

    @property
    def day(self) -> str:
        """The UTC day on which the game began."""
        return self.at[:10]

    @property
    def clock_wrong(self) -> bool:
        """Whether its times are impossible: before inkeek was written, or an end before the beginning."""
        return self.at < EARLIEST or "" < self.ended < self.at


@dataclass(slots=True)
class OrderTargets:
    """What an order's number refers to in the current or last game. A new game begins with nothing.

    illegal: numbers of the verdicts "illegal", also of withdrawn moves. moves: by verdict, its player and move. ends:
    number, time and event of each end of the game. objected: by objection, the verdict that it is about.
    """

    illegal: set[int] = field(default_factory=set)
    moves: dict[int, tuple[str, str]] = field(default_factory=dict)
    ends: list[tuple[int, str, journal.GameOver]] = field(default_factory=list)
    objected: dict[int, int] = field(default_factory=dict)


def details(order: journal.Withdraw) -> Details:
    """Return the order's details as plain data."""
    return Details(side=order.side, why=order.why, mover=order.mover, spectator=order.spectator)


@dataclass(frozen=True, slots=True)
class Retraction:
    """A move that people withdrew. order: number of the event that ordered it; player, move: of the withdrawn move;
    details: who withdrew it, why, and who had moved."""

    order: int
    verdict: int
    at: str
    player: str
    move: str
    details: Details


class Ledger:
    """The games, the match and the teams, updated event by event."""

    def __init__(self) -> None:
        """Start before the first game."""
        self.games: OrderedDict[int, PlayedGame] = OrderedDict()
        self.match = MatchBook()
        self.kinds: Counter[str] = Counter()
        self.teams, self.teams_since = journal.TeamsNamed(), 0
        """The current players, and the event from which on they play: the beginning of the game that was on when
        named."""
        self._now: PlayedGame | None = None
        self._course = OrderTargets()
        self._place: Place | None = None

    @property
    def over(self) -> OverNow | None:
        """How the current or last game ended; None while it goes on."""
        game = self._now
        if game is None or not game.over:
            return None
        return {"result": game.result, "winner": game.winner, "reason": game.reason, "told": game.told}

    @property
    def ended(self) -> PlayedGame | None:
        """The game whose end is shown: the one on the board or, until somebody moves in that one, the game before."""
        now = self._now
        if now is not None and not now.over and not now.verdicts and len(self.games) > 1:
            now = self.games[list(self.games)[-2]]
        return now if now is not None and now.over and not now.annulled else None

    def enter(self, event: Event, done: Event | None) -> None:
        """Take in one event. done: the order that it reports as carried out."""
        self.match.enter(event)
        match event.body:
            case journal.VerdictGiven(kind=kind):
                self.kinds[kind] += 1
            case journal.GameStarted() as begun:
                self._begin(event, begun)
            case journal.TeamsNamed() as teams:
                self._name(event.number, teams)
            case journal.BoardFound() as found:
                self._place = Place.of(found)
            case journal.GameAnnulled(game=number, why=why) if number in self.games:
                self.games[number].annulled = why
            case _:
                pass
        if self._now is not None:
            self._now.last = event.number
            self._enter(self._now, event)
            if done is not None and isinstance(done.body, journal.Withdraw) and done.number > self._now.number:
                player, move = self._course.moves.get(done.body.verdict, ("", ""))
                self._now.retractions.append(Retraction(done.number, done.body.verdict, done.at, player, move,
                                                        details(done.body)))

    def note(self, changed: Iterable[Item]) -> None:
        """Take in the feed's current items for verdicts of the current game."""
        game, course = self._now, self._course
        if game is None:
            return
        mine = [item for item in changed if item["kind"] == "verdict" and item["number"] > game.number]
        for item in mine:
            course.moves[item["number"]] = (item["player"], item["move"])
        course.illegal -= {item["number"] for item in mine}
        course.illegal |= {item["number"] for item in mine if item["verdict"] == "illegal"
                           and (item["gone"] is None or item["gone"]["how"] == "withdrawn")}
        game.fouls = len(course.illegal)

    def _name(self, number: int, teams: journal.TeamsNamed) -> None:
        """Note who plays from now on, also in the current game."""
        game = self._now
        self.teams, self.teams_since = teams, number
        if game is not None and not game.over and not game.annulled:
            game.teams, self.teams_since = teams, game.number

    def _begin(self, event: Event, begun: journal.GameStarted) -> None:
        game, rules, board, start = map(intern, (begun.game, begun.rules, begun.board, begun.position))
        self._now = PlayedGame(event.number, event.at, game, rules, board, start, event.number, sets=begun.sets,
                           teams=self.teams, place=self._place)
        self._course = OrderTargets()
        self.games[event.number] = self._now
        while len(self.games) > MOST_GAMES:
            self.games.popitem(last=False)

    def _enter(self, game: PlayedGame, event: Event) -> None:
        """Take in one event of the current or last game."""
        match event.body:
            case journal.VerdictGiven() as body:
                _judged(game, event.number, body)
            case journal.PositionSet(answers=number) if number:
                _go_on(game)
            case journal.Objected(verdict=number) if number not in game.objections:
                game.objections.append(number)
                self._course.objected[event.number] = number
            case journal.ObjectionWithdrawn(objection=number) if number in self._course.objected:
                game.objections.remove(self._course.objected.pop(number))
            case journal.RulingUndone() as body:
                self._undo(game, event.at, body)
            case journal.GameOver() as body:
                self._course.ends.append((event.number, event.at, body))
                _end(game, event.at, body)
            case _:
                pass

    def _undo(self, game: PlayedGame, at: str, body: journal.RulingUndone) -> None:
        """Drop what a ruling led to, and what was played since it was carried out."""
        if body.kept:
            return
        game.retractions = [one for one in game.retractions if one.order < body.order]
        self._end_again(game, at, body)

    def _end_again(self, game: PlayedGame, at: str, body: journal.RulingUndone) -> None:
        """Put the game back as it was when the ruling was ordered, over or not."""
        if body.end is None:
            _go_on(game)
            return
        ended = [said for number, said, end in self._course.ends if number < body.order and end == body.end]
        _end(game, ended[-1] if ended else at, body.end)


def _judged(game: PlayedGame, number: int, body: journal.VerdictGiven) -> None:
    if body.instead_of:  # the answer counts in the question's place
        return
    game.verdicts.append(number)
    if body.answers:
        _go_on(game)


def _end(game: PlayedGame, at: str, body: journal.GameOver) -> None:
    game.over, game.ended = True, at
    game.result, game.winner, game.reason = body.result, body.winner, body.reason
    game.told = message_json(body.told)


def _go_on(game: PlayedGame) -> None:
    game.over, game.result, game.winner, game.reason, game.told, game.ended = False, "", "", "", None, ""
