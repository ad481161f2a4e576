"""The match, folded from the journal by `engine.matches`: verdicts and rulings become events of a match.

What the engine refuses, such as a game that began from another board than was due, does not stop the fold: that game
does not count, and a sentence says why.
"""

from dataclasses import dataclass, field

from device.journal import events as journal
from device.journal.events import Told, translatable
from device.journal.game import OrderContext
from engine import matches as match
from engine.board import Board, Side
from engine.games.base import Rearranging
from engine.messages import message, plain_message
from engine.position import Position
from engine.rules import ruleset

NOTED = match.Joined | match.Left | match.Annulled
"""Events of a match that come from no ruling."""

MOST = 99
"""The highest number of games, wins or points that a match can be agreed to."""


def begun(agreed: journal.MatchAgreed) -> match.MatchState:
    """Return a match as it was agreed, before its first game. Raises MatchError or RulesError, one sentence."""
    if not 0 <= agreed.number <= MOST:
        raise match.MatchError(f"the agreed number is {str(agreed.number)[:20]}: up to {MOST}")
    rules = ruleset(agreed.game, agreed.rules or None, agreed.sets)
    setup = Position.parse(agreed.start) if agreed.start else rules.setup(board=Board.parse(agreed.board))
    form = match.FORMS[agreed.form](agreed.number, agreed.to_points)
    return match.fold([match.MatchBegun(agreed.game, form, rules=agreed.rules, sets=tuple(sorted(agreed.sets.items())),
                                        setup=setup)])


