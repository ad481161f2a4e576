"""A whole tournament, event by event, as golden/ keeps one of each kind.

python -m tests.engine.tournaments.golden_tournament KIND     prints it; keep it as golden/KIND.txt

Read it through before keeping it: the test holds the program to it from then on.
"""

import argparse
from collections.abc import Callable, Iterator, Mapping

from engine.tournaments import (
    Corrected,
    Entered,
    How,
    RankedBy,
    Reported,
    Result,
    StandingsRow,
    System,
    TablesNamed,
    TournamentBegun,
    TournamentEvent,
    TournamentState,
    Undone,
    Withdrew,
    after,
    next_round,
    stale,
    standings,
)
from tests.engine.tournaments.shorthand import N, S, of, place, score

Lines = Iterator[str]


class Told:
    """A tournament that writes down what happens to it."""

    def __init__(self) -> None:
        self.state = TournamentState()

    def say(self, event: TournamentEvent, text: str) -> Lines:
        """One more event, with its number."""
        self.state = after(self.state, event)
        yield f"{len(self.state.log):2}  {text}"

    def enter(self, *names: str) -> Lines:
        for name in names:
            yield from self.say(Entered(name), f"entry: {name}")

    def make(self) -> Lines:
        """The next round, a line a pairing."""
        made = next_round(self.state)
        yield from self.say(made, f"round {made.round}")
        for pairing in self.state.rounds[-1].pairings:
            south, north = (None if n is None else self.state.name(n) for n in (pairing.paired.south,
                                                                               pairing.paired.north))
            third = " (for the third place)" if pairing.paired.third else ""
            seat = f"table {pairing.paired.table}: " if pairing.paired.table else ""
            yield f"      {south} has a bye" if north is None else f"      {seat}{south} – {north}{third}"

    def plays(self, one: str, other: str, mine: int, theirs: int) -> Lines:
        event = Reported(place(self.state, one, other), score(self.state, one, other, mine, theirs))
        yield from self.say(event, f"{one} – {other}  {mine}:{theirs}")

    def result(self, one: str, other: str, result: Result, text: str) -> Lines:
        """A result that is not mere play, as seen from `one`."""
        turned = self.state.name(of(self.state, one, other).paired.entries[0]) != one
        yield from self.say(Reported(place(self.state, one, other), result.turned if turned else result), text)

    def corrects(self, one: str, other: str, mine: int, theirs: int, by: str, why: str) -> Lines:
        event = Corrected(place(self.state, one, other), score(self.state, one, other, mine, theirs), why, by=by)
        yield from self.say(event, f"{by} corrects: {one} – {other}  {mine}:{theirs}, because {why}")

    def stands(self) -> Lines:
        """The standings, a line an entry."""
        yield ""
        yield "    place  name         met  won  drawn  lost  points  score"
        for row in standings(self.state):
            yield line(row)
        yield from (f"    ! {one}" for one in stale(self.state))
        yield ""


def line(row: StandingsRow) -> str:
    """An entry's place, with what puts it ahead of the next."""
    sums, where = row.sums, "–" if row.place is None else str(row.place)
    total = f"{sums.score[0]}:{sums.score[1]}"
    gone = "withdrawn" if row.withdrawn else ""
    why = "; ".join(text for text in (gone, "" if row.ahead is None else str(row.ahead)) if text)
    return (f"    {where:>5}  {row.name:<11}  {sums.met:3}  {sums.won:3}  {sums.drawn:5}  {sums.lost:4}  "
            f"{sums.points:6}  {total:<7}{why}").rstrip()


