"""`inkeek export`: the games of a journal as records, with verdicts and rulings as comments."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click

from device.cli_files import journal_at
from engine.record import Record, numbers


def form(number: int, record: Record) -> dict[str, Any]:
    """A game as it is told in JSON; `text` is the record as it is written."""
    counted = numbers(record.rules, record.start, record.items)
    return {
        "record": number, "game": record.game, "rules": record.name, "set": dict(record.sets),
        "board": str(record.start.board), "position": str(record.start), "tags": dict(record.tags),
        "comments": list(record.comments),
        "moves": [
            {"number": n, "move": item.word, "position": None if item.after is None else str(item.after),
             "comments": list(item.comments)}
            for n, item in zip(counted, record.items, strict=True)
        ],
        "result": record.end, "winner": None if record.winner is None else record.winner.letter,
        "termination": record.ended, "text": str(record),
    }


@click.command()
@click.argument("journal", type=click.Path(path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="One JSON object a game.")
def export(journal: Path, as_json: bool) -> None:
    """Write the games of a JOURNAL, a file or its data folder, as game records, which `inkeek replay` checks."""
    from device.journal import Journal, JournalError
    from device.records import ExportError, records

    journal = journal_at(journal)
    try:
        with Journal(journal, readonly=True) as opened:
            bad = opened.verify()
            for number, record in enumerate(records(opened.read()), 1):
                text = json.dumps(form(number, record), ensure_ascii=False) if as_json else str(record)
                click.echo(text)
    except ExportError as e:
        raise click.ClickException(f"{journal}: {e}") from None
    except JournalError as e:
        raise click.ClickException(str(e)) from None
    if bad is not None:
        raise click.ClickException(f"{journal}: {bad.reason}")
