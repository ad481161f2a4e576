"""How each event changes the table and the feed. All of it is plain data that is sent as JSON."""

import re
from collections.abc import Callable, Mapping
from typing import Any, cast

import msgspec

from device.journal import events as journal
from device.journal.events import Event
from device.journal.projection.fold import Projection, ToldVerdict
from engine import certainty
from engine.explain import renamed, without_laps
from engine.matches import ClockRules
from engine.rules import Rules, RulesError, game, games, ruleset
from web.readmodel.feed import (
    AnnulledItem,
    Asked,
    ExplanationShown,
    FaultShown,
    GameItem,
    Item,
    LastMove,
    LotItem,
    OrderFields,
    OrderItem,
    OverItem,
    PendingOrder,
    SaidAnswer,
    SaidVerdict,
    SetItem,
    StepShown,
    TableNow,
    VerdictFields,
    VerdictItem,
    VerdictWords,
    put,
)
from web.readmodel.marks import MOST_PLACES, Place, marks_of, moment_of, place_before
from web.readmodel.reasons import message_json
from web.readmodel.shapes import Diagram, diagram
from web.readmodel.standing import (
    RULED_KINDS,
    RULINGS,
    details,
    note_objections,
    note_rulings,
    see_again,
    settle,
    sighted,
    went_blind,
)

STILL = re.compile(r"([0-9a-f]{64})(?:\.jpg)?")


CLIP = re.compile(r"[0-9a-f]{64}\.zip")


def empty_table() -> TableNow:
    """Return the table as it is before its first event."""
    return {"camera": "", "camera_told": None, "game": None, "position": None, "last": None,
            "state": {"name": "", "why": "", "told": None}, "blind": None,
            "over": None, "ruling": 0, "pending": [], "laying": None, "forward": None, "undo": 0, "undoable": {},
            "arranged": None, "empty": None, "hold": False, "place": None, "places": []}


def fold(now: Projection, table: TableNow, feed: Mapping[int, Item], event: Event) -> list[Item]:
    """Change `table` by the event; return the feed items that the event makes or changes. now: the projection of the
    same journal, after this event."""
    body = event.body
    changed: list[Item] = []
    if isinstance(body, journal.VerdictGiven | journal.PositionSet | journal.RulingUndone):
        changed += settle(now, feed)
        changed += _retell(now, table, feed)
    if isinstance(body, journal.Objected | journal.ObjectionWithdrawn | journal.OrderAnswered | journal.RulingUndone):
        changed += note_objections(now, feed)
    if isinstance(body, journal.OrderAnswered | journal.RulingUndone):
        changed += note_rulings(now, feed)
    if isinstance(body, journal.RulingUndone):
        stood = {order for order, verdict in now.game.stood.items() if verdict not in now.game.gone}
        table["undoable"] = {order: by for order, by in table["undoable"].items() if order != body.order and (
            body.kept or order < body.order or order in stood)}
    step = STEPS.get(type(body))
    return [*changed, *(step(table, feed, event, body) if step else ())]


def diagrams(item: Item) -> list[Diagram]:
    """Return the diagrams that a feed item shows."""
    match item["kind"]:
        case "verdict":
            found = [item["before"], item["position"], item["expected"]]
        case "game" | "set":
            found = [item["position"]]
        case _:
            found = []
    return [one for one in found if one is not None]


def _started(table: TableNow, feed: Mapping[int, Item], event: Event, body: journal.TableStarted) -> list[Item]:
    table.update({"camera": body.camera, "camera_told": message_json(body.told),
                  "state": {"name": "", "why": "", "told": None}})
    return see_again(table, feed, event)


