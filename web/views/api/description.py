"""The OpenAPI document of everything for other programs, made from the types."""

from dataclasses import dataclass, field
from typing import Any, Literal

import msgspec

from device.journal import events as journal
from web.messages import MESSAGES
from web.views.api.types import MOST, Events, Games, JournalEvent, Ordered, PinGiven, TableAnswer, Token
from web.views.objections import Objecting
from web.views.problems import Problem

Schema = dict[str, Any]
Tag = Literal["read", "order", "watch", "page"]
TAGS: tuple[Tag, ...] = ("read", "order", "watch", "page")
EVENTS, TEXT, JSON = "text/event-stream", "text/plain", "application/json"
REFUSED_ORDER = ("400", "401", "404", "409", "413", "415", "422", "429", "503")
X_TOKEN = {"name": "X-CSRFToken", "in": "header", "required": True, "schema": {"type": "string"},
           "description": "from /token, with the session's cookie"}


@dataclass(frozen=True, slots=True)
class Operation:
    """One operation of the API. name: its id, and the end of its summary's key (`api.op.NAME`); answers: name of the
    answer's schema, "" for text; takes: name of the body's schema, with an example; refused: statuses that bring a
    sentence; bearer: "must" if a token is needed, "may" if a token shows more."""

    name: str
    method: Literal["get", "post"]
    path: str
    tag: Tag
    answers: str
    status: str = "200"
    kind: str = JSON
    parameters: tuple[Schema, ...] = ()
    takes: str = ""
    example: Schema = field(default_factory=dict)
    refused: tuple[str, ...] = ()
    bearer: Literal["must", "may", ""] = ""

    @property
    def summary(self) -> str:
        """Key of the summary's message."""
        return f"api.op.{self.name}"


def _number(name: str, where: str, what: str, least: int) -> Schema:
    return {"name": name, "in": where, "required": where == "path", "description": what,
            "schema": {"type": "integer", "minimum": least}}


AFTER = _number("after", "query", "number of the last event that is known", 0)
LIMIT = _number("limit", "query", f"how many at most, up to {MOST}", 1)
NUMBER = _number("number", "path", "number of the event", 1)
READ = ("400", "401")

OPERATIONS: tuple[Operation, ...] = (
    Operation("getTable", "get", "/api/v1/table", "read", "TableAnswer", refused=READ, bearer="may"),
    Operation("listEvents", "get", "/api/v1/events", "read", "Events", parameters=(AFTER, LIMIT),
              refused=(*READ, "503"), bearer="may"),
    Operation("getEvent", "get", "/api/v1/events/{number}", "read", "JournalEvent", parameters=(NUMBER,),
              refused=(*READ, "404", "503"), bearer="may"),
    Operation("streamEvents", "get", "/api/v1/stream", "read", "JournalEvent", kind=EVENTS, parameters=(AFTER,),
              refused=(*READ, "503"), bearer="may"),
    Operation("listGames", "get", "/api/v1/games", "read", "Games", refused=READ, bearer="may"),
    Operation("getToken", "post", "/api/v1/token", "order", "Token", status="201", takes="PinGiven",
              example={"pin": "123456"}, refused=("400", "401", "403", "409", "413", "415", "422", "429")),
    Operation("giveOrder", "post", "/api/v1/orders", "order", "Ordered", status="201", takes="Order",
              example={"type": "LetStand", "verdict": 12}, refused=REFUSED_ORDER, bearer="must"),
    Operation("getMetrics", "get", "/metrics", "watch", "", kind=TEXT),
    Operation("giveOrderFromPage", "post", "/orders", "page", "Ordered", status="201", takes="Order",
              parameters=(X_TOKEN,), refused=("400", "403", "404", "409", "413", "429", "503")),
    Operation("object", "post", "/objections", "page", "Ordered", status="201", takes="Objecting",
              parameters=(X_TOKEN,), refused=("400", "403", "404", "409", "413", "429", "503")),
)


def description() -> Schema:
    """Return the OpenAPI document."""
    types = {"TableAnswer": TableAnswer, "Events": Events, "JournalEvent": JournalEvent, "Games": Games,
             "Problem": Problem, "Ordered": Ordered, "Token": Token, "PinGiven": PinGiven, "Objecting": Objecting,
             "Order": journal.Order | journal.Shown}
    schemas, parts = msgspec.json.schema_components(types.values(), ref_template="#/components/schemas/{name}")
    named = dict(zip(types, schemas, strict=True))
    paths: dict[str, Schema] = {}
    for one in OPERATIONS:
        paths.setdefault(one.path, {})[one.method] = _described(one, named)
    return {
        "openapi": "3.1.0",
        "info": {"title": "inkeek", "version": "1", "description": MESSAGES["api.info"]},
        "tags": [{"name": tag, "description": MESSAGES[f"api.tag.{tag}"]} for tag in TAGS],
        "paths": paths,
        "components": {"schemas": parts, "securitySchemes": {
            "token": {"type": "http", "scheme": "bearer", "description": MESSAGES["api.token.how"]}}},
    }


def _described(one: Operation, named: dict[str, Schema]) -> Schema:
    """Return an operation in OpenAPI's form. named: the schema of each type."""
    answer = named[one.answers] if one.answers else {"type": "string"}
    answers: Schema = {one.status: {"description": "done", "content": {one.kind: {"schema": answer}}}}
    answers |= {status: {"description": "refused, with a sentence",
                         "content": {JSON: {"schema": named["Problem"]}}} for status in one.refused}
    made: Schema = {"operationId": one.name, "tags": [one.tag], "summary": MESSAGES[one.summary], "responses": answers}
    if one.bearer:
        made["security"] = [{"token": []}, *([{}] if one.bearer == "may" else [])]
    if one.parameters:
        made["parameters"] = list(one.parameters)
    if one.takes:
        shown = {"example": one.example} if one.example else {}
        made["requestBody"] = {"required": True, "content": {JSON: {"schema": named[one.takes], **shown}}}
    return made
