"""`inkeek export`: a journal's games as records that replay, with verdicts and rulings as comments."""

import json
import random
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from device.cli.main import inkeek
from device.journal import Journal
from device.journal.events import (
    Body,
    CorrectPit,
    FaultSeen,
    GameOver,
    GameStarted,
    LetStand,
    OrderAnswered,
    PositionSet,
    StateEntered,
    VerdictGiven,
    Withdraw,
)
from device.table.orders import game_over
from engine.certainty import MOST
from engine.position import Position
from engine.records.reader import read
from engine.records.record import BACK, RACE, SET, UNREAD, Record
from engine.records.replay import replay
from engine.rules import Rules, games, ruleset

RULES = ruleset("enkeshui")
SETUP = RULES.setup()
WATCHING = StateEntered(state="watching")


def export(path: Path, *args: str) -> Result:
    return CliRunner().invoke(inkeek, ["export", str(path), *args])


def started(rules: Rules = RULES, position: Position = SETUP, sets: dict[str, str] | None = None) -> GameStarted:
    return GameStarted(game=rules.game, rules=rules.name, board=str(position.board), position=str(position),
                       sets=sets or {})


def legal(rules: Rules, before: Position, move: str) -> tuple[VerdictGiven, Position]:
    after = rules.play(before, move).position
    return VerdictGiven(kind="legal", player=before.to_move.letter, before=str(before), position=str(after), move=move,
                        sentence="legal", confidence=0.9997), after


def written(tmp_path: Path, *bodies: Body) -> list[Record]:
    """The games that are exported from a journal of these events; each one replays."""
    path = tmp_path / "journal.sqlite3"
    with Journal(path) as journal:
        for body in bodies:
            journal.append(body)
    result = export(path)
    assert result.exit_code == 0, result.stderr
    found = list(read(result.stdout)) if result.stdout else []
    for record in found:
        wrong = replay(record).wrong
        assert wrong is None, wrong.sentence
    assert [json.loads(line)["text"] for line in export(path, "--json").stdout.splitlines()] == list(map(str, found))
    return found


def whole_game(rules: Rules, rng: random.Random) -> list[Body]:
    """The events of a game by lot, from its set-up to its end."""
    position = rules.setup()
    bodies: list[Body] = [started(rules, position), WATCHING]
    while (over := rules.over(position)) is None and (moves := rules.moves(position).moves):
        body, position = legal(rules, position, rng.choice(moves).name)
        bodies.append(body)
    return bodies if over is None else [*bodies, game_over(over)]


@pytest.mark.parametrize("name", games())
def test_whole_games_export_and_replay(tmp_path: Path, name: str) -> None:
    rng = random.Random(7)
    bodies = [*whole_game(ruleset(name), rng), *whole_game(ruleset(name), rng)]
    found = written(tmp_path, *bodies)
    assert [r.game for r in found] == [name, name]
    assert sum(len(r.items) for r in found) == sum(isinstance(b, VerdictGiven) for b in bodies)
    assert all(i.comments == (f"legal {MOST:.4f}",) for r in found for i in r.items)
    assert [r.end for r in found] == [b.result for b in bodies if isinstance(b, GameOver)]
    assert all(r.tag("Date").count(".") == 2 for r in found)


def test_illegal_moves_that_stood_carry_the_board_as_it_was_read_and_the_ruling(tmp_path: Path) -> None:
    first, before = legal(RULES, SETUP, "f")
    lies = before.with_counts((*before.counts[:-1], before.counts[-1] - 1))
    after = Position(lies.board, lies.counts, lies.bulls, before.to_move.other, (0, 0), 2)
    cheat = VerdictGiven(kind="illegal", player="N", before=str(before), position=str(after), move="C", confidence=0.99,
                         faults=[FaultSeen(code="palmed", pit="H", lap=2, n=1)], sentence="North {palmed} a seed.")
    (record,) = written(tmp_path, started(), WATCHING, first, cheat, LetStand(verdict=4, by="Meitamei"),
                        OrderAnswered(order=5, done=True, sentence="It stands."), legal(RULES, after, "h")[0])
    assert [i.word for i in record.items] == ["f", "C?", "h"]
    assert record.items[1].after == after
    assert record.items[1].comments == (
        "illegal 0.9870: North (palmed) a seed. [palmed H lap 2 n 1]", "ruling: it stands, by Meitamei")


def test_a_withdrawn_move_is_taken_back(tmp_path: Path) -> None:
    first, before = legal(RULES, SETUP, "f")
    second, after = legal(RULES, before, "C")
    back = VerdictGiven(kind="withdrawn", player="N", before=str(after), position=str(before), sentence="Taken back.")
    (record,) = written(tmp_path, started(), WATCHING, first, second, Withdraw(verdict=4, by="page"),
                        OrderAnswered(order=5, done=True, sentence="Lay the board."), back,
                        legal(RULES, before, "D")[0])
    assert [i.word for i in record.items] == ["f", "C", BACK, "D"]
    assert record.items[1].comments == (f"legal {MOST:.4f}", "ruling: to be withdrawn, by page")
    assert record.items[2].comments == ("withdrawn: Taken back.",)


