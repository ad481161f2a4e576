"""The terminal output of `inkeek watch` and `inkeek judge`: a progress bar, a growing table of verdicts, the board
after each foul and doubt, and the result."""

from types import TracebackType
from typing import Any, Self

from rich.console import Console
from rich.padding import Padding
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table
from rich.text import Text

from device.cli.boards import drawn
from device.cli.watch.lines import why_lines
from device.cli.watch.output_forms import said_sure
from device.cli.watch.story import Story, StoryVerdict, clock, printable, side_named
from engine.position import Position
from vision.reading import Frame

DRAWN = ("illegal", "not-sure", "tampered")
"""Verdicts followed by a drawing of the board: those that accuse, or ask people."""
COLUMNS: tuple[tuple[str, int | None], ...] = (
    ("time", 7), ("side", 5), ("move", 8), ("verdict", 10), ("certain", 7), ("what was seen", None))
"""Heading and width in letters of each column; the last takes the rest."""
MANNER = {"legal": "green", "illegal": "bold red", "tampered": "bold red", "not-sure": "yellow", "withdrawn": "dim",
          "blind": "yellow"}
"""Style of each word in the column `verdict`; the word alone says as much."""


class Terminal:
    """Shows the progress and events of a recording as they come. A context manager, which prints the result at its end.
    """

    def __init__(self, console: Console, name: object, *, bar: bool = True) -> None:
        """console: the terminal's; name: the recording's; bar: show a progress bar, which needs frames."""
        self._console, self._story, self._headed = console, Story(), False
        self._progress = Progress(TextColumn("{task.description}"), BarColumn(None), TextColumn("{task.fields[at]}"),
                                  TimeRemainingColumn(), console=console, transient=True, expand=True,
                                  redirect_stdout=False, redirect_stderr=False, disable=not bar)
        self._task = self._progress.add_task("", total=None, at="")
        self._console.print(Text(printable(name), "bold"))

    def __enter__(self) -> Self:
        """Show the progress bar."""
        self._progress.start()
        return self

    def __exit__(self, error: type[BaseException] | None, _what: BaseException | None,
                 _where: TracebackType | None) -> None:
        """Remove the bar, and print the result unless there was an error."""
        self._progress.stop()
        if error is None:
            if self._story.position:
                self._console.print("", drawn(Position.parse(self._story.position)), "", sep="\n")
            self._console.print(Text(printable(self._story.result), "bold"))

    def frame(self, frame: Frame, duration_s: float | None) -> None:
        """Advance the bar to this frame. duration_s: the recording's, None if unknown."""
        now = frame.time_ns / 1e9
        of = "" if duration_s is None else f" of {clock(duration_s)}"
        self._progress.update(self._task, completed=now, total=duration_s, at=f"{clock(now)}{of}")

    def say(self, sentence: str) -> None:
        """Print a sentence that is not part of the table."""
        self._console.print(Text(printable(sentence)))

    def event(self, form: dict[str, Any]) -> None:
        """Print the next event, given in its output form."""
        told = self._story.take(form)
        row = _row(form)
        if not self._headed:
            self._headed = True
            self._line([heading for heading, _ in COLUMNS], "dim")
        self._line(row, MANNER.get(row[3], ""))
        for line in why_lines(form) if "because" in form else ():
            self._console.print(Text(printable(line), "dim"))
        if told is not None and told.kind in DRAWN and told.lies is not None:
            self._board(told, told.lies)

    def _board(self, told: StoryVerdict, lies: Position) -> None:
        """Print the board after a foul or a doubt, and the counts that should be there."""
        due, manner = told.due, MANNER[told.kind]
        self._console.print(Padding(drawn(lies, dict.fromkeys(told.named | told.differing, manner)), (0, 0, 0, 4)))
        if due is not None and told.differing:
            wrong = [f"{lies.board.name(pit)}: {lies.counts[pit]}, should be {due.counts[pit]}"
                     for pit in sorted(told.differing)]
            self._console.print(Padding(Text("; ".join(wrong), manner), (0, 0, 0, 4)))

    def _line(self, cells: list[str], manner: str) -> None:
        """Print one line of the table. manner: the style of its verdict, or of the whole heading line."""
        table = Table(box=None, show_header=False, expand=True, pad_edge=False)
        for _, width in COLUMNS:
            table.add_column(width=width, overflow="fold" if width is None else "ellipsis", no_wrap=width is not None,
                             ratio=1 if width is None else None)
        whole = manner if cells[3] == COLUMNS[3][0] else ""
        table.add_row(*(Text(printable(cell), manner if column == 3 else whole) for column, cell in enumerate(cells)))
        self._console.print(table)


def _row(form: dict[str, Any]) -> list[str]:
    """The cells of one event, in the order of `COLUMNS`."""
    t = clock(form["t"])
    match form["event"]:
        case "verdict":
            instead = f" (replaces the verdict at {clock(form['instead_of'])})" if "instead_of" in form else ""
            return [t, side_named(form["player"]), form.get("move") or "", form["kind"],
                    said_sure(form).removesuffix(" certain"), f"{form['sentence']}{instead}"]
        case "position":
            why = f" ({form['why']})" if form.get("why") else ""
            return [t, "", "", "position", "", f"{form['position']}{why}"]
        case "end":
            return [t, "", "", "end", "", f"{form['result']}: {form['reason']}"]
    since = f" (since {clock(form['since'])})" if "since" in form else ""
    return [t, "", "", form["event"], "", f"{form.get('why', '')}{since}"]
