"""Decide on people's orders, from the game and the last quiet readings of the board alone."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import msgspec

from device.journal.events import (
    AgreeEnd,
    Body,
    CorrectPit,
    Forfeit,
    GameOver,
    GameStarted,
    LetStand,
    NewGame,
    NotAsSeen,
    Order,
    PositionSet,
    RulingUndone,
    Undo,
    VerdictGiven,
    Withdraw,
    translatable,
)
from device.journal.game import Game, JudgedMove, OrderContext, side_of
from device.journal.messages import message
from device.table.recount import after_unknown_move, captured_set, is_captured_set, judged_again, judged_on
from device.table.verdict_events import position_set
from device.table.window import Window
from engine.board import Board, Side
from engine.messages import Message, message_in, side
from engine.position import Position
from engine.rules import Over, Rules, ruleset


@dataclass(frozen=True, slots=True)
class Answer:
    """The table's answer to an order.

    done: the order is taken up; message: says so, or why not; bodies: the events that follow from it. counts: the
    counts that people stated, -1 for pits that they did not; () if they stated none.
    """

    done: bool
    message: Message | str
    bodies: tuple[Body, ...] = ()
    counts: tuple[int, ...] = ()

    @property
    def sentence(self) -> str:
        """The message in English."""
        return capital(str(self.message))


def answer(order: Order, game: Game, window: Window | None) -> Answer:
    """Take up an order or refuse it. window: the last quiet readings, None if there are none."""
    decide: dict[type, Callable[..., Answer]] = {
        NewGame: _new_game, LetStand: _let_stand, Withdraw: _withdraw, CorrectPit: _correct, NotAsSeen: _not_as_seen,
        Forfeit: _forfeit, AgreeEnd: _agree_end, Undo: _undo}
    try:
        return decide[type(order)](order, game, window)
    except ValueError as error:  # the engine's: one sentence, naming value and place
        return Answer(False, message_in(error) or str(error))


def game_started(rules: Rules, position: Position, by: str) -> GameStarted:
    """The event that begins a game by these rules, with their changed fields."""
    return GameStarted(game=rules.game, rules=rules.name, sets=rules.sets, board=str(position.board),
                       position=str(position), by=by)


def starting_position(rules: Rules, board: Board | None, line: str = "") -> Position:
    """The position that a game begins from: that of `line`, or else the ruleset's set-up. Raises ValueError."""
    if not line:
        return rules.setup(board=board)
    position = Position.parse(line)
    problems = rules.problems(position)
    if problems:
        raise ValueError(problems[0])
    if board is not None and position.board != board:
        raise ValueError(message("answer.other-board", lies=str(position.board), board=str(board)))
    return position


def game_over(over: Over) -> GameOver:
    """The event that ends a game."""
    winner = "" if over.winner is None else over.winner.letter
    return GameOver(result=f"{over.result[0]}-{over.result[1]}", winner=winner, reason=over.reason,
                    told=translatable(over.message))


def lying_position(rules: Rules, board: Board, window: Window | None) -> Position:
    """The board as last read, as a game's start. Raises ValueError if it is unclear or impossible as such."""
    if window is None or not window.frames or len(window.seen) != board.pits or window.unclear():
        raise ValueError(message("answer.unclear"))
    position = Position(board, tuple(int(n) for n in window.counts))
    due = rules.seeds(board)
    if position.board in rules.boards and position.total != due:
        raise ValueError(message("answer.lies-seeds", lying=position.total, game=rules.title, board=str(board),
                                 due=due))
    problems = rules.problems(position)
    if problems:
        raise ValueError(problems[0])
    return position


def _new_game(order: NewGame, game: Game, window: Window | None) -> Answer:
    rules = ruleset(order.game, order.rules or None, order.sets)
    board = Board.parse(order.board) if order.board else None
    if order.position == "lies":
        position = lying_position(rules, board or game.playing[1].board, window)
    else:
        position = starting_position(rules, board, order.position)
    body = game_started(rules, position, order.by or "people")
    return Answer(True, message("answer.new", game=rules.title, board=str(position.board)), (body,))


