"""`.venv/bin/python -m tests.device.publishing.describe`: writes `device/publishing/asyncapi.yaml` from the structs and
topics of `device.publishing.messages`. A test fails while it is out of date."""

import inspect
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import yaml

from device.publishing import messages as m

FILE = Path(__file__).parents[3] / "device" / "publishing" / "asyncapi.yaml"
HEAD = "# Made by tests/device/publishing/describe.py from the structs of device/publishing/messages.py.\n"
MAC = """mac is the hexadecimal HMAC-SHA256 over five lines, joined by line feeds: inkeek/1/order, the table's id,
journal, sequence, order. Its key is scrypt of the director's PIN with the table's pin: salt as bytes, n, r, p, and 32
bytes long.
"""
HASH = """hash is the hexadecimal SHA-256 over five lines, joined by line feeds: before, number, at, type, body. The
first event's before is 64 zeros.
"""


class Told(NamedTuple):
    """One kind of message. by: who sends it. more: what the struct's description does not say."""

    kind: m.Kind
    struct: type[msgspec.Struct] | None
    by: str
    retained: bool
    more: str = ""


TOLD = (
    Told("public", m.Public, "table", True), Told("gone", m.Gone, "table", True),
    Told("state", m.PrivateState, "table", True), Told("events", m.JournalRecord, "table", False, HASH),
    Told("confirmed", m.Confirmed, "hall", True), Told("orders", m.GivenOrder, "hall", False, MAC),
    Told("answers", m.OrderAnswer, "table", False), Told("ask", m.Ask, "hall", False),
    Told("evidence", None, "table", False),
)


def document() -> dict[str, Any]:
    """The description, as plain data."""
    structs = [one.struct for one in TOLD if one.struct is not None]
    _, schemas = msgspec.json.schema_components(structs, ref_template="#/components/schemas/{name}")
    for schema in schemas.values():
        if "description" in schema:
            schema["description"] = inspect.cleandoc(schema["description"])
    return {
        "asyncapi": "3.0.0",
        "info": {"title": "A hall of tables", "version": m.ROOT.rpartition("/")[2],
                 "license": {"name": "Apache-2.0"}, "description": inspect.getdoc(m)},
        "defaultContentType": "application/json",
        "servers": {"hall": {"host": "hall.local:1883", "protocol": "mqtt", "protocolVersion": "5"},
                    "encrypted": {"host": "hall.local:8883", "protocol": "mqtts", "protocolVersion": "5"}},
        "channels": {one.kind: _channel(one) for one in TOLD},
        "operations": {f"{'tell' if one.by == 'table' else 'hear'}-{one.kind}": _operation(one) for one in TOLD},
        "components": {"messages": {one.kind: _message(one) for one in TOLD}, "schemas": dict(sorted(schemas.items()))},
    }


def _channel(one: Told) -> dict[str, Any]:
    names = {"table": {"description": "the table's id: one to thirty-two of a-z, 0-9 and the hyphen"}}
    if one.kind == "evidence":
        names["sha"] = {"description": "hexadecimal SHA-256 of the file"}
    address = f"{m.ROOT}/{{table}}/{one.kind}" + ("/{sha}" if one.kind == "evidence" else "")
    return {"address": address, "parameters": names,
            "messages": {one.kind: {"$ref": f"#/components/messages/{one.kind}"}}}


def _operation(one: Told) -> dict[str, Any]:
    """As a table does it: it sends what it tells, and receives what the hall says."""
    return {"action": "send" if one.by == "table" else "receive", "channel": {"$ref": f"#/channels/{one.kind}"},
            "bindings": {"mqtt": {"qos": 1, "retain": one.retained, "bindingVersion": "0.2.0"}}}


def _message(one: Told) -> dict[str, Any]:
    said = {"name": one.kind, "summary": f"at most {m.MOST_BYTES[one.kind]} bytes"}
    if one.struct is None:
        return said | {
            "contentType": "application/octet-stream",
            "description": f"The bytes of a file that was asked for, in parts of {m.PART_BYTES}. A file that is not\n"
                           f"there any more, or has more than {m.MOST_EVIDENCE_BYTES} bytes, is one empty message\n"
                           "with parts 0.\n",
            "headers": {"type": "object", "description": "MQTT's user properties", "required": ["parts"],
                        "properties": {"part": {"type": "string", "description": "from 1"},
                                       "parts": {"type": "string"}}}}
    more = {"description": one.more} if one.more else {}
    return said | more | {"payload": {"$ref": f"#/components/schemas/{one.struct.__name__}"}}


class Lines(yaml.SafeDumper):  # type: ignore[misc]  # yaml comes untyped
    """Writes a text of several lines as such."""

    def represent_text(self, words: str) -> yaml.ScalarNode:
        """One text."""
        return self.represent_scalar("tag:yaml.org,2002:str", words, style="|" if "\n" in words else None)

    def ignore_aliases(self, _data: object) -> bool:
        """Everything is written out where it stands."""
        return True


Lines.add_representer(str, Lines.represent_text)


def text() -> str:
    """The file's text."""
    return HEAD + str(yaml.dump(document(), Dumper=Lines, sort_keys=False, allow_unicode=True, width=120))


if __name__ == "__main__":
    FILE.write_text(text())
