"""A picture that shows the board in a mirror, or turned round: the likelihood ratio of the moves finds it, it is said,
and nobody is accused by it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from device.journal.events import Blind
from device.journal.states import State
from device.table.settling.judge_worker import JudgeAtOnce, Question
from device.table.settling.turned_picture import TURNS, Turn
from engine.board import Board, Side
from engine.position import Position
from tests.device.played_table import Played, verdicts

MIRROR, ROUND = Turn.COLUMNS, Turn.ROWS | Turn.COLUMNS
SIDES = ((0.08, 0.0), (0.0, 0.08))


class Turned(Played):
    """A table under a camera that shows the board turned, until the table has it turned back."""

    turn = Turn.NONE
    found = Turn.NONE
    lying: Position

    def lay(self, game: str, turn: Turn = Turn.NONE, rules: str | None = None) -> None:
        self.start(game, rules=rules)
        self.turn, self.lying = turn, self.game.playing[1]
        self.show(2.0)

    def show(self, seconds: float, side: Side | None = None) -> None:
        """So many seconds of the board as it lies, under the hand of that side."""
        for _ in range(max(1, round(seconds * 15))):
            self.counts = list(self.turn.counts(self.lying))
            hands = (0.0, 0.0) if side is None else SIDES[side ^ bool(self.turn & Turn.ROWS)]
            self.frames(1 / 15, hands)
            self.found = self.table.turns()
            self.turn ^= self.found

    def sow(self, counts: Sequence[int] | None = None) -> None:
        """The player to move makes a legal move, or lays those seeds."""
        rules = self.game.playing[0]
        after = rules.moves(self.lying).moves[0].position
        side = self.lying.to_move
        self.show(1.2, side)
        self.lying = after if counts is None else self.lying.with_counts(tuple(counts))
        self.show(0.2, side)
        self.show(4.0)
        self.lying = after if counts is None else self.lying


def judged() -> Turned:
    return Turned(judge=JudgeAtOnce(Question.weigh))


def whys(played: Played) -> list[str]:
    return [str(body.why) for body in played.said(Blind)]


@pytest.mark.parametrize("game", ["endodoi", "omweso", "oware"])
def test_a_mirror_is_found_within_two_moves_and_nobody_is_accused(game: str) -> None:
    played = judged()
    played.lay(game, MIRROR)
    assert played.at(State.WATCHING), "in a mirror the set-up looks the same"
    for _ in range(2):
        played.sow()
    assert whys(played) == ["the picture shows the board in a mirror"] and not played.turn
    for _ in range(3):
        played.sow()
    kinds = [v.kind for v in verdicts(played)]
    assert "illegal" not in kinds and kinds[-2:] == ["legal", "legal"], kinds
    assert played.game.playing[1].counts == played.lying.counts


@pytest.mark.parametrize("turn", [MIRROR, ROUND, Turn.ROWS])
def test_a_start_that_fits_when_the_picture_is_turned_is_said_and_taken(turn: Turn) -> None:
    played = judged()
    played.start("enkeshui", "8,3,2,1,0,7,0,3/4,4,1,6,0,7,1,1 S 0-0 ply=4")
    played.turn, played.lying = turn, played.game.playing[1]
    played.show(4.0)
    assert whys(played) == [str(turn.why)] and not played.turn and played.at(State.WATCHING)


def test_a_picture_that_turns_round_in_mid_game_is_turned_back_and_the_sides_are_not_exchanged() -> None:
    played = judged()
    played.lay("enkeshui")
    played.sow()
    played.sow()
    played.turn = ROUND
    played.show(4.0)
    assert whys(played) == ["the picture shows the board turned round"] and not played.turn
    played.sow()
    assert [v.kind for v in verdicts(played)] == ["legal"] * 3
    assert played.game.playing[1].counts == played.lying.counts


@pytest.mark.parametrize("game", ["enkeshui", "endodoi"])
def test_a_cheat_is_no_mirror(game: str) -> None:
    played = judged()
    played.lay(game)
    played.sow()
    rules = played.game.playing[0]
    counts = list(rules.moves(played.lying).moves[0].position.counts)
    pit = next(p for p in played.lying.board.own(played.lying.to_move.other) if counts[p] > 1)
    counts[pit] -= 1
    counts[(pit + 1) % len(counts)] += 1
    played.sow(counts)
    assert verdicts(played)[-1].kind in ("illegal", "not-sure") and not whys(played)
    assert "TURNED" not in verdicts(played)[-1].doubts


@pytest.mark.parametrize("south", ["bottom", "left"])
def test_a_picture_is_turned_as_its_pits_are(south: str) -> None:
    """A mirror leaves every pit with its own side, wherever South sits."""
    board, image = Board(2, 3), np.arange(6, dtype=np.uint8).reshape(2, 3)
    if south == "left":
        image = np.ascontiguousarray(image.T[::-1])  # rows run upwards
    colour = np.repeat(image[..., None], 3, axis=2)
    for turn in TURNS:
        shown = turn.image(colour, south)[..., 0]  # type: ignore[arg-type]
        rows = shown if south == "bottom" else shown[::-1].T
        places = [board.place(pit) for pit in turn.pits(board)]
        assert [int(rows[board.place(pit)]) for pit in range(6)] == [row * 3 + col for row, col in places]


@pytest.mark.parametrize("word", ["", "sideways"])
def test_a_word_that_names_no_turn_is_refused(word: str) -> None:
    with pytest.raises(ValueError, match=f"{word!r} is no way to turn a picture"):
        Turn.of(word)
