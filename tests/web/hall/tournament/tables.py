"""Tables without a broker: journals that are staged, and copied into the hall's store as they come over the line."""

from pathlib import Path

from device.journal.chain import GENESIS, encode
from device.journal.events import GameOver, MatchAgreed, TeamsNamed
from device.publishing.messages import JournalRecord
from engine.tournaments import Entered, RoundMade, System, TablesNamed, TournamentBegun, TournamentState, next_round
from tests.web.stage import Stage
from web.hall.context import HallContext
from web.hall.registry import TableRegistry
from web.hall.store import Store
from web.hall.tournament.cup import Cup
from web.hall.tournament.log import Log, Row

BEGUN = TournamentBegun("Narok cup", System.ROUND_ROBIN)
OUT = TournamentBegun("Narok cup", System.KNOCK_OUT)


class Tables:
    """A hall's store over staged tables, and the tournament over them."""

    def __init__(self, folder: Path, context: HallContext | None = None) -> None:
        """premises: of a hall that is served; without, there is no page."""
        self.folder, self.stages = folder, dict[str, Stage]()
        if context is not None:
            self.store, self.registry, self.cup = context.store, context.registry, context.cup
        else:
            self.store = Store(folder / "hall.sqlite3")
            self.registry = TableRegistry(self.store)
            self.cup = Cup(Log(folder / "tournament.sqlite3"), self.registry, clock=lambda: 0)

    def close(self) -> None:
        for stage in self.stages.values():
            stage.close()
        self.cup.stop()
        self.store.close()

    def again(self) -> None:
        """The hall ends and begins anew."""
        self.cup.stop()
        self.cup = Cup(Log(self.cup.path), self.registry, clock=lambda: 0)

    def log_of(self, cup: int) -> list[Row]:
        """What the disk has of a tournament."""
        log = Log(self.cup.path)
        rows = log.read(cup)
        log.close()
        return rows

    def copy(self) -> None:
        """All that the tables have written comes to the hall, which looks at it."""
        self.send()
        self.cup.look()

    def send(self) -> None:
        """All that the tables have written comes to the hall."""
        for name, stage in self.stages.items():
            copy(self.store, name, stage)
            table = self.registry.table(name)
            assert table is not None
            self.registry.changed(table)

    def agree(self, table: str, south: str, north: str, games: int = 1) -> Stage:
        """A match of the named is agreed at a table, and its first game begins."""
        stage = self.stages.get(table)
        if stage is None:
            stage = self.stages[table] = Stage(self.folder / table)
        stage.journal.append(TeamsNamed(south=south.split(", "), north=north.split(", ")))
        stage.journal.append(MatchAgreed(game="enkeshui", board="2x8", form="sticks", number=games))
        stage.begin()
        return stage

    def play(self, table: str, south: str, north: str, winner: str = "S") -> Stage:
        """A match of one game, begun and ended."""
        stage = self.agree(table, south, north)
        over(stage, winner)
        return stage

    def begin(self, *names: str, how: TournamentBegun = BEGUN) -> None:
        self.cup.begin([how, *(entry(name) for name in names), TablesNamed(("table-1", "table-2"))])

    def make(self) -> RoundMade:
        """The next round."""
        made = next_round(self.cup.state)
        self.cup.happen(made)
        return made


def entry(name: str) -> Entered:
    """"Herons: Nakato, Wasswa", or "Ole"."""
    team, _, members = name.partition(": ")
    return Entered(team, tuple(members.split(", ")) if members else ())


def over(stage: Stage, winner: str = "S") -> int:
    """The game that is on ends, by its seeds."""
    result = {"S": "30-18", "N": "18-30", "": "24-24"}[winner]
    return stage.journal.append(GameOver(result=result, winner=winner, reason="as counted")).number


def copy(store: Store, name: str, stage: Stage) -> None:
    """What a table has written, as its publisher sends it."""
    events = stage.journal.read()
    before, kept = GENESIS, list[tuple[str, JournalRecord]]()
    for event in events:
        body = encode(event.body)  # type: ignore[arg-type]  # none of them is unknown
        kept.append((name, JournalRecord(events[0].hash[:16], event.number, event.hash, before, event.at, event.type,
                                         body)))
        before = event.hash
    store.take(kept)
    store.turn_to(name, events[0].hash[:16])


def results(state: TournamentState) -> list[str]:
    """Every match that two have, as "Ole 1–0 Kip"; "?" where it is open."""
    found = []
    for one in state.pairings:
        if one.both:
            south, north = (state.name(number) for number in one.paired.entries)
            result = state.result(one)
            found.append(f"{south} {'?' if result is None else '{}–{}'.format(*result.score)} {north}")
    return found
