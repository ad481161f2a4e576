"""What every game's rules can be asked, and what they refuse, word for word (engine/games)."""

from collections.abc import Mapping
from dataclasses import replace
from typing import ClassVar

import pytest

from engine.board import Board, Side
from engine.games.base import Moves, Over
from engine.games.omweso import Omweso
from engine.games.rearranging import rearrange
from engine.position import Position
from engine.rules import MoveError, Rules, RulesError, games, register, ruleset
from engine.trace import Choose, Drop, End, Lift

DRIEDGER, WIKIPEDIA = ruleset("enkeshui"), ruleset("enkeshui", "wikipedia")
ENDODOI, OMWESO = ruleset("endodoi"), ruleset("omweso")
NEVER = ruleset("enkeshui", None, {"rearrange": "never"})
EMPTY = "0,0,0,0,0,0,0,0"
SETUP = DRIEDGER.setup("2x8-right")
S, N = Side


def at(line: str) -> Position:
    return Position.parse(line if " " in line else f"{line} S 0-0 ply=10")


# ---- moves that are none -----------------------------------------------------------------------------------

MIXED = at("1,1,1,1,1,1,1,1/1,0,4s,5n,1,0,0,0")
ROUND = at("1,0,0,0,0,0,0,0/0,0,0,0,0,0,0,8")
BULLS = at("0,5,0,0,0,0,0,20/1,0,2,0,4s,0,6n,0 S 5-5")
ENDLESS = at("1,0,1,2,1/7,2,3,1,2 S 20-0 ply=14")
TOO_DEEP = at("3,0,3,0,3/7,0,4,3,4 S 10-3 ply=10")
REVERSE = at(f"{EMPTY}/0,0,0,2,0,0,0,0/0,2,0,1,0,0,0,0/{EMPTY} S 0-0 ply=30").with_counts(
    tuple({14: 2, 12: 1, 27: 2, 20: 1}.get(p, 0) for p in range(32)))
LONG = "z" * 100

