"""What a film or a card says of one verdict, in one language: plain words and numbers, fit to be drawn."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from device.films.letters import drawable
from device.journal.events import BoardFound, Event, TeamsNamed, VerdictGiven
from web.players import Named, named, player
from web.readmodel.marks import Mark, Place, Places, place_before, place_for
from web.readmodel.reasons import answer_of
from web.readmodel.shapes import Diagram, Pit, pits
from web.readmodel.wording import label_of, odds_of, sentence_of
from web.words import say


@dataclass(frozen=True)
class SharedVerdict:
    """One verdict. stamp: its kind in words; move: whose, and which; at: when it was said; hands_in, hands_out, t:
    seconds of the table's clock; before, there, due: boards, None where not known; place, place_was: where the board
    lay in the camera's pictures after the move and before it; teams: South's and North's names; ruled: what people
    decided since; odds: how sure it is."""

    kind: str
    stamp: str
    sentence: str
    headings: tuple[str, str, str]
    """Over the boards before the move, as it lies, and as it should lie."""
    move: str
    at: datetime
    hands_in: float
    hands_out: float
    t: float
    shape: tuple[Pit, ...]
    before: Diagram | None
    there: Diagram | None
    due: Diagram | None
    marks: tuple[Mark, ...]
    labels: tuple[str, ...]
    """What stands at each of the marked pits on a photograph."""
    place: Place | None
    place_was: Place | None
    teams: tuple[str, str]
    ruled: tuple[str, ...]
    odds: tuple[str, ...]
    table: str

    @property
    def causes(self) -> list[tuple[Mark, str]]:
        """The pits that the verdict names, each with its label."""
        return [(mark, label) for mark, label in zip(self.marks, self.labels, strict=True) if mark["cause"]]

    @property
    def clock(self) -> str:
        """When it was said, as this machine's clock shows it."""
        return self.at.strftime("%Y-%m-%d %H:%M:%S")


def told_of(item: dict[str, Any], places: tuple[Place | None, Place | None], table: str) -> SharedVerdict:
    """What is told of a verdict. places: where the board lay before the move and after it; table: the name of the
    table's journal. ValueError where the verdict's time is none."""
    there: Diagram | None = item["position"]
    return SharedVerdict(
        kind=item["verdict"], stamp=say(f"verdict.{item['verdict']}"), sentence=sentence_of(item),
        headings=(say("verdict.before"), say("verdict.seems" if item["verdict"] == "not-sure" else "verdict.position"),
                  say("verdict.expected")),
        move=say("film.move", side=player(item["player"]), move=item["move"]) if item["player"] else "",
        at=datetime.fromisoformat(item["at"]).astimezone(), hands_in=item["hands"][0], hands_out=item["hands"][1],
        t=item["t"], shape=pits(there["board"]) if there else (), before=item["before"], there=there,
        due=item["expected"], marks=tuple(item["marks"]),
        labels=tuple(map(label_of, item["marks"])),
        place=place_for(places[1], there), place_was=place_for(places[0], there),
        teams=(_team("S"), _team("N")),
        ruled=_ruled(item), odds=tuple(odds_of(item)),
        table=say("card.table", table=table, n=item["number"]))


def places_at(events: Iterable[Event], number: int, began: Place | None) -> tuple[Place | None, Place | None]:
    """Where the board lay before the move of verdict `number` and when that was written. began: where it lay before the
    first of the events."""
    found: Places = [("", began)] if began is not None else []
    was = None
    for event in events:
        if event.number > number:
            break
        if isinstance(event.body, BoardFound):
            found.append((event.at, Place.of(event.body)))
        elif event.number == number and isinstance(event.body, VerdictGiven):
            was = place_before(found, event.at, event.body)
    return was, found[-1][1] if found else None


def drawable_names(teams: TeamsNamed) -> Named:
    """Who played, without the names of a side whose letters cannot all be drawn."""
    south, north = ([] if not all(map(drawable, names)) else names for names in (teams.south, teams.north))
    called = [name if drawable(name) else "" for name in (teams.south_name, teams.north_name)]
    return Named(south, north, 0, *called)


def _team(side: str) -> str:
    """A side with the names of those who play it, where somebody is named."""
    names = say("list.comma").join(named().of(side))
    return f"{say(f'side.{side}')}: {names}" if names else say(f"side.{side}")


def _ruled(item: dict[str, Any]) -> tuple[str, ...]:
    """What people decided on a verdict, and whether it still stands."""
    said = [say("verdict.undone", what=answer_of(one)) if one["undone"] else answer_of(one) for one in item["ruled"]]
    if item["gone"] and not said:
        said.append(say(f"verdict.gone.{item['gone']['how']}"))
    return tuple(said)
