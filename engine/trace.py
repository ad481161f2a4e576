"""A move as a trace: every lift, drop and choice, up to its end.

The same trace is put into words (`engine.explain`), drawn, and aligned with the video. A trace need not be legal: the
explanation of a faulty move is a trace, too, with `Stray` for seeds that came or went.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from engine.board import Direction


class TraceError(ValueError):
    """A trace cannot have happened on the board it is applied to."""


@dataclass(frozen=True, slots=True)
class Lift:
    """n seeds of `pit` are taken into the hand; a lap begins. n is all of them, unless a fault left some."""

    pit: int
    n: int


@dataclass(frozen=True, slots=True)
class Drop:
    """One seed from the hand into `pit`."""

    pit: int


@dataclass(frozen=True, slots=True)
class Choose:
    """The player had the choice and took this direction for what follows."""

    direction: Direction


@dataclass(frozen=True, slots=True)
class Capture:
    """n seeds of `pits` leave the board for the mover: all, or all but a rest in the last pit.

    sown_from: if they are sown on instead, the pit where that lap begins, which is not lifted itself.
    """

    pits: tuple[int, ...]
    n: int
    sown_from: int | None = None


@dataclass(frozen=True, slots=True)
class Lay:
    """n seeds of `source` are laid into `pit` by the rules, and not sown."""

    source: int
    pit: int
    n: int = 1


@dataclass(frozen=True, slots=True)
class MakeBull:
    """`pits` become the mover's bulls."""

    pits: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Stray:
    """n seeds came (n > 0) or went (n < 0) outside the rules, in `pit`, or in the hand if pit is None."""

    pit: int | None
    n: int


@dataclass(frozen=True, slots=True)
class End:
    """The move ended. reason: sleeps, capture, bull, in-bull, win (seeds in the hand then need not be sown); or, for
    seeds laid instead of sown, rearranged if that was a turn, arranged if it was none."""

    reason: str


ARRANGED, REARRANGED = End("arranged"), End("rearranged")
"""Seeds were lifted and laid elsewhere: before the first move, without passing the turn; or as a turn."""


Step = Lift | Drop | Choose | Capture | Lay | MakeBull | Stray | End
Trace = tuple[Step, ...]


def laps(trace: Iterable[Step]) -> int:
    """Count the laps that a trace sows; 0 if the lifted seeds were laid elsewhere.

    Two pits lifted one after the other are sown as one lap; captured seeds that stay in the hand make no lap.
    """
    steps = tuple(trace)
    if ARRANGED in steps or REARRANGED in steps:
        return 0
    resown = sum(isinstance(s, Capture) and s.sown_from is not None and not isinstance(after, End | Capture)
                 for s, after in pairwise(steps))
    together = sum(isinstance(s, Lift) and isinstance(after, Lift) for s, after in pairwise(steps))
    return resown - together + sum(isinstance(s, Lift) for s in steps)


@dataclass(slots=True)
class Walk:
    """A board and the hand over it, while the steps of a trace are carried out.

    counts: seeds of each pit along the ring, changed in place; hand: seeds in the hand; name: how errors name a pit.
    """

    counts: list[int]
    name: Callable[[int], str] = "pit {}".format
    hand: int = 0

    def take(self, step: Step) -> tuple[int, ...]:
        """Carry out one step; return the pits whose seeds it moves, if any.

        Raises TraceError if the step needs seeds that are not there.
        """
        match step:
            case Lift(pit, n):
                return self._lift(pit, n)
            case Drop(pit):
                return self._drop(pit)
            case Capture():
                return self._capture(step)
            case Lay(source, pit, n):
                return self._lay(source, pit, n)
            case Stray():
                return self._stray(step)
            case _:
                return ()

    def _lift(self, pit: int, n: int) -> tuple[int, ...]:
        if not 0 < n <= self.counts[pit]:
            raise TraceError(f"{n} seeds lifted from {self.name(pit)}, which holds {self.counts[pit]}")
        self.counts[pit] -= n
        self.hand += n
        return (pit,)

    def _drop(self, pit: int) -> tuple[int, ...]:
        if not self.hand:
            raise TraceError(f"a seed dropped into {self.name(pit)} from an empty hand")
        self.counts[pit] += 1
        self.hand -= 1
        return (pit,)

    def _capture(self, step: Capture) -> tuple[int, ...]:
        last = step.pits[-1]
        rest = sum(self.counts[p] for p in step.pits) - step.n
        if not 0 <= rest <= self.counts[last]:
            raise TraceError(f"{step.n} seeds captured, the pits hold {rest + step.n}")
        for pit in step.pits:
            self.counts[pit] = 0
        self.counts[last] = rest
        self.hand += step.n * (step.sown_from is not None)
        return step.pits

    def _lay(self, source: int, pit: int, n: int) -> tuple[int, ...]:
        if not 0 < n <= self.counts[source]:
            raise TraceError(f"{n} seeds laid from {self.name(source)}, which holds {self.counts[source]}")
        self.counts[source] -= n
        self.counts[pit] += n
        return source, pit

    def _stray(self, step: Stray) -> tuple[int, ...]:
        if step.pit is None:
            self.hand += step.n
            return ()
        held = self.counts[step.pit]
        if held + step.n < 0:
            raise TraceError(f"{-step.n} seeds gone from {self.name(step.pit)}, which held {held}")
        self.counts[step.pit] = held + step.n
        return (step.pit,)


def boards(counts: Sequence[int], trace: Iterable[Step]) -> Iterator[tuple[int, ...]]:
    """Yield the boards that a trace passes through, as counts along the ring, starting with the board before it; seeds
    in the hand are on none. Steps that move no pit's seeds add no board. Raises TraceError if a step needs seeds that
    are not there."""
    walk = Walk(list(counts))
    yield tuple(walk.counts)
    for step in trace:
        if walk.take(step):
            yield tuple(walk.counts)
