"""A recording's events in their kept forms, for programs and for files: one a line."""

from __future__ import annotations

import json
from typing import Any

import click

from device.cli.output_forms import watch_line
from device.cli.watched.reasons import why_lines
from vision.reading import Frame


class Lines:
    """Prints every event on a line of its own, for programs and for files."""

    def __init__(self, as_json: bool) -> None:
        """as_json: as an object of JSON, else in words."""
        self._as_json = as_json

    def frame(self, frame: Frame, duration_s: float | None) -> None:
        """Nothing is said of a frame."""

    def event(self, form: dict[str, Any]) -> None:
        """Print it."""
        click.echo(json.dumps(form, ensure_ascii=False) if self._as_json else watch_line(form))
        if "because" in form and not self._as_json:
            for line in why_lines(form):
                click.echo(line)

    def say(self, sentence: str) -> None:
        """One line that is no event: beside the output, which others read."""
        click.echo(f"inkeek: {sentence}", err=True)
