"""What every game's rules can be asked: set-up, legal moves, what a lap's last seed brings, the end of the game."""

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
    """A move that cannot be played there. The message is one sentence."""


@dataclass(frozen=True)
class Move:
    """A legal move and what it does.

    name: the pit's letter, then `<` or `>` for every direction chosen. position: after it. captured: seeds won by it.
    laps: laps sown. ends: sleeps, capture, bull, in-bull, win; rearranged, or arranged before the first move. laid: the
    steps of a move that is no sowing.
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
        """Every step of it; sown anew when first asked for."""
        if self.laid:
            return self.laid
        return self.rules.trace(self.before, self.pit, self.choices, self.before.board.owner(self.pit))


@dataclass(frozen=True, slots=True)
class Moves:
    """All legal moves of a position, by pit, shortest choices first.

    endless: pits whose sowing reaches no end; legal to begin, cannot be finished. unproved: those of them, and of the
    pits with moves, where the search was cut off at `max_laps`, which proves nothing.
    """

    moves: tuple[Move, ...]
    endless: tuple[int, ...] = ()
    unproved: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Over:
    """The end of a game. result: seeds, South's and North's. winner: None for a draw. reason: a sentence's worth.
    points: what the win counts in a tournament. message: the reason as it can be said in other languages."""

    result: tuple[int, int]
    winner: Side | None
    reason: str
    points: int = 1
    message: Message | None = field(default=None, compare=False)

    @classmethod
    def of(cls, result: tuple[int, int], reason: Message) -> Over:
        """More seeds wins."""
        winner = None if result[0] == result[1] else Side.SOUTH if result[0] > result[1] else Side.NORTH
        return cls(result, winner, str(reason), message=reason)


class Example(NamedTuple):
    """A move that shows something to a beginner. of: what it shows, by the words of `Rules.how_played`; start: the
    position line that it is made from; move: its notation."""

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
    """One ruleset of one game. Subclasses set the class's data and say what a lap's last seed brings (`decide`).

    What a game has to say:

    - game, title: its name in commands and in sentences. about: the sentence that introduces it. how_played: what a
      beginner is told of a move, a capture, a bull and the end, by these words. examples: moves that show it. on_wall:
      what passers-by are told of it.
    - boards: what it is played on. fields: what its rulesets differ in.
    - rulesets: per ruleset the fields it changes; the first is the default. sources: per ruleset where it is written.
    - `setup`, `seeds`, `decide` and `over`, the methods that are abstract.

    What it may say, where the usual is not so:

    - ruleset_names: per ruleset what people read for its name, such as "Driedger’s rules".
    - setup_names: what people read for the end of a set-up's name, such as "seeds to the right" for "2x8-right".
    - messages: its own sentences, by key (`message`). No two games may give a key different texts.
    - verbs: what is said of a move that ends so, where the others say that it slept. terms: the words that the page
      explains beside the board. nouns: what sentences put in the place of a word of theirs, such as "bull"; words: what
      the page says in the place of a message of its own, by that one's key.
    - skips_origin: a lap passes its own beginning by, in a game without the field `skip_origin`. relays: laps are sown
      on from their last pit; a game without needs no field `max_laps`. first_direction: of the first lap. has_bulls:
      pits may become bulls; bulls_at: those to which the last seed brings so many. won_midway: a move may win the
      game, whoever could move then.
    - forms: the forms of a match of it, by name (`engine.matches.forms`). draws: a game may end with no winner.
      most_seeds_win: who has more seeds at the end has won. win_points: what a win may count in a match, and the field
      that says so.
    - rearranging, races, farthest_wins_race: what comes before the first move.
    - barred_start: the fault of who begins in a pit of his own that is no bull and that `may_start` bars; where it is
      "", that is no move, and the board was changed without one.
    - demonstrations: by ruleset and board, what simulated tables play: the turns that they begin with
      (`device.sim.players`), none where all are by lot.

    name: this ruleset. values: every field's value. Raises RulesError for what does not exist.
    """

    game: ClassVar[str]
    title: ClassVar[str]
    about: ClassVar[str]
    how_played: ClassVar[Mapping[str, str]] = {}
    examples: ClassVar[tuple[Example, ...]] = ()
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
    win_points: Mapping[int, str] = {1: ""}
    rearranging: Rearranging = Rearranging.NEVER
    races: bool = False
    farthest_wins_race: bool = False

    def __init__(self, name: str | None = None, sets: Mapping[str, str] | None = None) -> None:
        """name: of the ruleset, None for the default; sets: fields changed in it, as words. Raises RulesError."""
        self.name = next(iter(self.rulesets)) if name is None else name
        if self.name not in self.rulesets:
            raise RulesError(message("rules.no-rules", name=repr(self.name[:40]), game=self.title,
                                  known=any_of(self.rulesets)))
        self.values = values(self.fields, self.rulesets[self.name], sets or {})
        self.skip_origin = bool(self.values.get("skip_origin", self.skips_origin))
        self.max_laps = int(self.values.get("max_laps", MAX_LAPS.default))

    @property
    def sets(self) -> dict[str, str]:
        """The fields whose values are not the ruleset's own, as words that `engine.rules.ruleset` takes."""
        own = values(self.fields, self.rulesets[self.name], {})
        return {name: word(value) for name, value in self.values.items() if value != own[name]}

    @classmethod
    def message(cls, key: str, **values: int | str | Message | list[Message]) -> Message:
        """The message of `key`, one of the game's own or of those that all share, in the game's words, filled in."""
        return Message.of(next((own for own in (cls.messages, cls.words) if key in own), MESSAGES), key, values)

    @classmethod
    def page_messages(cls) -> dict[str, str]:
        """What the page says of the game, by key: what it is, what its rulesets are called, what its fields ask, what
        its set-ups are called."""
        rules = cls()
        names = (name for board in cls.boards for name in rules.setups(board))
        found = {f"about.{cls.game}": cls.about, f"wall.what.{cls.game}": cls.on_wall or cls.about}
        found |= {f"help.{part}.{cls.game}": said for part, said in cls.how_played.items()}
        found |= {f"ruleset.{name}": said for name, said in cls.ruleset_names.items()}
        found |= {f"{cls.game}.{key}": said for key, said in cls.words.items()}
        for one in cls.fields:
            found |= one.messages
        return found | {f"layout.{how}": cls.setup_names.get(how, how)
                        for name in names if (how := name.partition("-")[2])}

    @classmethod
    def demonstrated(cls) -> tuple[tuple[str, str], ...]:
        """The rulesets and boards that simulated tables play; the first ruleset on every board where none are named."""
        rules = cls()
        return tuple(cls.demonstrations) or tuple((rules.name, str(b)) for b in cls.boards if rules.setups(b))

    # ---- what each game says of itself
    # -----------------------------------------------------------------------------------

    @abstractmethod
    def setup(self, name: str | None = None, board: Board | None = None) -> Position:
        """The position a game begins from. Raises RulesError for a set-up or a board the rules do not have."""

    def setups(self, board: Board) -> tuple[str, ...]:
        """The names of the set-ups on a board; none where a game on it begins from an agreed position."""
        return (str(board),) if board in self.boards else ()

    @abstractmethod
    def seeds(self, board: Board) -> int:
        """How many seeds the game is played with on this board."""

    @abstractmethod
    def decide(self, sowing: Sowing) -> Decision:
        """What the last seed of the lap just sown brings."""

    @abstractmethod
    def over(self, position: Position) -> Over | None:
        """The end of the game; None while it goes on. It may end while the player to move still could: `moves` asks
        here first, and then finds none. It must not call `moves`; `starts` it may."""

    def repeated(self, position: Position, earlier: Sequence[Position]) -> Over | None:
        """The end of the game because the position stood before; None where it goes on. earlier: the positions of the
        game before this one, oldest first."""
        del position, earlier
        return None

    def agreed(self, position: Position) -> Over | None:
        """What the board is worth where both sides agree that the game is over; None where the rules know no such
        end."""
        del position
        return None

    def may_start(self, position: Position, pit: int) -> bool:
        """Whether the owner of a pit might begin a move there, whoever is to move.

        It may look ahead (`engine.games.laps.explore`). It is asked of every pit, over and over, so one that looks
        ahead in most positions has to remember what it found, as with `functools.lru_cache`. `starts`, `moves` and
        `over` ask here, so it must call none of them.
        """
        return position.counts[pit] > 0 and position.bulls[pit] is None

    def barred(self, position: Position, pit: int) -> str:
        """Why no move begins in a pit that `may_start` bars, as the end of a sentence that begins with the pit. In
        English: only the command line and records say it."""
        return (renamed("is a bull", self.nouns) if position.bulls[pit] is not None
                else f"holds {position.counts[pit] or 'no'} seeds")

    def openings(self, sowing: Sowing, pit: int) -> tuple[Direction, ...]:
        """The ways the first lap of a move from `pit` may go; more than one is the player's choice."""
        del sowing, pit
        return (self.first_direction,)

    def directions(self, sowing: Sowing) -> tuple[Direction, ...]:
        """The ways the lap after the one just sown may go; more than one is the player's choice."""
        return (sowing.held,)

    def across(self, pit: int) -> tuple[int, ...]:
        """The pits from which a capture at `pit` would be taken up and sown on; none where captures leave the board."""
        del pit
        return ()

    def claims(self, sowing: Sowing) -> tuple[int, ...]:
        """The pits that a capture at the last seed is about, the nearest first, whether or not one is due: the facing
        one, unless the game captures elsewhere. Who captures wrongly mostly takes one of them."""
        return (sowing.board.facing(sowing.last),)

    def decided(self, sowing: Sowing) -> Decision | None:
        """How a sowing that does not end has decided the game already; None where it has not."""
        del sowing
        return None

    def won(self, sowing: Sowing) -> bool:
        """Whether a move has won the game before its end, so that nothing done in it from now on is a fault."""
        del sowing
        return False

    def stops(self, move: Move) -> tuple[Move, ...]:
        """The moves of the same name that leave another board, where one that has won the game need not be sown to its
        end."""
        del move
        return ()

    def holds(self, sowing: Sowing, direction: Direction) -> Direction:
        """The player chose `direction` for a lap: the one that holds for the laps after it."""
        del direction
        return sowing.held

    def problems(self, position: Position) -> list[Message]:
        """What else this game does not allow in a position, a sentence each."""
        found = []
        bull = next((p for p, owner in enumerate(position.bulls) if owner is not None), None)
        if bull is not None and not self.has_bulls:
            found.append(message("check.no-bulls", pit=position.board.name(bull), game=self.title))
        if position.won is not None and not self.won_midway:
            found.append(message("check.won", side=position.won.letter, game=self.title))
        return found

    def arranges(self, position: Position) -> bool:
        """Whether each side may still lay its half of the seeds out in its own pits, as it likes."""
        del position
        return False

    def each(self, board: Board) -> int | None:
        """How many seeds each side has to lay out in its own pits before the first move; None where that is free."""
        return self.seeds(board) // 2 if self.arranges(Position(board, (0,) * board.pits)) else None

    def rearrange(self, position: Position, name: str) -> Move:
        """Seeds lifted and laid elsewhere, such as `bd=3,1,…`. Raises MoveError."""
        del position
        raise MoveError(f"move {name[:40]!r}: {self.title} has no rearranging")

    # ---- what follows from it for all
    # ------------------------------------------------------------------------------------

    def check(self, position: Position) -> list[str]:
        """All that is wrong with a position under these rules, a sentence each; empty where nothing is."""
        return [str(one) for one in self.wrong(position)]

    def wrong(self, position: Position) -> list[Message]:
        """The same as it can be said in other languages."""
        if position.board not in self.boards:
            return [message("check.board", game=self.title, boards=any_of(map(str, self.boards)),
                         board=str(position.board))]
        found = self.problems(position)
        due = self.seeds(position.board)
        if position.total != due:
            on_board = sum(position.counts)
            found.insert(0, message("check.seeds", total=position.total, lying=on_board,
                                 captured=position.total - on_board, game=self.title, board=str(position.board),
                                 due=due))
        return found

    def by_rows(self, position: Position) -> tuple[int, int]:
        """South's and North's seeds where each gets what lies in its row, but for bulls, which go to their owners."""
        result = list(position.captured)
        for pit, (seeds, bull) in enumerate(zip(position.counts, position.bulls, strict=True)):
            result[position.board.owner(pit) if bull is None else bull] += seeds
        return result[0], result[1]

    def ended(self, position: Position, earlier: Sequence[Position]) -> Over | None:
        """The end of the game, None while it goes on: by the position, or as it stood before."""
        over = self.over(position)
        return self.repeated(position, earlier) if over is None else over

    def begin(self, position: Position, player: Side | None = None, *, traced: bool = False) -> Sowing:
        """A move about to be made."""
        return Sowing(position, player, skip_origin=self.skip_origin, traced=traced)

    def starts(self, position: Position, player: Side | None = None) -> list[int]:
        """The pits a player may begin a move from."""
        side = position.to_move if player is None else player
        return [pit for pit in position.board.own(side) if self.may_start(position, pit)]

    def moves(self, position: Position, player: Side | None = None) -> Moves:
        """The legal moves; of those from one pit that reach the same position only the one with the shortest choices.

        player: who moves, where it is not the one whose turn it is.
        """
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
        """The move of that name, such as `c` or `c<`, with exactly the choices that it needs. Raises MoveError."""
        if "=" in name:
            return self.rearrange(position, name)
        pit, choices = self._named(position, name)
        return self._move(position, pit, self._follow(self.begin(position), pit, choices))

    def trace(self, position: Position, pit: int, choices: str = "", player: Side | None = None) -> Trace:
        """Every step of a move. Raises MoveError where the choices do not fit."""
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
