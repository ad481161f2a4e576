"""`python -m vision.train render|counter|finder|spots|weigh|together`: see `vision.train`."""

import json
from collections.abc import Callable
from functools import partial, wraps
from importlib.util import find_spec
from pathlib import Path
from typing import Any, TypeVar

import click
import numpy as np
from numpy.typing import NDArray

from vision.reading import COUNTS
from vision.seeds.counter import WEIGHTS, Reader
from vision.train.boards import board_batch
from vision.train.crops import counter_lessons
from vision.train.fine import fine_batch, worth
from vision.train.shards import Make, load, render
from vision.train.together import fitted, tables

HELD = 0.04
"""Share of the lessons that a fit of `spots` is measured by."""
LESSONS = Path("data/train")
Command = TypeVar("Command", bound=Callable[..., None])


@click.group()
def main() -> None:
    """Pictures and networks, step by step; every step goes on where it stopped."""


def fitting(name: str, epochs: int, batch: int, rate: float) -> Callable[[Command], Command]:
    """Return what makes a command of a function that fits a network: the options that all of them have. name: of the
    network; epochs, batch, rate: defaults."""
    options = [
        click.option("--folder", type=click.Path(path_type=Path), default=LESSONS, show_default=True,
                     help="of the lessons and of what is fitted"),
        click.option("--epochs", default=epochs, show_default=True),
        click.option("--batch", default=batch, show_default=True),
        click.option("--rate", default=rate, show_default=True),
        click.option("--seed", default=1, show_default=True),
        click.option("--threads", default=2, show_default=True),
        click.option("--start", default="", help="a checkpoint or a shipped ONNX file to take the weights from"),
        click.option("--out", type=click.Path(path_type=Path), help=f"the network; {name}.onnx in the folder if not "
                     "given: what is shipped is not touched"),
    ]

    def decorated(fit: Command) -> Command:
        @wraps(fit)
        def checked(folder: Path, out: Path | None, **settings: Any) -> None:
            if find_spec("torch") is None:
                raise click.ClickException("torch is missing: .venv/bin/pip install -e '.[train]'")
            try:
                fit(folder=folder, out=out or folder / f"{name}.onnx", **settings)
            except (FileNotFoundError, ModuleNotFoundError, ValueError) as error:
                raise click.ClickException(str(error)) from error

        command: Any = checked
        for option in reversed(options):
            command = option(command)
        return command

    return decorated


@main.command("render")
@click.argument("what", type=click.Choice(["boards", "fine"]))
@click.option("--folder", type=click.Path(path_type=Path), default=LESSONS, show_default=True,
              help="shards that lie there are kept, whatever the other options say")
@click.option("--shards", default=160, show_default=True)
@click.option("--size", default=500, show_default=True, help="pictures a shard")
@click.option("--seed", default=100_000, show_default=True, help="of the first shard; the next ones count on")
@click.option("--workers", default=2, show_default=True)
@click.option("--unusual", default=0.0, show_default=True, help="share of tables such as ordinary ones are not")
@click.option("--photographs", type=click.Path(path_type=Path, exists=True, file_okay=False),
              help="a folder of pictures of surfaces, for the pits and boards of unusual tables")
def render_command(what: str, folder: Path, shards: int, size: int, seed: int, workers: int, unusual: float,
                   photographs: Path | None) -> None:
    """Render pictures to learn from."""
    if photographs and what == "boards":
        raise click.UsageError("--photographs is for fine: boards take no surfaces from pictures")
    surfaces = tuple(sorted(p for p in photographs.iterdir() if p.is_file())) if photographs else ()
    fine: Make = partial(fine_batch, unusual=unusual, photographs=surfaces)
    make: Make = fine if what == "fine" else partial(board_batch, unusual=unusual)
    render(make, folder / what, shards, size, seed, workers)


@main.command()
@fitting("counter", epochs=12, batch=128, rate=3e-3)
@click.option("--weighed", default=0.25, show_default=True, help="the last so many are left out, for `weigh`")
@click.option("--smallest", default=6.0, show_default=True, help="leave out pits of a lesser radius, in pixels")
@click.option("--side", default=80, show_default=True, help="shrink the pictures to so many pixels: quick first rounds")
@click.option("--compiled", is_flag=True, help="a quarter quicker; needs a C++ compiler")
def counter(
    folder: Path,
    epochs: int,
    batch: int,
    rate: float,
    seed: int,
    threads: int,
    start: str,
    weighed: float,
    smallest: float,
    side: int,
    compiled: bool,
    out: Path,
) -> None:
    """Fit the counter of seeds on fine pictures, shrunk and from close by, and export it."""
    import torch

    from vision.train import fit
    from vision.train.export import export
    from vision.train.nets import Counter

    def measures(net: torch.nn.Module) -> dict[str, float]:
        seen, bare = fit.shrunk(pictures[n:], side), fit.shrunk(empties[n:], side)
        with_it = fit.counter_measures(net, seen, labels[n:], bare)
        return fit.counter_measures(net, seen, labels[n:]) | {f"{k}, empty known": v for k, v in with_it.items()}

    *fine, ratios = _first(load(folder / "fine"), weighed)
    lessons = counter_lessons((fine[0], fine[1], fine[2], fine[3], fine[4]), ratios, np.random.default_rng(seed))
    large = lessons[2] >= smallest
    pictures, labels, middles, empties = lessons[0][large], lessons[1][large], lessons[3][large], lessons[4][large]
    settings = fit.FitSettings(epochs, batch, rate, seed, threads, start=start)
    n = int(len(labels) * (1 - settings.held_out))  # the last shards: other tables than those trained on
    net = fit.fit(
        Counter(),
        n,
        settings,
        folder / "counter",
        fit.counter_loss(pictures[:n], labels[:n], middles[:n], empties[:n], side, compiled),
        measures,
    )
    export(net, out, (6, pictures.shape[1], pictures.shape[2]), ("logits", "seeds"), int8=True)
    logits = fit.counter_logits(net, pictures[n:])
    countable = labels[n:] < COUNTS
    t = temperature(logits[countable, :COUNTS], labels[n:][countable])
    click.echo(json.dumps({"temperature": round(t, 3)}))


