"""Verdicts and steps as text in the visitor's language, like `web/static/js/words.js`.

English sentences are those of the journal; for other languages they are built from the verdict's data.
"""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from engine import certainty
from web.players import player, with_names
from web.readmodel.reasons import reason_of, sentence
from web.words import language, say, sentences

MOST_OTHERS = 2
"""Most less likely explanations that are named."""


def sentence_of(item: Mapping[str, Any]) -> str:
    """Return a verdict's sentence."""
    if language() == "en":
        return with_names(str(item["sentence"]))
    if item["verdict"] == "not-sure":
        late = [say("late.beside", seconds=fault["n"]) for fault in item["faults"] if fault["code"] == "late"]
        return " ".join([_doubt(item), *late])
    if item["verdict"] != "legal":
        text = say("sentence", text=_explained({**item, "kind": item["verdict"]}, near=_near(item)))
        return f"{text} {sentence(reason_of('', item['followed']))}" if item["followed"] else text
    kind = "legal.late" if item["faults"] else "legal"
    return say("sentence", text=_explained({**item, "kind": kind}, said=_gained(item)))


def ending_of(end: Mapping[str, Any]) -> str:
    """Return how a game ended: the result with the winner's seeds first, unless somebody resigned, and the reason. end:
    the item of the end, or the table's `over`."""
    resigned = end["told"] is not None and end["told"]["key"] == "reason.forfeited"
    key = "ending.won" if resigned else "score.won" if end["winner"] else "score.draw"
    south, _, north = end["result"].partition("-")
    score = f"{north}–{south}" if end["winner"] == "N" else f"{south}–{north}"
    result = say(key, side=player(end["winner"]), result=score)
    return f"{sentence(result)} {sentence(reason_of(end['reason'], end['told']))}".strip()


def _gained(item: Mapping[str, Any]) -> str:
    """Return what a legal move achieved: its laps if several, captured seeds and bulls; "" for none of these."""
    steps = item.get("steps") or ()
    laps = max((step["lap"] for step in steps), default=0)
    bulls = [pit for step in steps if step["kind"] == "bull" for pit in step["pit"].split(",")]
    told = [say("said.laps", n=laps) if laps > 1 else "",
            say("said.captured", n=item["captured"]) if item.get("captured") else "",
            say("said.bulls", n=len(bulls), pits=_listed(bulls)) if bulls else ""]
    return say("list.comma").join(filter(None, told))


def _listed(pits: list[str]) -> str:
    """Return pits joined as in `a, b and c`."""
    return say("list.and", some=say("list.comma").join(pits[:-1]), last=pits[-1]) if len(pits) > 1 else "".join(pits)


def _doubt(item: Mapping[str, Any]) -> str:
    """Return the sentence of a verdict that is not sure."""
    perhaps, look = "", ""
    if item["best"]:
        perhaps = say("sentence", text=say("sentence.not-sure", what=_explained(item["best"][0])))
    if item["pits"] or not perhaps:
        pits = ", ".join(item["pits"]) or "?"
        look = say("verdict.look.many" if len(item["pits"]) > 1 else "verdict.look", pits=pits)
    return " ".join(filter(None, (perhaps, look)))