def test_several_moves_are_taken_back_at_once(tmp_path: Path) -> None:
    first, before = legal(RULES, SETUP, "f")
    second, after = legal(RULES, before, "C")
    back = VerdictGiven(kind="withdrawn", player="N", before=str(after), position=str(SETUP), sentence="All back.")
    (record,) = written(tmp_path, started(), WATCHING, first, second, back, legal(RULES, SETUP, "e")[0])
    assert [i.word for i in record.items] == ["f", "C", BACK, BACK, "e"]
    elsewhere = Position(SETUP.board, SETUP.counts[::-1])
    (record,) = written(tmp_path / "b", started(), WATCHING, first, second, VerdictGiven(
        kind="withdrawn", player="N", before=str(after), position=str(elsewhere), sentence="Back."))
    assert (record.items[-1].word, record.items[-1].after) == (SET, elsewhere)


def test_a_move_not_made_out_a_correction_and_a_nudge(tmp_path: Path) -> None:
    first, before = legal(RULES, SETUP, "f")
    read_so = Position(before.board, before.counts, before.bulls, before.to_move.other, (0, 0), 2)
    doubt = VerdictGiven(kind="not-sure", player="", before=str(before), position=str(read_so), sentence="Look at d.",
                         pits=["d"], confidence=0.5)
    nudged = Position(read_so.board, read_so.counts[::-1], (), read_so.to_move, (0, 0), 2)
    moved = VerdictGiven(kind="tampered", player="", before=str(read_so), position=str(nudged), sentence="Changed.")
    (record,) = written(
        tmp_path, started(), WATCHING, first, doubt,
        PositionSet(position=str(read_so), why="the board is taken as it lies"),
        CorrectPit(pit="d", count=3, by="page"), OrderAnswered(order=6, done=True, sentence="Pit d holds 3."), moved)
    assert [(i.word, i.comments) for i in record.items[1:]] == [
        (UNREAD, ("not-sure 0.5000: Look at d. [d]", "the board is taken as it lies",
                  "ruling: pit d holds 3, by page")),
        (SET, ("tampered: Changed.",)),
    ]


def test_a_race_and_rearrangements(tmp_path: Path) -> None:
    arranged = RULES.play(SETUP, "cd=8,0,0,0,4,4,4,4").position
    after = Position(SETUP.board, (1, 2, 0, 1, 6, 6, 6, 2) * 2, (), SETUP.to_move.other, (0, 0), 2)
    (record,) = written(
        tmp_path, started(), WATCHING,
        VerdictGiven(kind="rearranged", player="S", before=str(SETUP), position=str(arranged),
                     move="cd=8,0,0,0,4,4,4,4", sentence="South rearranged c and d."),
        VerdictGiven(kind="race", player="", before=str(arranged), position=str(after), sentence="They raced."))
    assert [i.word for i in record.items] == ["cd=8,0,0,0,4,4,4,4", RACE]


def test_what_was_announced_and_laid_otherwise_begins_as_it_lay(tmp_path: Path) -> None:
    lay = Position(SETUP.board, (3,) * 16)
    (record,) = written(tmp_path, started(), PositionSet(position=str(lay), why="begins as it lies"), WATCHING,
                        legal(RULES, lay, "a")[0])
    assert (record.start, record.comments) == (lay, ("begins as it lies",))
    assert [i.word for i in record.items] == ["a"]


def test_changed_fields_and_an_end_that_people_agreed_on(tmp_path: Path) -> None:
    rules = ruleset("enkeshui", None, {"string_at_bull": "skip"})
    (record,) = written(tmp_path, started(rules, SETUP, {"string_at_bull": "skip"}), WATCHING,
                        GameOver(result="24-24", winner="", reason="both agree"))
    assert record.sets == (("string_at_bull", "skip"),)
    assert (record.end, record.winner, record.ended) == ("24-24", None, "both agree")


def test_a_journal_without_games_and_files_that_are_no_journal(tmp_path: Path) -> None:
    assert written(tmp_path) == []
    (tmp_path / "text").write_text("no journal")
    (tmp_path / "other").mkdir()
    assert export(tmp_path).exit_code == 0, "the data folder means the journal in it"
    for path, status in ((tmp_path / "none", 2), (tmp_path / "other", 2), (tmp_path / "text", 1)):
        result = export(path)
        assert result.exit_code == status
        assert result.stderr.count("\n") == 1
        assert str(path) in result.stderr


def test_an_event_that_no_game_can_be_made_of_is_named(tmp_path: Path) -> None:
    path = tmp_path / "journal.sqlite3"
    with Journal(path) as journal:
        journal.append(started())
        journal.append(PositionSet(position="1,2/3", why=""))
    result = export(path)
    assert result.exit_code == 1
    assert "event 2 (PositionSet): '1,2/3' is no position line" in result.stderr
    assert result.stderr.count("\n") == 1


def test_a_journal_that_was_changed_is_written_out_and_said(tmp_path: Path) -> None:
    path = tmp_path / "journal.sqlite3"
    with Journal(path) as journal:
        journal.append(started())
        journal.append(WATCHING)
    with closing(sqlite3.connect(path)) as db:
        db.execute("DROP TRIGGER event_stays")
        db.execute("UPDATE event SET at = '2020-01-01T00:00:00.000Z' WHERE number = 1")
        db.commit()
    result = export(path)
    assert result.exit_code == 1
    assert '[Date "2020.01.01"]' in result.stdout
    assert "event 1 (GameStarted) was changed" in result.stderr
