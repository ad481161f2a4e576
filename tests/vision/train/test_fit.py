"""Teaching the networks: errors fall, and what is exported says what was taught. Needs torch."""

from pathlib import Path

import numpy as np
import pytest

from vision.network import load
from vision.reading import COUNTS
from vision.seeds.counter import prepare
from vision.seeds.crops import FINE, SIZE
from vision.train.fine import fine_batch

torch = pytest.importorskip("torch", reason="teaching the networks (.venv/bin/pip install -e '.[train]')")

STEPS, RATE = 12, 3e-3
Lessons = tuple[np.ndarray, ...]


@pytest.fixture(scope="module")
def lessons() -> Lessons:
    """Pits that are not covered."""
    drawn = fine_batch(11, 20)
    told = drawn[1] < COUNTS
    return tuple(part[told] for part in drawn)


def test_the_counters_errors_fall(lessons: Lessons) -> None:
    from vision.train import fit
    from vision.train.nets import Counter

    pictures, labels, _, middles, empties, _ = lessons
    small, bare, at = fit.shrunk(pictures, SIZE), fit.shrunk(empties, SIZE), np.asarray(middles / 2, np.float32)
    before, after = _taught(Counter(), fit.counter_loss(small, labels, at, bare, SIZE), len(labels))
    assert after < 0.7 * before


def test_the_errors_of_the_heat_fall(lessons: Lessons) -> None:
    from vision.train import fit
    from vision.train.nets import Spots

    pictures, labels, _, middles, empties, ratios = lessons
    net = Spots()
    before, after = _taught(net, fit.spots_loss(pictures, middles, ratios, empties), len(labels))
    assert after < 0.7 * before
    assert fit.spots_error(net, pictures, middles, ratios, empties) > 0


def test_the_finders_errors_fall() -> None:
    from vision.train import fit
    from vision.train.boards import board_batch
    from vision.train.nets import Finder

    pictures, circles = board_batch(12, 4)
    before, after = _taught(Finder(), fit.finder_loss(pictures, circles), len(circles))
    assert after < 0.8 * before


def test_a_fit_goes_on_where_it_stopped_and_with_the_same_settings_alone(lessons: Lessons, tmp_path: Path) -> None:
    from vision.train import fit
    from vision.train.nets import Counter

    pictures, labels, _, middles, empties, _ = lessons
    small, bare, at = fit.shrunk(pictures, SIZE), fit.shrunk(empties, SIZE), np.asarray(middles / 2, np.float32)
    loss, told = fit.counter_loss(small, labels, at, bare, SIZE), list[int]()

    def measures(_net: object) -> dict[str, float]:
        told.append(1)
        return {}

    for threads in (2, 1):
        fit.fit(Counter(), 8, fit.FitSettings(1, 4, RATE, threads=threads), tmp_path, loss, measures)
    assert len(told) == 1
    with pytest.raises(ValueError, match="another rate: move it away"):
        fit.fit(Counter(), 8, fit.FitSettings(1, 4, 2 * RATE), tmp_path, loss, measures)


def _taught(net, loss_of, count: int) -> tuple[float, float]:  # type: ignore[no-untyped-def]  # torch may be lacking
    torch.manual_seed(1)
    rng = np.random.default_rng(1)
    optimiser = torch.optim.AdamW([p for p in net.parameters() if p.requires_grad], lr=RATE)
    errors = []
    for _ in range(STEPS):
        loss = loss_of(net, np.arange(count), rng)
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        errors.append(float(loss.detach()))
    return errors[0], float(np.mean(errors[-3:]))


# The exporter that OpenCV 4.10 can read the networks of is the one that torch calls a legacy.
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
@pytest.mark.parametrize(("name", "size", "outputs"), [
    ("Counter", SIZE, ("logits", "seeds")), ("Spots", FINE, ("spots",)),
])
def test_what_is_exported_says_what_was_taught(
    name: str, size: int, outputs: tuple[str, ...], lessons: Lessons, tmp_path: Path
) -> None:
    from vision.train import fit, nets
    from vision.train.export import export

    torch.manual_seed(2)
    net = getattr(nets, name)().eval()
    (tmp_path / "net.ncnn.bin").touch()
    export(net, tmp_path / "net.onnx", (6, size, size), outputs, int8=True)
    assert not (tmp_path / "net.ncnn.bin").exists(), "it is of the network before"
    shown = prepare(fit.shrunk(lessons[0][:3], size))
    with torch.no_grad():
        taught = net(torch.from_numpy(shown))
    taught = taught if isinstance(taught, tuple) else (taught,)
    exported = load(tmp_path / "net.onnx", outputs)
    for here, there in zip(exported.run(shown), taught, strict=True):
        assert here.shape == tuple(there.shape)
        assert np.abs(here - there.numpy()).max() < 0.03 * np.abs(there.numpy()).max() + 0.02


@pytest.mark.parametrize(("net", "name"), [("Counter", "counter"), ("Spots", "spots"), ("Finder", "pitnet")])
def test_what_is_shipped_can_be_taught_on(net: str, name: str) -> None:
    from vision.train import nets
    from vision.train.export import INPUTS, WEIGHTS
    from vision.train.restored import restored

    _, *shape = (int(side) for side in INPUTS[name].strip("[]").split(","))
    shown = np.random.default_rng(4).normal(0, 1, (2, *shape)).astype(np.float32)
    file = WEIGHTS / f"{name}.onnx"
    again = restored(getattr(nets, net)(), file).eval()
    with torch.no_grad():
        said = again(torch.from_numpy(shown))
    first = (said if isinstance(said, tuple) else (said,))[0].numpy()
    outputs = {"counter": ("logits", "seeds"), "spots": ("spots",), "pitnet": ("logits",)}[name]
    assert np.abs(first - load(file, outputs).run(shown)[0]).max() < 0.05
    other = WEIGHTS / ("spots.onnx" if name == "counter" else "counter.onnx")
    with pytest.raises(ValueError, match=other.name):
        restored(getattr(nets, net)(), other)
