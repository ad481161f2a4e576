"""Explain a doubt in detail: every reason for it in words, and what was weighed."""

from typing import Any

from device.journal.events import VerdictGiven
from engine.referee.verdict import Doubt

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
