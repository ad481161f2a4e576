"""`inkeek replay`: check game records move by move and report the first mistake of each."""

import json
import sys
from pathlib import Path
from typing import Any

import click

from device.cli.options import Unusable
from engine.explain import listed
from engine.records.reader import LARGEST, RecordError, read
from engine.records.record import Record
from engine.records.replay import Replayed
from engine.records.replay import replay as play_through


def text_of(path: str) -> str:
    """The text of a file, or of standard input for "-". Raises `Unusable`."""
    try:
        if path == "-":
            raw = sys.stdin.buffer.read(LARGEST + 1)
        else:
            with Path(path).open("rb") as file:
                raw = file.read(LARGEST + 1)
    except (OSError, ValueError) as e:
        raise Unusable(f"{path}: {getattr(e, 'strerror', None) or e}") from None
    if len(raw) > LARGEST:
        raise Unusable(f"{called(path)} is larger than {LARGEST >> 20} MiB: too large for game records")
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError as e:
        raise Unusable(f"{called(path)} is not text: byte 0x{raw[e.start]:02x} at {e.start} is not UTF-8") from None


def called(path: str) -> str:
    """The file's name, or "standard input" for "-"."""
    return "standard input" if path == "-" else path


def form(number: int, done: Replayed) -> dict[str, Any]:
    """The JSON form for one checked game. number: its place in the file, from 1."""
    record, wrong = done.record, done.wrong
    form: dict[str, Any] = {"record": number, "game": record.game, "rules": record.name, "moves": done.moves,
                            "fouls": done.fouls, "unread": done.unread, "ok": wrong is None}
    if wrong is None:
        winner = None if record.winner is None else record.winner.letter
        return form | {"position": str(done.positions[-1]), "result": record.end, "winner": winner}
    return form | {
        "number": wrong.number, "player": None if wrong.player is None else wrong.player.letter, "move": wrong.word,
        "why": wrong.why, "position": str(wrong.before), "legal": list(wrong.legal), "endless": list(wrong.endless),
    }


def plain(number: int, done: Replayed) -> str:
    """The checked game as text for people."""
    record = done.record
    teams = " – ".join(filter(None, (record.tag("South"), record.tag("North"))))
    head = f"game {number}, {record.rules.title} {record.name} on {record.start.board}{f' ({teams})' if teams else ''}"
    if done.wrong is not None:
        return f"{head}: wrong after {_number(done.moves, 'move')}\n  {done.wrong.before}\n  {done.wrong.sentence}"
    return f"{head}: {_played(done)}; {_ended(record)}"


def _played(done: Replayed) -> str:
    """The numbers of moves that stand, by kind: `9 legal moves and 1 foul that stood`."""
    counted = [_number(done.legal, "legal move")]
    if races := done.moves - done.legal - done.fouls - done.unread:
        counted.append(_number(races, "race"))
    if done.fouls:
        counted.append(f"{_number(done.fouls, 'foul')} that stood")
    if done.unread:
        counted.append(f"{_number(done.unread, 'move')} that nobody could make out")
    return listed(counted)


def _number(n: int, what: str) -> str:
    return f"{n} {what}{'s' * (n != 1)}"


def _ended(record: Record) -> str:
    if record.result is None and record.winner is None:
        return f"not played to an end{f' ({record.ended})' if record.ended else ''}"
    who = "a draw" if record.winner is None else f"{record.winner.title} wins"
    return f"{record.end}, {who}{f' ({record.ended})' if record.ended else ''}"


EXAMPLE = """\b
A game that replays:
  [Game "enkeshui"]
  [Board "2x8"]
  1. f 2. C *

Small letters are South's pits, capital ones North's, each side's from its own left. The whole format is in
engine/records/README.md; `inkeek export` writes it."""


@click.command(epilog=EXAMPLE)
@click.argument("record", metavar="FILE|-")
@click.option("--json", "as_json", is_flag=True, help="One JSON object a game.")
def replay(record: str, as_json: bool) -> None:
    """Check written games, move by move.

    FILE holds game records, such as `inkeek replay games.txt`; - is standard input. Prints the first mistake of each
    game, and counts legal moves and fouls that stood separately.
    """
    text, number, first, where = text_of(record), 0, "", called(record)
    try:
        for number, game in enumerate(read(text), 1):
            done = play_through(game)
            if done.wrong is not None and not first:
                first = f"{where}: game {number}, {done.wrong.sentence}"
            click.echo(json.dumps(form(number, done), ensure_ascii=False) if as_json else plain(number, done))
    except RecordError as e:
        if as_json:
            click.echo(json.dumps({"record": number + 1, "ok": False, "error": str(e), "line": e.line,
                                   "column": e.column}, ensure_ascii=False))
        raise Unusable(f"{where}: {e}") from None
    if first:
        raise click.ClickException(first)
