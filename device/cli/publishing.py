"""The options of `inkeek run --hall`, the hidden command of the process that it starts, and `inkeek hall`, which runs
`python -m web.hall`."""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Callable, Mapping
from functools import reduce
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
import msgspec

from device.cli.options import Unusable
from device.system.folder import DataFolder, HallSettings
from device.system.supervisor import PERMANENT

if TYPE_CHECKING:
    from device.cli.processes import Hall

OPTIONS = (
    click.option("--hall", default="", metavar="URL",
                 help="Publish to a hall of tables by its broker: mqtt://HOST or mqtts://USER@HOST:PORT. The password "
                      "comes from a file, or from INKEEK_HALL_PASSWORD."),
    click.option("--hall-ca", default="", metavar="FILE", help="CA certificate of the broker (PEM), for mqtts://."),
    click.option("--hall-password-file", default="", metavar="FILE", help="File whose first line is the password."),
    click.option("--table-name", default="", metavar="NAME",
                 help="The table's name at the hall, if not the machine's."),
)


def hall_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Decorate a command with the options that name a hall; it takes them as keywords."""
    return reduce(lambda made, option: option(made), reversed(OPTIONS), command)


def hall_of(folder: DataFolder, settings: HallSettings, asked: Mapping[str, str], only: str | None) -> Hall | None:
    """The hall to publish to, by the command line or else the settings; None for none, or if `only` excludes it. Raises
    `Unusable` or HallError, before anything is started."""
    from device.cli.processes import Hall
    from device.publishing.address import HallError, check_library, hall_address
    from device.publishing.publisher_state import table_name

    hall = Hall(asked["hall"] or settings.address, asked["hall_ca"] or settings.ca,
                asked["hall_password_file"] or settings.password_file, asked["table_name"] or settings.name)
    if only in ("table", "page"):
        return None
    if not hall.address:
        if only == "hall":
            raise Unusable("no hall is named: use --hall, or address under [hall] in "
                           f"{folder.path / 'inkeek.toml'}")
        return None
    try:
        hall_address(hall.address, hall.ca, hall.password_file)
        table_name(hall.name)
    except HallError as error:
        raise Unusable(str(error)) from None
    check_library()
    return hall


def check_identity(folder: DataFolder, hall: Hall) -> None:
    """Make sure that the table has an id for the hall in its folder. Raises HallError."""
    from device.publishing.address import hall_address
    from device.publishing.publisher_state import table_id

    table_id(folder.path, hall_address(hall.address, hall.ca, hall.password_file).user)


@click.command(hidden=True)
@click.option("--data", type=click.Path(path_type=Path, file_okay=False), required=True)
@click.option("--host", default="")
@click.option("--port", default=0, type=int)
@hall_options
def publish(data: Path, host: str, port: int, hall: str, hall_ca: str, hall_password_file: str,
            table_name: str) -> None:
    """Run the process that publishes to a hall; `run` starts it."""
    from device.publishing.address import HallError, hall_address
    from device.publishing.link_state import only_publisher
    from device.publishing.publisher import Publisher
    from device.publishing.publisher_state import TableIdentity, table_id
    from device.publishing.publisher_state import table_name as usable_name
    from device.system.log import to_standard_error

    to_standard_error()
    ending = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda _number, _frame: ending.set())
    try:
        address = hall_address(hall, hall_ca, hall_password_file)
        place = TableIdentity(data, table_id(data, address.user), usable_name(table_name), host, port)
        with only_publisher(data):
            Publisher(place, address).run(ending.is_set)
    except HallError as error:
        click.echo(f"inkeek: {error}", err=True)
        sys.exit(PERMANENT)


@click.command()
@click.option("--broker", required=True, metavar="mqtt[s]://[USER@]HOST[:PORT]",
              help="The MQTT broker that the tables publish to (inkeek run --hall).")
@click.option("--hall-ca", default="", metavar="FILE", help="CA certificate of the broker (PEM), for mqtts://.")
@click.option("--hall-password-file", default="", metavar="FILE",
              help="File whose first line is the broker's password; or set INKEEK_HALL_PASSWORD.")
@click.option("--data", type=click.Path(path_type=Path, file_okay=False), help="Folder for the copies of the journals.")
@click.option("--host", default="127.0.0.1", help="Address that the page is served on; 0.0.0.0 for all.")
@click.option("--port", default=8080, type=click.IntRange(1, 65535), help="The page's port (8080).")
@click.option("--name", "names", multiple=True, metavar="HOST",
              help="Another host name of the page; may be repeated.")
def hall(broker: str, hall_ca: str, hall_password_file: str, data: Path | None, host: str, port: int,
         names: tuple[str, ...]) -> None:
    """Show many tables on one page.

    The page shows what each table plays and what waits for a ruling: `inkeek hall --broker mqtt://hall@localhost`.
    """
    from device.publishing.address import HallPage, check_library

    check_library()
    page = HallPage(broker, str(data or _hall_folder()), hall_ca, hall_password_file, host, port, names)
    signal.pthread_sigmask(signal.SIG_BLOCK, (signal.SIGINT,))  # until `web.hall.__main__` can take a Ctrl-C quietly
    os.execv(sys.executable, [sys.executable, "-m", "web.hall", msgspec.json.encode(page).decode()])


def _hall_folder() -> Path:
    return Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share") / "inkeek-hall"