def _let_stand(order: LetStand, game: Game, _window: Window | None) -> Answer:
    ruled = None if order.verdict in game.earlier else _ruled(order.verdict, game).number
    if game.withdrawing is not None and game.withdrawing.number == ruled:
        return Answer(True, message("answer.stands-after"))
    newest = game.last is not None and game.last.number == ruled
    return Answer(True, message("answer.stands" if newest else "answer.stands-past"))


def _withdraw(order: Withdraw, game: Game, _window: Window | None) -> Answer:
    ruled = _ruled(order.verdict, game)
    if game.withdrawing is not None and game.withdrawing.number == order.verdict:
        return Answer(False, message("answer.withdrawing"))
    mover = side_of(ruled.body.player)
    whose = message("answer.whose", side=side(mover)) if mover is not None else message("answer.the-move")
    later = _moves_after(ruled, game)
    return Answer(True, message("answer.lay-back-all", whose=whose, n=later) if later
                  else message("answer.lay-back", whose=whose))


def _correct(order: CorrectPit, game: Game, window: Window | None) -> Answer:
    rules, position = game.playing
    pit = position.board.pit(order.pit)
    most = rules.seeds(position.board)
    if not 0 <= order.count <= most:
        raise ValueError(message("answer.cannot-hold", pit=order.pit, count=order.count, most=most))
    said = tuple(order.count if p == pit else -1 for p in range(position.board.pits))
    if not game.synced:
        return Answer(True, message("answer.taken-to-hold", pit=order.pit, count=order.count),
                      _as_it_lies(game, pit, order.count, window), said)
    counts = list(position.counts)
    counts[pit] = order.count
    corrected = position.with_counts(tuple(counts))
    body = position_set(corrected, message("set.people", pit=order.pit, count=order.count))
    problems = rules.problems(corrected)
    if problems:
        why = message("answer.holds-not", pit=order.pit, count=order.count, why=problems[0])
        return Answer(True, why, (body,), said)
    return Answer(True, message("answer.holds", pit=order.pit, count=order.count), (body,), said)


def _as_it_lies(game: Game, pit: int, count: int, window: Window | None) -> tuple[PositionSet, ...]:
    """Set the board as it is read after people counted a pit that was asked about. Empty unless all other pits are
    clearly read."""
    _, position = game.playing
    if window is None or not window.frames or set(window.unclear()) - {pit}:
        return ()
    counts = tuple(count if p == pit else int(n) for p, n in enumerate(window.counts))
    lies = after_unknown_move(position, side_of(game.last.body.player) if game.last is not None else None, counts)
    return (position_set(lies, message("set.people", pit=position.board.name(pit), count=count)),)


def _not_as_seen(order: NotAsSeen, game: Game, _window: Window | None) -> Answer:
    """Judge the move again from people's counts, and the moves after it."""
    ruled = _ruled(order.verdict, game)
    rules, _ = game.playing
    later = game.moves[game.moves.index(ruled) + 1:]
    board = ruled.before.board
    if len(order.counts) != board.pits:
        raise ValueError(message("answer.counts", count=len(order.counts), pits=board.pits, board=str(board)))
    most = rules.seeds(board)
    for pit, n in enumerate(order.counts):
        if not 0 <= n <= most:
            raise ValueError(message("answer.cannot-hold", pit=board.name(pit), count=n, most=most))
    if order.captured:
        _check_captured(order, most)
    past = game.history[:game.history.index(ruled.before)] if ruled.before in game.history else []
    again = judged_again(rules, ruled, order.counts, tuple(past))
    if order.captured:
        again = (*again, captured_set(Position.parse(again[-1].position), order.captured))
        later = later[1:] if later and is_captured_set(later[0]) else later  # the new count replaces the old one
    after = judged_on(rules, later, Position.parse(again[-1].position), [*past, ruled.before])
    bodies: tuple[Body, ...] = (*again, *after)
    lines = [*past, ruled.before, *(Position.parse(body.position) for body in (*again, *after))]
    bodies += tuple(_ending(rules, lines[-1], game, lines[:-1]))
    what = "answer.counted" if isinstance(again[0], PositionSet) else "answer.judged"
    moves = _moves_after(ruled, game)
    return Answer(True, message(f"{what}-all", n=moves) if moves else message(what), bodies,
                  () if later else tuple(order.counts))


