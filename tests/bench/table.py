"""How figures are counted and printed: shares with Wilson's 95 % interval, in bands of counts."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

Row = tuple[str, str]

BANDS = (("0", 0, 0), ("1-4", 1, 4), ("5-8", 5, 8), ("9-14", 9, 14), ("15-20", 15, 20))


def band(count: int) -> str:
    """The band of a count; counts above 20 have none of their own and are "more"."""
    return next((name for name, low, high in BANDS if low <= count <= high), "more")


def share(hits: int, n: int) -> str:
    """A share with its Wilson 95 % interval and n (Wilson 1927)."""
    if n == 0:
        return "none measured"
    z, p = 1.96, hits / n
    middle = (p + z * z / 2 / n) / (1 + z * z / n)
    half = z * math.sqrt(p * (1 - p) / n + z * z / 4 / n / n) / (1 + z * z / n)
    low, high = max(0.0, middle - half), min(1.0, middle + half)
    return f"{100 * p:.1f} % [{100 * low:.1f}-{100 * high:.1f}] n={n}"


class Pits:
    """Counts pits read right, per band; boards; calibration."""

    def __init__(self) -> None:
        """Nothing was counted yet."""
        self.hit: Counter[str] = Counter()
        self.n: Counter[str] = Counter()
        self.off = 0
        self.boards = [0, 0]
        self._sure: list[tuple[float, bool]] = []

    def board(self, truth: Sequence[int], read: Sequence[int], p: Sequence[float]) -> None:
        """Take in the pits of one board: what lies there, what was read, and how sure."""
        for t, r, q in zip(truth, read, p, strict=True):
            self.hit[band(t)] += t == r
            self.n[band(t)] += 1
            self.off += abs(t - r) > 1
            self._sure.append((q, t == r))
        self.boards[0] += list(truth) == list(read)
        self.boards[1] += 1

    def rows(self, what: str, *, boards: bool = True) -> list[Row]:
        """The figures as rows for the table."""
        n = sum(self.n.values())
        out = [(f"{what}: pits exact", share(sum(self.hit.values()), n))]
        out += [(f"  of {name}", share(self.hit[name], self.n[name])) for name, _, _ in BANDS if self.n[name]]
        out.append(("  off by more than one", share(self.off, n)))
        if boards:
            out.append(("  boards exact", share(*self.boards)))
        sure = [ok for q, ok in self._sure if q >= 0.99]
        out.append(("  calibration error", f"{self.calibration():.3f}"))
        out.append(("  wrong where p >= 0.99", share(len(sure) - sum(sure), len(sure))))
        return out

    def calibration(self) -> float:
        """Expected calibration error over ten bins (Naeini et al. 2015)."""
        bins: dict[int, list[tuple[float, bool]]] = {}
        for q, ok in self._sure:
            bins.setdefault(min(9, int(q * 10)), []).append((q, ok))
        off = sum(abs(sum(q for q, _ in v) - sum(ok for _, ok in v)) for v in bins.values())
        return off / max(1, len(self._sure))
