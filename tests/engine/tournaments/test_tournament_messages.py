"""Every sentence of a tournament has its values, and none is left over."""

import ast
import re
from pathlib import Path

from engine.tournaments.messages import TOURNAMENTS, said
from tests.engine.tournaments.golden_tournament import KINDS

FOLDER = Path(__file__).parents[3] / "engine" / "tournaments"
BRACE = re.compile(r"\{(\w+)\}")


def calls() -> list[tuple[str, str, set[str]]]:
    """Every call of `said` with its key as far as it is written down: place, key, names of values."""
    trees = [(file, ast.parse(file.read_text("utf-8"))) for file in sorted(FOLDER.glob("*.py"))]
    nodes = [(file, node) for file, tree in trees for node in ast.walk(tree)]
    found = []
    for file, node in nodes:
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "said":
            key = node.args[0].value if isinstance(node.args[0], ast.Constant) else ""
            found.append((f"{file.name}:{node.lineno}", str(key), {one.arg or "" for one in node.keywords}))
    return found


def test_every_message_is_given_the_values_that_its_text_has() -> None:
    written = [(place, key, values) for place, key, values in calls() if key]
    assert len(written) > 40
    assert [place for place, key, _ in written if key not in TOURNAMENTS] == []
    assert [(place, key) for place, key, values in written
            if values - {"n"} != set(BRACE.findall(TOURNAMENTS[key])) - {"n"}] == []


def test_no_message_is_left_over() -> None:
    text = "".join(file.read_text("utf-8") for file in FOLDER.glob("*.py") if file.name != "messages.py")
    assert [key for key in TOURNAMENTS if f'"{key.removesuffix(".one")}"' not in text
            and not key.startswith(("tournament.how.", "tournament.ahead."))
            and f'"{key.removeprefix("tournament.")}"' not in text] == []


def test_one_is_said_as_one() -> None:
    assert str(said("tournament.few", n=1)) == "no round can be made of one entry: two at the least"
    assert str(said("tournament.few", n=0)) == "no round can be made of 0 entries: two at the least"


def test_the_golden_tournaments_show_most_of_the_ways_to_be_ahead() -> None:
    told = "\n".join(line for kind in KINDS.values() for line in kind())
    assert [key for key in ("direct", "among", "difference", "third", "seed")
            if BRACE.split(TOURNAMENTS[f"tournament.ahead.{key}"])[-1] not in told] == []
