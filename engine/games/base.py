"""The interface of every game's rules: set-up, legal moves, what a lap's last seed causes, the end of the game."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from functools import cached_property
from typing import ClassVar, NamedTuple

from engine.board import Board, Direction, Side
from engine.explain import VERBS, renamed
from engine.games import laps
from engine.games.fields import MAX_LAPS, SKIP_ORIGIN, Field, RulesError, Value, values, word
from engine.messages import MESSAGES, Message, any_of, message
from engine.position import Position
from engine.sowing import Decision, Sowing
from engine.trace import Trace


class MoveError(ValueError):
    """The move cannot be played there. The message is one sentence."""


@dataclass(frozen=True)
class Move:
    """A legal move and its result.

    name: the pit's letter, then `<` or `>` for every direction chosen. position: after the move. captured: seeds that
    it captured. laps: laps sown. ends: sleeps, capture, bull, in-bull, win; rearranged, or arranged before the first
    move. laid: the steps of a move that lays seeds instead of sowing them.
    """

    name: str
    pit: int
    choices: str
    position: Position
    captured: int
    laps: int
    ends: str
    before: Position = field(repr=False)
    rules: Rules = field(repr=False)
    laid: Trace = field(default=(), repr=False)

    @cached_property
    def trace(self) -> Trace:
        """Every step of the move; sown again on first use."""
        if self.laid:
            return self.laid
        return self.rules.trace(self.before, self.pit, self.choices, self.before.board.owner(self.pit))


@dataclass(frozen=True, slots=True)
class Moves:
    """All legal moves of a position, by pit, shortest choices first.

    endless: pits whose sowing reaches no end; they may be begun but not finished. unproved: pits, of the endless ones
    and of those with moves, for which the search stopped at `max_laps`, which proves nothing.
    """

    moves: tuple[Move, ...]
    endless: tuple[int, ...] = ()
    unproved: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Over:
    """The end of a game. result: seeds, South's and North's. winner: None for a draw. reason: a clause. points: what
    the win counts in a tournament. message: the reason, for translation."""

    result: tuple[int, int]
    winner: Side | None
    reason: str
    points: int = 1
    message: Message | None = field(default=None, compare=False)

    @classmethod
    def of(cls, result: tuple[int, int], reason: Message) -> Over:
        """Return the end of a game that the side with more seeds wins."""
        winner = None if result[0] == result[1] else Side.SOUTH if result[0] > result[1] else Side.NORTH
        return cls(result, winner, str(reason), message=reason)


class Example(NamedTuple):
    """A move that shows something to a beginner. of: what it shows, a key of `Rules.how_played`; start: the position
    line before it; move: its notation."""

    of: str
    start: str
    move: str


class Rearranging(Enum):
    """When a side may lift two of its pits and lay their seeds anywhere in its row: before the first move, as a turn of
    its own, or never."""

    SETUP = "setup"
    SPECIAL = "special"
    NEVER = "never"


class Rules(ABC):
    """One ruleset of one game. Subclasses set class attributes and decide what a lap's last seed causes (`decide`).

    A game has to define:

    - game, title: its name in commands and in sentences. about: one sentence that introduces it. how_played: what a
      beginner is told, by key: move, capture, bull, end. examples: moves that show it, the first of
      them `move`, with a capture.
    - boards: the boards it is played on. fields: the points in which its rulesets differ.
    - rulesets: per ruleset the fields it changes; the first is the default. sources: per ruleset where it is written.
    - `setup`, `seeds`, `decide` and `over`, the abstract methods.

    A game may define, where the default does not suit:

    - on_wall: its introduction on a wall display, if not `about`.
    - ruleset_names: per ruleset its name for people, such as "Driedger’s rules".
    - setup_names: the end of a set-up's name for people, such as "seeds to the right" for "2x8-right".
    - messages: its own sentences, by key (`message`). No two games may give a key different texts.
    - verbs: the verb for how a move ended, where it differs. terms: the words that the page explains beside the board.
      nouns: its own words for common ones in sentences, such as "bull"; words: its own texts for the page's messages.
    - skips_origin: a lap skips the pit it began in, for a game without the field `skip_origin`. relays: laps are sown
      on from their last pit; a game without them needs no field `max_laps`. first_direction: of the first lap.
      has_bulls: pits may become bulls; bulls_at: the count at which the last seed makes one. won_midway: a move may win
      the game although the opponent could still move.
    - forms: the forms of a match, by name (`engine.matches.forms`). draws: a game may end without a winner.
      most_seeds_win: the side with more seeds at the end wins.
    - rearranging, races, farthest_wins_race: what happens before the first move.
    - barred_start: the fault of beginning in an own pit that is no bull and that `may_start` bars; if it is "", such a
      beginning is no move, and the board was changed without one.
    - demonstrations: by ruleset and board, the turns with which simulated tables begin (`device.sim.players`); if there
      are none, all turns are random.

    name: this ruleset. values: every field's value. Raises RulesError for what does not exist.
    """

    game: ClassVar[str]
    title: ClassVar[str]
    about: ClassVar[str]
    how_played: ClassVar[Mapping[str, str]]
    examples: ClassVar[tuple[Example, ...]]
    on_wall: ClassVar[str] = ""
    verbs: ClassVar[Mapping[str, str]] = VERBS
    terms: ClassVar[tuple[str, ...]] = ("lap", "slept")
    nouns: ClassVar[Mapping[str, str]] = {}
    words: ClassVar[Mapping[str, str]] = {}
    boards: ClassVar[tuple[Board, ...]]
    fields: ClassVar[tuple[Field, ...]] = (SKIP_ORIGIN, MAX_LAPS)
    rulesets: ClassVar[Mapping[str, Mapping[str, Value]]]
    sources: ClassVar[Mapping[str, str]]
    ruleset_names: ClassVar[Mapping[str, str]] = {}
    setup_names: ClassVar[Mapping[str, str]] = {}
    messages: ClassVar[Mapping[str, str]] = {}
    skips_origin: ClassVar[bool] = False
    first_direction: ClassVar[Direction] = Direction.CCW
    relays: ClassVar[bool] = True
    has_bulls: ClassVar[bool] = False
    bulls_at: ClassVar[int] = 0
    won_midway: ClassVar[bool] = False
    forms: ClassVar[tuple[str, ...]] = ("games",)
    draws: ClassVar[bool] = True
    most_seeds_win: ClassVar[bool] = True
    barred_start: ClassVar[str] = ""
    demonstrations: ClassVar[Mapping[tuple[str, str], tuple[str, ...]]] = {}
    rearranging: Rearranging = Rearranging.NEVER
    races: bool = False
    farthest_wins_race: bool = False

    def __init__(self, name: str | None = None, sets: Mapping[str, str] | None = None) -> None:
        """name: of the ruleset, None for the default; sets: fields to change, as words. Raises RulesError."""
        self.name = next(iter(self.rulesets)) if name is None else name
        if self.name not in self.rulesets:
            raise RulesError(message("rules.no-rules", name=repr(self.name[:40]), game=self.title,
                                  known=any_of(self.rulesets)))
        self.values = values(self.fields, self.rulesets[self.name], sets or {})
        self.skip_origin = bool(self.values.get("skip_origin", self.skips_origin))
        self.max_laps = int(self.values.get("max_laps", MAX_LAPS.default))

    @property
    def sets(self) -> dict[str, str]:
        """The fields that differ from the ruleset's own values, as words for `engine.rules.ruleset`."""
        own = values(self.fields, self.rulesets[self.name], {})
        return {name: word(value) for name, value in self.values.items() if value != own[name]}

    @classmethod
    def message(cls, key: str, **values: int | str | Message | list[Message]) -> Message:
        """Return the message of `key`, the game's own or a shared one in the game's words, with its values."""
        return Message.of(next((own for own in (cls.messages, cls.words) if key in own), MESSAGES), key, values)

    @classmethod
    def page_messages(cls) -> dict[str, str]:
        """All texts of the page about the game, by key: what it is, the names and sources of its rulesets, the names of
        its set-ups, its fields' questions."""
        rules = cls()
        names = (name for board in cls.boards for name in rules.setups(board))
        found = {f"about.{cls.game}": cls.about, f"wall.what.{cls.game}": cls.on_wall or cls.about}
        found |= {f"help.{part}.{cls.game}": said for part, said in cls.how_played.items()}
        found |= {f"ruleset.{name}": said for name, said in cls.ruleset_names.items()}
        found |= {f"source.{cls.game}.{name}": said for name, said in cls.sources.items()}
        found |= {f"{cls.game}.{key}": said for key, said in cls.words.items()}
        for one in cls.fields:
            found |= one.messages
        return found | {f"layout.{how}": cls.setup_names.get(how, how)
                        for name in names if (how := name.partition("-")[2])}

    # ---- what each game defines
    # -----------------------------------------------------------------------------------

    @abstractmethod
    def setup(self, name: str | None = None, board: Board | None = None) -> Position:
        """Return the position a game begins from. Raises RulesError for an unknown set-up or board."""

    def setups(self, board: Board) -> tuple[str, ...]:
        """The names of the set-ups on a board; none if a game on it begins from an agreed position."""
        return (str(board),) if board in self.boards else ()

    @abstractmethod
    def seeds(self, board: Board) -> int:
        """Number of seeds in the game on this board."""

    @abstractmethod
    def decide(self, sowing: Sowing) -> Decision:
        """Decide what the last seed of the lap just sown causes."""

    @abstractmethod
    def over(self, position: Position) -> Over | None:
        """Return the end of the game, or None while it continues. A game may end although the player to move still
        could: `moves` asks here first, and then returns none. It must not call `moves`; it may call `starts`."""

    def repeated(self, position: Position, earlier: Sequence[Position]) -> Over | None:
        """Return the end of the game by repetition of the position, or None. earlier: the game's positions before this
        one, oldest first."""
        del position, earlier
        return None

    def agreed(self, position: Position) -> Over | None:
        """Return the end of the game by agreement of both sides, or None if the rules have no such end."""
        del position
        return None

    def may_start(self, position: Position, pit: int) -> bool:
        """Whether the owner of a pit might begin a move there, whoever is to move.

        It may look ahead (`engine.games.laps.explore`). It is called for every pit, over and over: if it looks ahead in
        most positions, it has to cache its results, as with `functools.lru_cache`. `starts`, `moves` and `over` call
        it, so it must call none of them.
        """
        return position.counts[pit] > 0 and position.bulls[pit] is None

    def barred(self, position: Position, pit: int) -> str:
        """Why no move begins in a pit that `may_start` bars: a predicate that follows the pit's name. In English, since
        only the command line and records use it."""
        return (renamed("is a bull", self.nouns) if position.bulls[pit] is not None
                else f"holds {position.counts[pit] or 'no'} seeds")

    def openings(self, sowing: Sowing, pit: int) -> tuple[Direction, ...]:
        """The possible directions of the first lap of a move from `pit`; the player chooses if there are several."""
        del sowing, pit
        return (self.first_direction,)

    def directions(self, sowing: Sowing) -> tuple[Direction, ...]:
        """The possible directions of the lap after the one just sown; the player chooses if there are several."""
        return (sowing.held,)

    def across(self, pit: int) -> tuple[int, ...]:
        """The pits whose seeds a capture at `pit` would take up and sow on; none if captured seeds leave the board."""
        del pit
        return ()

    def claims(self, sowing: Sowing) -> tuple[int, ...]:
        """The pits that a capture at the last seed concerns, nearest first, whether or not one is due: by default the
        facing pit. A wrong capture mostly takes one of them."""
        return (sowing.board.facing(sowing.last),)

    def decided(self, sowing: Sowing) -> Decision | None:
        """How a sowing that never ends has already decided the game; None if it has not."""
        del sowing
        return None

    def won(self, sowing: Sowing) -> bool:
        """Whether a move has won the game before its end, so that nothing in the rest of it is a fault."""
        del sowing
        return False

    def stops(self, move: Move) -> tuple[Move, ...]:
        """Moves of the same name that leave another board, if a move that has won the game need not be sown to its
        end."""
        del move
        return ()

    def holds(self, sowing: Sowing, direction: Direction) -> Direction:
        """Return the direction of later laps after the player chose `direction` for one."""
        del direction
        return sowing.held

    def own_problems(self, position: Position) -> list[Message]:
        """List what else this game forbids in a position, a sentence each."""
        found = []
        bull = next((p for p, owner in enumerate(position.bulls) if owner is not None), None)
        if bull is not None and not self.has_bulls:
            found.append(message("check.no-bulls", pit=position.board.name(bull), game=self.title))
        if position.won is not None and not self.won_midway:
            found.append(message("check.won", side=position.won.letter, game=self.title))
        return found

    def arranges(self, position: Position) -> bool:
        """Whether each side may still lay its half of the seeds out in its own pits as it likes."""
        del position
        return False

    def each(self, board: Board) -> int | None:
        """Number of seeds each side has to lay out in its own pits before the first move; None if it lays out none."""
        return self.seeds(board) // 2 if self.arranges(Position(board, (0,) * board.pits)) else None

    def rearrange(self, position: Position, name: str) -> Move:
        """Play a move that lifts seeds and lays them elsewhere, such as `bd=3,1,…`. Raises MoveError."""
        del position
        raise MoveError(f"move {name[:40]!r}: {self.title} has no rearranging")

    # ---- what all games share
    # ------------------------------------------------------------------------------------

    def problem_sentences(self, position: Position) -> list[str]:
        """List the `problems` of a position in English."""
        return [str(one) for one in self.problems(position)]

    def problems(self, position: Position) -> list[Message]:
        """List all that is wrong with a position under these rules, a sentence each."""
        if position.board not in self.boards:
            return [message("check.board", game=self.title, boards=any_of(map(str, self.boards)),
                         board=str(position.board))]
        found = self.own_problems(position)
        due = self.seeds(position.board)
        if position.total != due:
            on_board = sum(position.counts)
            found.insert(0, message("check.seeds", total=position.total, lying=on_board,
                                 captured=position.total - on_board, game=self.title, board=str(position.board),
                                 due=due))
        return found

    def by_rows(self, position: Position) -> tuple[int, int]:
        """South's and North's seeds if each side gets the seeds in its row, except that bulls go to their owners."""
        result = list(position.captured)
        for pit, (seeds, bull) in enumerate(zip(position.counts, position.bulls, strict=True)):
            result[position.board.owner(pit) if bull is None else bull] += seeds
        return result[0], result[1]

    def ended(self, position: Position, earlier: Sequence[Position]) -> Over | None:
        """Return the end of the game by its position or by repetition, or None while it continues."""
        over = self.over(position)
        return self.repeated(position, earlier) if over is None else over

    def begin(self, position: Position, player: Side | None = None, *, traced: bool = False) -> Sowing:
        """Begin a move from this position."""
        return Sowing(position, player, skip_origin=self.skip_origin, traced=traced)

    def starts(self, position: Position, player: Side | None = None) -> list[int]:
        """The pits in which a player may begin a move."""
        side = position.to_move if player is None else player
        return [pit for pit in position.board.own(side) if self.may_start(position, pit)]

    def moves(self, position: Position, player: Side | None = None) -> Moves:
        """Return the legal moves. Of moves from one pit to the same position only the one with the shortest choices is
        kept. player: who moves; by default the one to move."""
        found: list[Move] = []
        endless, unproved = [], []
        if player is None and self.over(position) is not None:
            return Moves(())
        for pit in self.starts(position, player):
            reached = laps.explore(self, self.begin(position, player), pit)
            reached_before: set[Position] = set()
            for end in reached.ends:
                move = self._move(position, pit, end)
                if move.position not in reached_before:
                    reached_before.add(move.position)
                    found.append(move)
            if not reached.ends:
                endless.append(pit)
            if reached.cut:
                unproved.append(pit)
        return Moves(tuple(found), tuple(endless), tuple(unproved))

    def _move(self, before: Position, pit: int, end: laps.Ending) -> Move:
        s = end.sowing
        return Move(before.board.name(pit) + end.choices, pit, end.choices, s.position(before), s.captured, s.laps,
                    end.ends, before, self)

    def play(self, position: Position, name: str) -> Move:
        """Return the move of that name, such as `c` or `c<`, with exactly the choices it needs. Raises MoveError."""
        if "=" in name:
            return self.rearrange(position, name)
        pit, choices = self._named(position, name)
        return self._move(position, pit, self._follow(self.begin(position), pit, choices))

    def trace(self, position: Position, pit: int, choices: str = "", player: Side | None = None) -> Trace:
        """Return every step of a move. Raises MoveError if the choices do not fit."""
        end = self._follow(self.begin(position, player, traced=True), pit, choices)
        return tuple(end.sowing.steps or ())

    def _named(self, position: Position, name: str) -> tuple[int, str]:
        board, letter, choices = position.board, name[:1], name[1:]
        try:
            pit = board.pit(letter)
        except ValueError as e:
            raise MoveError(f"move {name[:40]!r}: {e}") from None
        if choices.strip("<>"):
            raise MoveError(f"move {name[:40]!r}: after the pit only < and > may follow")
        if board.owner(pit) is not position.to_move:
            whose, turn = board.owner(pit).title, position.to_move.title
            raise MoveError(f"move {name}: pit {letter} is {whose}'s, and {turn} is to move")
        if not self.may_start(position, pit):
            raise MoveError(f"move {name}: pit {letter} {self.barred(position, pit)}")
        return pit, choices

    def _follow(self, sowing: Sowing, pit: int, choices: str) -> laps.Ending:
        name = sowing.board.name(pit) + choices
        got = laps.follow(self, sowing, pit, choices)
        if isinstance(got, laps.Ending):
            if got.choices != choices:
                raise MoveError(f"move {name}: it ends after {len(got.choices)} of the {len(choices)} choices")
            return got
        if got is laps.Stop.CHOICE:
            when = f"after lap {sowing.laps}" if sowing.laps else "for the first lap"
            raise MoveError(f"move {name}: a direction has to be chosen {when}: {name}> or {name}<")
        if got is laps.Stop.CYCLE:
            raise MoveError(f"move {name}: the sowing never ends")
        raise MoveError(f"move {name}: the sowing does not end within {self.max_laps} laps")
