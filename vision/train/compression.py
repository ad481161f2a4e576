"""Weights of ONNX models, stored as int8 or float16 to save space, and as float32 again.

A model with small weights is still a valid model: every small weight is the input of a node that converts it to
float32, so that each runtime calculates in float32. Runtimes convert once, when they load the model.
"""

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray
from onnx import ModelProto, NodeProto, TensorProto, helper, numpy_helper

INT8_STEPS = 127
"""Steps of an int8 weight on either side of zero."""
INT8_LEAST_WEIGHTS = 2000
"""Convolutions of more weights are stored as int8 where that is asked for; the others are small anyway."""
WIDENING = ("DequantizeLinear", "Cast")
"""Operations of the nodes that make float32 of stored weights."""


def compressed(model: ModelProto, *, int8: bool = False) -> ModelProto:
    """Return the model, changed in place, with its weights of more than one axis stored as float16. int8: store those
    of large convolutions as int8, with a scale for each output channel (Jacob et al. 2018)."""
    graph = model.graph
    widening: list[NodeProto] = []
    for tensor in [t for t in graph.initializer if t.data_type == TensorProto.FLOAT and len(t.dims) > 1]:
        graph.initializer.remove(tensor)
        large = int8 and len(tensor.dims) == 4 and np.prod(tensor.dims) > INT8_LEAST_WEIGHTS
        stored, node = (_as_int8 if large else _as_float16)(tensor)
        graph.initializer.extend(stored)
        widening.append(node)
    _put_first(model, widening)
    return model


def widened(model: ModelProto) -> ModelProto:
    """Return the model, changed in place, with all its weights as float32 and without the converting nodes."""
    graph = model.graph
    stored = {tensor.name: tensor for tensor in graph.initializer}
    for node in [n for n in graph.node if n.op_type in WIDENING and set(n.input) <= set(stored)]:
        weights = _float32_of(node, [numpy_helper.to_array(stored[name]) for name in node.input])
        for name in node.input:
            graph.initializer.remove(stored[name])
        graph.node.remove(node)
        graph.initializer.append(numpy_helper.from_array(weights, node.output[0]))
    return model


def _as_int8(tensor: TensorProto) -> tuple[list[TensorProto], NodeProto]:
    """Return a convolution's weights float32[out, in, h, w] as int8, and the node that converts them."""
    weights, name = numpy_helper.to_array(tensor), tensor.name
    most = np.abs(weights).reshape(len(weights), -1).max(axis=1)
    scale = np.maximum(most, np.float32(1e-12)) / np.float32(INT8_STEPS)
    steps = np.clip(np.round(weights / scale[:, None, None, None]), -INT8_STEPS, INT8_STEPS).astype(np.int8)
    parts = {f"{name}.steps": steps, f"{name}.scale": scale, f"{name}.zero": np.zeros(len(scale), np.int8)}
    return _tensors(parts), helper.make_node("DequantizeLinear", list(parts), [name], axis=0)


def _as_float16(tensor: TensorProto) -> tuple[list[TensorProto], NodeProto]:
    """Return weights float32 as float16, and the node that converts them."""
    parts = {f"{tensor.name}.half": numpy_helper.to_array(tensor).astype(np.float16)}
    return _tensors(parts), helper.make_node("Cast", list(parts), [tensor.name], to=TensorProto.FLOAT)


def _tensors(parts: dict[str, NDArray[np.generic]]) -> list[TensorProto]:
    return [numpy_helper.from_array(values, name) for name, values in parts.items()]


def _put_first(model: ModelProto, nodes: Iterable[NodeProto]) -> None:
    """Put nodes before all others: in a valid model every node comes after those whose outputs it takes."""
    rest = list(model.graph.node)
    del model.graph.node[:]
    model.graph.node.extend([*nodes, *rest])


def _float32_of(node: NodeProto, stored: list[NDArray[np.generic]]) -> NDArray[np.float32]:
    """Return the output of a converting node for its stored inputs."""
    if node.op_type == "Cast":
        return stored[0].astype(np.float32)
    steps, scale = (part.astype(np.float32) for part in stored[:2])
    return np.asarray(steps * scale.reshape(-1, *[1] * (steps.ndim - 1)), np.float32)
