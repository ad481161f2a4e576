"""Draw random faults as people commit them: all those listed in `engine/faults.md` that a hand can commit, at every
possible step of a turn.

A turn is first played by the rules, which shows where an edit is possible; then it is played again with the edit, and
continued by the rules from the board that this left. The generator knows the rules and the hand, not the referee, which
is tested against it.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

import numpy as np

from device.sim import edits
from device.sim.plays import Act, HandVisit
from device.sim.turn import SimulatedTurn, TurnEdit
from engine.board import Direction, Side
from engine.position import Position
from engine.rules import Rules

Rng = np.random.Generator


@dataclass(frozen=True, slots=True)
class CommittedFault:
    """A fault that was committed. kind: of `KINDS`; play: the visit of the hand, with code, pit, lap and number.

    codes, pits: all codes and pits that name it rightly, those of `play` first. The same acts may have several codes,
    and a seed in a wrong pit concerns two pits. If `pits` is empty, any pit is right. alike: "move" if a legal move of
    the player to move leaves the same board, "nothing" if the board is unchanged; else "".
    """

    kind: str
    play: HandVisit
    codes: tuple[str, ...]
    pits: tuple[int, ...]
    alike: str = ""


class _Drawn(NamedTuple):
    """A drawn fault, before the check whether the board shows it."""

    play: HandVisit
    codes: tuple[str, ...]
    pits: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class _At:
    """The state in which to draw a fault. rng: for all choices; longest: most drops of the turn."""

    rules: Rules
    position: Position
    rng: Rng
    longest: int

    @property
    def mover(self) -> Side:
        """The player to move."""
        return self.position.to_move

    def one(self, some: Sequence[int]) -> int:
        """A random one of some pits or numbers."""
        return int(some[int(self.rng.integers(len(some)))])

    def sown(self, player: Side, pit: int, *, more: tuple[int, ...] = (), edit: TurnEdit | None = None,
             seed: int | None = None, way: Direction | None = None) -> SimulatedTurn | None:
        """A finished turn, None if it is too long or does not end. seed: for its choices; `rng` if None."""
        if not self.position.counts[pit]:
            return None
        rng = self.rng if seed is None else np.random.default_rng(seed)
        turn = SimulatedTurn(self.rules, self.position, player, edit, rng)
        if not turn.play(pit, more=more, way=way):
            return None
        return turn if sum(a.kind == "drop" for a in turn.acts) <= self.longest else None


def _played(turn: SimulatedTurn, code: str, at: int | None, lap: int, n: int) -> HandVisit:
    after = turn.after()
    # A pit's bull goes with its last seed.
    after = replace(after.with_counts(after.counts), to_move=turn.player.other)
    return HandVisit(turn.player, "illegal", turn.start, tuple(turn.acts), turn.position, after, code, at, lap, n)


# ---- at the beginning
# ------------------------------------------------------------------------------------------------------


def _begun(code: str, pits: Callable[[_At], list[int]], by_other: bool = False) -> Callable[[_At], _Drawn | None]:
    """Draw a turn from a forbidden pit, or by the player who is not to move (`by_other`)."""

    def draw(at: _At) -> _Drawn | None:
        some = pits(at)
        if not some:
            return None
        turn = at.sown(at.mover.other if by_other else at.mover, at.one(some))
        return None if turn is None else _Drawn(_played(turn, code, turn.start, 1, 0), (code,), (turn.start,))

    return draw


def _bulls(at: _At) -> list[int]:
    return [p for p in range(at.position.board.pits) if at.position.bulls[p] is at.mover
            and at.position.board.owner(p) is at.mover]


def _barred(at: _At) -> list[int]:
    own, position = at.position.board.own(at.mover), at.position
    return [p for p in own if position.counts[p] and position.bulls[p] is None and not at.rules.may_start(position, p)]


def _twice(at: _At) -> _Drawn | None:
    """Draw two moves in one visit. (A second move in a visit of its own would be out of turn.)"""
    starts = at.rules.starts(at.position, at.mover)
    first = at.sown(at.mover, at.one(starts)) if starts else None
    if first is None:
        return None
    between = replace(first.after(), to_move=at.mover)
    starts = at.rules.starts(between)
    second = replace(at, position=between).sown(at.mover, at.one(starts)) if starts else None
    if second is None:
        return None
    play = replace(_played(second, "double-move", second.start, 1, 0), pit=first.start,
                   acts=(*first.acts, *second.acts), before=at.position)
    # A second move with the seed that just ended the first is a relay where the player should have slept.
    ran_on = second.start == first.sowing.last and between.counts[second.start] == 1
    return _Drawn(play, ("double-move", "ran-on") if ran_on else ("double-move",), (second.start, first.start))


def _together(at: _At) -> _Drawn | None:
    """Draw a turn that lifts two pits, mostly neighbours, and sows them as one, from either of them."""
    board, counts = at.position.board, at.position.counts
    starts = at.rules.starts(at.position, at.mover)
    if not starts:
        return None
    pit = at.one(starts)
    others = [p for p in board.own(at.mover) if p != pit and counts[p] and at.position.bulls[p] is None]
    near = [p for p in others if abs(p - pit) == 1]
    others = near if near and at.rng.random() < 0.7 else others
    if not others:
        return None
    second = at.one(others)
    turn = at.sown(at.mover, pit, more=(second,), way=at.rules.first_direction)
    if turn is None:
        return None
    return _Drawn(_played(turn, "two-pits", second, 1, counts[second]), ("two-pits",), (second, pit))


# ---- at a step of a turn
# ---------------------------------------------------------------------------------------------------

def _edited(code: str, places: edits.Places, *same: str) -> Callable[[_At], _Drawn | None]:
    """Draw a turn with one of these edits, in any lap that allows one. same: other codes for the same fault."""

    def draw(at: _At) -> _Drawn | None:
        starts = at.rules.starts(at.position, at.mover)
        if not starts:
            return None
        seed, pit = int(at.rng.integers(1 << 30)), at.one(starts)
        plain = at.sown(at.mover, pit, seed=seed)
        if plain is None:
            return None
        found = [list(places(plain, lap, number, at.rng)) for number, lap in enumerate(plain.laps, 1) if not lap.won]
        found = [some for some in found if some]
        if not found:
            return None
        some = found[int(at.rng.integers(len(found)))]
        edit = some[int(at.rng.integers(len(some)))]
        turn = at.sown(at.mover, pit, edit=edit, seed=seed)
        if turn is None or turn.at is None or _unfounded(turn):
            return None
        return _Drawn(_played(turn, code, turn.at, turn.lap, turn.n), (code, *same, *_same(edit, plain)),
                      _where(edit, plain, turn))

    return draw


def _unfounded(turn: SimulatedTurn) -> bool:
    """Whether the edit makes an earlier choice illegal: a lap was reversed because it would capture, and now it does
    not. That would be two faults."""
    lap = turn.laps[turn.lap - 1]
    reverses = any(turn.rules.across(p) for p in range(turn.position.board.pits))
    return reverses and not lap.forced and lap.direction is Direction.CW and not lap.due.pits


def _same(edit: TurnEdit, plain: SimulatedTurn) -> tuple[str, ...]:
    """Other codes for the same acts. If a lap's last seed went one pit too far, it was dropped wrongly or a pit was
    skipped. If the pit where it should have ended was empty, the player may also have dropped it there and sown on
    instead of sleeping."""
    lap = plain.laps[edit.lap - 1]
    if edit.kind not in ("skip", "wrong-pit") or edit.drop != len(lap.path) - 1:
        return ()
    due = lap.path[-1]
    beyond = plain.position.board.step(lap.direction)[due]
    if edit.kind == "wrong-pit" and edit.pits[0] != beyond:
        return ()
    ran_on = ("ran-on",) if lap.counts[due] == 1 and (edit.kind == "wrong-pit" or edit.n == 1) else ()
    return ("skip" if edit.kind == "wrong-pit" else "wrong-pit", *ran_on)


def _where(edit: TurnEdit, plain: SimulatedTurn, turn: SimulatedTurn) -> tuple[int, ...]:
    """The pits at which an edit may be named; empty for any pit.

    A stray seed: where it is and where it should be. A skip: all skipped pits and the next. A capture: any pit that is
    concerned. Seeds palmed or added in mid-sowing: any pit, because the lap's first pit names them no better than any
    pit that the lap would have reached.
    """
    lap = plain.laps[edit.lap - 1]
    first = () if turn.at is None else (turn.at,)
    match edit.kind:
        case "palmed" | "smuggled":
            return ()
        case "wrong-pit":
            return (*first, lap.path[edit.drop])
        case "skip":
            step, passed = plain.position.board.step(lap.direction), [lap.path[edit.drop]]
            for _ in range(edit.n):
                passed.append(step[passed[-1]])
            return tuple(passed)
        case "capture":
            changed = {p for p in (*edit.pits, *lap.due.pits) if (p in edit.pits) != (p in lap.due.pits)}
            return (*first, *sorted(changed), lap.path[-1])
        case "capture-none" | "kept":
            return (*first, *lap.due.pits, lap.path[-1])
        case "resown":
            return (*first, lap.pit, lap.path[-1])
        case _:
            return first


# ---- between moves
# -----------------------------------------------------------------------------------------------------------


def _beside(code: str, n: int) -> Callable[[_At], _Drawn | None]:
    """Draw an honest move after which the hand adds n seeds to a pit, or takes -n out of it."""

    def draw(at: _At) -> _Drawn | None:
        starts = at.rules.starts(at.position, at.mover)
        turn = at.sown(at.mover, at.one(starts)) if starts else None
        if turn is None:
            return None
        play = _played(turn, code, None, 0, abs(n))
        changed = _changed(at, play.after, n)
        if changed is None:
            return None
        pit, act, after = changed
        # Where captures leave the board, taking seeds from across is also a capture without right.
        across = n < 0 and after.board.rows == 2 and after.board.owner(pit) is not at.mover
        codes = (code, "false-capture") if across else (code,)
        return _Drawn(replace(play, acts=(*play.acts, act), after=after, at=pit), codes, (pit,))

    return draw


def _changed(at: _At, lies: Position, n: int) -> tuple[int, Act, Position] | None:
    """Add n seeds to a random pit, or take -n out of it: the pit, the act and the board after it."""
    pits = [p for p in range(lies.board.pits) if lies.bulls[p] is None and lies.counts[p] + n >= 0]
    if not pits:
        return None
    pit = at.one(pits)
    counts = list(lies.counts)
    counts[pit] += n
    return pit, Act("add" if n > 0 else "take", pit, abs(n)), lies.with_counts(tuple(counts))


def _outside(at: _At, acts: tuple[Act, ...], after: Position, n: int) -> HandVisit:
    player = Side(int(at.rng.integers(2)))
    return HandVisit(player, "tampered", None, acts, at.position, after, "tampered", acts[0].pit, 0, n)


def _tampered(sign: int, *same: str) -> Callable[[_At], _Drawn | None]:
    """Draw one to three seeds added to a pit (`sign` 1) or taken out of it (-1), without a move."""

    def draw(at: _At) -> _Drawn | None:
        n = int(at.rng.integers(1, 4))
        changed = _changed(at, at.position, sign * n)
        if changed is None:
            return None
        pit, act, after = changed
        return _Drawn(_outside(at, (act,), after, n), ("tampered", *same), (pit,))

    return draw


def _shifted(at: _At) -> _Drawn | None:
    """Draw one to three seeds moved from one pit to another, without a move."""
    position = at.position
    sources = [p for p in range(position.board.pits) if position.counts[p] and position.bulls[p] is None]
    if not sources:
        return None
    source = at.one(sources)
    target = at.one([p for p in range(position.board.pits) if p != source])
    n = int(at.rng.integers(1, min(3, position.counts[source]) + 1))
    counts = list(position.counts)
    counts[source], counts[target] = counts[source] - n, counts[target] + n
    acts = (Act("lift", source, n), Act("drop", target, n))
    return _Drawn(_outside(at, acts, position.with_counts(tuple(counts)), n), ("tampered",), (source, target))


@dataclass(frozen=True, slots=True)
class FaultKind:
    """A kind of fault, and the games in which it can happen. code: its name in the rules' list; rows: possible numbers
    of rows of the board. If set, it needs a game with bulls (`bulls`), with relays (`relays`), or with pits that this
    code bars (`barred`)."""

    code: str
    draw: Callable[[_At], _Drawn | None] = field(repr=False)
    rows: tuple[int, ...] = (2, 4)
    bulls: bool = False
    barred: bool = False
    relays: bool = False

    def possible(self, rules: Rules, position: Position) -> bool:
        """Whether such a fault exists in this game."""
        if (self.barred and rules.barred_start != self.code) or (self.relays and not rules.relays):
            return False
        return position.board.rows in self.rows and (rules.has_bulls or not self.bulls)


def _kind(code: str, places: edits.Places, *same: str, rows: tuple[int, ...] = (2, 4),
          bulls: bool = False) -> FaultKind:
    return FaultKind(code, _edited(code, places, *same), rows, bulls)


KINDS: Mapping[str, FaultKind] = {
    "wrong-side": FaultKind("wrong-side", _begun("wrong-side", lambda at: at.rules.starts(at.position,
                                                                                          at.mover.other))),
    "bull-lifted": FaultKind("bull-lifted", _begun("bull-lifted", _bulls), (2,), True),
    **{code: FaultKind(code, _begun(code, _barred), barred=True) for code in ("lone-seed", "starved")},
    "out-of-turn": FaultKind("out-of-turn", _begun("out-of-turn", lambda at: at.rules.starts(at.position,
                                                                                             at.mover.other),
                                              by_other=True)),
    "moved-twice": FaultKind("double-move", _twice),
    "two-pits": FaultKind("two-pits", _together),
    **{f"left-{n}": _kind("left-seed", edits.left_seed(n)) for n in (1, 2, 3)},
    **{f"palmed-{n}": _kind("palmed", edits.palmed(n)) for n in (1, 2, 3)},
    **{f"added-{n}": _kind("smuggled", edits.at_drops("smuggled", n)) for n in (1, 2)},
    "palmed-from-pit": FaultKind("palmed", _beside("palmed", -1)),
    "two-palmed-from-pit": FaultKind("palmed", _beside("palmed", -2)),
    "added-to-pit": FaultKind("smuggled", _beside("smuggled", 1)),
    **{f"skip-{n}": _kind("skip", edits.at_drops("skip", n)) for n in (1, 2)},
    **{f"double-{n + 1}": _kind("double", edits.at_drops("double", n, n)) for n in (1, 2)},
    "wrong-pit": _kind("wrong-pit", edits.wrong_pit),
    "wrong-way": _kind("wrong-way", edits.wrong_way),
    "stopped-short": FaultKind("stopped-short", _edited("stopped-short", edits.stopped), relays=True),
    "ran-on": _kind("ran-on", edits.ran_on("sleeps")),
    "bull-missed": _kind("bull-missed", edits.ran_on("bull"), "ran-on", rows=(2,), bulls=True),
    "bull-run-through": _kind("bull-lifted", edits.ran_on("in-bull"), rows=(2,), bulls=True),
    "bull-imagined": _kind("bull-missed", edits.imagined, "stopped-short", rows=(2,), bulls=True),
    "bull-captured": _kind("bull-lifted", edits.from_bull, "false-capture", rows=(2,), bulls=True),
    "capture-partly": _kind("short-capture", edits.partly),
    "capture-not-taken": _kind("short-capture", edits.not_taken),
    "capture-without-right": _kind("false-capture", edits.without_right),
    "string-long": _kind("false-capture", edits.string_long, rows=(2,), bulls=True),
    "string-short": _kind("short-capture", edits.string_short, rows=(2,), bulls=True),
    "resown-from-start": _kind("wrong-pit", edits.resown(True), rows=(4,)),
    "resown-from-capture": _kind("wrong-pit", edits.resown(False), rows=(4,)),
    "kept": _kind("kept", edits.kept, rows=(4,)),
    "shifted": FaultKind("tampered", _shifted),
    "taken-with-no-move": FaultKind("tampered", _tampered(-1, "palmed")),
    "laid-with-no-move": FaultKind("tampered", _tampered(1, "smuggled")),
}
"""All kinds of faults, by name."""


def kinds(rules: Rules, position: Position) -> tuple[str, ...]:
    """Names of the kinds of faults that are possible by these rules from a position."""
    return tuple(name for name, kind in KINDS.items() if kind.possible(rules, position))


def draw(rules: Rules, position: Position, kind: str, rng: Rng, *, longest: int = 60,
         tries: int = 12) -> CommittedFault | None:
    """Draw a fault of this kind from `position`; None if none was found in `tries` tries. longest: most drops of the
    turn.

    Raises KeyError for a kind that is not in KINDS.
    """
    chosen = KINDS[kind]
    if not chosen.possible(rules, position):
        return None
    at = _At(rules, position, rng, longest)
    for _ in range(tries):
        drawn = chosen.draw(at)
        if drawn is not None:
            return CommittedFault(kind, drawn.play, drawn.codes, drawn.pits, _lawful_equal(rules, drawn.play))
    return None


def _lawful_equal(rules: Rules, play: HandVisit) -> str:
    """How the same board could arise by the rules; see `CommittedFault.alike`."""
    if play.after.counts == play.before.counts:
        return "nothing"
    legal = {m.position.counts for m in rules.moves(play.before).moves}
    return "move" if play.after.counts in legal else ""


# ---- for players
# -------------------------------------------------------------------------------------------------------------

CODES = tuple(dict.fromkeys(kind.code for kind in KINDS.values()))
"""The codes of the rules' list that can be drawn here."""