def round_robin() -> Lines:
    """Five players of Omweso at two tables; a win by akawumbi counts three points."""
    yield "# Five players, each against each, two tables. Omweso, three games a match; a win by akawumbi counts 3."
    cup = Told()
    yield from cup.say(TournamentBegun("Kampala cup", System.ROUND_ROBIN, about="Omweso, three games"), "begun")
    yield from cup.enter("Nakato", "Sironka", "Wasswa", "Kato", "Babirye")
    yield from cup.say(TablesNamed(("1", "2")), "tables 1 and 2")
    yield from cup.make()
    yield from cup.plays("Sironka", "Babirye", 2, 1)
    yield from cup.plays("Wasswa", "Kato", 4, 1)
    yield from cup.stands()
    yield from cup.make()
    yield from cup.plays("Nakato", "Wasswa", 2, 1)
    yield from cup.result("Babirye", "Kato", Result((1, 0), (1, 0), 0, S, How.FORFEIT),
                          "Babirye – Kato  1:0, then Kato gives up the match")
    yield from cup.stands()
    yield from cup.make()
    yield from cup.plays("Kato", "Sironka", 2, 1)
    yield from cup.plays("Nakato", "Babirye", 1, 2)
    yield from cup.make()
    yield from cup.plays("Babirye", "Wasswa", 2, 1)
    yield from cup.plays("Sironka", "Nakato", 1, 2)
    yield from cup.stands()
    yield from cup.make()
    yield from cup.plays("Kato", "Nakato", 2, 1)
    yield from cup.plays("Wasswa", "Sironka", 1, 4)
    yield from cup.stands()
    yield from cup.corrects("Kato", "Sironka", 1, 2, "Nalongo", "the second game ended by a move that was withdrawn")
    yield from cup.stands()
    undone = len(cup.state.log)
    yield from cup.say(Undone(undone, by="Nalongo"), f"Nalongo undoes event {undone}")
    yield from cup.stands()


def score_counts() -> Lines:
    """Four teams whose points count; one withdraws."""
    yield "# Four teams, each against each; the points of all matches count. One withdraws before half its matches."
    cup = Told()
    yield from cup.say(TournamentBegun("Jinja league", System.ROUND_ROBIN, RankedBy.SCORE), "begun, the score counts")
    yield from cup.enter("Crocodiles", "Hippos", "Herons", "Lions")
    yield from cup.make()
    yield from cup.plays("Crocodiles", "Lions", 3, 4)
    yield from cup.plays("Hippos", "Herons", 2, 5)
    yield from cup.stands()
    yield from cup.make()
    yield from cup.say(Withdrew(cup.state.entries[3].number, "a lorry that broke down"), "the Lions withdraw")
    yield from cup.plays("Crocodiles", "Herons", 2, 3)
    yield from cup.stands()
    yield from cup.make()
    yield from cup.plays("Crocodiles", "Hippos", 6, 1)
    yield from cup.stands()


def knock_out() -> Lines:
    """Six players, of whom the first two have a bye; a correction after the final was paired."""
    yield "# Six players, knock-out with a match for the third place. The first two of the seeding have a bye."
    cup = Told()
    yield from cup.say(TournamentBegun("Narok cup", System.KNOCK_OUT, third_place=True), "begun")
    yield from cup.enter("Ole", "Naisiae", "Sironka", "Kip", "Lemayian", "Tipanoi")
    yield from cup.say(TablesNamed(("1", "2")), "tables 1 and 2")
    yield from cup.make()
    yield from cup.plays("Kip", "Lemayian", 2, 1)
    yield from cup.plays("Sironka", "Tipanoi", 3, 0)
    yield from cup.make()
    yield from cup.plays("Ole", "Kip", 2, 1)
    yield from cup.plays("Naisiae", "Sironka", 1, 2)
    yield from cup.make()
    final = len(cup.state.log)
    yield from cup.stands()
    yield from cup.corrects("Naisiae", "Sironka", 2, 1, "Resiato", "the last game was counted for the wrong side")
    yield from cup.stands()
    yield from cup.say(Undone(final, by="Resiato"), f"Resiato undoes event {final}")
    yield from cup.make()
    yield from cup.plays("Ole", "Naisiae", 1, 2)
    yield from cup.result("Kip", "Sironka", Result.walkover(N), "Kip – Sironka  Kip does not come")
    yield from cup.stands()


KINDS: Mapping[str, Callable[[], Lines]] = {
    "round-robin": round_robin, "score-counts": score_counts, "knock-out": knock_out}


def main() -> None:
    """Print the one that the command line names."""
    asked = argparse.ArgumentParser(prog="python -m tests.engine.tournaments.golden_tournament",
                                    description="Print a whole tournament.")
    asked.add_argument("kind", choices=KINDS)
    print("\n".join(KINDS[asked.parse_args().kind]()))


if __name__ == "__main__":
    main()
