"""The AsyncAPI document says what the structs say, and what really goes over the wire fits it."""

import json
from collections.abc import Iterator
from typing import Any, get_args

import jsonschema_rs
import msgspec
import pytest
import yaml

from device.publishing import messages
from device.publishing.messages import Topic, write
from tests.device.publishing.describe import FILE, TOLD, document, text
from tests.device.publishing.test_messages import MESSAGES


def references(part: Any) -> Iterator[str]:
    if isinstance(part, dict):
        if "$ref" in part:
            yield part["$ref"]
        part = list(part.values())
    if isinstance(part, list):
        for one in part:
            yield from references(one)


def test_the_file_is_up_to_date() -> None:
    assert FILE.read_text() == text(), "run .venv/bin/python -m tests.device.publishing.describe"


def test_it_names_every_kind_of_message_and_every_reference_leads_somewhere() -> None:
    found = yaml.safe_load(FILE.read_text())
    assert found["asyncapi"] == "3.0.0" and found["info"]["version"] == "1"
    assert {one.kind for one in TOLD} == set(found["channels"]) == set(get_args(messages.Kind))
    for reference in references(found):
        part = found
        for step in reference.removeprefix("#/").split("/"):
            part = part[step]
        assert part


@pytest.mark.parametrize("kind", get_args(messages.Kind))
def test_the_topics_are_the_ones_that_are_read(kind: messages.Kind) -> None:
    channel = yaml.safe_load(FILE.read_text())["channels"][kind]
    topic = channel["address"].format(table="table-3", sha="ab" * 32)
    assert Topic.parse(topic) == Topic("table-3", kind, "ab" * 32 if kind == "evidence" else "")
    assert set(channel["parameters"]) == ({"table", "sha"} if kind == "evidence" else {"table"})


@pytest.mark.parametrize(("kind", "message"), MESSAGES, ids=[kind for kind, _ in MESSAGES])
def test_a_message_fits_its_schema(kind: messages.Kind, message: msgspec.Struct) -> None:
    whole = document()
    schema = {"$ref": whole["components"]["messages"][kind]["payload"]["$ref"], "components": whole["components"]}
    said = json.loads(write(message))
    jsonschema_rs.validate(schema, said)
    first = next(iter(said))
    with pytest.raises(jsonschema_rs.ValidationError):
        jsonschema_rs.validate(schema, said | {first: {}})
