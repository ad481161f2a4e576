"""Judge a move again from people's counts: these are taken as certain, and the referee gives the verdict."""

from collections.abc import Sequence
from dataclasses import replace

import msgspec

from device.journal.events import PositionSet, VerdictGiven, translatable
from device.journal.game import JudgedMove, PositionChange
from device.journal.messages import message as words
from device.table.parameters import JUDGEMENT
from device.table.verdict_events import position_set, verdict_event
from engine.board import Side
from engine.position import Position
from engine.referee.decide import weighed
from engine.referee.finding import Finding
from engine.referee.observation import Observation
from engine.rules import Rules


class TooFarBack(ValueError):
    """Too many moves were played since; the message is one sentence."""


def judged_again(rules: Rules, ruled: JudgedMove, counts: Sequence[int],
                 history: Sequence[Position]) -> tuple[VerdictGiven | PositionSet, ...]:
    """The events that follow if `counts`, along the ring, lie there after the move of a verdict: the verdict itself, if
    it left these counts; the referee's new verdicts, which answer it; or the position as people counted it, if the
    referee finds none. history: the positions before the one that the move was made from."""
    before = ruled.before
    if ruled.body.kind != "not-sure" and ruled.after.counts == tuple(counts):
        return (msgspec.structs.replace(ruled.body, counts=list(counts), answers=ruled.number),)
    found = weighed(rules, before, Observation.of_counts(counts), history)
    why = words("set.not-as-read")
    unchanged = before.counts == tuple(counts)
    if unchanged or not found or any(f.kind == "not-sure" for f in found) or found[-1].after.counts != tuple(counts):
        lies = before if unchanged else after_unknown_move(before, None, counts)
        return (PositionSet(position=str(lies), why=str(why), told=translatable(why), answers=ruled.number),)
    bodies = _events(rules, found, ruled, list(counts))
    first = msgspec.structs.replace(bodies[0], answers=ruled.number)
    return (first, *bodies[1:])


def after_unknown_move(before: Position, mover: Side | None, counts: Sequence[int]) -> Position:
    """The position after an unknown move that leaves these counts: missing seeds count as captured by its mover. mover:
    None for the side whose turn it was."""
    mover, captured = before.to_move if mover is None else mover, list(before.captured)
    captured[mover] += max(0, sum(before.counts) - sum(counts))
    return replace(before.with_counts(tuple(counts)), captured=(captured[0], captured[1]), to_move=mover.other,
                   ply=before.ply + 1)


def judged_on(rules: Rules, later: Sequence[JudgedMove | PositionChange], position: Position,
              history: Sequence[Position]) -> list[VerdictGiven | PositionSet]:
    """The events for the moves after one that was judged again: each is judged from the position that the one before it
    leaves now, by its own readings; positions that were set in between stay. position: the one after the move that was
    judged again; history: the positions before it. After a move that can no longer be judged, play goes on at the next
    position that was set; without one it ends there, and the board is taken as it lies. Raises TooFarBack.
    """
    bodies: list[VerdictGiven | PositionSet] = []
    before, past = position, list(history)
    doubtful, judged = False, 0
    for ruled in later:
        if isinstance(ruled, PositionChange):
            before, doubtful = _laid_now(ruled, before), False
            bodies.append(PositionSet(position=str(before), why=ruled.why, told=ruled.told, answers=ruled.number))
            continue
        if doubtful:
            continue
        if ruled.before == before:  # nothing has changed for this move
            bodies.append(msgspec.structs.replace(ruled.body, answers=ruled.number))
            past.append(before)
            before, doubtful = ruled.after, ruled.body.kind == "not-sure"
            continue
        judged += 1
        if judged > JUDGEMENT.most_judged_again:
            raise TooFarBack(words("answer.too-far", most=JUDGEMENT.most_judged_again))
        found = weighed(rules, before, _as_read(ruled), past)
        if not found:
            continue
        bodies += [msgspec.structs.replace(body, answers=ruled.number)
                   for body in _events(rules, found, ruled, ruled.body.counts)]
        past.append(before)
        before, doubtful = found[-1].after, found[-1].kind == "not-sure"
    return bodies


def _events(rules: Rules, found: Sequence[Finding], ruled: JudgedMove, counts: list[int]) -> list[VerdictGiven]:
    """The events for a move's new findings, with the times of its first verdict."""
    times = {"hands_in": ruled.body.hands_in, "hands_out": ruled.body.hands_out, "t": ruled.body.t}
    return [verdict_event(rules, finding.verdict(rules), counts=counts, **times) for finding in found]


def captured_set(position: Position, captured: Sequence[int]) -> PositionSet:
    """The event that sets only the captured seeds, as people counted them. captured: South's and North's."""
    south, north = captured
    return position_set(replace(position, captured=(south, north)), words("set.captured", south=south, north=north))


def is_captured_set(laid: JudgedMove | PositionChange) -> bool:
    """Whether only the captured seeds were set there, by people."""
    return isinstance(laid, PositionChange) and laid.told is not None and laid.told.key == "set.captured"


def _laid_now(laid: PositionChange, before: Position) -> Position:
    """The position that was set. If only the turn or the captured seeds were set, the rest is as now."""
    if is_captured_set(laid):
        return replace(before, captured=laid.position.captured)
    return replace(before, to_move=laid.position.to_move) if laid.position.counts == before.counts else laid.position


def _as_read(ruled: JudgedMove) -> Observation:
    """The observation after a move, rebuilt from its verdict: the likeliest counts, and those decided on."""
    settled = ruled.after.counts if ruled.body.kind != "not-sure" else tuple(ruled.body.counts)
    return Observation.of_counts(settled, sure_nats=JUDGEMENT.read_lead, or_counts=ruled.body.counts)
