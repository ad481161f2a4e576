"""From a trained network to an ONNX file that OpenCV reads: dynamic batch, weights stored as int8 or float16."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click
import onnx

from vision.network import of_ncnn
from vision.train.compression import compressed, widened

if TYPE_CHECKING:
    from torch import nn


def export(
    net: nn.Module,
    path: Path,
    size: tuple[int, int, int],
    outputs: Sequence[str] = ("logits",),
    *,
    int8: bool = False,
) -> None:
    """Write `net` to `path`. size: (channels, height, width) of its input; outputs: names of what it returns, in order;
    int8: the large convolutions' weights as int8, else as float16 (`vision.train.compression`). ncnn's two files beside
    it are deleted, as they are of the network before: see `convert`.

    Raises ValidationError or InferenceError of onnx where what would be written is no valid model.
    """
    import torch

    net = net.eval()
    batch = {0: "n"}
    torch.onnx.export(
        net,
        (torch.zeros(1, *size),),
        str(path),
        input_names=["pictures"],
        output_names=list(outputs),
        dynamic_axes=dict.fromkeys(("pictures", *outputs), batch),
        opset_version=13,
        dynamo=False,
    )
    model = compressed(onnx.load(str(path)), int8=int8)
    onnx.checker.check_model(model, full_check=True)
    onnx.save(model, str(path))
    for old in of_ncnn(path):
        old.unlink(missing_ok=True)


WEIGHTS = Path(__file__).parents[1] / "weights"
INPUTS = {"counter": "[1,6,80,80]", "spots": "[1,6,160,160]", "pitnet": "[1,3,288,384]"}
MAXIMUM = re.compile(r"^ReduceMax +(\S+) +1 1 (\S+) (\S+)$", re.MULTILINE)


def pnnx() -> str | None:
    """Return the path of the program that converts networks for ncnn, None if it is not installed."""
    return shutil.which("pnnx", path=os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")]))


def convert(name: str) -> None:
    """Write NAME.ncnn.param and NAME.ncnn.bin beside the network of that name. Raises FileNotFoundError where pnnx is
    missing, CalledProcessError where it fails."""
    program = pnnx()
    if program is None:
        raise FileNotFoundError("pnnx is missing: .venv/bin/pip install -e '.[train]'")
    weights = WEIGHTS / f"{name}.onnx"
    with tempfile.TemporaryDirectory() as folder:
        plain = Path(folder) / "net.onnx"
        onnx.save(widened(onnx.load(str(weights))), str(plain))
        subprocess.run([program, str(plain), f"inputshape={INPUTS[name]}"], check=True, cwd=folder, capture_output=True)
        param, binary = of_ncnn(weights)
        text = plain.with_suffix(".ncnn.param").read_text("utf-8")
        param.write_text(MAXIMUM.sub(r"Reduction \1 1 1 \2 \3 0=4 1=0 -23303=2,1,2 4=0 5=1", text), "utf-8")
        shutil.copyfile(plain.with_suffix(".ncnn.bin"), binary)


@click.command()
@click.argument("names", nargs=-1, type=click.Choice(list(INPUTS)))
def main(names: Sequence[str]) -> None:
    """Make ncnn's files of the networks in vision/weights: of all, unless named."""
    for each in names or INPUTS:
        try:
            convert(each)
        except FileNotFoundError as error:
            raise click.ClickException(str(error)) from error
        click.echo(f"{each}: {of_ncnn(WEIGHTS / each)[1].name} written")


if __name__ == "__main__":
    main()
