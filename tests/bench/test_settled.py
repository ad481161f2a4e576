"""Which verdicts stand in the end, and how probabilities are counted in bands."""

from collections import Counter
from typing import Any

from tests.bench.settled import in_the_end, tally_in_the_end
from tests.bench.test_watching import turn


def verdict(t: float, kind: str, p: float = 0.9, **more: Any) -> dict[str, Any]:
    """Return a verdict on South's move from c."""
    best = {"best": [{"kind": "illegal", "move": "c", "p": p}]} if kind == "not-sure" else {"confidence": p}
    return {"event": "verdict", "t": t, "kind": kind, "player": "S", "move": "c", "hands_in": t - 2.0, **best, **more}


def test_an_answer_stands_where_the_question_stood() -> None:
    """An answer from later moves takes the place and the time of the question."""
    asked, later = verdict(3.0, "not-sure"), verdict(9.0, "illegal", instead_of=3.0, shown_by=9.0)
    stand = in_the_end([asked, verdict(8.0, "legal"), later])
    assert [(v["kind"], round(v["t"], 3)) for v in stand] == [("illegal", 3.0), ("legal", 8.0)]


def test_a_question_whose_likeliest_answer_was_right_is_counted() -> None:
    """It counts as asked though known, counts in its band, and is right in the end if it is answered."""
    moves, n = [turn("illegal", 1.0, "double")], Counter[str]()
    tally_in_the_end(moves, [verdict(3.0, "not-sure", 0.97)], n)
    assert (n["asked though known"], n["band 0.99"], n["band 0.99 right"], n["end: right"]) == (1, 1, 1, 0)
    tally_in_the_end(moves, [verdict(3.0, "not-sure"), verdict(9.0, "illegal", instead_of=3.0, shown_by=9.0)], n)
    assert n["end: right"] == 1