_AT_A_DROP = {"skip": "skip", "double": "double", "left-seed": "left-seed", "palmed": "palmed", "smuggled": "smuggled",
              "wrong-way": "wrong-way", "stopped-short": "stopped-short", "ran-on": "ran-on", "bull-missed": "ran-on"}
"""By code: the edit of one seed that a script can ask for at a given drop of a given lap."""


def cheat(rules: Rules, position: Position, word: str, rng: Rng, longest: int = 60,
          tries: int = 60) -> HandVisit | None:
    """Draw a turn with a fault that leaves a board which no legal move leaves; None if none was found in `tries` tries.

    word: a kind, or a code for any of its kinds. longest: most drops. Raises ValueError for any other word.
    """
    some = [name for name, kind in KINDS.items() if word in (name, kind.code)]
    if not some:
        raise ValueError(f"{word!r} is not a fault that players commit: {', '.join((*CODES, *KINDS))}")
    some = [name for name in some if KINDS[name].possible(rules, position)]
    for _ in range(tries if some else 0):
        foul = draw(rules, position, some[int(rng.integers(len(some)))], rng, longest=longest, tries=1)
        if foul is not None and not foul.alike:
            return foul.play
    return None


def fault_at(rules: Rules, position: Position, code: str, pit: int, lap: int, drop: int) -> HandVisit | None:
    """The turn from `pit` with a fault of one seed at a given drop (from 0) of a lap (from 1); None if it is impossible
    on this board."""
    mover = position.to_move
    if code not in _AT_A_DROP or position.board.owner(pit) is not mover or not rules.may_start(position, pit):
        return None
    turn = SimulatedTurn(rules, position, mover, TurnEdit(_AT_A_DROP[code], lap, drop), np.random.default_rng(0))
    return _played(turn, code, turn.at, turn.lap, turn.n) if turn.play(pit) and turn.at is not None else None


def sown(rules: Rules, position: Position, pit: int, player: Side, rng: Rng) -> HandVisit | None:
    """A turn by the rules; None if the sowing does not end."""
    turn = SimulatedTurn(rules, position, player, None, rng)
    if not turn.play(pit):
        return None
    return HandVisit(player, "legal", pit, tuple(turn.acts), position, _played(turn, "", None, 0, 0).after)
