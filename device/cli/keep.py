"""`inkeek backup` and `inkeek restore`."""

import os
import pwd
from contextlib import suppress
from pathlib import Path

import click

from device.cli.files import check_output, journal_at, there, unwritable
from device.cli.options import DATA, Unusable
from device.system.folder import DataFolder


def _check_owner(path: Path) -> None:
    """Stop root from restoring into another user's folder, because that user could not write to the restored files.
    Raises ClickException."""
    with suppress(OSError, KeyError):
        owner = path.stat().st_uid
        if os.geteuid() == 0 and owner != 0:
            name = pwd.getpwuid(owner).pw_name
            raise click.ClickException(f"{path} belongs to the user {name}: sudo -u {name} inkeek restore …")


@click.command()
@click.argument("target", type=click.Path(path_type=Path))
@DATA
def backup(target: Path, folder: DataFolder) -> None:
    """Copy a table's journal and evidence, while it runs.

    TARGET is a folder, where a later backup adds only what is new, or one file that ends in .zip, such as
    `inkeek backup /media/usb/table-3.zip`.
    """
    from device.journal.backup import back_up

    if target.is_file() and target.suffix.lower() != ".zip":
        raise Unusable(f"{target} is a file: name a folder, or a file that ends in .zip")
    if target.suffix.lower() == ".zip":
        _pack(folder.path, target)
        click.echo(f"journal and evidence are in {target}")
        return
    copied = back_up(folder.path, target)
    click.echo(f"{copied.events} events and {copied.stills} further stills are in {target}; last hash {copied.last}")
    if copied.missing:
        click.echo(f"{copied.missing} stills that events name no longer exist")


def _pack(folder: Path, target: Path) -> None:
    """Write a data folder into one file. Raises `JournalError`, and `OutputError` if the file cannot be written."""
    from device.journal.archive import archive
    from device.system.replacement import Replacement

    check_output(target, "a backup")
    try:
        with Replacement(target) as file:
            with file.new.open("wb") as out:
                for piece in archive(folder):
                    out.write(piece)
            file.put()
    except OSError as error:
        raise unwritable(target, error) from error


@click.command()
@click.argument("source", type=click.Path(path_type=Path))
@DATA
def restore(source: Path, folder: DataFolder) -> None:
    """Put a backup back.

    SOURCE is a folder or a .zip file, such as `inkeek restore /media/usb/table-3.zip`. The present journal is renamed,
    not deleted.
    """
    from device.journal.archive import unarchive
    from device.journal.backup import restore as put_back

    there(source)
    _check_owner(folder.path)
    journal_at(source)
    folder.make()
    with folder.held():
        copied = unarchive(source, folder.path) if source.is_file() else put_back(source, folder.path)
    click.echo(f"{copied.events} events and {copied.stills} stills are back in {folder.path}; last hash {copied.last}")
