"""The sentences around the rules that a table may change. The question of each field, and each ruleset's name, stand
with their game (`engine.games`). Part of `web.messages`."""

HOUSE_RULES: dict[str, str] = {
    "field.title": "Change the rules of this table",
    "field.lead": "These are the usual rules. Change what your table plays differently.",
    "field.changed": "Changed at this table: {each}.",
    "field.is": "{field} {value}",
    "field.yes": "Yes",
    "field.no": "No",
    "field.as": "As in the rules above",
    "field.as.one-of": "{rules}: {value}",
    "field.number": "“{value}” is not possible; enter a whole number from {least} to {most}.",
    "field.none-such": "“{value}” is not one of the choices.",
}
