"""A game begins: its set-up was seen to lie on the board."""

from __future__ import annotations

from collections.abc import Sequence

from device.desk import Desk
from device.journal.messages import said
from device.orders import game_started
from device.states import State
from device.window import Window
from engine.said import Said


def begin(desk: Desk) -> None:
    """The set-up lies there. A pit that reads otherwise is known to be misread: the rules teach the eye."""
    _, position = desk.game.playing
    wrong = desk.window.unlike(position.counts)
    for pit in wrong:
        desk.known[pit] = (desk.window.raw_count(pit), position.counts[pit])
    if desk.window.frames:
        desk.teach(desk.window, position)
        desk.keep(desk.window, position)
    desk.enter(State.WATCHING, read_right(desk, wrong))
    desk.restart_window()


def laid_anew(desk: Desk, window: Window) -> bool:
    """Begin the next game where its set-up lies on the board, in mid-game or after the end."""
    rules, position = desk.game.playing
    try:
        setup = rules.setup(board=position.board)
    except ValueError:  # a board whose set-up is by agreement
        return False
    pits = position.board.pits
    clearly = window.differing(setup.counts)
    patient = window.seconds >= desk.pace.lay_s
    if not window.seen.all() or len(clearly) > (pits // 12 if patient else 0):
        return False
    if len(window.unlike(setup.counts)) > pits // 2:
        return False
    desk.known.clear()
    desk.say(game_started(rules, setup, "table"))
    desk.window = window
    begin(desk)
    return True


def read_right(desk: Desk, wrong: Sequence[int]) -> Said:
    """What people are told of how well the board is read."""
    total = len(desk.window.seen)
    return said("why.read", right=total - len(wrong), pits=total)