def _game(table: TableNow, _feed: Mapping[int, Item], event: Event, body: journal.GameStarted) -> list[Item]:
    position = diagram(body.position)
    table.update({
        "game": {"game": body.game, "rules": body.rules, "sets": body.sets, "board": body.board,
                 "number": event.number, "clock": _clock(body)},
        "position": position, "last": None, "ruling": 0, "laying": None, "forward": None, "undo": 0, "undoable": {}})
    return [GameItem(number=event.number, at=event.at, kind="game", game=body.game, rules=body.rules,
                     board=body.board, position=position)]


def _clock(game: journal.GameStarted) -> tuple[int, int] | None:
    """Return the seconds to begin a turn and those for a move; None if the game is not timed."""
    try:
        clock = ClockRules.of(ruleset(game.game, game.rules or None, game.sets))
    except RulesError:
        return None
    return (clock.begin_seconds, clock.move_seconds) if clock.clocks else None


def _annulled(_table: TableNow, _feed: Mapping[int, Item], event: Event, body: journal.GameAnnulled) -> list[Item]:
    return [AnnulledItem(number=event.number, at=event.at, kind="annulled", game=body.game, why=body.why)]


def _found(table: TableNow, _feed: Mapping[int, Item], event: Event, body: journal.BoardFound) -> list[Item]:
    table["place"] = Place.of(body)
    table["places"] = [*table["places"], (event.at, Place.of(body))][-MOST_PLACES:]
    return []


def _state(table: TableNow, _feed: Mapping[int, Item], _event: Event, body: journal.StateEntered) -> list[Item]:
    table["state"] = {"name": body.state, "why": body.why, "told": message_json(body.told)}
    return []


def _verdict_fields(table: TableNow, body: journal.VerdictGiven, place: Place | None,
                    place_was: Place | None, asked: Asked | None = None) -> VerdictFields:
    """Return what a verdict says. place, place_was: where the board lay after and before the move."""
    before, position = diagram(body.before), diagram(body.position)
    name = table["game"]["game"] if table["game"] else ""
    rules = game(name) if name in games() else None
    steps = [StepShown(kind=s.kind, pit=s.pit, n=s.n, lap=s.lap, wrong=s.wrong, text=_step_text(s.text, rules))
             for s in body.steps]
    return {
        **_words(name, body), "before": before, "position": position, "expected": diagram(body.expected),
        "steps": steps, "captured": body.captured, "counts": body.counts, "ply": before["ply"] if before else 0,
        "moment": moment_of(body),
        "marks": marks_of(body, before, position, diagram(body.expected), place, place_was),
        "size": list(place.size) if place else [], "asked": asked}


def _step_text(text: str, rules: type[Rules] | None) -> str:
    """Return the English text of a step in the words of its game; as it is for an unknown game."""
    if rules is None:
        return text
    return renamed(text if rules.relays else without_laps(text), rules.nouns)


def _retell(now: Projection, table: TableNow, feed: Mapping[int, Item]) -> list[VerdictItem]:
    """Put what later moves show about a questioned move in the question's place, whose photographs and rulings stay;
    or the question again, if what showed it no longer stands. Return the changed items."""
    changed = []
    for number in now.game.retold:
        item, body = feed.get(number), now.game.verdicts[number].body
        if item is None or item["kind"] != "verdict":
            continue
        then = msgspec.structs.replace(body, hands_in=item["hands"][0], hands_out=item["hands"][1], t=item["t"])
        place = place_before(table["places"], item["at"], msgspec.structs.replace(then, hands_in=0.0))
        place_was = place_before(table["places"], item["at"], then)
        answered = body.instead_of and body.kind != "not-sure"
        put(_verdict_fields(table, then, place, place_was, _asked(feed, item, body) if answered else None), item)
        if table["last"] and table["last"]["number"] == number:
            table["last"] = _last(item)
        changed.append(item)
    return changed


