"""Weights stored small: the model stays valid, says the same within what is lost, and becomes wide again."""

import numpy as np
import onnx
import onnxruntime
import pytest
from onnx import ModelProto, TensorProto, helper, numpy_helper

from vision.train.compression import INT8_LEAST_WEIGHTS, compressed, widened

SHAPE = (16, 16, 3, 3)


def model() -> ModelProto:
    """A large convolution with a bias, and a fully connected layer of its mean."""
    assert np.prod(SHAPE) > INT8_LEAST_WEIGHTS
    rng = np.random.default_rng(3)
    scale = np.geomspace(0.01, 1, SHAPE[0]).reshape(-1, 1, 1, 1)
    stored = {"kernel": rng.normal(0, scale, SHAPE), "bias": rng.normal(0, 1, SHAPE[0]),
              "matrix": rng.normal(0, 1, (5, SHAPE[0])), "shift": rng.normal(0, 1, 5)}
    nodes = [helper.make_node("Conv", ["x", "kernel", "bias"], ["c"], pads=[1, 1, 1, 1]),
             helper.make_node("ReduceMean", ["c"], ["m"], axes=[2, 3], keepdims=0),
             helper.make_node("Gemm", ["m", "matrix", "shift"], ["y"], transB=1)]
    graph = helper.make_graph(
        nodes, "net", [helper.make_tensor_value_info("x", TensorProto.FLOAT, ["n", SHAPE[1], 8, 8])],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, ["n", 5])],
        [numpy_helper.from_array(values.astype(np.float32), name) for name, values in stored.items()])
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=7)


def answers(of: ModelProto) -> np.ndarray:
    """float32[3, 5], what a model says of three pictures."""
    shown = np.random.default_rng(4).normal(0, 1, (3, SHAPE[1], 8, 8)).astype(np.float32)
    session = onnxruntime.InferenceSession(of.SerializeToString(), providers=["CPUExecutionProvider"])
    return np.asarray(session.run(["y"], {"x": shown})[0])


@pytest.mark.parametrize(("int8", "size", "off"), [(False, 0.6, 0.003), (True, 0.4, 0.06)])
def test_a_compressed_model_is_valid_smaller_and_says_nearly_the_same(int8: bool, size: float, off: float) -> None:
    plain, small = model(), compressed(model(), int8=int8)
    onnx.checker.check_model(small, full_check=True)
    assert small.ByteSize() < size * plain.ByteSize()
    kinds = {tensor.name: tensor.data_type for tensor in small.graph.initializer}
    assert kinds["bias"] == TensorProto.FLOAT and kinds["matrix.half"] == TensorProto.FLOAT16
    assert ("kernel.steps" in kinds) is int8
    assert np.abs(answers(small) - answers(plain)).max() < off


@pytest.mark.parametrize("int8", [False, True])
def test_a_widened_model_has_float32_alone_and_says_the_same(int8: bool) -> None:
    small = compressed(model(), int8=int8)
    said = answers(small)
    wide = widened(small)
    onnx.checker.check_model(wide, full_check=True)
    assert {tensor.data_type for tensor in wide.graph.initializer} == {TensorProto.FLOAT}
    assert [node.op_type for node in wide.graph.node] == ["Conv", "ReduceMean", "Gemm"]
    assert np.abs(answers(wide) - said).max() < 1e-5  # rounding of float32
