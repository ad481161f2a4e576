"""A picture that shows the board turned: in a mirror every legal move looks as if it were sown the wrong way."""

from dataclasses import replace

import pytest

from device.turn import TURNS, Turn
from tests.device.played_table import Played, begun, verdicts


def test_a_mirror_that_a_first_fault_hid_is_found_and_nobody_is_accused() -> None:
    """The board looks the same in a mirror. The first move is no legal one either way, so that it shows nothing."""
    table = begun("2,4,3,3,3,3,4,2/1,5,2,4,4,2,5,1 S 0-0 ply=2")
    rules, position = table.game.playing
    laid = list(rules.play(position, "c").position.counts)
    for pit in range(3, 9):  # some seeds of each lie in c
        laid[2], laid[pit] = laid[2] + laid[pit] // 2, laid[pit] - laid[pit] // 2
    after = replace(position.with_counts(tuple(laid)), to_move=position.to_move.other, ply=3)
    table.move(Turn.COLUMNS.counts(after), position.to_move, pause=6.0)
    found = Turn.NONE
    for _ in range(3):
        mover = after.to_move
        after = min(rules.moves(after).moves, key=lambda move: (move.laps, move.name)).position
        table.move(Turn.COLUMNS.counts(after), mover, pause=6.0)
        found = found or table.table.turns()
        if found:
            break
    assert found is Turn.COLUMNS
    assert not [said.sentence for said in verdicts(table) if said.kind in ("illegal", "tampered")]
    assert table.game.playing[1].counts == after.counts


@pytest.mark.parametrize("turn", TURNS)
@pytest.mark.parametrize(("misread", "turns"), [((), True), ((3,), True), ((3, 5, 9), False)])
def test_a_start_that_lies_there_in_a_turned_picture_is_turned(turn: Turn, misread: tuple[int, ...],
                                                               turns: bool) -> None:
    """From mid-game, where nothing looks the same turned; a pit in twelve may be misread."""
    played = Played(sure=True)
    played.start(line="5,0,5,4,5,0,2,0/1,1,6,0,5,0,6,6 S 0-2 ply=2")
    position = played.game.playing[1]
    played.counts = [n + (pit in misread) * 2 for pit, n in enumerate(turn.counts(position))]
    found = Turn.NONE
    for _ in range(10):
        played.frames(0.5)
        found = found or played.table.turns()
    assert found is (turn if turns else Turn.NONE)