@dataclass
class MatchBook:
    """The current match, if any, updated event by event.

    number: of the journal's newest event. agreed: its terms, and the number of the event that agreed them. state: that
    of `engine.matches`, None without a match. counted: the number within the match of each journal game, by the event
    that began the game. problems: why a journal game does not count, by the same key, in English; messages: the same
    for other languages, where it can be translated.
    """

    number: int = 0
    agreed: tuple[int, journal.MatchAgreed] | None = None
    state: match.MatchState | None = None
    counted: dict[int, int] = field(default_factory=dict)
    problems: dict[int, str] = field(default_factory=dict)
    messages: dict[int, Told] = field(default_factory=dict)
    teams: journal.TeamsNamed = field(default_factory=journal.TeamsNamed)
    _game: tuple[int, journal.GameStarted] | None = None
    _fresh: bool = False
    _moves: dict[int, int] = field(default_factory=dict)
    _ended: bool = False
    """Whether the game on the board has ended or does not count."""
    _made_by: list[int] = field(default_factory=list)
    """For each event of the match, the journal's event that made it."""

    def refuse(self, error: ValueError, game: int = 0) -> None:
        """Note why a game does not count, the one on the board if none is named; only the first reason is kept."""
        game = game or (self._game[0] if self._game is not None else 0)
        if game and game not in self.problems:
            self.problems[game] = str(error)
            if (told := translatable(plain_message(error))) is not None:
                self.messages[game] = told

    # ---- what the journal says; each raises ValueError, one sentence, where the engine refuses -------------------

    def agree(self, agreed: journal.MatchAgreed) -> None:
        """Begin a match."""
        state = begun(agreed)
        self.agreed, self.state, self._made_by = (self.number, agreed), state, [self.number] * len(state.log)
        self.counted, self.problems, self.messages, self._moves = {}, {}, {}, {}
        teams, self.teams = self.teams, journal.TeamsNamed()
        self.name(teams)
        if self._fresh:
            self._begin()
        elif self._game is not None and not self._ended:
            self.refuse(match.MatchError(message("contest.before")))

    def name(self, teams: journal.TeamsNamed) -> None:
        """Note who plays from now on."""
        before, self.teams = self.teams, teams
        sides = ((Side.SOUTH, before.south, teams.south), (Side.NORTH, before.north, teams.north))
        for side, old, new in sides:
            for name in old:
                if name not in new:
                    self._happen(match.Left(side, name))
        for side, old, new in sides:
            for name in new:
                if name not in old:
                    self._happen(match.Joined(side, name))

    def start(self, body: journal.GameStarted) -> None:
        """Begin a game."""
        self._game, self._fresh, self._ended = (self.number, body), True, False
        self._begin()

    def judge(self, body: journal.VerdictGiven) -> None:
        """Take in a verdict on the last move."""
        self._fresh = self._ended = False
        if self.state is None or self._game is None or self._game[0] not in self.counted:
            return
        before, after = Position.parse(body.before), Position.parse(body.position)
        if body.answers:
            self._reopen()
        game = self._running()
        if game is None:
            return
        move = self._moves.get(body.answers, 0)
        if body.kind == "withdrawn":
            self._take_back(game, move, after)
        elif move and game.position == game.moves[-1].position and after.to_move is game.position.to_move:
            self._happen(match.MoveCorrected(move, after))
            self._moves[self.number] = move
        elif after.to_move is not before.to_move and body.kind != "race":
            self._lie(before)
            self._moves[self.number] = self._happen(match.MoveMade(game.number, before.to_move, after))
        elif body.kind == "rearranged" and not after.ply and self.state.rules.rearranging is Rearranging.SETUP:
            self._lie(before)
            self._happen(match.Rearranged(game.number, after))
        else:
            self._lie(after)

    def lay(self, body: journal.PositionSet) -> None:
        """Take in a position that was set without a move."""
        self._ended = False
        if body.answers:
            self._reopen()
        if self._running() is not None:
            self._lie(Position.parse(body.position))

    def end(self, body: journal.GameOver) -> None:
        """End the game on the board."""
        self._ended = True
        game = self._running()
        if game is None or self.state is None:
            return
        winner = Side.parse(body.winner) if body.winner else None
        tries: list[match.MatchEvent] = [match.GameEnded(game.number)]
        if body.forfeited and winner is not None:
            tries = [match.Forfeited(winner.other)]
        south, _, north = body.result.partition("-")
        result = (int(south), int(north)) if south.isdecimal() and north.isdecimal() else None
        tries += [match.GameScored(game.number, winner, result), match.GameScored(game.number, winner)]
        for event in tries:
            try:
                self._happen(event)
            except match.MatchError as error:
                refused = error
            else:
                return
        raise refused

    def annul(self, number: int) -> None:
        """Annul a game; it is due again."""
        self._ended = True
        game = self._running()
        if game is not None and self.counted.get(number) == game.number:
            self._happen(match.Annulled(game.number))
            del self.counted[number]

    def undo(self, order: OrderContext) -> None:
        """Cancel all that followed from an order, so that an end which it took back holds again. Events in `NOTED`
        stay."""
        if self.state is None or self.agreed is None or order.number < self.agreed[0]:
            return
        for number in [n for n, by in enumerate(self._made_by, 1) if by > order.since][::-1]:
            entry = self.state.log[number - 1]
            if number > 1 and not entry.skipped and not isinstance(entry.event, NOTED):
                self._happen(match.EventUndone(number))

    # ---- the match and its games ------------------------------------------------------------------------------

    def _begin(self) -> None:
        """Begin the journal's game as the next of the match, if it belongs to it."""
        if self.state is None or self.agreed is None or self._game is None or self.state.outcome is not None:
            return
        self._leave()
        number, body = self._game
        agreed = self.agreed[1]
        if (body.game, body.board) != (agreed.game, agreed.board):
            titles = {name: ruleset(name).title for name in (body.game, agreed.game)}
            raise match.MatchError(message(
                "contest.elsewhere", game=titles[body.game], lies=body.board.replace("x", " × "),
                agreed=titles[agreed.game], board=agreed.board.replace("x", " × ")))
        due, position = self.place, Position.parse(body.position)
        self._happen(match.GameBegun(due, position.to_move, position))
        self.counted[number] = due

    def _leave(self) -> None:
        """Annul a game of the match that was abandoned for another; it is due again."""
        if self.state is None or self.state.game is None:
            return
        left = self.state.game.number
        self._happen(match.Annulled(left))
        for game in [game for game, number in self.counted.items() if number == left]:
            del self.counted[game]
            self.refuse(match.MatchError(message("contest.left")), game)

    @property
    def outside(self) -> int:
        """The event that began the game on the board, if that game does not count for the current match (`problems`
        says why); else 0."""
        if self.state is None or self.state.outcome is not None or self._game is None or self._ended:
            return 0
        number = self._game[0]
        return number if number in self.problems and number not in self.counted else 0

    @property
    def place(self) -> int:
        """The number of the current or next game within the match, from 1; 0 without a match."""
        if self.state is None:
            return 0
        last = self.state.games[-1] if self.state.games else None
        return 1 if last is None else last.number + (last.scored is not None)

    # ---- moves and rulings -------------------------------------------------------------------------------------

    def _take_back(self, game: match.GameRecord, move: int, after: Position) -> None:
        last = game.moves[-1] if move and game.moves else None
        if last is not None and last.number == move and game.position == last.position:
            self._happen(match.Retracted(move))
        self._lie(after)

    def _lie(self, position: Position) -> None:
        """Set the running game to this board, if it differs."""
        game = self._running()
        if game is not None and game.position != position:
            self._happen(match.BoardSet(game.number, position))

    def _reopen(self) -> None:
        """Take back the end of the game together with the move or the board that caused it."""
        if self.state is None or self.state.game is not None or not self.state.games or self._game is None:
            return
        last = self.state.games[-1]
        if last.ended is not None and self.counted.get(self._game[0]) == last.number:
            self._happen(match.EventUndone(last.ended))

    # ---- shared ------------------------------------------------------------------------------------------------

    def _running(self) -> match.GameRecord | None:
        """Return the match's current game if it is the journal's current game."""
        if self.state is None or self._game is None:
            return None
        game = self.state.game
        return game if game is not None and self.counted.get(self._game[0]) == game.number else None

    def _happen(self, event: match.MatchEvent) -> int:
        """Add an event to the match and return its number; 0 without a match. Raises MatchError."""
        if self.state is None:
            return 0
        self.state = match.after(self.state, event)
        self._made_by.append(self.number)
        return len(self.state.log)
