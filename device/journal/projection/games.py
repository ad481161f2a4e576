"""The games of a journal: when each was played, what it was, how it ended, and what became of its moves."""

from array import array
from dataclasses import dataclass, field

from device.journal.events import BoardFound, GameOver, TeamsNamed, Told, Withdraw

EARLIEST = "2026"
"""Games before this year show a wrong clock, such as that of a machine switched on without a network: inkeek is not
older."""


@dataclass(frozen=True, slots=True)
class Retraction:
    """A move that people withdrew. order: number of the event that ordered it; player, move: of the withdrawn move;
    details: who withdrew it, why, and who had moved."""

    order: int
    verdict: int
    at: str
    player: str
    move: str
    details: Withdraw


@dataclass(slots=True)
class PlayedGame:
    """One game. number, last: the numbers of its first and latest event. verdicts: the numbers of its verdicts; fouls:
    how many of them are illegal now. result, winner, reason: as in `GameOver`, "" during the game. told: the reason's
    message. at, ended: ISO times. annulled: "agreed" or "over-time" if the game does not count. sets: the changed
    fields of the rules, as words. objections: verdicts that somebody at the table objected to, with or without a ruling
    since, except objections taken back. teams: the players. place: where the board was last found at the start."""

    number: int
    at: str
    game: str
    rules: str
    board: str
    start: str
    last: int
    sets: dict[str, str]
    teams: TeamsNamed
    place: BoardFound | None
    verdicts: "array[int]" = field(default_factory=lambda: array("q"))
    fouls: int = 0
    over: bool = False
    result: str = ""
    winner: str = ""
    reason: str = ""
    told: Told | None = None
    ended: str = ""
    annulled: str = ""
    retractions: list[Retraction] = field(default_factory=list)
    objections: list[int] = field(default_factory=list)

    @property
    def day(self) -> str:
        """The UTC day on which the game began."""
        return self.at[:10]

    @property
    def clock_wrong(self) -> bool:
        """Whether its times are impossible: before inkeek was written, or an end before the beginning."""
        return self.at < EARLIEST or "" < self.ended < self.at

    def end(self, over: GameOver | None, at: str) -> None:
        """Note how and when the game ended; None: it goes on."""
        self.over, self.ended = over is not None, "" if over is None else at
        self.result, self.winner, self.reason, self.told = (
            ("", "", "", None) if over is None else (over.result, over.winner, over.reason, over.told))
