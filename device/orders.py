"""What people order, and what the table makes of it: decided from the game and the board's last quiet reading alone."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from device.game import Game, Ruled, side_of
from device.journal.events import (
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
    Withdraw,
)
from device.recount import judged_again, judged_on
from device.window import Window
from engine.board import Board
from engine.position import Position
from engine.rules import Rules, ruleset


@dataclass(frozen=True, slots=True)
class Answer:
    """done: the order is taken up; sentence: says so, or why not; bodies: the events that follow from it. known: pits
    that people have counted, (what the camera reads, what they say)."""

    done: bool
    sentence: str
    bodies: tuple[Body, ...] = ()
    known: tuple[tuple[int, tuple[int, int]], ...] = ()


def answer(order: Order, game: Game, window: Window | None) -> Answer:
    """Take up an order or refuse it. window: readings of the quiet board, if there are any."""
    decide: dict[type, Callable[..., Answer]] = {
        NewGame: _new_game, LetStand: _let_stand, Withdraw: _withdraw, CorrectPit: _correct, NotAsSeen: _not_as_seen,
        Forfeit: _forfeit, Undo: _undo}
    try:
        return decide[type(order)](order, game, window)
    except ValueError as error:  # the engine's: one sentence, naming value and place
        return Answer(False, _capital(str(error)))


def game_started(rules: Rules, position: Position, by: str, sets: dict[str, str] | None = None) -> GameStarted:
    """The event that begins a game."""
    return GameStarted(game=rules.game, rules=rules.name, sets=sets or {}, board=str(position.board),
                       position=str(position), by=by)


def starting_position(rules: Rules, board: Board | None, line: str = "") -> Position:
    """The position a game begins from: the one written, else the ruleset's set-up. Raises ValueError."""
    if not line:
        return rules.setup(board=board)
    position = Position.parse(line)
    problems = rules.check(position)
    if problems:
        raise ValueError(problems[0])
    if board is not None and position.board != board:
        raise ValueError(f"the position is one of a {position.board} board, the game is to be played on {board}")
    return position


def lying_position(rules: Rules, board: Board, window: Window | None) -> Position:
    """The board as it was last read, as a game's beginning. Raises ValueError when it cannot be that."""
    if window is None or not window.frames or len(window.seen) != board.pits or not window.clear():
        raise ValueError("the board cannot be read clearly just now: take the hands away, or look at the pits in doubt")
    position = Position(board, tuple(int(n) for n in window.counts))
    problems = rules.check(position)
    if problems:
        raise ValueError(problems[0])
    return position


def _new_game(order: NewGame, game: Game, window: Window | None) -> Answer:
    rules = ruleset(order.game, order.rules or None)
    board = Board.parse(order.board) if order.board else None
    if order.position == "lies":
        position = lying_position(rules, board or game.playing[1].board, window)
    else:
        position = starting_position(rules, board, order.position)
    body = game_started(rules, position, order.by or "people")
    return Answer(True, f"A new game of {rules.title} on {position.board} begins.", (body,))


def _let_stand(order: LetStand, game: Game, _window: Window | None) -> Answer:
    if game.move(order.verdict) is None:
        return _none_such(order.verdict)
    if game.withdrawing is not None and game.withdrawing.number == order.verdict:
        return Answer(True, "The move stands after all; play goes on from the board as it lies.")
    if game.last is None or game.last.number != order.verdict:
        return Answer(True, "That move stands; what was played after it is as it was.")
    return Answer(True, "The move stands; play goes on from the board as it lies.")


def _withdraw(order: Withdraw, game: Game, _window: Window | None) -> Answer:
    ruled = game.move(order.verdict)
    if ruled is None:
        return _none_such(order.verdict)
    if game.withdrawing is not None and game.withdrawing.number == order.verdict:
        return Answer(False, "The move is being withdrawn already: lay the board as it was before.")
    mover = side_of(ruled.body.player)
    whose = f"{mover.title}'s move" if mover is not None else "the move"
    later = _moves_after(ruled, game)
    too = f"; {_so_many(later)} made after it {'is' if later == 1 else 'are'} withdrawn with it" if later else ""
    return Answer(True, f"Lay the board as it was before {whose}{too}; the game goes on when it lies so.")