MOVES: list[tuple[Rules, Position, str, str]] = [
    (DRIEDGER, MIXED, "b", "move b: pit b holds no seeds"),
    (DRIEDGER, MIXED, "c", "move c: pit c is a bull"),
    (DRIEDGER, MIXED, "A", "move A: pit A is North's, and South is to move"),
    (DRIEDGER, replace(MIXED, to_move=N), "a<", "move a<: pit a is South's, and North is to move"),
    (DRIEDGER, MIXED, "z", "move 'z': 'z' is no pit of a 2x8 board: a–h or A–H"),
    (DRIEDGER, MIXED, LONG, f"move '{LONG[:40]}': 'z' is no pit of a 2x8 board: a–h or A–H"),
    (DRIEDGER, MIXED, "", "move '': '' is no pit of a 2x8 board: a–h or A–H"),
    (DRIEDGER, MIXED, "a+", "move 'a+': after the pit only < and > may follow"),
    (DRIEDGER, MIXED, "aX", "move 'aX': after the pit only < and > may follow"),
    (DRIEDGER, MIXED, "a<+>", "move 'a<+>': after the pit only < and > may follow"),
    (DRIEDGER, MIXED, f"a{LONG}", f"move 'a{LONG[:39]}': after the pit only < and > may follow"),
    (DRIEDGER, MIXED, "a<>", "move a<>: it ends after 0 of the 2 choices"),
    (DRIEDGER, ROUND, "h<>>", "move h<>>: it ends after 1 of the 3 choices"),
    (DRIEDGER, ROUND, "h", "move h: a direction has to be chosen after lap 1: h> or h<"),
    (OMWESO, REVERSE, "b", "move b: a direction has to be chosen for the first lap: b> or b<"),
    (OMWESO, REVERSE, "d", "move d: pit d holds 1 seeds"),
    (ENDODOI, ENDLESS, "c", "move c: the sowing never ends"),
    (ENDODOI, TOO_DEEP, "a", "move a: the sowing does not end within 1000 laps"),
    (ENDODOI, ENDODOI.setup(), "ab=1,1,1,1,1,19", "move 'ab=1,1,1,1,1,19': En Dodoi has no rearranging"),
    (ENDODOI, ENDODOI.setup(), f"ab={LONG}", f"move 'ab={LONG[:37]}': En Dodoi has no rearranging"),
    (NEVER, SETUP, "cd=4,4,0,0,4,4,4,4",
     "move cd=4,4,0,0,4,4,4,4: these rules have no rearranging (rearrange is never, not setup or special)"),
    (DRIEDGER, replace(SETUP, ply=1), "cd=4,4,0,0,4,4,4,4",
     "move cd=4,4,0,0,4,4,4,4: rearranging is allowed before the first move only, and 1 was made"),
    (DRIEDGER, replace(SETUP, ply=2), "cd=4,4,0,0,4,4,4,4",
     "move cd=4,4,0,0,4,4,4,4: rearranging is allowed before the first move only, and 2 were made"),
    (WIKIPEDIA, SETUP, "CD=4,4,0,0,4,4,4,4",
     "move CD=4,4,0,0,4,4,4,4: North rearranges, and South is to move"),
    (WIKIPEDIA, replace(SETUP, to_move=N), "cd=4,4,0,0,4,4,4,4",
     "move cd=4,4,0,0,4,4,4,4: South rearranges, and North is to move"),
    (WIKIPEDIA, BULLS, "ae=0,0,2,5,0,0,6,0", "move ae=0,0,2,5,0,0,6,0: pit e is a bull and stays as it is"),
    (DRIEDGER, SETUP, "c=4,4,0,0,4,4,4,4",
     "move 'c=4,4,0,0,4,4,4,4': two pits are lifted and named before the =, not 'c'"),
    (DRIEDGER, SETUP, "cc=4,4,0,0,4,4,4,4",
     "move 'cc=4,4,0,0,4,4,4,4': two pits are lifted and named before the =, not 'cc'"),
    (DRIEDGER, SETUP, "ccd=4,4,0,0,4,4,4,4",
     "move 'ccd=4,4,0,0,4,4,4,4': two pits are lifted and named before the =, not 'ccd'"),
    (DRIEDGER, SETUP, f"{'c' * 90}=4", f"move '{'c' * 80}': two pits are lifted and named before the =, not "
     f"'{'c' * 20}'"),
    (DRIEDGER, SETUP, f"cz=4,{LONG}", f"move 'cz=4,{LONG[:75]}': 'z' is no pit of a 2x8 board: a–h or A–H"),
    (DRIEDGER, SETUP, "cd=4,4,0,0,4,4,4",
     "move 'cd=4,4,0,0,4,4,4': 7 counts after the =, and a row has 8 pits"),
    (DRIEDGER, SETUP, f"cd={'4,' * 60}4", f"move 'cd={'4,' * 38}4': 61 counts after the =, and a row has 8 pits"),
    (DRIEDGER, SETUP, "cd=4,4,0,0,4,4,4,x",
     "move 'cd=4,4,0,0,4,4,4,x': count 8 after the = is 'x': a whole number from 0"),
    (DRIEDGER, SETUP, "cd=1000,4,0,0,4,4,4,4",
     "move 'cd=1000,4,0,0,4,4,4,4': count 1 after the = is '1000': a whole number from 0"),
    (DRIEDGER, SETUP, "cd=4,٣,0,0,4,4,4,4",
     "move 'cd=4,٣,0,0,4,4,4,4': count 2 after the = is '٣': a whole number from 0"),
    (DRIEDGER, SETUP, f"cd=4,4,0,0,4,4,4,{LONG}",
     f"move 'cd=4,4,0,0,4,4,4,{LONG[:63]}': count 8 after the = is '{LONG[:20]}': a whole number from 0"),
    (DRIEDGER, SETUP, "cd=4,4=0,0,4,4,4,4",
     "move 'cd=4,4=0,0,4,4,4,4': 7 counts after the =, and a row has 8 pits"),
    (DRIEDGER, SETUP, "cD=4,4,0,0,4,4,4,4", "move cD=4,4,0,0,4,4,4,4: pits c and D are not in one row"),
    (DRIEDGER, SETUP, "cd=4,4,0,0,4,4,4,5", "move cd=4,4,0,0,4,4,4,5: the row adds up to 25 seeds, 24 lie in it"),
    (DRIEDGER, SETUP, "cd=100,0,0,0,4,4,4,4", "move cd=100,0,0,0,4,4,4,4: the row adds up to 116 seeds, 24 lie in it"),
    (DRIEDGER, SETUP, "CD=4,4,0,0,4,4,4,3", "move CD=4,4,0,0,4,4,4,3: the row adds up to 23 seeds, 24 lie in it"),
    (DRIEDGER, SETUP, "cd=8,4,0,0,3,4,4,1",
     "move cd=8,4,0,0,3,4,4,1: pit e would hold 3 of its 4 seeds, and it was not lifted"),
    (DRIEDGER, SETUP, "CD=8,4,0,0,4,2,4,2",
     "move CD=8,4,0,0,4,2,4,2: pit F would hold 2 of its 4 seeds, and it was not lifted"),
    (DRIEDGER, SETUP, "ac=4,4,0,0,4,4,4,4", "move ac=4,4,0,0,4,4,4,4: pit a holds no seeds to lay elsewhere"),
    (DRIEDGER, SETUP, "cd=0,0,4,4,4,4,4,4", "move cd=0,0,4,4,4,4,4,4: nothing changes"),
]


