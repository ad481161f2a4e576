"""What speaks for a board is fitted on rendered pictures."""

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from vision.board.odds import FEATURES
from vision.train.board_odds import BARE_EVERY, PictureHypotheses, fitted, looks, save
from vision.train.views import BOARDS, KINDS, MAKES, OTHERS, BoardTruth, sagged, view

RIMS = FEATURES.index("rims")


def made(n: int, seed: int = 1) -> list[PictureHypotheses]:
    """Pictures with three hypotheses each; that with the most rims is the board, where there is one."""
    rng = np.random.default_rng(seed)
    out = []
    for k in range(n):
        board = k % 2 == 0
        features = rng.normal(0, 0.1, (3, len(FEATURES)))
        features[:, 0] = 1.0
        features[:, RIMS] = rng.uniform(0.1, 0.3, 3)
        features[0, RIMS] += 0.4 * board
        centres = [np.full((2, 5 + j, 2), 1.0) for j in range(3)]
        out.append(PictureHypotheses("made", k, board, features, np.array([board, False, False]), centres))
    return out


def test_the_fit_makes_what_is_true_likely() -> None:
    w = fitted(made(60), rounds=1, steps=600)
    for look in made(40, seed=2):
        odds = look.features @ w
        assert odds.argmax() == 0 and odds[0] > 0 if look.board else odds.max() < 0


def test_the_weights_are_written_with_what_they_were_fitted_on(tmp_path: Path) -> None:
    save(made(20), tmp_path / "board_odds.json")
    table = json.loads((tmp_path / "board_odds.json").read_text("utf-8"))
    assert list(table["weights"]) == list(FEATURES) and table["seed"] and table["pictures"]


CIRCLES = np.array([[(50.0 + 40 * c, 50.0 + 50 * r, 15.0) for c in range(6)] for r in range(2)])


def test_a_found_board_has_every_whole_column_and_nothing_else() -> None:
    truth = BoardTruth(CIRCLES, (400, 300))
    assert truth.found(CIRCLES[..., :2]) and truth.found(CIRCLES[::-1, ::-1, :2])
    assert not truth.found(CIRCLES[:, :5, :2]) and not truth.found(CIRCLES[..., :2] + (6.0, 0))
    cut = BoardTruth(CIRCLES, (250, 300))  # the last pits' middles lie on its edge
    assert cut.found(CIRCLES[:, :5, :2]) and cut.found(CIRCLES[..., :2]) and not cut.found(CIRCLES[:, :4, :2])
    assert not cut.found(CIRCLES[:, :5, :2], told=True)


@pytest.mark.parametrize("kind", ["hinged", "grid"])
def test_a_picture_is_looked_at_with_the_network_and_now_and_then_without(kind: str) -> None:
    shown = view(kind, 5, 1)
    number = BARE_EVERY + 1
    named, bare = looks(kind, number, shown)
    for look, without in ((named, False), (bare, True)):
        assert look.board == (kind in BOARDS) and look.features.shape == (len(look.right), len(FEATURES))
        assert (look.features[:, FEATURES.index("no network")] == without).all()
    assert named.right.any() == named.board
    assert len(list(looks(kind, BARE_EVERY, shown))) == 1


def test_every_kind_is_a_board_or_another_thing() -> None:
    assert set(MAKES) == set(BOARDS) | set(OTHERS) and not set(BOARDS) & set(OTHERS)
    assert sorted(KINDS) == sorted(MAKES)


def test_a_board_that_sags_is_bent_with_its_circles() -> None:
    image = np.zeros((300, 400, 3), np.uint8)
    for x, y, r in CIRCLES.reshape(-1, 3):
        cv2.circle(image, (int(x), int(y)), int(r), (255, 255, 255), -1)
    bent, circles = sagged(image, CIRCLES, 0.1)
    assert np.abs(circles[:, (0, -1), :2] - CIRCLES[:, (0, -1), :2]).max() < 0.5
    assert circles[0, 2, 1] - CIRCLES[0, 2, 1] > 15
    assert all(bent[round(y), round(x)].min() > 200 for x, y, _ in circles.reshape(-1, 3))
