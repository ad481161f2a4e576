"""Print a recording's events, one a line, for programs and for files."""

import json
from typing import Any

import click

from device.cli.output_forms import watch_line
from device.cli.watched.reasons import why_lines
from vision.reading import Frame


class Lines:
    """Prints every event on a line of its own."""

    def __init__(self, as_json: bool) -> None:
        """as_json: print JSON objects, else text."""
        self._as_json = as_json

    def frame(self, frame: Frame, duration_s: float | None) -> None:
        """Ignore the frame: only events are printed."""

    def event(self, form: dict[str, Any]) -> None:
        """Print the event."""
        click.echo(json.dumps(form, ensure_ascii=False) if self._as_json else watch_line(form))
        if "because" in form and not self._as_json:
            for line in why_lines(form):
                click.echo(line)

    def say(self, sentence: str) -> None:
        """Print a sentence that is not an event to standard error, away from the output."""
        click.echo(f"inkeek: {sentence}", err=True)
