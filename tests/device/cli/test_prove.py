"""`inkeek prove`: what is seen, held against what people counted."""

import json
from pathlib import Path

import cv2
import numpy as np
import pytest
from click.testing import CliRunner

from device.cli.main import inkeek
from device.cli.prove import proof, proof_lines
from engine.certainty import MOST
from vision.render.scene import RenderedTable
from vision.render.styles import SceneStyle


@pytest.fixture(scope="module")
def picture(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A rendered board of eight pits, from straight above."""
    scene = RenderedTable(SceneStyle.house(2, 5), (960, 480), samples=1)
    for row, counts in enumerate(((1, 2, 0, 1, 3), (0, 1, 2, 3, 1))):
        for col, count in enumerate(counts):
            scene.fill(5 * row + col, count)
    linear, _ = scene.trace(np.array([[1.0, 0, 0], [0, 1.0, 0]]), scene.size, 2)
    path = tmp_path_factory.mktemp("pictures") / "board.png"
    cv2.imwrite(str(path), np.asarray(scene.tone(linear) + 0.5, np.uint8))
    return path


def form(counts: list[int], p: float = 0.999) -> dict[str, object]:
    """What is read of one picture, each count as sure as that."""
    pits = []
    for k, count in enumerate(counts):
        probs = [(1 - p) / 25] * 26
        probs[count] = p
        pits.append({"name": "abAB"[k], "count": count, "p": p, "probs": probs, "hidden": False})
    return {"image": "x.jpg", "board": "2x2", "pits": pits, "warnings": []}


def test_every_pit_right_is_read_well() -> None:
    result = proof(form([1, 2, 3, 0]), [1, 2, 3, 0], "line")
    assert (result["right"], result["of"], result["reads"], result["sure_and_wrong"]) == (4, 4, "well", 0)
    assert proof_lines(result).splitlines() == ["x.jpg: 4 of 4 pits read right", "inkeek reads this board well"]


def test_a_wrong_pit_is_named_with_what_lies_there() -> None:
    result = proof(form([1, 2, 3, 0]), [1, 2, 5, 0], "line")
    assert (result["right"], result["reads"], result["sure_and_wrong"]) == (3, "badly", 1)
    assert f"A holds 5 but is read as 3 (p {MOST:.3f})" in proof_lines(result)
    assert result["pits"][2]["p_stated"] < 0.01


def test_a_doubtful_pit_is_named_though_it_is_right() -> None:
    doubtful, plain = (proof_lines(proof(form([1, 2, 3, 0], p), [1, 2, 3, 0], "line")) for p in (0.6, 0.85))
    assert "b is rightly read as 2, but with doubt (p 0.60)" in doubtful
    assert "doubt" not in plain, "as a question mark in `read`"


def test_more_than_the_eye_can_count_is_read_right_as_more() -> None:
    assert proof(form([25, 0, 0, 0]), [31, 0, 0, 0], "line")["right"] == 4


def test_hidden_pits_are_not_compared() -> None:
    shown = form([1, 2, 3, 0])
    shown["pits"][1]["hidden"] = True  # type: ignore[index]  # a list of dictionaries
    result = proof(shown, [1, 7, 3, 0], "line")
    assert (result["right"], result["of"], result["reads"]) == (3, 3, "well")
    assert "Hidden, so not counted: b." in proof_lines(result)


def test_a_position_of_another_size_than_the_board_is_questioned(picture: Path) -> None:
    run = CliRunner().invoke(inkeek, ["prove", str(picture), "--position", "1,2,0,1,3,0/0,0,1,2,3,1 S 0-0"])
    assert "the position line is for a board of 2x6, but it looks like 2x5: check it" in run.stdout, run.output
    assert "inkeek reads this board" not in run.stdout, "that line says nothing of how well"


@pytest.mark.parametrize("line", ["/".join([",".join("0" * cols)] * rows) + " S 0-0"
                                  for rows, cols in ((2, 6), (2, 8), (2, 12), (4, 8))])
def test_whatever_size_a_position_has_that_the_board_has_not_the_boards_own_is_named(picture: Path, line: str) -> None:
    run = CliRunner().invoke(inkeek, ["prove", str(picture), "--position", line])
    assert "but it looks like 2x5: check" in run.output or (
        run.exit_code == 1 and "but a 2x5 board: check the size" in run.output), run.output


def test_a_board_is_proved_and_drawn(picture: Path, tmp_path: Path) -> None:
    line, out = "1,2,0,1,3/0,1,2,3,1 S 0-0", tmp_path / "drawn.png"
    run = CliRunner().invoke(inkeek, ["prove", str(picture), "--position", line, "--json", "--overlay", str(out)])
    assert run.exit_code == 0, run.output
    result = json.loads(run.stdout)
    assert (result["board"], result["of"], result["position"]) == ("2x5", 10, line)
    assert result["right"] >= 8
    assert out.exists()


@pytest.mark.parametrize(("arguments", "status", "word"), [
    (["--position", "1,2/3 S 0-0"], 2, "row 2 has 1"),
    (["--position", "1,2,0,1,3/0,1,2,3,1 S 0-0", "nothing.png"], 2, "no such file"),
    (["--position", "1,2,0,1,3/0,1,2,3,1 S 0-0", "b.png", "--overlay", "x.png"], 2, "2 photographs"),
])
def test_what_cannot_be_proved_is_said(picture: Path, arguments: list[str], status: int, word: str) -> None:
    run = CliRunner().invoke(inkeek, ["prove", str(picture), *arguments])
    assert run.exit_code == status
    assert word in run.stderr
