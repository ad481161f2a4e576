"""The features learnt from photographs: what comes out, and what of the package's weights goes in. Needs torch."""

import sys
from pathlib import Path

import pytest

torch = pytest.importorskip("torch", reason="teaching the networks (.venv/bin/pip install -e '.[train]')")


def test_features_come_at_three_sizes() -> None:
    from vision.train.photographed import Photographed

    with torch.no_grad():
        seen = Photographed().eval()(torch.rand(2, 3, 32, 48))
    assert [tuple(one.shape) for one in seen] == [
        (2, width, 32 // step, 48 // step) for width, step in zip(Photographed.WIDTHS, (4, 8, 16), strict=True)]


def test_the_first_stages_stay_as_they_were_learnt() -> None:
    from vision.train.photographed import FIXED, Photographed

    features = Photographed()
    taught = [any(p.requires_grad for p in part.parameters()) for part in (features.stem, *features.stages)]
    assert taught == [False] * (FIXED + 1) + [True] * (len(features.stages) - FIXED)


def test_the_norm_after_a_convolution_is_folded_into_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A package is made that has the stem's weights alone: RGB, 127 for nothing, a norm behind."""
    from vision.train import photographed

    convolution, norm = torch.nn.Conv2d(3, 32, 3, 2, bias=False), torch.nn.BatchNorm2d(32, photographed.NORM_EPSILON)
    with torch.no_grad():
        for values in (norm.weight, norm.bias, norm.running_mean, norm.running_var):
            values.copy_(torch.rand(32) + 0.5)
    package = tmp_path / "some_weights"
    package.mkdir()
    (package / "__init__.py").touch()
    torch.save({**{f"a.{k}": v for k, v in convolution.state_dict().items()},
                **{f"b.{k}": v for k, v in norm.state_dict().items()}}, package / "weights.pth")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(photographed, "PACKAGE", package.name)
    monkeypatch.setattr(photographed, "FILE", "weights.pth")
    bgr = torch.rand(1, 3, 16, 16)
    grey = torch.nn.functional.pad((bgr.flip(1) * 255 - 127) / 128, (0, 1, 0, 1))
    with torch.no_grad():
        want = torch.nn.ReLU6()(norm.eval()(convolution(grey)))
        got = photographed.Photographed().learnt().stem(bgr)
    sys.modules.pop(package.name, None)
    assert torch.allclose(got[..., :-1, :-1], want[..., :-1, :-1], atol=1e-4)
