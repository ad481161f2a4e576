"""`inkeek export`: write a journal's games as records, with verdicts and rulings as comments."""

import json
from pathlib import Path

import click

from device.cli.files import journal_at


@click.command()
@click.argument("journal", type=click.Path(path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="One JSON object a game.")
def export(journal: Path, as_json: bool) -> None:
    """Write the games of a journal as game records.

    JOURNAL is a file or the data folder that holds it, such as `inkeek export ~/.local/share/inkeek`. `inkeek replay`
    checks the records.
    """
    from device.journal import Journal
    from device.journal.records import ExportError, form, records

    journal = journal_at(journal)
    try:
        with Journal(journal, readonly=True) as opened:
            bad = opened.verify()
            for number, record in enumerate(records(opened.read()), 1):
                text = json.dumps(form(number, record), ensure_ascii=False) if as_json else str(record)
                click.echo(text)
    except ExportError as e:
        raise click.ClickException(f"{journal}: {e}") from None
    if bad is not None:
        raise click.ClickException(f"{journal}: {bad.reason}")
