"""Why a verdict is a doubt, for people who look into one: every reason in a sentence, and what was weighed."""

from __future__ import annotations

from typing import Any

from device.journal.events import VerdictGiven
from engine.referee.verdict import Doubt

SENTENCES: dict[Doubt, str] = {
    Doubt.IMPROBABLE: "the likeliest explanation is not likely enough beside the others",
    Doubt.UNKNOWN: "no move and no fault of the list explains the board",
    Doubt.PLAINLY_OFF: "some pit plainly shows two seeds more or fewer, or is plainly empty, or is not",
    Doubt.HAND_ABSENT: "the hand of the one who would be accused was not seen",
    Doubt.MIDWAY: "the move may be in its middle",
    Doubt.BEGUN_UNSEEN: "the first move had begun before the board was seen at rest",
    Doubt.TURNED: "the picture may show the board in a mirror, or turned round",
    Doubt.UNWATCHED: "part of it was done while nobody watched",
}


def reasons(body: VerdictGiven) -> list[str]:
    """A verdict's reasons for not being said, a clause each; none of one that is sure."""
    return [SENTENCES[Doubt[name]] for name in body.doubts]


def why_lines(form: dict[str, Any]) -> list[str]:
    """What stands below a verdict's own line: its reasons, and what was weighed. form: its kept form with `because`."""
    lines = [f"    because {clause}" for clause in form["because"]]
    if form["kind"] != "not-sure":
        return lines
    for e in form["best"]:
        faults = ", ".join(f["code"] + (f" at {f['pit']}" if f["pit"] else "") for f in e.get("faults", []))
        move = f" of {e['move']}" if e["move"] else ""
        lines.append(f"    weighed {e['p']:.3f}: {e['kind']}{move}{': ' + faults if faults else ''}")
    return lines
