"""Game records: what is written reads back, every error has its place, and a replay finds the first thing wrong."""

import random
import time
from dataclasses import dataclass, replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.board import Board, Side
from engine.position import Position
from engine.records.reader import LARGEST, MOST_ITEMS, RecordError, read
from engine.records.record import BACK, RACE, SET, UNREAD, WIDTH, Item, Record, numbers, plain_text
from engine.records.replay import replay
from engine.rules import games, ruleset, rulesets
from tests.engine.games.test_golden import GAMES, MOVE
from tests.engine.records import test_records as recorded

ENKESHUI = ruleset("enkeshui")
SETUP = ENKESHUI.setup()
AS_READ = Position.parse("4,4,4,4,4,4,0,0/1,0,4,4,4,4,4,3 S 0-0 ply=2")
"""Some position after a first and a second move, as a camera may have read it."""

EXAMPLE = '''\
[Game "enkeshui"]
[Rules "driedger"]
[Set "bulls_in_first_move=true"]
[Board "2x8"]
[Setup "2x8-right"]
[Date "2026.11.21"]
[South "Naisiae \\"the quick\\" \\\\ friends"]
[Result "*"]

{a friendly game} 1. f {legal 0.9991} 2. F? (4,4,4,4,4,4,0,0/1,0,4,4,4,4,4,3 S 0-0 ply=2) {illegal
0.997: North sowed F, but dropped two seeds into h.} ~ {withdrawn} 2. C *
'''


def one(text: str) -> Record:
    (record,) = read(text)
    return record


def game(items: str, tags: str = '[Game "enkeshui"]') -> Record:
    return one(f"{tags}\n\n{items}")


# ---- the grammar -------------------------------------------------------------------------------------------


def test_a_record_says_all_that_it_holds() -> None:
    record = one(EXAMPLE)
    assert (record.game, record.name, record.sets) == ("enkeshui", "driedger", (("bulls_in_first_move", "true"),))
    assert record.start == SETUP
    assert record.tags == (("Date", "2026.11.21"), ("South", 'Naisiae "the quick" \\ friends'))
    assert record.comments == ("a friendly game",)
    assert [i.word for i in record.items] == ["f", "F?", BACK, "C"]
    assert record.items[1].after == AS_READ
    assert record.items[2].comments == ("withdrawn",)
    assert (record.result, record.winner, record.ended) == (None, None, "")
    assert str(record) == EXAMPLE


def test_white_space_numbers_and_known_tags_may_be_left_out() -> None:
    terse = game("f F?(4,4,4,4,4,4,0,0/1,0,4,4,4,4,4,3   S 0-0\nply=2)~C")
    assert [i.word for i in terse.items] == ["f", "F?", BACK, "C"]
    assert terse.start == SETUP


def test_every_form_of_an_item() -> None:
    race = "(0,4,4,4,4,4,4,0/0,4,4,4,4,4,4,0 N 0-0 ply=2)"
    record = game(f"0. cd=4,4,0,0,4,4,4,4 2. race {race} 3. C 2. ? {race} {race} {{a ruling}} 3. C>< *")
    assert [i.word for i in record.items] == ["cd=4,4,0,0,4,4,4,4", RACE, "C", UNREAD, SET, "C><"]
    assert [i.legal for i in record.items] == [True, False, True, False, False, True]
    assert record.items[4].comments == ("a ruling",)


def test_numbers_are_the_ply_that_a_play_leads_to() -> None:
    record = game("cd=4,4,0,0,4,4,4,4 f ~ f C (4,4,4,4,4,4,0,0/1,0,4,4,4,4,4,3 S 0-0 ply=8) f")
    assert list(numbers(record.rules, record.start, record.items)) == [0, 1, None, 1, 2, None, 9]
    special = game("cd=4,4,0,0,4,4,4,4 C", '[Game "enkeshui"] [Rules "wikipedia"]')
    assert list(numbers(special.rules, special.start, special.items)) == [1, 2]


