"""Begin a game when its set-up lies on the board."""

from collections.abc import Sequence

import numpy as np

from device.journal.game import Game
from device.journal.messages import message
from device.journal.states import State
from device.table.context import TableContext
from device.table.orders import game_started
from device.table.parameters import JUDGEMENT, SET_UP, WAITING
from device.table.window import Window
from engine.position import Position
from engine.referee.observation import Observation
from engine.rules import Rules


def begin(context: TableContext, *, hastily: bool = False) -> None:
    """Begin the game from its set-up, and teach the eye what the pits hold: those that differ are misread.

    hastily: a hand came early. If a pit that should hold seeds is then clearly empty, somebody may have moved already,
    so the pits that clearly differ are not taught.
    """
    _, position = context.game.playing
    window = context.window
    wrong, pits = window.otherwise(position.counts), len(window.seen)
    clearly = window.clearly_otherwise(position.counts) if hastily else []
    if not any(window.counts[pit] == 0 < position.counts[pit] for pit in clearly):
        clearly = []
    if window.frames:
        known = [-1 if pit in clearly else n for pit, n in enumerate(position.counts)]
        context.teach(known, window.stays, errors=not clearly)
    context.enter(State.WATCHING, message("why.read", right=pits - len(wrong), pits=pits))
    context.restart_window()


def begin_next_game(context: TableContext) -> bool:
    """Begin the next game by the same rules if its set-up lies on the board: this game's start, or another set-up of
    the ruleset for the board. Return whether it began."""
    setup = next((one for one in _set_ups(context.game) if _lies(context, one)), None)
    if setup is None:
        return False
    context.say(game_started(context.game.playing[0], setup, "table"))
    begin(context)
    return True


def _set_ups(game: Game) -> list[Position]:
    """The positions that a next game may begin from, likeliest first."""
    rules, position = game.playing
    written = [rules.setup(name, position.board) for name in rules.setups(position.board)]
    if game.start is None:
        return written
    stands = position.counts == game.start.counts  # nothing was played since
    played = game.over or (not stands and (game.last is None or game.last.before.counts != game.start.counts))
    agreed = all(one.counts != game.start.counts for one in written)
    # The first move from an agreed start may be taken back without a word: then it is still the same game.
    return written if agreed and not played else [game.start, *written]


def _lies(context: TableContext, setup: Position) -> bool:
    """Whether that set-up lies on the board. A ruleset's set-up may be misread in a pit or two if it lies there for
    long; an agreed start may not, since a single move may change it by as little."""
    rules, window, pits = context.game.playing[0], context.window, setup.board.pits
    written = any(rules.setup(name, setup.board).counts == setup.counts for name in rules.setups(setup.board))
    if not window.seen.all() or len(window.otherwise(setup.counts)) > pits // (2 if written else 8):
        return False
    return window.lies(setup.counts, nearly=written and window.seconds >= WAITING.laid_s)


def mirrored_pits(window: Window, counts: Sequence[int], *, sure: bool = False) -> tuple[int, ...] | None:
    """Return 0 for each empty pit and -1 for the others if reflections of lamps in the bowls may have been read as
    seeds; else None. The eye itself checks whether the empty pits look alike.

    counts: what the pits hold if the set-up is right. Reflections make the eye read seeds in pits that should be empty
    and too many in many other pits, but clearly too few in none. A wrongly laid board would not show too many all over.
    sure: the set-up is known to be right, so the empty pits hold nothing; then the other pits need not show too many,
    because their seeds may hide reflections.
    """
    due = np.asarray(counts)
    empty = due == 0
    if not window.seen.all() or empty.sum() < SET_UP.mirror_pits or empty.all():
        return None
    more = window.counts - due
    clearly = window.clearly_otherwise(counts)
    if more.max() > SET_UP.most_mirrored or any(more[pit] < 0 for pit in clearly):
        return None
    if (more[empty] > 0).mean() < SET_UP.mirrored_empty_share:
        return None
    if not sure and (more[~empty] > 0).mean() < SET_UP.mirrored_other_share:
        return None
    return tuple(np.where(empty, 0, -1).tolist())


def seeds_in_hand(rules: Rules, before: Position, seen: Observation) -> bool:
    """Whether somebody holds seeds before the first move of a game whose players arrange theirs, which is no fault: at
    least `SET_UP.in_hand_seeds` are missing, however many each pit may hold."""
    if not rules.arranges(before):
        return False
    likely = seen.loglik >= seen.loglik.max(axis=1, keepdims=True) - JUDGEMENT.clear_lead
    most = likely.shape[1] - 1 - likely[:, ::-1].argmax(axis=1)  # the most that each pit may hold
    return int(most.sum()) + SET_UP.in_hand_seeds <= sum(before.counts)