@pytest.mark.parametrize(("rules", "position", "name", "said"), MOVES, ids=[m[2][:30] + m[3][-20:] for m in MOVES])
def test_a_move_that_is_none_is_refused_in_one_sentence(
    rules: Rules, position: Position, name: str, said: str
) -> None:
    with pytest.raises(MoveError) as e:
        rules.play(position, name)
    assert str(e.value) == said


# ---- rules, set-ups and positions that are none ------------------------------------------------------------

BOARDS = "2x5, 2x6, 2x7, 2x8, 2x9 or 2x10"


@pytest.mark.parametrize(("rules", "name", "board", "said"), [
    (DRIEDGER, None, Board(2, 10), "Enkeshui has no written set-up for 2x10: give the position"),
    (DRIEDGER, "2x9", None, "'2x9' is not a set-up of Enkeshui: 2x8-right, 2x8-left or 2x12"),
    (DRIEDGER, LONG, None, f"'{LONG[:40]}' is not a set-up of Enkeshui: 2x8-right, 2x8-left or 2x12"),
    (DRIEDGER, "2x12", Board(2, 8), "set-up 2x12 does not fit on 2x8"),
    (ENDODOI, "2x12", None, f"'2x12' is not a set-up of En Dodoi: {BOARDS}"),
    (ENDODOI, LONG, None, f"'{LONG[:40]}' is not a set-up of En Dodoi: {BOARDS}"),
    (ENDODOI, None, Board(2, 4), f"En Dodoi is played on {BOARDS}, not on 2x4"),
    (ENDODOI, "2x6", Board(2, 8), "set-up 2x6 does not fit on 2x8"),
    (OMWESO, "2x8", None, "'2x8' is not a set-up of Omweso: 4x8-outer or 4x8-twos"),
    (OMWESO, LONG, None, f"'{LONG[:40]}' is not a set-up of Omweso: 4x8-outer or 4x8-twos"),
    (OMWESO, None, Board(2, 8), "Omweso is played on 4x8, not on 2x8"),
])
def test_a_set_up_that_is_none_is_refused_in_one_sentence(
    rules: Rules, name: str | None, board: Board | None, said: str
) -> None:
    with pytest.raises(RulesError) as e:
        rules.setup(name, board)
    assert str(e.value) == said


def test_a_ruleset_that_is_none_is_refused_in_one_sentence() -> None:
    for game, said in (("enkeshui", "Enkeshui: driedger or wikipedia"), ("endodoi", "En Dodoi: merker"),
                       ("omweso", "Omweso: wikipedia or igisoro")):
        with pytest.raises(RulesError) as e:
            ruleset(game, LONG)
        assert str(e.value) == f"'{LONG[:40]}' is not a ruleset of {said}"


@pytest.mark.parametrize(("rules", "name", "board", "line"), [
    (DRIEDGER, None, None, "4,4,4,4,4,4,0,0/0,0,4,4,4,4,4,4"),
    (DRIEDGER, "2x8-left", Board(2, 8), "0,0,4,4,4,4,4,4/4,4,4,4,4,4,0,0"),
    (DRIEDGER, None, Board(2, 8), "4,4,4,4,4,4,0,0/0,0,4,4,4,4,4,4"),
    (DRIEDGER, None, Board(2, 12), "3,3,0,3,3,0,3,3,0,3,3,0/0,3,3,0,3,3,0,3,3,0,3,3"),
    (ENDODOI, None, None, "4,4,4,4,4,4/4,4,4,4,4,4"),
    (ENDODOI, "2x5", None, "4,4,4,4,4/4,4,4,4,4"),
    (ENDODOI, "2x5", Board(2, 5), "4,4,4,4,4/4,4,4,4,4"),
    (ENDODOI, None, Board(2, 7), "4,4,4,4,4,4,4/4,4,4,4,4,4,4"),
    (OMWESO, None, None, f"4,4,4,4,4,4,4,4/{EMPTY}/{EMPTY}/4,4,4,4,4,4,4,4"),
    (OMWESO, None, Board(4, 8), f"4,4,4,4,4,4,4,4/{EMPTY}/{EMPTY}/4,4,4,4,4,4,4,4"),
])
def test_a_game_begins_from_its_set_up(rules: Rules, name: str | None, board: Board | None, line: str) -> None:
    assert rules.setup(name, board) == Position.parse(f"{line} S 0-0")


