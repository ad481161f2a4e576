"""What a film or a card says about one verdict in one language: plain words and numbers, ready to draw."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from device.films.letters import drawable
from device.journal.events import BoardFound, Event, TeamsNamed, VerdictGiven
from web.players import Named, named, player
from web.readmodel.feed import VerdictItem
from web.readmodel.marks import Mark, Place, Places, place_before, place_for
from web.readmodel.reasons import answer_of
from web.readmodel.shapes import Diagram, Pit, pits
from web.readmodel.wording import label_of, odds_of, sentence_of
from web.words import say


@dataclass(frozen=True)
class SharedVerdict:
    """One verdict. stamp: its kind in words; move: whose move, and which; at: when the verdict was given; hands_in,
    hands_out, t: seconds of the table's clock; before, there, due: boards, None if unknown; place, place_was: where the
    board lay in the camera's pictures after and before the move; teams: South's and North's names; ruled: later
    rulings; odds: how sure the verdict is."""

    kind: str
    stamp: str
    sentence: str
    headings: tuple[str, str, str]
    """Over the boards before the move, as it is now, and as it should be."""
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
    """The label of each marked pit on a photograph."""
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
        """When the verdict was given, by this machine's clock."""
        return self.at.strftime("%Y-%m-%d %H:%M:%S")


def shared_verdict(item: VerdictItem, places: tuple[Place | None, Place | None], table: str) -> SharedVerdict:
    """Return what a film or card says about a verdict. places: where the board lay before and after the move; table:
    the name of the table's journal. Raises ValueError if the verdict's time is invalid."""
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


def places_at(events: Iterable[Event], number: int, began: BoardFound | None) -> tuple[Place | None, Place | None]:
    """Return where the board lay before the move of verdict `number` and at the verdict. began: where it was last
    found before the first event."""
    found: Places = [("", Place.of(began))] if began is not None else []
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
    """Return the players, without the names of a side whose letters the font lacks."""
    south, north = ([] if not all(map(drawable, names)) else names for names in (teams.south, teams.north))
    called = [name if drawable(name) else "" for name in (teams.south_name, teams.north_name)]
    return Named(south, north, 0, *called)


def _team(side: str) -> str:
    """Return a side with its players' names, if any are known."""
    names = say("list.comma").join(named().of(side))
    return f"{say(f'side.{side}')}: {names}" if names else say(f"side.{side}")


def _ruled(item: VerdictItem) -> tuple[str, ...]:
    """Return the rulings on a verdict, and whether each still stands."""
    said = [say("verdict.undone", what=answer_of(one)) if one["undone"] else answer_of(one) for one in item["ruled"]]
    if item["gone"] and not said:
        said.append(say(f"verdict.gone.{item['gone']['how']}"))
    return tuple(said)
