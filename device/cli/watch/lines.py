"""Print a recording's events, one a line, for programs and for files, and explain doubts in detail."""

import json
from typing import Any

import click

from device.cli.watch.output_forms import watch_line
from device.journal.events import VerdictGiven
from engine.verdict import Doubt
from vision.reading import Frame

SENTENCES: dict[Doubt, str] = {
    Doubt.IMPROBABLE: "the likeliest explanation is not likely enough compared with the others",
    Doubt.UNKNOWN: "no move and no known fault explains the board",
    Doubt.PLAINLY_OFF: "a pit plainly differs from the explanation: by two seeds, or in being empty",
    Doubt.HAND_ABSENT: "the hand of the player who would be accused was not seen",
    Doubt.MIDWAY: "the move may not be finished",
    Doubt.BEGUN_UNSEEN: "the first move had begun before the board was seen at rest",
    Doubt.TURNED: "the picture may show the board in a mirror, or turned round",
    Doubt.UNWATCHED: "part of it happened while the board could not be seen",
}


def reasons(body: VerdictGiven) -> list[str]:
    """The reasons why a verdict is a doubt, a clause each; empty for one that is sure."""
    return [SENTENCES[Doubt[name]] for name in body.doubts]


def why_lines(form: dict[str, Any]) -> list[str]:
    """The lines below a verdict's line: its reasons, and what was weighed. form: its output form with `because`."""
    lines = [f"    because {clause}" for clause in form["because"]]
    if form["kind"] != "not-sure":
        return lines
    for e in form["best"]:
        faults = ", ".join(f["code"] + (f" at {f['pit']}" if f["pit"] else "") for f in e.get("faults", []))
        move = f" of {e['move']}" if e["move"] else ""
        lines.append(f"    weighed {e['p']:.3f}: {e['kind']}{move}{': ' + faults if faults else ''}")
    return lines


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
