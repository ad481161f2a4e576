"""From the ONNX files that come with the program to ncnn's (`vision.seeds.network.NcnnNetwork`):

    python -m vision.train.ncnn

needs `pip install pnnx`, ncnn's own converter. The weights are stored as float16. pnnx has no layer for ReduceMax,
which is ncnn's Reduction with operation 4.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import tempfile
from pathlib import Path

import onnx

from vision.seeds.network import of_ncnn
from vision.train.compression import widened

WEIGHTS = Path(__file__).parents[1] / "weights"
INPUTS = {"counter": "[1,6,80,80]", "spots": "[1,6,160,160]", "pitnet": "[1,3,288,384]"}
MAXIMUM = re.compile(r"^ReduceMax +(\S+) +1 1 (\S+) (\S+)$", re.MULTILINE)


def convert(name: str) -> None:
    """Write NAME.ncnn.param and NAME.ncnn.bin beside the network of that name. Raises CalledProcessError where pnnx
    fails."""
    weights = WEIGHTS / f"{name}.onnx"
    with tempfile.TemporaryDirectory() as folder:
        plain = Path(folder) / "net.onnx"
        onnx.save(widened(onnx.load(str(weights))), str(plain))
        subprocess.run(["pnnx", str(plain), f"inputshape={INPUTS[name]}"], check=True, cwd=folder, capture_output=True)
        param, binary = of_ncnn(weights)
        text = plain.with_suffix(".ncnn.param").read_text("utf-8")
        param.write_text(MAXIMUM.sub(r"Reduction \1 1 1 \2 \3 0=4 1=0 -23303=2,1,2 4=0 5=1", text), "utf-8")
        shutil.copyfile(plain.with_suffix(".ncnn.bin"), binary)


if __name__ == "__main__":
    for each in INPUTS:
        convert(each)
        print(f"{each}: {of_ncnn(WEIGHTS / each)[1].name} written")
