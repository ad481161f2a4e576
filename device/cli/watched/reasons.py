"""Why a verdict is a doubt, for people who look into one: every reason in a sentence, and what was weighed."""

from __future__ import annotations

from typing import Any

from device.journal.events import VerdictGiven
from engine.judge.verdict import Doubt

SENTENCES: dict[Doubt, str] = {
    Doubt.IMPROBABLE: "the likeliest explanation is not likely enough beside the others",
    Doubt.DENIED: "some pit is read as another count by far",
    Doubt.PLAINLY_OFF: "some pit plainly holds two seeds more or fewer, or is plainly empty, or is not",
    Doubt.FAULT_FITS_BETTER: "a fault fits the board better than the legal move, and what was seen meanwhile, too",
    Doubt.LEGALLY_ANSWERED: "a legal move and its legal answer would leave the same board",
    Doubt.LAID_OUT: "before the first move the seeds may have been laid out so",
    Doubt.NOT_AS_READ: "there would be two faults, and their board is not the one that is read",
    Doubt.NOTHING_MISSING: "somebody would be a thief, but all the seeds are on the board",
    Doubt.HAND_ABSENT: "the hand of the one who would be accused was not seen",
    Doubt.REARRANGED: "a turn of rearranging is nearly as likely",
    Doubt.BOARD_IMPROBABLE: "how the board lies now is not sure enough to play on from",
    Doubt.FITS_HARDLY_BETTER: "the accusation fits too little better than what accuses nobody",
    Doubt.ONE_SEED: "one seed in one pit is all that differs, and only the board at rest speaks for it",
    Doubt.HIDDEN: "after the race some pit was not seen",
    Doubt.ORIGIN: "it depends on which of several boards lay there before",
    Doubt.BEFORE_UNSURE: "somebody would be accused, but the board before, or whose turn it was, is not certain",
    Doubt.HANDS_STILL_THERE: "hands are over the board again, and what is doubtful may be theirs",
    Doubt.STIRRED: "something stirred after it was weighed, and the recording ends",
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
