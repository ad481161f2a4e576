"""`python -m tests.engine.games.registered`: Ayoayo is registered, before anything else is loaded that asks which games
there are, and used from the command line to the page; what came of it, as JSON."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import Any

from engine import rules
from tests.engine.games.ayoayo import Ayoayo

rules.register(Ayoayo)

from click.testing import CliRunner  # noqa: E402  # all that follows asks at once which games there are

from device.cli.moves import moves  # noqa: E402
from device.cli.rules import rules as list_rules  # noqa: E402
from device.eyes.eyes import board_sizes  # noqa: E402
from device.journal.events import MatchAgreed, NewGame  # noqa: E402
from device.sim import clips, show  # noqa: E402
from device.sim.world import World  # noqa: E402
from tests.web.stage import Stage  # noqa: E402
from web import create_app  # noqa: E402


def command_line() -> dict[str, Any]:
    """What `inkeek moves` and `inkeek rules` say of it."""
    ask = CliRunner()
    return {"moves": json.loads(ask.invoke(moves, ["--game", "ayoayo", "--json"]).stdout),
            "rules": ask.invoke(list_rules, ["ayoayo"]).stdout, "help": ask.invoke(moves, ["--help"]).stdout}


def pages(folder: Path) -> dict[str, Any]:
    """What the page says of it, and what is ordered there."""
    stage = Stage(folder)
    page = create_app({"DATA": str(folder), "TESTING": True, "WTF_CSRF_ENABLED": False})
    client = page.test_client()
    client.get(page.extensions["link"].path)  # who sits at this machine
    stage.begin()
    found: dict[str, Any] = {"set-up page": client.get("/setup/game").text, "match page": client.get("/match").text}
    client.post("/setup/game", data={"game": "ayoayo", "rules-ayoayo": "wikipedia", "board-ayoayo": "2x6/2x6"})
    client.post("/setup/begin", data={"first": "N"})
    begun = stage.journal.read()[-1].body
    assert isinstance(begun, NewGame)
    client.post("/match/agree", data={"form": "ayoayo/games", "number": "3", "board-ayoayo": "2x6/2x6"})
    agreed = stage.journal.read()[-1].body
    assert isinstance(agreed, MatchAgreed)
    found |= {"begun": [begun.game, begun.rules, begun.position], "agreed": [agreed.game, agreed.form, agreed.number],
              "score page": client.get("/match").text}
    stage.close()
    return found


def table() -> dict[str, Any]:
    """What the simulated players make of it in five minutes."""
    law = rules.ruleset("ayoayo")
    start = law.setup()
    world = World(law, start, show.players(law, start.board), seed=1)
    clock = 0.0
    while clock < 300:
        clock += 0.5
        world.advance(clock)
    return {"played": len(world.truths), "seeds": world.truths[-1].play.after.total, "clips": clips.GAMES,
            "sizes": {rows: [cols[0], cols[-1]] for rows, cols in board_sizes().items()}}


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as made:
        print(json.dumps(command_line() | pages(Path(made)) | table()))
