"""The figures of clips that were watched."""

from __future__ import annotations

from collections import Counter

from tests.bench.watching import Watched


def test_what_was_changed_with_no_move_counts_among_all_that_happened() -> None:
    rows = dict(Watched(Counter({"legal": 3, "tampered": 1, "right": 4}), [0.2] * 4).rows("clips"))
    assert rows["clips: verdict right"].startswith("100.0 %") and rows["clips: verdict right"].endswith("n=4")