def _near(item: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """Return another explanation of the same board that is nearly as likely as the named one; None if there is none."""
    return next((other for other in item["others"] if other["faults"] and certainty.near(_own(item), other["p"])), None)


def _own(item: Mapping[str, Any]) -> float:
    """Return the probability of the named explanation alone; the verdict's certainty includes the one named beside
    it."""
    return float(item["best"][0]["p"] if item["best"] else item["confidence"])


def asked_of(item: Mapping[str, Any]) -> str:
    """Return the sentence which says that people were asked about a move, and what answered the question later; "" for
    any other verdict."""
    asked = item.get("asked")
    if not asked:
        return ""
    shown = "next" if asked["next"] else "move" if asked["move"] else "later"
    return say(f"verdict.answer.{shown}", n=item["ply"] + 1, move=asked["move"],
               time=datetime.fromisoformat(asked["at"]).astimezone().strftime("%H:%M"))


def _explained(what: Mapping[str, Any], said: str = "", near: Mapping[str, Any] | None = None) -> str:
    """Return one explanation of a move, as a part of a sentence. said: what a legal move achieved; near: another
    explanation that is nearly as likely."""
    table, kind = sentences(), what["kind"]
    faults = _faults(what)
    values = {"side": _side(what["player"]), "move": what["move"],
              "faults": faults if near is None else say("fault.or", one=faults, other=_faults(near))}
    if said:
        return table[f"said.{kind}"].format(**values, what=said)
    text = table.get(f"second.{kind}") or table.get(f"verdict.{kind}") or table["second.other"]
    return text.format(**values)


def _faults(what: Mapping[str, Any]) -> str:
    return say("list.comma").join(say(f"fault.{fault['code']}", **fault) for fault in what["faults"])


def step_text(step: Mapping[str, Any]) -> str:
    """Return the text for one step of a move."""
    if step["text"] and language() == "en":
        return str(step["text"])
    n = int(step["n"])
    kind = step["kind"] if step["kind"] != "stray" else "came" if n > 0 else "went"
    return say(f"path.{kind}", lap=step["lap"], pit=_listed(step["pit"].split(",")) or say("path.hand"), n=abs(n) or 1)


def _side(letter: str) -> str:
    return player(letter)


def percent(p: float) -> str:
    """Return a probability for people in whole percent, rounded down, like `percent` in the page's scripts."""
    if not p > 0:
        return say("percent", p=0)
    if p < 0.01:
        return say("percent.under", p=1)
    return say("percent", p=int(100 * p + 1e-7))


def odds_of(item: Mapping[str, Any]) -> list[str]:
    """Return the lines about a verdict's certainty: how sure it is; if it names two explanations, each with its odds;
    and less likely explanations, the likeliest first. Empty if the journal gives no odds."""
    near = _near(item) if item.get("verdict") == "illegal" else None
    named = [] if near is None else [({**item, "kind": "illegal"}, _own(item)), (near, near["p"])]
    rest = [one for one in [*item["others"], *item["best"][1:2]] if one is not near and one["p"] > 0]
    return [*([say("verdict.sure", p=percent(item["confidence"]))] if item["confidence"] else []),
            *(say("verdict.named", what=_explained(one), p=percent(p)) for one, p in named),
            *(say("verdict.second", what=_explained(one), p=percent(one["p"]))
              for one in sorted(rest, key=lambda one: -one["p"])[:MOST_OTHERS])]


def label_of(mark: Mapping[str, Any]) -> str:
    """Return the label at a marked pit on a photograph taken after the move."""
    if mark["due"] is None or mark["due"] == mark["there"]:
        return f"{mark['name']}: {mark['there']}{'?' if mark['due'] is None else ''}"
    return f"{mark['name']}: " + say("photo.due", due=mark["due"], there=mark["there"])


def mark_text(mark: Mapping[str, Any]) -> str:
    """Return the sentence about a marked pit after the move."""
    if mark["due"] is None:
        return say("photo.pit.seems", pit=mark["name"], n=mark["there"])
    if mark["due"] == mark["there"]:
        return say("photo.pit.right", pit=mark["name"], n=mark["there"])
    return say("photo.pit.due", pit=mark["name"], due=mark["due"], there=mark["there"])


def caption_of(item: Mapping[str, Any], after: bool) -> str:
    """Return the caption of a photograph before or after a move: the pits that the verdict names, and those that
    changed as a result."""
    causes = [mark for mark in item["marks"] if mark["cause"]]
    if not after:
        return " ".join(say("photo.pit.had", pit=mark["name"], n=mark["had"]) for mark in causes)
    told = [mark_text(mark) for mark in causes]
    follows = [say("photo.follows.due", pit=mark["name"], due=mark["due"], there=mark["there"])
               for mark in item["marks"] if not mark["cause"] and mark["due"] != mark["there"]]
    return " ".join([*told, say("photo.follows", pits=say("list.comma").join(follows))] if follows else told)