def test_several_games_in_one_text() -> None:
    assert [str(r) for r in read(EXAMPLE + "\n" + EXAMPLE)] == [EXAMPLE, EXAMPLE]
    assert len(list(read('[Game "endodoi"] a [Game "endodoi"] b [Game "endodoi"] *'))) == 3


def test_a_set_up_is_named_and_another_position_written_out() -> None:
    assert '[Setup "2x12"]' in str(game("*", '[Game "enkeshui"] [Board "2x12"]'))
    agreed = game("*", '[Game "enkeshui"] [Position "3,3,3,3,3,3,3,3/3,3,3,3,3,3,3,3 N 0-0"]')
    assert '[Position "3,3,3,3,3,3,3,3/3,3,3,3,3,3,3,3 N 0-0 ply=0"]' in str(agreed)
    assert '[Setup "4x8-twos"]' in str(game("*", '[Game "omweso"] [Setup "4x8-twos"]'))


def test_long_lines_are_wrapped() -> None:
    record = Record.of(ENKESHUI, SETUP, [Item("f", None, ("word " * 60 + "end",))])
    assert max(map(len, str(record).splitlines())) <= WIDTH
    assert one(str(record)) == record


@pytest.mark.parametrize(("text", "said"), [
    ("", "line 1, column 1: the text has no game"),
    ("moves", "line 1, column 1: the record has no Game tag"),
    ('[Game "chess"]', "line 1, column 1: 'chess' is not a game"),
    ('[Game "enkeshui"]\n[Rules "merker"]', "line 2, column 1: 'merker' is not a ruleset of Enkeshui"),
    ('[Game "enkeshui"]\n  [Set "a=b"]', "line 2, column 3: 'a' is not a field"),
    ('[Game "enkeshui"]\n[Set "a"]', "line 2, column 1: 'a' in tag Set is no name=value"),
    ('[Game "enkeshui"]\n[Set "rearrange=no"]', "line 2, column 1: rearrange is 'no': setup, special or never"),
    ('[Game "enkeshui"]\n[Board "3x3"]', "line 2, column 1: a board of 3 rows"),
    ('[Game "enkeshui"]\n[Board "2x10"]', "line 2, column 1: Enkeshui has no written set-up for 2x10"),
    ('[Game "enkeshui"]\n[Setup "2x9"]', "line 2, column 1: '2x9' is not a set-up"),
    ('[Game "enkeshui"]\n[Position "1,2/3"]', "line 2, column 1: '1,2/3' is no position line"),
    ('[Game "enkeshui"]\n[Board "2x8"] [Position "1,2/3,4 S 0-0"]', "line 2, column 15: the position is one of 2x2"),
    ('[Game "enkeshui"]\n[Setup "2x12"] [Position "1,2/3,4 S 0-0"]', "line 2, column 16: a game begins from"),
    ('[Game "enkeshui"]\n[Game "enkeshui"]', "line 2, column 1: tag Game is given twice"),
    ('[Game "enkeshui"]\n[South "a\nb"]', "line 2, column 1: '[South' is no tag"),
    ('[Game "enkeshui"]\n[' + "A" * 50 + ' "a"]', "line 2, column 1: 'AAAAA"),
    ('[Game "enkeshui"]\n[Winner "S"] [Result "all"]', "line 2, column 14: the result is 'all'"),
    ('[Game "enkeshui"]\n[Winner "X"] 27-21', "line 2, column 1: the winner is 'X': S, N or -"),
    ('[Game "enkeshui"]\n[Result "*"] f\n27-21', "line 3, column 1: the game ends with 27-21, and tag Result says *"),
    ('[Game "enkeshui"]\n1. f 3. C', "line 2, column 6: number 3 should be 2"),
    ('[Game "enkeshui"]\n1. f 2. *', "line 2, column 6: number 2 is not followed by a move"),
    ('[Game "enkeshui"]\n1. f 2.', "line 2, column 6: number 2 is not followed by a move"),
    ('[Game "enkeshui"]\n1. f 1. ~', "line 2, column 6: number 1 is not followed by a move"),
    ('[Game "enkeshui"]\n1. z', "line 2, column 4: 'z' is no pit of a 2x8 board"),
    ('[Game "enkeshui"]\n1. f<x', "line 2, column 4: 'f<x' is no move"),
    ('[Game "enkeshui"]\n1. 7', "line 2, column 4: '7' is no pit"),
    ('[Game "enkeshui"]\n1. f?', "line 2, column 4: 'f?' needs the position after it"),
    ('[Game "enkeshui"]\n1. race {x}', "line 2, column 4: 'race' needs the position after it"),
    ('[Game "enkeshui"]\n1. f? (1,x/2,3 S 0-0)', "line 2, column 7: 'x' in row 1, pit 2 from the left is no count"),
    ('[Game "enkeshui"]\n1. f? (1,2/2,3 S 0-0)', "line 2, column 7: a position of 2x2 in a game on 2x8"),
    ('[Game "enkeshui"]\n1. f {on', "line 2, column 6: a comment begins here"),
    ('[Game "enkeshui"]\n1. f }', "line 2, column 6: '}' is not expected here"),
    ('[Game "enkeshui"]\n1. f (4,4', "line 2, column 6: a position begins here"),
    ('[Game "enkeshui"]\n1. f {\x1b[2J}', "line 2, column 7: the control character U+001B"),
    ('[Game "enkeshui"]\n1. f {' + "x" * 3000 + "}", "line 2, column 6: the comment has 3000 characters"),
])
def test_what_cannot_be_read_is_said_with_line_column_and_value(text: str, said: str) -> None:
    with pytest.raises(RecordError) as e:
        list(read(text))
    assert str(e.value).startswith(said)
    assert "\n" not in str(e.value)
    assert len(str(e.value)) < 400


