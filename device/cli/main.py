"""The command line: `inkeek run | hall | read | prove | watch | judge | moves | rules | replay | export | doctor | …`.

Exit status 0 for done, 2 for unusable arguments, 1 for everything else, each with one plain sentence on standard error.
What a command needs is imported when it runs, so that `inkeek moves` does not wait for a camera's libraries.
"""

from __future__ import annotations

import io
import json
import os
import re
import signal
import sys
import threading
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from device.cli.doctor import doctor
from device.cli.export import export
from device.cli.files import journal_at, not_drawn, progress, silencing_libraries, there
from device.cli.keep import backup, restore
from device.cli.moves import moves
from device.cli.options import LINES, SETS, SOUTH, Unusable, usable_rules
from device.cli.prove import prove
from device.cli.publishing import check_identity, hall, hall_of, hall_options, publish
from device.cli.replay import replay
from device.cli.rules import rules as rules_command
from device.errors import UserError
from device.south import South
from device.system.folder import DataFolder
from device.system.supervisor import PERMANENT
from device.system.version import version
from vision.board.parameters import HANDED
from vision.parameters import DRAWING

if TYPE_CHECKING:
    from device.cameras.base import Camera
    from device.cli.photographs import Circle, PhotoReader
    from device.cli.processes import Processes
    from device.journal.game import Game
    from engine.board import Board
    from engine.rules import Rules


