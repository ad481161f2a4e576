"""The commands that render lessons and fit networks: what they say where something is lacking."""

from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from vision.train import __main__ as commands
from vision.train import export
from vision.train.shards import load


def said(*words: str) -> tuple[int, str]:
    """Exit status and what was said."""
    done = CliRunner().invoke(commands.main, words)
    return done.exit_code, done.output.strip().splitlines()[-1]


@pytest.mark.parametrize("name", ["counter", "finder", "spots"])
def test_without_torch_one_sentence_says_so(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(commands, "find_spec", lambda _name: None)
    assert said(name, "--folder", str(tmp_path)) == (
        1, "Error: torch is missing: .venv/bin/pip install -e '.[train]'")


def test_boards_take_no_surfaces_from_pictures(tmp_path: Path) -> None:
    status, words = said("render", "boards", "--folder", str(tmp_path), "--photographs", str(tmp_path))
    assert status == 2 and "--photographs is for fine" in words


def test_without_the_converter_one_sentence_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(export, "pnnx", lambda: None)
    done = CliRunner().invoke(export.main, ["pitnet"])
    assert (done.exit_code, done.output) == (1, "Error: pnnx is missing: .venv/bin/pip install -e '.[train]'\n")


def test_shards_come_in_the_order_of_their_seeds(tmp_path: Path) -> None:
    for seed in (2500000, 500000):
        np.savez(tmp_path / f"{seed:06d}.npz", np.array([seed]))
    assert load(tmp_path)[0].tolist() == [500000, 2500000]