def test_a_text_that_is_too_long_is_not_read() -> None:
    with pytest.raises(RecordError, match="8388608 at the most"):
        list(read(" " * (LARGEST + 1)))
    with pytest.raises(RecordError, match=f"more than {MOST_ITEMS} moves"):
        list(read('[Game "enkeshui"]' + " f ~" * MOST_ITEMS))


@pytest.mark.parametrize(
    "piece", ["[", "{", "(", "(((1,", "]", "\\", "1. ", "a", "<", '"', '[Game "', "0" * 50, "é", "~"])
def test_heaps_of_garbage_are_answered_at_once(piece: str) -> None:
    began = time.process_time()
    with pytest.raises(RecordError):
        list(read(piece * (200_000 // len(piece))))
    assert time.process_time() - began < 2


@settings(max_examples=100, deadline=None)
@given(st.text(alphabet='[]{}()"\\~?*<>=-,./ \n\tGamefFS0123+é', max_size=80))
def test_any_text_is_a_record_or_one_sentence(text: str) -> None:
    for whole in (text, f'[Game "enkeshui"] {text}'):
        try:
            records = list(read(whole))
        except RecordError as e:
            assert 1 <= e.line <= whole.count("\n") + 1
            assert e.column >= 1
        else:
            assert [one(str(r)) for r in records] == records


@pytest.mark.parametrize(("given", "said"), [
    ({"items": [("x y", None)]}, "'x y' is no move"),
    ({"items": [("f?", None)]}, "needs the position after it"),
    ({"items": [("f", SETUP)]}, "needs no position after it"),
    ({"items": [("f?", Position.parse("1,2/2,3 S 0-0"))]}, "a position of 2x2 in a game on 2x8"),
    ({"comments": ["a } b"]}, "has braces"),
    ({"comments": ["a  b"]}, "more than single spaces"),
    ({"tags": {"Game": "omweso"}}, "tag Game cannot be given another meaning"),
    ({"tags": {"A B": ""}}, "'A B' is no name of a tag"),
    ({"tags": {"South": "a\nb"}}, r"tag South holds the control character U\+000A"),
    ({"result": (-1, 49)}, "is no number of seeds"),
    ({"ended": "x" * 2001}, "tag Termination has 2001 characters"),
])
def test_what_cannot_be_written_is_no_record(given: dict[str, object], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        if "items" in given:
            Record.of(ENKESHUI, SETUP, [Item(*i) for i in given["items"]])  # type: ignore[attr-defined]  # a list
        else:
            Record.of(ENKESHUI, SETUP, **given)  # type: ignore[arg-type]  # what cannot be, on purpose


def test_plain_text_can_always_be_written() -> None:
    assert plain_text(" {North}\x1b\tsaid\u2028\n“yes” ") == "(North) said “yes”"
    Item("f", None, (plain_text("{" * 5000),))


# ---- round trips -------------------------------------------------------------------------------------------

LETTERS = "aZ09 .,:;!?<>=~*()[]\"\\/-éß–…ﻼ牛\U0001f402\xa0"


@dataclass
class Drawn:
    """What a record is made of, drawn at random for a board."""

    rng: random.Random
    board: Board

    def words(self) -> str:
        """Any text."""
        return "".join(self.rng.choices(LETTERS, k=self.rng.randrange(30)))

    def comments(self) -> tuple[str, ...]:
        """Some comments, none that is empty."""
        return tuple(filter(None, (plain_text(self.words()) for _ in range(self.rng.choice((0, 0, 1, 2))))))

    def position(self) -> Position:
        """Any position, possible or not."""
        rng = self.rng
        counts = tuple(rng.choices(range(30), k=self.board.pits))
        bulls = tuple(rng.choice((None, None, *Side)) if n else None for n in counts)
        return Position(self.board, counts, bulls, rng.choice(list(Side)), (rng.randrange(30), rng.randrange(30)),
                        rng.randrange(99), rng.choice(((0, 0), (2, 1))), rng.choice((None, *Side)))

    def move(self) -> str:
        """The name of a sowing or of a rearrangement, possible or not."""
        rng, board = self.rng, self.board
        pits = [board.name(rng.randrange(board.pits)) for _ in range(2)]
        if rng.random() < 0.2:
            return f"{''.join(pits)}={','.join(str(rng.randrange(30)) for _ in range(board.half))}"
        return pits[0] + "".join(rng.choices("<>", k=rng.choice((0, 0, 1, 3))))

    def item(self) -> Item:
        """A move, one taken back, or what is written with the board."""
        kind = self.rng.randrange(6)
        if kind < 3:
            return Item(self.move(), None, self.comments())
        if kind == 3:
            return Item(BACK, None, self.comments())
        return Item(self.rng.choice((f"{self.move()}?", UNREAD, RACE, SET)), self.position(), self.comments())


def any_record(seed: int) -> Record:
    """Any record that can be written, played by the rules or not."""
    rng = random.Random(seed)
    name = rng.choice(games())
    bounded = any(field.name == "max_laps" for field in ruleset(name).fields)
    sets = {"max_laps": str(rng.randrange(1, 3000))} if bounded and rng.random() < 0.5 else {}
    rules = ruleset(name, rng.choice(rulesets(name)), sets)
    drawn = Drawn(rng, rng.choice(rules.boards))
    setups = rules.setups(drawn.board)
    start = rules.setup(rng.choice(setups), drawn.board) if setups and rng.random() < 0.5 else drawn.position()
    return Record.of(
        rules, start, [drawn.item() for _ in range(rng.randrange(8))], winner=rng.choice((None, *Side)),
        ended=drawn.words(), result=rng.choice((None, (rng.randrange(65), rng.randrange(65)))),
        comments=drawn.comments(),
        tags={tag: drawn.words() for tag in rng.sample(("Date", "South", "North", "x_1"), rng.randrange(4))})


records = st.integers(0, 1 << 32).map(any_record)


@settings(max_examples=100, deadline=None)
@given(records)
def test_a_record_reads_back_to_the_same_and_is_written_the_same_again(record: Record) -> None:
    text = str(record)
    again = one(text)
    assert again == record
    assert str(again) == text


@settings(max_examples=40, deadline=None)
@given(st.lists(records, min_size=2, max_size=3))
def test_several_records_read_back_in_order(several: list[Record]) -> None:
    assert list(read("\n".join(map(str, several)))) == several


@settings(max_examples=40, deadline=None)
@given(records, st.randoms(use_true_random=False))
def test_white_space_makes_no_difference(record: Record, rng: random.Random) -> None:
    head, body = str(record).split("\n\n", 1)
    loose = "".join(rng.choice((" ", "\n", "\r\n", "  \n\t")) if c in " \n" else c for c in body)
    assert one(f"{head}\n{loose}") == record


# ---- replaying ---------------------------------------------------------------------------------------------


def written(lines: list[str]) -> Record:
    """A golden game as a record."""
    name, rules, setup = lines[0].split()
    under = ruleset(name, rules)
    words = [found[3] for line in lines[2:-1] if (found := MOVE.fullmatch(line))]
    assert len(words) == len(lines) - 3
    south, north = lines[-1].split()[1].split("-")
    won = lines[-1].split()[2]
    return Record.of(under, under.setup(setup), map(Item, words), result=(int(south), int(north)),
                     winner=None if won == "-" else Side.parse(won))


@pytest.mark.parametrize("path", GAMES, ids=lambda p: p.stem)
def test_whole_games_replay_from_their_records(path: object) -> None:
    lines = [line for line in path.read_text("utf-8").splitlines() if not line.startswith("#")]  # type: ignore[attr-defined]  # a path
    record = one(str(written(lines)))
    done = replay(record)
    assert (done.wrong, done.moves) == (None, len(record.items))
    assert [str(p) for p in done.positions[1:]] == [
        found[4] for line in lines[2:-1] if (found := MOVE.fullmatch(line))]
    assert done.over is not None
    short = replay(replace(record, items=record.items[:-1]))
    assert short.wrong is not None
    assert "the game is not over" in short.wrong.sentence
    other = replay(replace(record, result=(1, 2)))
    assert other.wrong is not None
    assert "the result, 1-2" in other.wrong.sentence


@pytest.mark.parametrize("name", recorded.ALL)
def test_recorded_games_replay_from_their_records(name: str) -> None:
    """The other programs know no win by captures at both ends and play on past it."""
    under, sets = recorded.SOURCES[name]
    rules = ruleset(under, None, sets | ({"emitwe_ebiri": "false"} if under == "omweso" else {}))
    for one_game in list(recorded.games(name))[:8]:
        board = Board(one_game["rows"], one_game["cols"])
        none: list[str | None] = [None] * board.pits
        start = recorded.position(board, one_game["start"], none, one_game["moves"][0]["player"], [0, 0], 0)
        moves = [Item(recorded.played(board, m)) for m in one_game["moves"] if m["after"] is not None]
        done = replay(one(str(Record.of(rules, start, moves))))
        assert (done.wrong, done.moves) == (None, len(moves))


def wrong(items: str, tags: str = '[Game "enkeshui"]') -> str:
    found = replay(game(items, tags)).wrong
    assert found is not None
    return found.sentence


@pytest.mark.parametrize(("items", "said"), [
    ("1. C", "move 1 (North), C: pit C is North's, and South is to move; legal there: c, d, e, f, g, h"),
    ("1. f 2. c", "move 2 (South), c: pit c is South's, and North is to move; legal there: A, B, C, D, E, F, G, H"),
    ("1. a", "move 1 (South), a: pit a holds no seeds; legal there"),
    ("1. f<", "move 1 (South), f<: it ends after 0 of the 1 choices; legal there"),
    ("~", "the start, ~: there is no move to take back"),
    ("1. f ~ ~", "move 1, ~: there is no move to take back"),
    ("1. f 1. race (4,4,4,4,4,4,0,0/0,0,4,4,4,4,4,4 N 0-0 ply=1)", "race: a race comes before the first move"),
    ("race (4,4,4,4,4,4,0,0/0,0,4,4,4,4,4,3 N 0-0 ply=2)", "move 2, race: 47 seeds lie on the board after the race"),
    ("race (4,4,4,4,4,4,0,0/0,0,4s,4,4,4,4,4 N 0-0 ply=2)", "pit c is marked as a bull"),
    ("race (4,4,4,4,4,4,0,0/0,0,4,4,4,4,4,4 N 0-0 ply=1)", "ply is 1: the race counts as each player's first move"),
    ("cd=4,4,0,0,4,4,4,3", "move 0 (South), cd=4,4,0,0,4,4,4,3: the row adds up to 23 seeds, 24 lie in it"),
    ("bc=8,8,0,0,0,0,4,4", "pit b holds no seeds to lay elsewhere"),
    ("cd=4,4,0,0,4,4,4,4 ef=4,4,8,0,0,0,4,4", "South has rearranged already"),
    ("f cd=4,4,0,0,4,4,4,4", "rearranging is allowed before the first move only"),
    ("f 24-24", "the result, 24-24, a draw: the game is not over: North can move"),
])
def test_the_first_thing_wrong_is_said(items: str, said: str) -> None:
    sentence = wrong(items)
    assert said in sentence
    assert "\n" not in sentence


def test_a_start_that_the_rules_do_not_allow_is_wrong() -> None:
    assert wrong("*", '[Game "enkeshui"] [Position "4,4,4,4,4,4,0,0/0,0,4,4,4,4,4,3 N 0-0"]').startswith(
        "the start: 47 seeds")


def test_nothing_is_played_when_the_game_is_over() -> None:
    line = '[Game "enkeshui"] [Position "0,0,0,0,0,0,0,0/1,0,0,0,0,0,0,0 N 27-20 ply=31"]'
    assert "the game was over, 28-20: North cannot move" in wrong("B", line)
    assert replay(game("28-20", line)).wrong is None
    assert "the game ended 28-20, South wins" in wrong("27-21", line)
    assert "the result, 28-20, North wins" in wrong("28-20", line + ' [Winner "N"]')


def test_where_no_move_ends_the_pits_that_could_be_begun_from_are_named() -> None:
    sentence = wrong("c", '[Game "endodoi"] [Position "1,0,1,2,1/0,0,3,0,0 S 20-12 ply=14"] [Set "max_laps=1"]')
    assert sentence == "move 15 (South), c: the sowing does not end within 1 laps; no move there ends (begun from c)"


def test_illegal_moves_that_stood_and_corrections_go_on_from_the_position_written() -> None:
    line = str(AS_READ)
    done = replay(game(f"1. f 2. F? ({line}) {{illegal}} 3. h"))
    assert done.wrong is None
    assert done.positions[2] == AS_READ
    assert done.positions[3] == ENKESHUI.play(AS_READ, "h").position
    assert replay(game(f"1. f 2. ? ({line}) ~ 2. C")).positions[-1] == replay(game("1. f 2. C")).positions[-1]
    corrected = replay(game(f"1. f 2. C ({line}) {{pit a holds 1}} ~ 2. D"))
    assert (corrected.wrong, corrected.moves) == (None, 2)  # with the move, what was set after it is taken back


def test_an_ending_that_people_agreed_on_is_theirs() -> None:
    assert replay(game("1. f *", '[Game "enkeshui"] [Winner "N"] [Termination "South forfeits"]')).wrong is None
    assert replay(game("1. f 24-24", '[Game "enkeshui"] [Termination "agreed"]')).wrong is None
    assert "the game is not over" in wrong("1. f *", '[Game "enkeshui"] [Winner "N"]')


def test_a_rearrangement_may_be_taken_back_and_made_anew() -> None:
    done = replay(game("0. cd=4,4,0,0,4,4,4,4 ~ 0. ef=4,4,4,4,0,0,4,4 0. CD=8,0,0,0,4,4,4,4 1. a"))
    assert (done.wrong, done.moves) == (None, 3)
    special = replay(game("1. cd=4,4,0,0,4,4,4,4 2. CD=8,0,0,0,4,4,4,4 3. a", '[Game "enkeshui"] [Rules "wikipedia"]'))
    assert (special.wrong, special.positions[-1].ply) == (None, 3)