def _asked(feed: Mapping[int, Item], item: VerdictItem, body: journal.VerdictGiven) -> Asked:
    """Return when a move was asked about, and which later move answered. at: the time of the question; move: the number
    of the move that answered, 0 if several together did; next: whether it came right after the one in question."""
    shown = feed.get(body.shown_by)
    move = shown["ply"] + 1 if shown is not None and shown["kind"] == "verdict" else 0
    after = next((number for number, one in feed.items() if number > item["number"] and one["kind"] == "verdict"
                  and one["gone"] is None), 0)
    return {"at": item["at"], "move": move, "next": bool(move) and after == body.shown_by}


def _verdict(table: TableNow, feed: Mapping[int, Item], event: Event, body: journal.VerdictGiven) -> list[Item]:
    if body.instead_of:
        return []
    said = _verdict_fields(table, body, table["place"], place_before(table["places"], event.at, body))
    item = cast(VerdictItem, {
        "number": event.number, "at": event.at, "kind": "verdict", **said,
        "stills": [_still(body.still_before), _still(body.still_after)], "hands": [body.hands_in, body.hands_out],
        "t": body.t, "ordered": 0, "ruling": None, "ruled": [], "answers": body.answers, "clip": "", "gone": None,
        "objections": []})
    position = item["position"]
    if position:
        table["position"] = position
    table.update({"laying": None, "forward": None})
    if not body.answers:
        table["undo"] = 0
    withdrawn = feed.get(body.answers) if body.kind == "withdrawn" else None
    if withdrawn is not None and withdrawn["kind"] == "verdict":
        withdrawn["ruling"] = {"what": "withdrawn", "done": True, "sentence": "", "told": None}
    moved = body.kind in ("legal", "illegal", "not-sure", "race")
    table["last"] = _last(item) if moved else None
    table["ruling"] = event.number if body.kind in RULED_KINDS else 0
    return [item]


def _clip(_table: TableNow, feed: Mapping[int, Item], _event: Event, body: journal.ClipKept) -> list[Item]:
    item = feed.get(body.verdict)
    if item is None or item["kind"] != "verdict" or not CLIP.fullmatch(body.clip):
        return []
    item["clip"] = body.clip
    return [item]


def _last(verdict: VerdictItem) -> LastMove:
    """Return what is drawn of a verdict's move as the last one."""
    return {"number": verdict["number"], "player": verdict["player"], "verdict": verdict["verdict"],
            "before": verdict["before"], "steps": verdict["steps"], "pits": verdict["pits"]}


def _position(table: TableNow, _feed: Mapping[int, Item], event: Event, body: journal.PositionSet) -> list[Item]:
    position = diagram(body.position)
    if position:
        table.update({"position": position})
    table.update({"last": None, "ruling": 0, "laying": None, "forward": None, "undo": 0})
    item = SetItem(number=event.number, at=event.at, kind="set", why=body.why,
                   told=message_json(body.told), position=position)
    if body.answers or (body.told is not None and body.told.key == "set.people"):
        item["repeats"] = True  # the order, or the verdict that it answers, says the same
    return [item]


def _over(table: TableNow, _feed: Mapping[int, Item], event: Event, body: journal.GameOver) -> list[Item]:
    table.update({"laying": None, "forward": None})
    return [OverItem(number=event.number, at=event.at, kind="over", result=body.result, winner=body.winner,
                     reason=body.reason, told=message_json(body.told))]


def _ruling_order(table: TableNow, feed: Mapping[int, Item], event: Event,
                  body: journal.LetStand | journal.Withdraw | journal.NotAsSeen) -> list[Item]:
    what = RULINGS[type(body)]
    pending = PendingOrder(number=event.number, what=what, verdict=body.verdict)
    if isinstance(body, journal.Withdraw):
        pending["who"] = details(body)
    table["pending"].append(pending)
    item = feed.get(body.verdict)
    if item is None or item["kind"] != "verdict":
        return []
    item["ordered"] = event.number
    return [item]


