"""What the page says around the rules that a table may change; what it asks of each stands with the field, in its game
(`engine.games`). Part of `web.messages`."""

from __future__ import annotations

HOUSE_RULES: dict[str, str] = {
    "field.title": "Rules of this table",
    "field.lead": "As they stand, these are the usual ones. Change what your table plays otherwise.",
    "field.changed": "Changed at this table: {each}.",
    "field.is": "{field} {value}",
    "field.yes": "Yes",
    "field.no": "No",
    "field.as": "As the rules above say",
    "field.as.one-of": "{rules}: {value}",
    "field.number": "“{value}” cannot be: a whole number from {least} to {most}.",
    "field.none-such": "“{value}” is none of the choices.",
}
