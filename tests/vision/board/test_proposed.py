"""Candidates of the network from several looks at one picture."""

from typing import Any

import numpy as np
import pytest

from vision.board import proposals as proposed
from vision.board.chains import Candidate


def test_a_small_board_s_pits_keep_the_best_score_that_a_piece_gives_them(monkeypatch: pytest.MonkeyPatch) -> None:
    """Not less for being seen in the first of four pieces; and less for being seen in none."""
    pits = [(500.0 + 36 * k, 300.0 + 40 * row, 10.0) for row in range(2) for k in range(8)]
    unseen = (500.0 + 36 * 8, 320.0, 10.0)

    def candidates(_: Any, part: proposed.Part) -> list[Candidate]:
        left, top, right, bottom = part
        piece = right - left < 400
        score = 0.9 if piece else 0.6
        return [Candidate(x, y, r, score - 0.1 * (piece and left < 450)) for x, y, r in
                (pits if piece else [*pits, unseen])
                if left < x - r and x + r < right and top < y - r and y + r < bottom]

    monkeypatch.setattr(proposed, "_candidates", candidates)
    found = proposed.network(np.zeros((720, 1280, 3), np.uint8))
    assert len(found) == len(pits) + 1
    scores = {(c.x, c.y): c.score for c in found}
    assert min(scores[x, y] for x, y, _ in pits) > 0.79
    assert scores[pits[-1][:2]] == 0.9, "the better of two looks"
    assert scores[unseen[:2]] < 0.5


def test_a_picture_that_shows_nothing_is_looked_at_in_pieces_where_a_board_is_said_to_be(
        monkeypatch: pytest.MonkeyPatch) -> None:
    pits = [Candidate(300.0 + 36 * k, 200.0 + 40 * row, 10.0, 0.8, "pit") for row in range(2) for k in range(8)]

    def candidates(_: Any, part: proposed.Part) -> list[Candidate]:
        left, top, right, bottom = part
        return [] if right - left > 1000 else [c for c in pits if left < c.x < right and top < c.y < bottom]

    monkeypatch.setattr(proposed, "_candidates", candidates)
    picture = np.zeros((720, 1280, 3), np.uint8)
    assert proposed.network(picture) == []
    assert {(c.x, c.y) for c in proposed.closely(picture)} == {(c.x, c.y) for c in pits}