def _order(table: TableNow, _feed: Mapping[int, Item], event: Event, body: Any) -> list[Item]:
    ordered = ORDERS[type(body)](body)
    table["pending"].append(cast(PendingOrder, {"number": event.number, **ordered}))
    return [cast(OrderItem, {"number": event.number, "at": event.at, "kind": "order", "answer": None, "undone": False,
                             **ordered})]


def _arranging(table: TableNow, _feed: Mapping[int, Item], event: Event, body: Any) -> list[Item]:
    what, value = ARRANGED[type(body)](body)
    item = OrderItem(number=event.number, at=event.at, kind="order", answer=None, undone=False, what=what, value=value)
    table["pending"].append({"number": event.number, "what": "arrange"})
    table["arranged"] = item
    return [item]


def _empty(table: TableNow, _feed: Mapping[int, Item], _event: Event, body: journal.EmptySeen) -> list[Item]:
    table["empty"] = {"counts": body.counts, "still": _still(body.still)}
    return []


def _hold(table: TableNow, _feed: Mapping[int, Item], _event: Event, body: journal.HoldSet) -> list[Item]:
    table["hold"] = body.on
    return []


def _lot(_table: TableNow, _feed: Mapping[int, Item], event: Event, body: journal.LotDrawn) -> list[Item]:
    return [LotItem(number=event.number, at=event.at, kind="lot", side=body.side)]


def _answered(table: TableNow, feed: Mapping[int, Item], event: Event, body: journal.OrderAnswered) -> list[Item]:
    order = next((one for one in table["pending"] if one["number"] == body.order), None)
    if order is None:
        return []
    table["pending"].remove(order)
    if body.done:
        _done(table, order, event.number)
    item = feed.get(order.get("verdict", order["number"]))
    if item is None:
        return []
    answer = SaidAnswer(sentence=body.sentence, told=message_json(body.told))
    if item["kind"] == "order":
        item["answer"] = {"done": body.done, **answer}
        if body.done and order["what"] == "new":
            item["repeats"] = True  # the new game's own item says the same
        return [item]
    if item["kind"] != "verdict":
        return []
    item.update({"ordered": 0, "ruling": {"what": order["what"], "done": body.done, **answer}})
    if body.done and table["ruling"] == item["number"]:
        table["ruling"] = 0
    if body.done and order["what"] == "withdraw":
        table.update({"laying": {"verdict": item["number"], "position": item["before"]}, "forward": None})
    return [item]


def _done(table: TableNow, order: PendingOrder, by: int) -> None:
    """Change the table by an order that was carried out. by: the event that says so."""
    if order["what"] not in ("new", "undo", "arrange"):
        table["undo"] = order["number"]
        table["undoable"][order["number"]] = by
    if order["what"] in ("forfeit", "agree"):
        table["ruling"] = 0  # resigning and agreeing count as the ruling
    laying = table["laying"]
    if order["what"] == "stand" and laying and laying["verdict"] == order.get("verdict"):
        table["laying"] = None


def _undone(table: TableNow, feed: Mapping[int, Item], event: Event, body: journal.RulingUndone) -> list[Item]:
    """Mark the ruling as undone where it stands; its verdict may be ruled on again."""
    if table["undo"] == body.order:
        table["undo"] = 0
    changed: list[Item] = []
    if body.kept:  # the last move may be ruled on again
        table["ruling"] = body.verdict if _newest(feed) == body.verdict else table["ruling"]
        return changed
    order = feed.get(body.order)
    if order is not None and order["kind"] == "order":
        order["undone"] = True
        changed.append(order)
    open_again = feed.get(body.verdict)
    if open_again is not None and open_again["kind"] == "verdict":
        changed.append(open_again)
        table["last"] = _last(open_again)
    table.update({"ruling": body.verdict, "laying": None, "undo": 0})
    position = diagram(body.position)
    if position:
        table.update({"position": position, "forward": {"number": event.number}})
    return changed