def _check_captured(order: NotAsSeen, due: int) -> None:
    """Check the captured seeds that people counted. due: all seeds of the game. Raises ValueError."""
    if len(order.captured) != len(Side) or not all(0 <= n <= due for n in order.captured):
        raise ValueError(message("answer.captured", most=due))
    lying, captured = sum(order.counts), sum(order.captured)
    if lying + captured > due:  # fewer are possible: a seed may be lost
        raise ValueError(message("answer.captured-total", lying=lying, captured=captured, total=lying + captured,
                                 due=due))


def _ending(rules: Rules, position: Position, game: Game, earlier: Sequence[Position]) -> list[GameOver]:
    """The event that ends the game after a move was judged again; empty if the game goes on. A game that people ended
    stays ended. earlier: the positions before."""
    agreed = game.end is not None and game.end.agreed
    over = rules.agreed(position) if agreed else rules.ended(position, earlier)
    if over is not None:
        return [game_over(over)]
    if game.end is None or not game.end.forfeited:
        return []
    south, north = position.captured
    return [msgspec.structs.replace(game.end, result=f"{south}-{north}")]


def _forfeit(order: Forfeit, game: Game, _window: Window | None) -> Answer:
    _, position = game.playing
    if game.over:
        return Answer(False, message("answer.over"))
    loser = side_of(order.side)
    assert loser is not None, "the order's type holds S or N"
    south, north = position.captured
    why = message("reason.forfeited", side=side(loser))
    body = GameOver(result=f"{south}-{north}", winner=loser.other.letter, reason=str(why), told=translatable(why))
    return Answer(True, message("answer.forfeit", side=side(loser), other=side(loser.other)), (body,))


def _agree_end(_order: AgreeEnd, game: Game, _window: Window | None) -> Answer:
    rules, position = game.playing
    if game.over:
        return Answer(False, message("answer.over"))
    over = rules.agreed(position)
    if over is None:
        return Answer(False, message("answer.no-agreed", game=rules.title))
    return Answer(True, message("answer.agreed"), (game_over(over),))


def _undo(order: Undo, game: Game, _window: Window | None) -> Answer:
    """Return the game to where it was when the ruling was ordered: later moves no longer count, nor do the answers that
    they gave to earlier questions. If the ruling let a move stand, only the ruling is undone, because the board still
    is as that move left it."""
    given = game.rulings.get(order.order)
    if stood := game.stood.get(order.order, 0):
        kept = RulingUndone(order=order.order, position=str(game.playing[1]), verdict=stood, kept=True)
        return Answer(True, message("answer.undone-kept"), (kept,))
    if given is None:
        return Answer(False, message("answer.no-ruling"))
    last = given.last.number if given.last is not None else 0
    body = RulingUndone(order=order.order, position=str(given.position), verdict=last)
    if (end := given.end) is not None:
        body = msgspec.structs.replace(body, over=True, result=end.result, winner=end.winner, reason=end.reason,
                                       told=end.told)
    return Answer(True, message("answer.undone"), (body, *_asked_again(given, game)))


def _asked_again(given: OrderContext, game: Game) -> list[VerdictGiven]:
    """Reopen the questions that were open when the ruling was ordered and have been answered since."""
    told = {move.number: move.body for move in game.moves if isinstance(move, JudgedMove)}
    return [msgspec.structs.replace(asked.body, instead_of=asked.number, still_before="", still_after="")
            for asked in given.moves if isinstance(asked, JudgedMove)
            and asked.number in told and told[asked.number] != asked.body]


def _ruled(verdict: int, game: Game) -> JudgedMove:
    """The move of that verdict. Raises ValueError if it does not stand in this game."""
    ruled = game.move(verdict)
    if ruled is None:
        raise ValueError(message("answer.no-move", event=verdict))
    return ruled


def _moves_after(ruled: JudgedMove, game: Game) -> int:
    return sum(isinstance(move, JudgedMove) for move in game.moves[game.moves.index(ruled) + 1:])


def capital(text: str) -> str:
    """Make a text a sentence: with a capital and a full stop."""
    text = text[:1].upper() + text[1:]
    return text if text.endswith((".", "!", "?")) else text + "."
