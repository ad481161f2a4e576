"""The stable output forms of `inkeek watch`: events as JSON objects for other people's scripts, and as lines of text.

A verdict replaces an earlier one if the hand went on with its move, or if later moves show what it was. Only such a
verdict has `instead_of`: the `t` of the earlier verdict, which no longer stands. `since` says when blindness began, if
it was noticed later. `confidence` and `p` are capped at what was measured (`engine.certainty`); the journal keeps the
referee's own values.
"""

from typing import Any

from device.journal.events import (
    Blind,
    Body,
    Explained,
    FaultSeen,
    GameOver,
    PositionSet,
    Sighted,
    StateEntered,
    TurnPicture,
    VerdictGiven,
)
from device.journal.states import State
from engine import certainty


def watch_form(body: Body, t: float, position: str, instead_of: float | None = None) -> dict[str, Any] | None:
    """The object of one event at `t` seconds of the recording, with the position after it; None if it is not printed.
    instead_of: `t` of the verdict that this one replaces."""
    match body:
        case StateEntered(state=State.WATCHING, why=why) if why:
            return {"t": t, "event": "position", "position": position}
        case StateEntered(state=State.SETTING_UP, why=why) if why:
            return {"t": t, "event": "blind", "why": f"the start is not recognised: {why}"}
        case PositionSet(why=why):
            return {"t": t, "event": "position", "position": position, "why": why}
        case VerdictGiven():
            return _verdict(body) | ({} if instead_of is None else {"instead_of": instead_of})
        case Blind(why=why, lasted=lasted):
            return {"t": t, "event": "blind", "why": why} | ({"since": round(t - lasted, 3)} if lasted else {})
        case Sighted():
            return {"t": t, "event": "sighted"}
        case TurnPicture(turn=word):
            return {"t": t, "event": "turned", "how": word}
        case GameOver(result=result, winner=winner, reason=reason):
            return {"t": t, "event": "end", "result": result, "winner": winner or None, "reason": reason}
    return None


def _verdict(body: VerdictGiven) -> dict[str, Any]:
    form: dict[str, Any] = {"t": body.t, "event": "verdict", "kind": body.kind, "player": body.player or None}
    if body.kind != "withdrawn":
        form["move"] = body.move or None
    form |= _of_kind(body)
    form["position"] = body.position
    if body.kind in ("legal", "illegal"):
        form["captured"] = body.captured
    form["confidence"] = certainty.shown(body.confidence)
    if body.others:
        form["others"] = [_explained(e) for e in body.others]
    if body.kind != "withdrawn" or body.hands_out:
        form["hands_in"], form["hands_out"] = body.hands_in, body.hands_out
    form["sentence"] = body.sentence
    return form


def _of_kind(body: VerdictGiven) -> dict[str, Any]:
    """The fields that only this kind of verdict has, before the position."""
    match body.kind:
        case "not-sure":
            return {"pits": body.pits, "best": [_explained(e) for e in body.best]}
        case "illegal":
            return {"faults": [fault_form(f) for f in body.faults], "expected": body.expected or None}
    return {}


def _explained(e: Explained) -> dict[str, Any]:
    form: dict[str, Any] = {"kind": e.kind, "move": e.move or None, "p": certainty.shown(e.p)}
    if e.faults:
        form["faults"] = [fault_form(f) for f in e.faults]
    return form


def fault_form(f: FaultSeen) -> dict[str, Any]:
    """The object of one fault. instead: the pits that were allowed, only where the rules bar the pit of the fault."""
    form = {"code": f.code, "pit": f.pit or None, "lap": f.lap, "n": f.n}
    return form | ({"instead": f.instead.split(",")} if f.instead else {})


def said_sure(form: dict[str, Any]) -> str:
    """How certain a verdict is, for people: `98.0 % certain`. "" for "not sure": its `confidence` is the probability of
    one explanation, and people would read it as the certainty of the doubt."""
    if form["kind"] == "not-sure" or not form["confidence"]:
        return ""
    return f"{certainty.percent(form['confidence'])} % certain"


def watch_line(form: dict[str, Any]) -> str:
    """The form of `watch_form` as a line for people."""
    t = f"{form['t']:8.2f} s  "
    match form["event"]:
        case "position":
            return f"{t}position  {form['position']}" + (f"  ({form['why']})" if form.get("why") else "")
        case "verdict":
            instead = f"  (replaces the verdict at {form['instead_of']:.2f} s)" if "instead_of" in form else ""
            sure = said_sure(form)
            return f"{t}{form['kind']:9} {form['sentence']}{f'  ({sure})' if sure else ''}{instead}"
        case "blind":
            since = f" (since {form['since']:.2f} s)" if "since" in form else ""
            return f"{t}blind     {form['why']}{since}"
        case "sighted":
            return f"{t}sighted"
        case "turned":
            return f"{t}turned    the camera's picture is {form['how']} from here on, and is turned back"
    winner = {"S": "South wins", "N": "North wins"}.get(form["winner"] or "", "a draw")
    return f"{t}end       {form['result']}, {winner}: {form['reason']}"