def _newest(feed: Mapping[int, Item]) -> int:
    """Return the last verdict if it stands and nobody has moved, laid the board anew or resigned since; else 0."""
    for item in reversed(list(feed.values())):
        ended = item["kind"] == "order" and item["what"] in ("forfeit", "agree") and not item["undone"]
        if ended or item["kind"] in ("set", "game", "annulled"):
            return 0
        if item["kind"] == "verdict" and item["gone"] is None:
            return int(item["number"]) if item["verdict"] in RULED_KINDS else 0
    return 0


def said_of(told: ToldVerdict) -> SaidVerdict:
    """Return what a verdict of any game says: what its sentence needs, its certainty, and its photographs."""
    return {**_words(told.name, told.body), "stills": [_still(told.first.still_before), _still(told.first.still_after)]}


def _words(name: str, body: journal.VerdictGiven) -> VerdictWords:
    """Return what a verdict's sentence needs, and its certainty. name: of the game."""
    return {"game": name, "verdict": body.kind, "player": body.player, "move": body.move, "sentence": body.sentence,
            "confidence": certainty.shown(body.confidence), "best": [_explained(best) for best in body.best[:2]],
            "faults": [_fault(fault) for fault in body.faults], "pits": body.pits,
            "others": [_explained(other) for other in body.others], "followed": message_json(body.followed)}


def _explained(best: journal.Explained) -> ExplanationShown:
    return {"kind": best.kind, "p": certainty.shown(best.p), "move": best.move, "player": best.player,
            "faults": [_fault(fault) for fault in best.faults]}


def _fault(fault: journal.FaultSeen) -> FaultShown:
    return {"code": fault.code, "pit": fault.pit, "lap": fault.lap, "n": fault.n,
            "instead": fault.instead.replace(",", ", ")}


def _still(name: str) -> str:
    """Return the evidence's address under `/evidence/`; "" for an invalid name."""
    found = STILL.fullmatch(name)
    return f"{found[1]}.jpg" if found else ""


ORDERS: Mapping[type, Callable[[Any], OrderFields]] = {
    journal.CorrectPit: lambda body: {"what": "correct", "pit": body.pit, "count": body.count},
    journal.Forfeit: lambda body: {"what": "forfeit", "side": body.side},
    journal.AgreeEnd: lambda _: {"what": "agree"},
    journal.Undo: lambda body: {"what": "undo", "order": body.order},
    journal.NewGame: lambda body: {"what": "new", "game": body.game, "board": body.board},
}
"""What each order that is no ruling on a verdict asks for."""

ARRANGED: Mapping[type, Callable[[Any], tuple[str, str]]] = {
    journal.UseCamera: lambda body: ("camera", body.camera),
    journal.SeatSouth: lambda body: ("south", body.edge),
    journal.TurnPicture: lambda _: ("turn", ""),
    journal.PlaceBoard: lambda body: ("place" if body.pits else "find", ""),
    journal.LookEmpty: lambda _: ("empty", ""),
    journal.ShowFoul: lambda _: ("foul", ""),
}
"""What each order arranges, and its choice."""

STEPS: Mapping[type, Any] = {
    **dict.fromkeys(ARRANGED, _arranging), **dict.fromkeys(ORDERS, _order), **dict.fromkeys(RULINGS, _ruling_order),
    journal.EmptySeen: _empty,
    journal.LotDrawn: _lot,
    journal.HoldSet: _hold,
    journal.GameAnnulled: _annulled,
    journal.TableStarted: _started,
    journal.GameStarted: _game,
    journal.BoardFound: _found,
    journal.StateEntered: _state,
    journal.Blind: went_blind,
    journal.Sighted: sighted,
    journal.VerdictGiven: _verdict,
    journal.ClipKept: _clip,
    journal.PositionSet: _position,
    journal.GameOver: _over,
    journal.RulingUndone: _undone,
    journal.OrderAnswered: _answered,
}
"""How each type of event changes the table and the feed; other types change nothing on the page."""