def test_the_set_ups_of_a_board() -> None:
    assert DRIEDGER.setups(Board(2, 8)) == ("2x8-right", "2x8-left")
    assert DRIEDGER.setups(Board(2, 12)) == ("2x12",)
    assert (ENDODOI.setups(Board(2, 5)), ENDODOI.setups(Board(2, 4))) == (("2x5",), ())
    assert (OMWESO.setups(Board(4, 8)), OMWESO.setups(Board(2, 8))) == (("4x8-outer", "4x8-twos"), ())


@pytest.mark.parametrize(("rules", "line", "said"), [
    (DRIEDGER, "4,4,4,4,4,4,0,0/0,0,4,4,4,4,4,4", []),
    (DRIEDGER, "4,4,4,4,4,4,0,0/0,0,4,4,4,4,4,3 S 2-0",
     ["49 seeds (47 on the board and 2 captured): Enkeshui on 2x8 is played with 48"]),
    (DRIEDGER, "9,9,9,9,9/3,0,0,0,0", ["Enkeshui is played on 2x8, 2x10 or 2x12, not on 2x5"]),
    (DRIEDGER, "0,0,2n,0,0,0,0,0/1s,0,0,3s,4n,0,0,0 S 38-0",
     ["pit a is marked as a bull and holds 1: a bull holds at least 3 seeds",
      "pit F is marked as a bull and holds 2: a bull holds at least 3 seeds"]),
    (ENDODOI, "4,4,4,4,4/4,4,4s,5n,4",
     ["41 seeds (41 on the board and 0 captured): En Dodoi on 2x5 is played with 40",
      "pit c is marked as a bull, and En Dodoi has none"]),
    (ENDODOI, "4,4,4,4,4/4,4,4,4,4 S 0-0 won=N",
     ["won=N is not possible: En Dodoi is not won in the middle of a move"]),
    (DRIEDGER, "4,4,4,4,4,4,0,0/0,0,4,4,4,4,4,4 S 0-0 won=S",
     ["won=S is not possible: Enkeshui is not won in the middle of a move"]),
    (OMWESO, f"{EMPTY}/{EMPTY}/{EMPTY}/0,0,0,0,0,0,0,63 S 0-1 won=S",
     ["captured seeds are 0-1: Omweso has none, they are sown on"]),
    (OMWESO, f"{EMPTY}/{EMPTY}/{EMPTY}/0,0,0,0,0,0,0,63n S 1-0",
     ["pit p is marked as a bull, and Omweso has none", "captured seeds are 1-0: Omweso has none, they are sown on"]),
    (OMWESO, "4,4,4,4,4,4,0,0/0,0,4,4,4,4,4,4", ["Omweso is played on 4x8, not on 2x8"]),
])
def test_all_that_is_wrong_with_a_position_is_said_a_sentence_each(rules: Rules, line: str, said: list[str]) -> None:
    assert rules.problem_sentences(at(line)) == said


def test_only_in_omweso_each_side_lays_its_seeds_out_and_only_before_the_first_move() -> None:
    assert OMWESO.arranges(OMWESO.setup())
    assert not OMWESO.arranges(replace(OMWESO.setup(), ply=1))
    assert not DRIEDGER.arranges(SETUP)


# ---- moves of either side, and the end ---------------------------------------------------------------------


def test_where_the_game_is_over_nobody_has_a_move_but_what_the_other_side_could_do_may_be_asked() -> None:
    over = at(f"0,0,0,0,0,0,0,1/{EMPTY} S 27-20 ply=31")
    assert DRIEDGER.moves(over) == Moves(())
    assert [m.name for m in DRIEDGER.moves(over, N).moves] == ["A"]
    assert DRIEDGER.starts(over, N) == [8]


