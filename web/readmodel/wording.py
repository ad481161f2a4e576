"""Verdicts and steps in the visitor's language, as in `web/static/js/words.js`.

What the table wrote into the journal is English; for others it is worded anew from what it rests on.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from web.words import catalog, language, say


def sentence_of(item: Mapping[str, Any]) -> str:
    """What a verdict says."""
    if language() == "en":
        return str(item["sentence"])
    if item["verdict"] == "not-sure":
        late = [say("late.beside", seconds=fault["n"]) for fault in item["faults"] if fault["code"] == "late"]
        return " ".join([_doubt(item), *late])
    late = item["verdict"] == "legal" and item["faults"]
    return say("sentence", text=_explained({**item, "kind": "legal.late" if late else item["verdict"]}))


def _doubt(item: Mapping[str, Any]) -> str:
    """What a verdict says that is not sure."""
    if item["best"]:
        return say("sentence", text=say("sentence.not-sure", what=_explained(item["best"][0])))
    pits = ", ".join(item["pits"]) or "?"
    return say("verdict.look.many" if len(item["pits"]) > 1 else "verdict.look", pits=pits)


def _explained(what: Mapping[str, Any]) -> str:
    """One explanation of a move, as a part of a sentence."""
    table, kind = catalog(language()), what["kind"]
    values = {"side": _side(what["player"]), "move": what["move"],
              "faults": say("list.comma").join(say(f"fault.{fault['code']}", **fault) for fault in what["faults"])}
    text = table.get(f"second.{kind}") or table.get(f"verdict.{kind}") or table["second.other"]
    return text.format(**values)


def step_text(step: Mapping[str, Any]) -> str:
    """One step of a move."""
    if step["text"] and language() == "en":
        return str(step["text"])
    n = int(step["n"])
    kind = step["kind"] if step["kind"] != "stray" else "came" if n > 0 else "went"
    return say(f"path.{kind}", lap=step["lap"], pit=step["pit"] or say("path.hand"), n=abs(n) or 1)


def _side(letter: str) -> str:
    return say(f"side.{letter}") if letter in ("S", "N") else ""