def _correct(order: CorrectPit, game: Game, window: Window | None) -> Answer:
    rules, position = game.playing
    pit = position.board.pit(order.pit)
    most = rules.seeds(position.board)
    if not 0 <= order.count <= most:
        raise ValueError(f"pit {order.pit} cannot hold {order.count} seeds: 0 to {most}")
    known: tuple[tuple[int, tuple[int, int]], ...] = ()
    if window is not None and window.frames and window.raw_count(pit) != order.count:
        known = ((pit, (window.raw_count(pit), order.count)),)
    if not game.synced:
        return Answer(True, f"Pit {order.pit} is taken to hold {order.count}.", known=known)
    counts = list(position.counts)
    counts[pit] = order.count
    corrected = position.with_counts(tuple(counts))
    body = PositionSet(position=str(corrected), why=f"pit {order.pit} holds {order.count}, as people say")
    problems = rules.check(corrected)
    note = f" Now it does not add up: {problems[0]}." if problems else ""
    return Answer(True, f"Pit {order.pit} holds {order.count}.{note}", (body,), known)


def _not_as_seen(order: NotAsSeen, game: Game, window: Window | None) -> Answer:
    """The move is judged again from what people counted."""
    ruled = game.move(order.verdict)
    if ruled is None:
        return _none_such(order.verdict)
    rules, _ = game.playing
    later = game.moves[game.moves.index(ruled) + 1:]
    board = ruled.before.board
    if len(order.counts) != board.pits:
        raise ValueError(f"{len(order.counts)} counts for the {board.pits} pits of a {board} board")
    most = rules.seeds(board)
    for pit, n in enumerate(order.counts):
        if not 0 <= n <= most:
            raise ValueError(f"pit {board.name(pit)} cannot hold {n} seeds: 0 to {most}")
    known: tuple[tuple[int, tuple[int, int]], ...] = ()
    if not later and window is not None and window.frames and len(window.seen) == board.pits:
        known = tuple((pit, (window.raw_count(pit), n)) for pit, n in enumerate(order.counts)
                      if window.raw_count(pit) != n)
    past = game.history[:game.history.index(ruled.before)] if ruled.before in game.history else []
    said = judged_again(rules, ruled, order.counts, tuple(past))
    after = judged_on(rules, later, Position.parse(said[-1].position), [*past, ruled.before])
    bodies: tuple[Body, ...] = (*said, *after)
    over = rules.over(Position.parse((after or said)[-1].position))
    if over is not None:
        winner = "" if over.winner is None else over.winner.letter
        bodies += (GameOver(result=f"{over.result[0]}-{over.result[1]}", winner=winner, reason=over.reason),)
    explained = not isinstance(said[0], PositionSet)
    told = "Judged again from what people counted" if explained else "The board is taken as people counted it"
    moves = _moves_after(ruled, game)
    told += f", and so {'is' if moves == 1 else 'are'} {_so_many(moves)} after it." if moves else "."
    return Answer(True, told, bodies, known)


def _forfeit(order: Forfeit, game: Game, _window: Window | None) -> Answer:
    _, position = game.playing
    if game.over:
        return Answer(False, "The game is over already.")
    loser = side_of(order.side)
    assert loser is not None, "the order's type holds S or N"
    south, north = position.captured
    body = GameOver(result=f"{south}-{north}", winner=loser.other.letter, reason=f"{loser.title} forfeited")
    return Answer(True, f"{loser.title} gives up the game; {loser.other.title} wins it.", (body,))


def _undo(order: Undo, game: Game, _window: Window | None) -> Answer:
    given = game.ruling
    if given is None or given.number != order.order:
        return Answer(False, "Only the last ruling can be undone, as long as nobody has moved since.")
    verdict = given.last.number if given.last is not None else 0
    body = RulingUndone(order=order.order, position=str(given.position), verdict=verdict, over=given.over)
    return Answer(True, "The ruling is undone; the board is to lie as it was before it.", (body,))


def _none_such(verdict: int) -> Answer:
    return Answer(False, f"Event {verdict} is no move of this game that stands: it was withdrawn, or judged again.")


def _moves_after(ruled: Ruled, game: Game) -> int:
    return sum(isinstance(move, Ruled) for move in game.moves[game.moves.index(ruled) + 1:])


def _so_many(moves: int) -> str:
    return "the move" if moves == 1 else f"the {moves} moves"


def _capital(text: str) -> str:
    text = text[:1].upper() + text[1:]
    return text if text.endswith((".", "!", "?")) else text + "."
