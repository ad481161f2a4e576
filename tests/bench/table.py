"""Measurements as rows: a figure, its basis, its n and Wilson's 95 % interval; and counts in bands."""

import math
from collections import Counter
from collections.abc import Iterable, Sequence

import msgspec

BANDS = (("0", 0, 0), ("1-4", 1, 4), ("5-8", 5, 8), ("9-14", 9, 14), ("15-20", 15, 20))
QUANTILE_95 = 1.96
"""95 % of a normal distribution lie within this many standard deviations."""


class Row(msgspec.Struct, frozen=True, omit_defaults=True):
    """One figure. A bench fills in the first six fields; `tests.bench.results` adds when and where it was measured.

    interval: Wilson's, of a share, 0…1; note: what a reader must know about the figure; part: the part of the bench;
    version: the last commit of the product; seconds: time for all rows of this part together.
    """

    measure: str
    basis: str
    """The pictures, boards, games or seeds behind the figure."""
    value: str
    n: int | None = None
    interval: tuple[float, float] | None = None
    note: str = ""
    part: str = ""
    version: str = ""
    date: str = ""
    machine: str = ""
    where: str = ""
    seconds: float | None = None


def wilson(hits: int, n: int) -> tuple[float, float]:
    """Return the 95 % interval of a share of n, 0…1 (Wilson 1927); (0, 1) if n is 0."""
    if not n:
        return (0.0, 1.0)
    p, zz = hits / n, QUANTILE_95 ** 2
    middle = (p + zz / 2 / n) / (1 + zz / n)
    half = QUANTILE_95 * math.sqrt(p * (1 - p) / n + zz / 4 / n / n) / (1 + zz / n)
    return (max(0.0, middle - half), min(1.0, middle + half))


def digits(n: int) -> int:
    """Return the number of decimals for a share of n in percent."""
    return min(3, max(1, len(str(n)) - 2))


def share(measure: str, hits: int, n: int, basis: str = "", note: str = "") -> Row:
    """Return the row of a share of n in percent."""
    if n == 0:
        return Row(measure, basis, "none measured", 0, note=note)
    return Row(measure, basis, f"{100 * hits / n:.{digits(n)}f} %", n, wilson(hits, n), note)


def interval(row: Row) -> str:
    """Return the row's interval in percent, "" for none."""
    if row.interval is None:
        return ""
    low, high = (f"{100 * bound:.{digits(row.n or 0)}f}" for bound in row.interval)
    return f"{low}-{high}"


def line(row: Row) -> str:
    """Return a row as the commands print it: basis, measure, and the figure with its interval and n."""
    figure = [row.value, f"[{interval(row)}]" if row.interval else "", "" if row.n is None else f"n={row.n}", row.note]
    return f"{row.basis + ': ' if row.basis else ''}{row.measure}: {' '.join(word for word in figure if word)}"


def print_rows(rows: Iterable[Row]) -> None:
    """Print each row as a line as soon as it is available."""
    for row in rows:
        print(line(row), flush=True)


def band(count: int) -> str:
    """Return the band of a count; "more" for counts above 20."""
    return next((name for name, low, high in BANDS if low <= count <= high), "more")


class Pits:
    """Counts pits read right, per band; boards; calibration."""

    def __init__(self) -> None:
        """Start with no pits."""
        self.hit: Counter[str] = Counter()
        self.n: Counter[str] = Counter()
        self.off = 0
        self.boards = [0, 0]
        self._sure: list[tuple[float, bool]] = []

    def board(self, truth: Sequence[int], read: Sequence[int], p: Sequence[float]) -> None:
        """Add the pits of one board: the true counts, the counts read, and their probabilities."""
        for t, r, q in zip(truth, read, p, strict=True):
            self.hit[band(t)] += t == r
            self.n[band(t)] += 1
            self.off += abs(t - r) > 1
            self._sure.append((q, t == r))
        self.boards[0] += list(truth) == list(read)
        self.boards[1] += 1

    def rows(self, basis: str, *, boards: bool = True) -> list[Row]:
        """Return the figures. basis: which pictures, and whether their pits were found or given."""
        n = sum(self.n.values())
        out = [share("pits exact", sum(self.hit.values()), n, basis)]
        out += [share(f"pits exact, of {name} seeds", self.hit[name], self.n[name], basis)
                for name, _, _ in BANDS if self.n[name]]
        out.append(share("pits off by more than one", self.off, n, basis))
        if boards:
            out.append(share("boards exact", self.boards[0], self.boards[1], basis))
        sure = [ok for q, ok in self._sure if q >= 0.99]
        out.append(Row("calibration error", basis, f"{self.calibration():.3f}", n))
        out.append(share("pits wrong where p >= 0.99", len(sure) - sum(sure), len(sure), basis))
        return out

    def calibration(self) -> float:
        """Expected calibration error over ten bins (Naeini et al. 2015)."""
        bins: dict[int, list[tuple[float, bool]]] = {}
        for q, ok in self._sure:
            bins.setdefault(min(9, int(q * 10)), []).append((q, ok))
        off = sum(abs(sum(q for q, _ in v) - sum(ok for _, ok in v)) for v in bins.values())
        return off / max(1, len(self._sure))