class Commands(click.Group):
    """The group of all commands. Where a command raises a `UserError`, its sentence is printed and its status returned.
    """

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command that the arguments name. Raises ClickException."""
        try:
            return super().invoke(ctx)
        except UserError as error:
            raise (Unusable if error.exit_code == Unusable.exit_code else click.ClickException)(str(error)) from error


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110})
@click.version_option(version(), message="inkeek %(version)s")
def inkeek() -> None:
    """A camera referee for mancala games on wooden boards.

    `inkeek rules` lists the games. Exit status: 0 done, 2 unusable arguments, 1 any other failure.
    """
    # Show characters that the terminal lacks as escapes, so that odd names do not end the program.
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


inkeek.add_command(moves)
inkeek.add_command(rules_command)
inkeek.add_command(prove)
inkeek.add_command(replay)
inkeek.add_command(export)
inkeek.add_command(backup)
inkeek.add_command(restore)
inkeek.add_command(doctor)
inkeek.add_command(publish)
inkeek.add_command(hall)


def check_start(rules: Rules, board: Board | None, start: str) -> None:
    """Raise `Unusable` for a position line from which no game can begin; "" is the set-up."""
    from device.table.orders import starting_position

    if "?" in start:
        raise Unusable("--start: a ? marks what is doubtful: count it, and write the number or letter without the ?")
    try:
        starting_position(rules, board, start)
    except ValueError as error:
        raise Unusable(f"--start: {error}") from None


def captured_seeds(_context: object, _parameter: object, word: str | None) -> tuple[int, int] | None:
    """South's and North's captured seeds of `12-9`. Raises `Unusable`."""
    if word is None:
        return None
    found = re.fullmatch(r"([0-9]{1,3})-([0-9]{1,3})", word)
    if found is None:
        raise Unusable(f"--captured is {word[:40]!r}: write South's seeds, then North's, such as 12-9")
    return int(found[1]), int(found[2])


def game_at(folder: DataFolder, usual: str) -> str:
    """The game last begun in the journal; `usual` if there is none."""
    from device.journal import Journal, JournalError
    from device.journal.events import GameStarted

    if not folder.journal.exists():
        return usual
    try:
        with Journal(folder.journal, readonly=True) as journal:
            begun = [event.body.game for event in journal.read() if isinstance(event.body, GameStarted)]
    except JournalError:  # the table will report it
        return usual
    return begun[-1] if begun else usual


# ---- at the table ----------------------------------------------------------------------------------------------

@inkeek.command()
@click.option("--camera", default=None, metavar="CAMERA|PATH", envvar="INKEEK_CAMERA",
              help="Where the pictures come from: sim, pi, usb, usb:N, folder:PATH for the newest picture of a folder, "
                   "the address of a network camera such as rtsp://USER:PASSWORD@HOST/PATH or http://HOST:8080/video, "
                   "or the path of a recording or of a folder of pictures to replay.")
@click.option("--game", default="", help="The game; unless given, the journal's current one.")
@click.option("--rules", default="", help="Its ruleset.")
@SETS
@click.option("--board", default="", metavar="RxC", help="Rows and columns, such as 2x8.")
@click.option("--start", default="", metavar="LINE", help="Begin a game from this position, already on the board.")
@click.option("--south", default=None, type=SOUTH, help="The edge of the picture where South sits.")
@click.option("--data", type=click.Path(path_type=Path, file_okay=False), help="Folder for journal and evidence.")
@click.option("--host", default=None, help="Address that the page is served on; 0.0.0.0 for all.")
@click.option("--port", default=None, type=click.IntRange(1, 65535), help="The page's port (8000).")
@click.option("--name", "names", multiple=True, metavar="HOST",
              help="Another host name of the page, such as table.club.example; may be repeated.")
@click.option("--only", default=None, type=click.Choice(("table", "page", "hall")),
              help="Run only the table, only the page or only the link to the hall, as a service.")
@hall_options
def run(camera: str | None, game: str, rules: str, fields: dict[str, str], board: str, start: str,
        south: South | None, data: Path | None, host: str | None, port: int | None, names: tuple[str, ...],
        only: str | None, **hall: str) -> None:
    """Referee at a table, and serve the page.

    With the camera of a Raspberry Pi, for everybody in the network: `inkeek run --camera pi --host 0.0.0.0`.
    """
    from device.cli.processes import Processes
    from device.system.log import to_standard_error

    to_standard_error()
    folder = DataFolder(data) if data is not None else DataFolder.default()
    settings = folder.settings()
    processes = Processes(folder, camera or settings.camera, south or settings.south, host or settings.host,
                          port or settings.port, game, rules, board, fields,
                          hall_of(folder, settings.hall, hall, only), start, names or tuple(settings.page.names))
    _check_startable(processes, only, settings.game)
    folder.make()
    if processes.hall is not None:
        check_identity(folder, processes.hall)
    supervisor = processes.supervisor(only)
    supervisor.handle_signals()
    if only in (None, "page"):
        supervisor.tell = lambda: click.echo(processes.welcome)
    if not supervisor.run():
        sys.exit(1)


def _check_startable(processes: Processes, only: str | None, usual: str) -> None:
    """Raise, with one sentence, if the table or the page could not start with these arguments. usual: the game of the
    settings."""
    from device.cameras.choose import choose_camera
    from device.system.supervisor import check_port

    asked = processes
    if asked.camera != "sim" and only in (None, "table"):
        choose_camera(asked.camera)
    changed = asked.rules or asked.board or asked.fields or asked.start
    game = asked.game or (game_at(asked.folder, usual) if changed else usual)
    chosen, size = usable_rules(game, asked.rules, asked.board, asked.fields)
    if asked.start:
        check_start(chosen, size, asked.start)
    if only in (None, "page"):
        check_port(asked.host, asked.port)


@inkeek.command(hidden=True)
@click.option("--camera", default="sim", envvar="INKEEK_CAMERA")
@click.option("--game", default="")
@click.option("--rules", default="")
@SETS
@click.option("--board", default="")
@click.option("--start", default="")
@click.option("--south", default="bottom", type=SOUTH)
@click.option("--data", type=click.Path(path_type=Path, file_okay=False), required=True)
def table(camera: str, game: str, rules: str, fields: dict[str, str], board: str, start: str, south: South,
          data: Path) -> None:
    """Run the table's process; `run` starts it."""
    from device.journal.keeper import Renumbered
    from device.system.log import to_standard_error
    from device.system.table_process import Loop, Wanted

    to_standard_error()
    ending = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda _number, _frame: ending.set())
    folder = DataFolder(data)
    try:
        wanted = Wanted(folder, game, rules, board, south, folder.settings().game, camera, fields, start)
        Loop(wanted, lambda played: make_camera(camera, played, folder, south), ending.is_set,
             other=lambda word, played, edge: make_camera(word, played, folder, edge)).run()
    except (UserError, ValueError) as error:
        click.echo(f"inkeek: {error}", err=True)
        sys.exit(1 if isinstance(error, Renumbered) else PERMANENT)


