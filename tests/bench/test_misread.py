"""The sheet of misread pits shows exactly the misread ones."""

import json
from pathlib import Path

import cv2
import pytest
from click.testing import CliRunner

from tests.bench.misread import ACROSS, HEAD, LARGER, main
from vision.render.scene import RenderedTable
from vision.render.styles import SceneStyle
from vision.seeds.crops import FINE

pytestmark = pytest.mark.for_bench

COUNTS = (0, 2, 1, 0, 3, 1)


def listed(folder: Path, wrong: int) -> None:
    """Write the house style's board, listed with one seed too many in its first `wrong` pits."""
    scene = RenderedTable(SceneStyle.house(2, 3), (800, 600))
    for k, count in enumerate(COUNTS):
        scene.fill(k, count)
    cv2.imwrite(str(folder / "table.png"), scene.image())
    pits = [{"cx": float(x), "cy": float(y), "r": float(r), "count": COUNTS[k] + (k < wrong)}
            for k, (x, y, r) in enumerate(scene.circles[: len(COUNTS)])]
    (folder / "boards.json").write_text(json.dumps([{"file": "table.png", "pits": pits}]))


def test_each_misread_pit_is_named_and_drawn(tmp_path: Path) -> None:
    listed(tmp_path, 2)
    out = tmp_path / "sheet.png"
    done = CliRunner().invoke(main, [str(out), "--folder", str(tmp_path)])
    assert done.exit_code == 0, done.output
    assert [line.split(", at")[0] for line in done.output.splitlines()[:2]] == [
        "table.png, pit 1: 0 for 1", "table.png, pit 2: 2 for 3"]
    drawn = cv2.imread(str(out))
    side = LARGER * FINE
    assert drawn is not None and drawn.shape == (side + HEAD, 2 * ACROSS * side, 3)
    assert drawn[HEAD:, : 4 * side].any(axis=2).mean() > 0.9 and not drawn[:, 4 * side :].any()


def test_a_sheet_of_nothing_and_a_folder_without_a_list(tmp_path: Path) -> None:
    listed(tmp_path, 0)
    done = CliRunner().invoke(main, [str(tmp_path / "none.png"), "--folder", str(tmp_path)])
    assert done.exit_code == 0 and done.output.startswith("0 misread")
    lacking = CliRunner().invoke(main, [str(tmp_path / "none.png"), "--folder", str(tmp_path), "--list", "bowls"])
    assert lacking.exit_code == 1 and "nothing at" in lacking.output
    nameless = CliRunner().invoke(main, [str(tmp_path / "none"), "--folder", str(tmp_path)])
    assert nameless.exit_code == 1 and "name a .png or .jpg" in nameless.output