def temperature(logits: NDArray[np.float32], labels: NDArray[np.uint8]) -> float:
    """The divisor of the logits under which held-out labels are likeliest (Guo et al. 2017), by search over a grid."""

    def loss(t: float) -> float:
        z = logits / t
        z = z - z.max(axis=1, keepdims=True)
        return float((np.log(np.exp(z).sum(axis=1)) - z[np.arange(len(z)), labels]).mean())

    return float(min(np.exp(np.linspace(np.log(0.5), np.log(3.0), 60)), key=loss))


@main.command()
@fitting("pitnet", epochs=14, batch=16, rate=3e-3)
def finder(
    folder: Path, epochs: int, batch: int, rate: float, seed: int, threads: int, start: str, out: Path
) -> None:
    """Fit the finder of pits and export it."""
    import torch

    from vision.train import fit
    from vision.train.boards import targets
    from vision.train.export import export
    from vision.train.nets import Finder

    pictures, truth = load(folder / "boards")
    pictures, truth = pictures.astype(np.uint8, copy=False), truth.astype(np.float32, copy=False)
    settings = fit.FitSettings(epochs, batch, rate, seed, threads, start=start)
    n = int(len(truth) * (1 - settings.held_out))

    def measures(net: torch.nn.Module) -> dict[str, float]:
        net.eval()
        errors = []
        with torch.no_grad():
            for k in range(n, len(truth), 16):
                x = torch.from_numpy(
                    np.ascontiguousarray(pictures[k : k + 16].transpose(0, 3, 1, 2)).astype(np.float32)
                    / np.float32(255)
                )
                errors.append(float(fit.finder_error(net(x), torch.from_numpy(targets(truth[k : k + 16])))))
        return {"held out": float(np.mean(errors))}

    net = Finder()
    if not start:
        net.features.learnt()
    net = fit.fit(net, n, settings, folder / "finder", fit.finder_loss(pictures[:n], truth[:n]), measures)
    export(net, out, (3, pictures.shape[1], pictures.shape[2]))


@main.command()
@fitting("spots", epochs=11, batch=24, rate=2.5e-3)
@click.option("--weighed", default=0.25, show_default=True, help="the last so many are left out, for `weigh`")
def spots(
    folder: Path, epochs: int, batch: int, rate: float, seed: int, threads: int, start: str, weighed: float, out: Path
) -> None:
    """Fit the finder of seeds' middles on fine pictures and export it."""
    from vision.train import fit
    from vision.train.export import export
    from vision.train.nets import Spots

    pictures, labels, radii, middles, empties, ratios = uncovered(load(folder / "fine"), weighed)
    n = int(len(labels) * (1 - HELD))
    settings = fit.FitSettings(epochs, batch, rate, seed, threads, HELD, start=start)
    net = fit.fit(
        Spots(),
        n,
        settings,
        folder / "spots",
        fit.spots_loss(*(v[:n] for v in (pictures, middles, ratios, empties))),
        lambda net: {"held out": fit.spots_error(net, *(v[n:] for v in (pictures, middles, ratios, empties)))},
        worth(labels[:n], radii[:n], ratios[:n]),
    )
    export(net, out, (6, pictures.shape[1], pictures.shape[2]), ("spots",), int8=True)


def uncovered(shards: tuple[NDArray[Any], ...], weighed: float) -> tuple[NDArray[Any], ...]:
    """Return the fine pictures that `weigh` leaves out, except those of covered pits. weighed: as for `_first`."""
    first = _first(shards, weighed)
    countable = first[1] <= COUNTS - 1
    return tuple(part[countable] for part in first)


def _first(shards: tuple[NDArray[Any], ...], weighed: float) -> tuple[NDArray[Any], ...]:
    """The fine pictures that `weigh` leaves out. weighed: the share of the last pictures, which `weigh` looks at."""
    return tuple(part[: int(len(part) * (1 - weighed))] for part in shards)


@main.command("weigh")
@click.option("--folder", type=click.Path(path_type=Path), default=LESSONS, show_default=True)
@click.option("--weights", type=click.Path(path_type=Path), default=WEIGHTS, help="of the counter")
@click.option("--weighed", default=0.25, show_default=True, help="the last so many pits are looked at")
def weigh_command(folder: Path, weights: Path, weighed: float) -> None:
    """Fit the weights of the looks on fine pictures of pits that the networks were not taught."""
    from vision.train.weigh import weigh

    shards = load(folder / "fine")
    pictures, labels, _, _, empties, _ = (part[int(len(part) * (1 - weighed)) :] for part in shards)
    for name, values in weigh(Reader(weights), pictures, labels, empties).items():
        click.echo(f"{name} = {values}")


@main.command("together")
@click.option("--folder", type=click.Path(path_type=Path), default=LESSONS, show_default=True)
@click.option("--looked-at", default=0.25, show_default=True, help="the last so many pits are looked at")
def together_command(folder: Path, looked_at: float) -> None:
    """Fit how the pits of a board are misread alike on fine pictures of tables that the networks were not taught."""
    shards = load(folder / "fine")
    pictures, labels, radii, _, _, ratios = (part[int(len(part) * (1 - looked_at)) :] for part in shards)
    for name, values in fitted(list(tables(Reader(), pictures, labels, radii, ratios))).items():
        click.echo(f"{name} = {values}")


if __name__ == "__main__":
    main()