def make_camera(word: str, game: Game, folder: DataFolder, south: South) -> Camera:
    """The camera of a `--camera` word; the simulated table plays the journal's current game."""
    if word != "sim":
        from device.cameras.choose import choose_camera
        from device.system.camera_addresses import kept_addresses

        return choose_camera(kept_addresses(folder.path).get(word, word))
    from device.sim.camera import SimCamera

    rules, position = game.playing
    if not game.begun:
        # The kept players may be in another game: drop them, so that this game's set-up is laid.
        with suppress(OSError):
            folder.simulated.unlink(missing_ok=True)
    return SimCamera(rules, board=position.board, position=position, memory=folder.simulated, south=south)


# ---- recordings and photographs --------------------------------------------------------------------------------

@inkeek.command(epilog=LINES)
@click.argument("video", type=click.Path(path_type=Path))
@click.option("--game", required=True, help="The game played in the recording.")
@click.option("--rules", default="", help="The ruleset; the game's first unless given.")
@SETS
@click.option("--board", default="", metavar="RxC|auto", help="Rows and columns; detected unless given.")
@click.option("--start", default="", metavar="LINE|auto",
              help="The position it begins from, or auto to read it off the board; the set-up unless given.")
@click.option("--captured", default=None, metavar="SOUTH-NORTH", callback=captured_seeds,
              help="With --start auto in mid-game: the seeds captured so far, such as 12-9.")
@click.option("--to-move", default=None, type=click.Choice(("S", "N")),
              help="With --start auto in mid-game: whose turn it is.")
@click.option("--south", default="bottom", type=SOUTH, help="The edge of the picture where South sits.")
@click.option("--live", is_flag=True, help="Play it in real time, like a camera; late frames are dropped.")
@click.option("--log", metavar="FILE", type=click.Path(dir_okay=False, path_type=Path),
              help="Write what was seen, without pictures, to this file for `inkeek judge`.")
@click.option("--report", metavar="OUT.html", type=click.Path(path_type=Path),
              help="Write the moves, the fouls with pictures and the score into one HTML file.")
@click.option("--video", "film", metavar="OUT.mp4", type=click.Path(path_type=Path),
              help="Write the recording as a film with counts and verdicts drawn in.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object a line.")
@silencing_libraries
def watch(video: Path, game: str, rules: str, fields: dict[str, str], board: str, start: str,
          captured: tuple[int, int] | None, to_move: str | None, south: South, live: bool, log: Path | None,
          report: Path | None, film: Path | None, as_json: bool) -> None:
    """Referee a recording.

    Runs as fast as possible, such as `inkeek watch game.mp4 --game enkeshui --report game.html`. A terminal shows a
    table of verdicts, with boards, and the result.
    """
    from device.cli.watch.refereeing import WatchArguments, referee
    from device.cli.watch.starts import AUTO, MidGame
    from device.cli.watch.watcher import Match
    from engine.board import Side

    chosen, size = usable_rules(game, rules, board, fields)
    check_start(chosen, size, "" if start == AUTO else start)
    known = MidGame(captured, None if to_move is None else Side.parse(to_move))
    if known.midway and start != AUTO:
        raise Unusable("--captured and --to-move go with --start auto: a position line already says both")
    there(video)
    referee(WatchArguments(video, Match(chosen, size, start, south, known), live, log, report, film, as_json))


