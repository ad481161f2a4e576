"""Which pits a verdict marks, and what is said of them."""

import pytest

from device.journal.events import BoardFound, FaultSeen, Step, VerdictGiven
from engine.rules import ruleset
from web.readmodel.drawing import photo_svg
from web.readmodel.marks import Mark, Place, marks_of, place_before, place_for
from web.readmodel.shapes import Diagram, diagram, pits
from web.readmodel.wording import caption_of, label_of, odds_of


def board(**counts: int) -> Diagram:
    """A board of fives with some pits otherwise, by their letters."""
    made = diagram(str(ruleset("enkeshui").setup()))
    assert made is not None and made["board"] == "2x8"
    return {**made, "n": [counts.get(pit["name"], 5) for pit in pits("2x8")]}


def said(kind: str = "illegal", *faults: str, **more: object) -> VerdictGiven:
    """A verdict that names those pits in its faults."""
    return VerdictGiven(kind=kind, player="S", before="", position="", sentence="",  # type: ignore[arg-type]
                        faults=[FaultSeen(code="skipped", pit=pit) for pit in faults], **more)  # type: ignore[arg-type]


def causes(marks: list[Mark]) -> dict[str, bool]:
    """Which pits are marked, and whether strongly."""
    return {mark["name"]: mark["cause"] for mark in marks}


def test_what_the_verdict_names_is_strong_and_what_follows_is_faint() -> None:
    marks = marks_of(said("illegal", "A"), board(), board(A=0, B=2, D=4), board(A=1, B=0, D=5), None)
    assert causes(marks) == {"A": True, "B": False, "D": False}
    first = marks[0]
    assert (first["had"], first["there"], first["due"], first["at"]) == (5, 0, 1, None)


def test_several_pits_of_one_fault_are_all_named() -> None:
    assert causes(marks_of(said("illegal", "A,B"), board(), board(A=0), board(A=1), None)) == {"A": True, "B": True}


def test_a_fault_without_a_pit_is_found_at_its_first_wrong_step() -> None:
    steps = [Step(kind="lift", pit="c"), Step(kind="drop", pit="d", wrong=True), Step(kind="drop", pit="e", wrong=True)]
    marks = marks_of(said("illegal", "", steps=steps), board(), board(e=1), board(e=2), None)
    assert causes(marks) == {"d": True, "e": False}


def test_where_no_pit_is_named_all_are_marked_alike() -> None:
    marks = marks_of(said("illegal", ""), board(), board(c=0, d=6), board(c=5, d=5), None)
    assert causes(marks) == {"c": True, "d": True}


def test_a_doubt_marks_its_pits_as_they_are_read() -> None:
    read = [5] * 16
    read[[pit["name"] for pit in pits("2x8")].index("d")] = 3
    marks = marks_of(said("not-sure", pits=["d"], counts=read), board(), board(), None, None)
    assert [(m["name"], m["there"], m["due"], m["cause"]) for m in marks] == [("d", 3, None, True)]
    assert label_of(marks[0]) == "d: 3?"


@pytest.mark.parametrize("kind", ["legal", "withdrawn", "rearranged", "race"])
def test_what_accuses_nobody_marks_nothing(kind: str) -> None:
    assert marks_of(said(kind, "A"), board(), board(A=0), board(A=1), None) == []


def test_a_place_for_another_board_is_none_for_this() -> None:
    place = Place.of(BoardFound(size=(640, 360), pits=[(10.0 * i, 20.0, 5.0) for i in range(16)]))
    marks = marks_of(said("illegal", "A"), board(), board(A=0), board(A=1), place)
    assert marks[0]["at"] == place.pits[marks[0]["pit"]]
    assert place_for(Place((640, 360), place.pits[:14]), board()) is None
    assert place_for(Place((0, 0), place.pits), board()) is None


def lying(x: float) -> Place:
    """A board whose pits all lie at that x."""
    return Place((640, 360), ((x, 100.0, 20.0),) * 16)


def test_a_board_that_was_pushed_in_mid_move_has_its_rings_where_it_lay_in_each_picture() -> None:
    was, now = lying(100.0), lying(180.0)
    places = [("", lying(40.0)), ("2026-03-01T14:00:00Z", was), ("2026-03-01T14:05:08Z", now)]
    body = said("illegal", "A", hands_in=62.0, t=70.0)
    assert place_before(places, "2026-03-01T14:05:12Z", body) == was, "the hand came in four seconds sooner"
    assert place_before(places, "2026-03-01T14:05:30Z", body) == now
    assert place_before(places[1:], "2026-03-01T13:00:00Z", body) == was, "the oldest that is known"
    assert place_before([], "2026-03-01T13:00:00Z", body) is None
    mark = marks_of(body, board(), board(A=0), board(A=1), now, was)[0]
    assert mark["at"] == (180.0, 100.0, 20.0) and mark["was"] == (100.0, 100.0, 20.0)
    item = {"marks": [mark], "size": [640, 360]}
    assert 'cx="180.0"' in photo_svg(item, after=True) and 'cx="100.0"' in photo_svg(item, after=False)


def test_captions_say_what_should_lie_and_what_follows() -> None:
    marks = marks_of(said("illegal", "A"), board(), board(A=0, B=2), board(A=1, B=0), None)
    assert caption_of({"marks": marks}, after=False) == "A: 5."
    assert caption_of({"marks": marks}, after=True) == "A: 0 – should be 1. As a result: B has 2 instead of 0."
    assert caption_of({"marks": marks_of(said("illegal", "A"), board(), board(), board(), None)}, after=True) == (
        "A: 5, as it should be.")


def test_what_cannot_have_been_is_no_other_way() -> None:
    said = {"verdict": "illegal", "confidence": 0.999, "others": [],
            "best": [{"p": 0.999}, {"p": 0.0, "kind": "other", "move": "", "faults": []}]}
    assert odds_of(said) == ["99 % certain"]


def test_of_two_explanations_that_a_sentence_names_each_has_its_odds() -> None:
    """Their sum is the sentence's; another board than theirs may be likelier than another way to the same one."""
    def way(p: float, code: str, kind: str = "illegal") -> dict[str, object]:
        faults = [{"code": code, "pit": "A", "lap": 2, "n": 1}] if code else []
        return {"kind": kind, "p": p, "move": "g", "player": "S", "faults": faults}

    said = way(0.488, "skip") | {"verdict": "illegal", "confidence": 0.971, "best": [way(0.488, "skip"), way(
        0.02, "", "unchanged")], "others": [way(0.483, "double"), way(0.001, "wrong-pit")]}
    assert [line.split(":")[0] for line in odds_of(said)] == [
        "97 % certain", "48 %", "48 %", "Less likely (2 %)", "Less likely (under 1 %)"]
