"""Ayoayo and Layli Goobalay as their written sources tell them, written from these alone, without the engine's code.

Holes 0 to 5 are South's, 6 to 11 North's, in the order in which seeds are sown. Each rule stands below a paraphrase of
the sentence that it follows: of Mancala World (MW) or of Wikipedia (WP).
"""

from __future__ import annotations

from dataclasses import dataclass, field

GAMES = ("ayoayo", "layligoobalay")
LAPS = 3000
"""A sowing of more laps is taken for endless."""


@dataclass
class Table:
    """A board between two moves. pregnant: whose each pregnant hole (*uur*) is, 0 for South and 1 for North, by hole;
    stores: what South and North have captured."""

    holes: list[int]
    mover: int
    stores: list[int] = field(default_factory=lambda: [0, 0])
    pregnant: dict[int, int] = field(default_factory=dict)

    def row(self, player: int) -> range:
        """The holes on a player's side."""
        return range(6 * player, 6 * player + 6)

    def seeds(self, player: int) -> int:
        """How many seeds lie on a player's side."""
        return sum(self.holes[hole] for hole in self.row(player))

    def copy(self) -> Table:
        """A board that may be played on."""
        return Table(list(self.holes), self.mover, list(self.stores), dict(self.pregnant))


def _sown(table: Table, hole: int, skips: bool) -> int | None:
    """Sow from a hole, lap after lap, and return the hole of the last seed; None where that does not end."""
    for _ in range(LAPS):
        hand, begun, table.holes[hole] = table.holes[hole], hole, 0
        while hand:
            hole = (hole + 1) % 12
            if skips and hole == begun:
                continue
            table.holes[hole] += 1
            hand -= 1
        if table.holes[hole] == 1 or hole in table.pregnant:
            return hole
    return None


def ayoayo_sown(table: Table, hole: int, takes_own_seed: bool) -> Table | None:
    """The board after a move, whether or not it had to feed; None where the move does not end."""
    after = table.copy()
    # MW: A hole that held twelve or more is passed by. WP: In each single sowing, the hole begun from is.
    last = _sown(after, hole, skips=True)
    if last is None:
        return None
    after.mover = 1 - table.mover
    # MW: In an empty hole of his own, the seeds straight across are captured, and the seed that captures (not in WP).
    if last in table.row(table.mover) and after.holes[11 - last]:
        after.stores[table.mover] += after.holes[11 - last] + takes_own_seed
        after.holes[11 - last], after.holes[last] = 0, 1 - takes_own_seed
    return after


def ayoayo_moves(table: Table, takes_own_seed: bool, over_if_unfed: bool) -> tuple[dict[int, Table], set[int]]:
    """The moves that end, by hole, and the holes whose sowing does not. over_if_unfed: who cannot feed may not move."""
    sown = {hole: ayoayo_sown(table, hole, takes_own_seed) for hole in table.row(table.mover) if table.holes[hole]}
    ends = {hole: after for hole, after in sown.items() if after is not None}
    endless = {hole for hole, after in sown.items() if after is None}
    # Both: Where the opponent has no seeds, he must get some by the next move if that is possible.
    if not table.seeds(1 - table.mover):
        feeding = {hole: after for hole, after in ends.items() if after.seeds(1 - table.mover)}
        # MW: Otherwise the game is over. WP says this of nobody but who cannot move.
        ends = feeding if feeding or over_if_unfed else ends
    return ends, endless


def ayoayo_result(table: Table) -> tuple[int, int]:
    """What each has at the end of a game."""
    result = list(table.stores)
    # MW: What remains is captured by the player who moved last. WP: by the opponent of who cannot move.
    result[1 - table.mover] += sum(table.holes)
    return result[0], result[1]


def layli_moves(table: Table) -> tuple[dict[int, Table], set[int]]:
    """The moves that end, by hole, and the holes whose sowing does not."""
    ends, endless = {}, set()
    # WP: A player never begins from an uur.
    for hole in table.row(table.mover):
        if not table.holes[hole] or hole in table.pregnant:
            continue
        after = table.copy()
        # MW: A seed in each hole passed, without skipping one. WP: No relay from an uur.
        last = _sown(after, hole, skips=False)
        if last is None:
            endless.add(hole)
            continue
        _layli_captured(after, last)
        after.mover = 1 - table.mover
        ends[hole] = after
    return ends, endless


def _layli_captured(table: Table, last: int) -> None:
    """Take what the last seed captures. Both: nothing in an uur, in the other's row, and across an empty hole."""
    across, me = 11 - last, table.mover
    if last in table.pregnant or last not in table.row(me) or not table.holes[across]:
        return
    # MW of the long board: An uur is never emptied by either player.
    if across in table.pregnant:
        return
    if table.holes[across] == 3:
        # Both: One of three is laid beside the last seed, and the two holes of two are pregnant, the capturer's own.
        table.holes[across] = table.holes[last] = 2
        table.pregnant |= {last: me, across: me}
    else:
        # Both: One, two, four or more are taken together with the last seed.
        table.stores[me] += table.holes[across] + 1
        table.holes[across] = table.holes[last] = 0


def layli_result(table: Table) -> tuple[int, int]:
    """What each has at the end of a game. WP: Each takes his own uurs, on either side, and the rest of his row."""
    result = list(table.stores)
    for hole, seeds in enumerate(table.holes):
        result[table.pregnant.get(hole, hole // 6)] += seeds
    return result[0], result[1]


def moves(game: str, ruleset: str, table: Table) -> tuple[dict[int, Table], set[int]]:
    """The moves of a game that end, by hole, and the holes whose sowing does not."""
    if game == "layligoobalay":
        return layli_moves(table)
    return ayoayo_moves(table, takes_own_seed=ruleset == "russ", over_if_unfed=ruleset == "russ")


def result(game: str, table: Table) -> tuple[int, int]:
    """What each has at the end of a game."""
    return layli_result(table) if game == "layligoobalay" else ayoayo_result(table)