@inkeek.command()
@click.argument("log", metavar="FILE", type=click.Path(path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="One JSON object a line.")
@click.option("--why", is_flag=True, help="Print every reason for each doubt, and what was weighed.")
def judge(log: Path, as_json: bool, why: bool) -> None:
    """Judge a recording again from what `watch --log` kept.

    This needs no pictures: `inkeek watch game.mp4 --game enkeshui --log game.log`, then `inkeek judge game.log`. A
    terminal shows a table of verdicts, with boards.
    """
    from device.cli.boards import console, for_people
    from device.cli.watch.lines import Lines
    from device.cli.watch.recorded_game import judge_log
    from device.cli.watch.terminal import Terminal

    if there(log).is_dir():
        raise Unusable(f"{log} is a directory, not a log")
    if not for_people(as_json=as_json):
        judge_log(log, Lines(as_json).event, why=why)
        return
    with Terminal(console(), log.name, bar=False) as terminal:
        judge_log(log, terminal.event, why=why)


@inkeek.command(epilog=f"A count with a ? is doubtful: its probability is under {DRAWING.doubtful}.")
@click.argument("images", nargs=-1, required=True, metavar="IMAGE…", type=click.Path(path_type=Path))
@click.option("--board", default=None, metavar="RxC|auto", help="Rows and columns; detected unless given.")
@click.option("--pits", default=None, metavar="x,y,r;…",
              help="Count in these pits instead of finding a board. In pixels of the picture, x,y is a pit's centre "
                   "and r its radius, the mean of both half axes. Name all pits of the board, "
                   f"{HANDED.least_pits} to {HANDED.most_pits}: their places show the viewing angle. With fewer or "
                   "more, pits count as round.")
@click.option("--south", default=None, type=SOUTH, help="The edge of the picture where South sits (bottom).")
@click.option("--overlay", metavar="PICTURE|FOLDER", type=click.Path(path_type=Path),
              help="Draw pits and counts over the photograph; write the drawing to this file, or into this folder "
                   "under the photograph's name.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object a line.")
@silencing_libraries
def read(images: Sequence[Path], board: str | None, pits: str | None, south: South | None, overlay: Path | None,
         as_json: bool) -> None:
    """Count the seeds in photographs.

    To save copies of the photographs, with the counts drawn in, in the folder `seen`: `inkeek read *.jpg --overlay
    seen/`.
    """
    from device.cli.photographs import draw_overlay, overlays, read_line

    reader, circles = _photo_reader(board, pits, south)
    drawings = [None] * len(images) if overlay is None else overlays(images, overlay)
    unread = []
    for number, (path, drawing) in enumerate(zip(images, drawings, strict=True), 1):
        with progress(f"{number} of {len(images)}: {path}", shown=len(images) > 1):
            photograph = reader.read(path, circles)
            if drawing is not None:
                draw_overlay(path, photograph, drawing)
        form = photograph.form
        click.echo(json.dumps(form, ensure_ascii=False) if as_json else read_line(form))
        if not form["found"]:
            unread.append(photograph)
            _say_unread(path, form["reason"] + not_drawn(drawing))
    if unread:
        sys.exit(Unusable.exit_code if any(one.unusable for one in unread) else 1)


def _photo_reader(board: str | None, pits: str | None, south: South | None) -> tuple[PhotoReader, list[Circle] | None]:
    """The reader for photographs of this board, and the pits of `--pits` or None. Raises `Unusable`."""
    from device.cli.photographs import BadPits, PhotoReader, parse_pits
    from engine.board import Board

    idle = next((name for name, given in (("--board", board), ("--south", south)) if given is not None), "")
    if pits is not None and idle:
        raise Unusable(f"{idle} is for finding a board, which --pits replaces: leave one of the two out")
    try:
        circles = None if pits is None else parse_pits(pits)
        return PhotoReader(None if board in (None, "auto") else Board.parse(board), south or "bottom"), circles
    except (BadPits, ValueError) as error:
        raise Unusable(str(error)) from None


def _say_unread(path: Path, reason: str) -> None:
    """Print to standard error why no board was read in a photograph, naming the photograph once."""
    click.echo(f"inkeek: {reason if str(path) in reason else f'{path}: {reason}'}", err=True)


# ---- the journal and this machine ------------------------------------------------------------------------------

@inkeek.command()
@click.argument("journal", type=click.Path(path_type=Path))
def verify(journal: Path) -> None:
    """Check that a journal was not changed afterwards.

    JOURNAL is a file or the data folder that holds it, such as `inkeek verify ~/.local/share/inkeek`. Compare the
    printed last hash with one noted before.
    """
    from device.journal import Journal
    from device.journal.store import last_hash

    journal = journal_at(journal)
    with Journal(journal, readonly=True) as opened:
        bad = opened.verify()
        if bad is not None:
            raise click.ClickException(f"{journal}: {bad.reason}")
        count = opened.last
        click.echo(f"{count} event{'s' * (count != 1)}, the chain is whole; last hash {last_hash(opened)}")


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line; every failure prints one sentence, not a traceback."""
    try:
        sys.exit(inkeek.main(args=None if arguments is None else list(arguments), prog_name="inkeek",
                             standalone_mode=False) or 0)
    except click.exceptions.NoArgsIsHelpError as error:
        click.echo(error.format_message(), err=True)
        sys.exit(2)
    except click.ClickException as error:
        click.echo(f"inkeek: {error.format_message()}", err=True)
        sys.exit(error.exit_code)
    except (click.Abort, KeyboardInterrupt):
        click.echo("inkeek: stopped", err=True)
        sys.exit(1)
    except BrokenPipeError:
        # Whoever read our output is gone; keep Python from complaining again when it exits.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(1)


if __name__ == "__main__":
    main()