def test_moves_from_one_pit_to_one_position_are_one_with_the_shortest_choices() -> None:
    rules = ruleset("enkeshui", None, {"direction_choice": "move"})
    found = rules.moves(at("1,0,1,2,0,0,16,1/0,0,1,3,13,9,0,1 S 0-0 ply=0")).moves
    reached = [(m.pit, m.position) for m in found]
    assert len(set(reached)) == len(reached)
    for pit in {m.pit for m in found}:
        lengths = [len(m.choices) for m in found if m.pit == pit]
        assert lengths == sorted(lengths)


def test_a_trace_is_of_whoever_moves() -> None:
    position = at("0,0,0,0,0,0,0,1/1,0,0,0,0,0,0,0")
    assert DRIEDGER.trace(position, 0) == (Lift(0, 1), Drop(1), End("sleeps"))
    assert DRIEDGER.trace(position, 8, "", N) == (Lift(8, 1), Drop(9), End("sleeps"))
    capture = at("0,0,0,0,0,0,0,1/0,0,0,0,0,0,5,0")  # A's seed falls into B, which faces g
    assert DRIEDGER.moves(capture, N).moves[0].captured == 6
    assert DRIEDGER.trace(capture, 8, player=N)[-1] == End("capture")
    assert DRIEDGER.trace(capture, 8, player=S)[-1] == End("sleeps")
    assert [s for s in DRIEDGER.play(ROUND, "h<").trace if isinstance(s, Choose)] == [
        s for s in DRIEDGER.trace(ROUND, 7, "<") if isinstance(s, Choose)]


@pytest.mark.parametrize(("rules", "line", "over"), [
    (DRIEDGER, "3,0,0,4s,0,0,0,0/0,0,5n,0,0,0,0,0 S 16-20 ply=31", Over((20, 28), N, "South cannot move")),
    (DRIEDGER, f"{EMPTY}/9,0,0,0,0,0,0,0 N 20-19 ply=40", Over((29, 19), S, "North cannot move")),
    (ENDODOI, "3,0,2,0,0/0,0,0,0,0 S 20-15 ply=30", Over((20, 20), None, "South cannot move")),
    (ENDODOI, "0,0,0,0,0/3,0,2,0,0 N 20-15 ply=30", Over((25, 15), S, "North cannot move")),
])
def test_how_a_game_ends(rules: Rules, line: str, over: Over) -> None:
    assert rules.over(at(line)) == over


# ---- rearranging -------------------------------------------------------------------------------------------


def test_a_rearrangement_says_all_that_it_does() -> None:
    for name, pit in (("hd=5,3,4,0,4,4,4,0", 3), ("HD=5,3,4,0,4,4,4,0", 11)):
        move = rearrange(DRIEDGER, SETUP, name)
        assert (move.name, move.pit, move.choices, move.captured, move.laps, move.ends) == (
            name[1] + name[0] + name[2:], pit, "", 0, 0, "arranged")
        assert (move.before, move.rules) == (SETUP, DRIEDGER)
        assert (move.position.to_move, move.position.ply) == (S, 0)
        laid = [*[Drop(pit - 3)] * 5, *[Drop(pit - 2)] * 3]
        assert move.trace == (Lift(pit, 4), Lift(pit + 4, 4), *laid, End("arranged"))
    some_back = rearrange(DRIEDGER, SETUP, "dh=3,0,4,2,4,4,4,3")
    assert some_back.trace == (Lift(3, 4), Lift(7, 4), *[Drop(0)] * 3, *[Drop(3)] * 2, *[Drop(7)] * 3, End("arranged"))
    turn = rearrange(WIKIPEDIA, replace(SETUP, ply=4), "cd=5,3,0,0,4,4,4,4")
    assert (turn.ends, turn.position.to_move, turn.position.ply) == ("rearranged", N, 5)


def test_seeds_may_be_laid_onto_bulls_and_onto_pits_that_were_not_lifted() -> None:
    after = WIKIPEDIA.play(BULLS, "ac=0,0,0,1,5,0,7,0").position
    assert str(after) == "0,5,0,0,0,0,0,20/0,0,0,1,5s,0,7n,0 N 5-5 ply=1"
    assert WIKIPEDIA.play(BULLS, "ca=3,0,0,0,4,0,6,0").name == "ac=3,0,0,0,4,0,6,0"


def test_no_two_games_give_one_message_two_texts() -> None:
    class Other(Omweso):
        game = "other"
        messages: ClassVar[Mapping[str, str]] = {"reason.both-ends": "{side} did something else"}

    with pytest.raises(ValueError, match=r"another text for the message 'reason.both-ends': give it a key of its own"):
        register(Other)
    assert "other" not in games()
