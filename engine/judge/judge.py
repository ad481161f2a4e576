"""The judge: the best explanation of what was seen, and whether it is good enough to be said aloud.

Three outcomes. An accusation has to be nearly certain, to fit much better than the best legal explanation, and to rest
on pits that are read clearly; a legal board may be doubtful at a pit, but no pit may plainly show something else to
which the drops have no answer, nor may a fault fit board and drops much better. All the rest is not sure, and names the
pits to look at. A board that can be explained both legally and not is legal.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from engine.board import Side
from engine.games.base import Rules
from engine.judge import layouts as laid
from engine.judge import priors, race, search
from engine.judge.candidates import Ways, known
from engine.judge.faults import Work
from engine.judge.likelihood import DENIED, Fit
from engine.judge.pictures import Pictures
from engine.judge.search import Candidate
from engine.judge.timeline_likelihood import TimelineLikelihood, TraceLikelihood, passed
from engine.judge.verdict import COUNTS, Evidence, Explanation, Search, Verdict
from engine.position import Position

PLAIN = 0.99
"""Posterior from which a board is plain, whoever it was that left it."""

LEGAL_BOUND, HARMLESS_BOUND = 0.99, 0.95
"""Posterior that a legal verdict needs, and every other one that accuses nobody. People play fairly so much oftener
than not that a legal move is likely even against what is seen; below this, people are asked to look."""

OUTSPOKEN, SPOKEN = 3.0, 1.0
"""Nats by which no fault may fit all that was seen better than a legal move that is said aloud, where board and drops
both speak for it; and how much each has to say at the least. That people play fairly is no answer to two witnesses who
agree. Where the drops say so much against what one pit plainly shows, it is misread. Of 4,992 legal moves with the
measured eye seven were not said for the former, and 49 more were for the latter; of 2,496 faults of one seed in one pit
13 were no longer called legal."""

BOARD_BOUND = 0.8
"""Posterior that the board of an accusation needs among all boards: play goes on from it."""

ILLEGAL_BOUND = 0.95
"""Posterior that an accusation needs. Misreadings are allowed for so amply, and faults taken to be so rare, that of
9,000 legal moves with the measured eye none came to 0.9, and one to 0.8: an answer made at once. What comes nearest is
a pit that is plainly misread only when the hands have gone. At 150 to 1 none of 720 such would be accused, with 0.8 one
in twenty; at 1,100 to 1 one in thirteen, with 0.92 one in six, and one fault in a hundred more would be caught. But of
25 heaps that were misread at 20 to 1 or more all had been misread while hands were there, too."""

ILLEGAL_MARGIN = 9.0
"""Nats of evidence at clearly read pits, and of whose hands were there, by which an accusation has to fit better than
the best explanation that accuses nobody and has another board. Of one with the same board the pits say nothing, and the
hands have to."""

LAID = 7.0
"""Nats by which it has to be likelier than any turn of rearranging that leaves another board. Against those the board
says nothing: of the many ways to lay two pits' seeds one nearly always fits as well. But hardly one looks sown."""

ONE_SEED = 2.0
"""Nats of them that have to come from what was seen while the hands were there, where one seed in one pit is all that
lies otherwise: no picture of one pit is so sharp that it accuses."""

BEYOND = 0.005
"""Faults are looked for unless all of them together could not be so likely beside the best legal explanation."""

SOWN = 1200
"""Steps beyond which nobody has sown a move: at six drops a second that is more than three minutes. A fault may set off
a relay that hardly ends; laid against readings it would take all the time and memory there is."""
HEARD, HEARD_WITHIN = 16, 16.0
"""Of so many boards, and up to so many nats less likely than the best, the traces are laid against the readings taken
meanwhile; and of each board's traces the likeliest few."""
TRACES = 3

WITNESS = 12.0
"""Nats that those readings say at most against an explanation."""

CHANGED = 7.0
"""Nats against every pit that was clearly read as an explanation has it while the hands were still in play, and clearly
otherwise when they had gone, though by that explanation nobody touched it in between: seeds that are misread are
misread for as long as they lie there. Of 2,900 clear looks at pits that nobody touched any more, in clips of the
simulated table, one was otherwise than the board afterwards. But with two nats more, a pit that was plainly misread by
one seed only after the move would be an accusation one time in three."""

DEAF = -1.5
"""Nats a stay, of one look each, from which those readings fit no explanation at all, not even the best: they show
something else than these pits, such as a board that was pushed, and nothing is heard of them."""

REACHED = 3.0
"""Nats that the places of the hands say at most against a move: they are made out by colour and motion, and not always
well."""

WITNESS_MARGIN = 6.0
"""Nats of theirs that count at most towards `ILLEGAL_MARGIN`: an accusation rests on the board that lies there."""

AGAINST = 2.0
"""How many times they count against it: where the board says one thing and the drops another, marks in a pit that was
never seen empty may be taken for a seed, in two pits alike."""

ALSO = -2.0
"""Log-likelihood of both sides' hands from which nobody is accused where a legal move and its legal answer leave the
very board: what was read meanwhile may speak against them, but does not exclude them."""

HANDLESS = -4.5
"""Log-likelihood of a player's hand up to which he is not accused: it was not there, and the other side's plainly was.
"""

SHIFTED = 3
"""Pits that change where seeds are shifted by hand and not sown."""

TAKES = {"palmed": 1, "smuggled": -1}
"""Seeds that are missing by each of these faults for every one that it is told of."""

_FAULTY = sum(priors.FAULTS.values()) + priors.TAMPERED
_UNLIKE = _FAULTY + priors.TWO_LEGAL
"""All that has to be looked for where no one legal move explains the board: faults, and answers with no pause."""

WORK, TWICE, REPLAYED = 60_000, 6_000, 12_000
"""Laps sown in search of faults, and in search of a second one in the same move, and to come to the traces of faults
again. Only an accusation has to be come to again; against one that is not, `WITNESS` stands."""


@dataclass(frozen=True, slots=True)
class Scored:
    """Candidates of one board and kind; the best of them, the posterior of all, and how the board fits."""

    best: Candidate
    log_p: float
    fit: float
    members: tuple[tuple[float, Candidate], ...] = ()
    """The likeliest of the candidates, each with its log-prior."""
    heard: float = 0.0
    """What the readings taken meanwhile say of the best, in nats beside the best of all."""

    @property
    def accuses(self) -> bool:
        """Whether somebody did wrong by it."""
        return self.best.accuses


def judge(
    rules: Rules, before: Position, evidence: Evidence, *, history: Sequence[Position] = (), work: int = WORK
) -> Verdict:
    """What happened between `before` and the evidence.

    history: earlier positions of this game, oldest first, without `before`. work: laps to sow in search of faults,
    which is a count and no clock so that the same evidence gets the same verdict. Raises ValueError where the evidence
    is of another board.
    """
    if len(evidence.loglik) != before.board.pits:
        raise ValueError(f"evidence of {len(evidence.loglik)} pits for a board of {before.board.pits}")
    looks = Pictures.of(evidence)
    if looks is not None:
        evidence = replace(evidence, loglik=looks.weigh(evidence.loglik, before.counts))
    fit, pits = Fit(evidence), before.board.pits
    follows = known(rules, before)
    still = search.returns(before, history) + laid.arranged(rules, before, fit)
    benign = follows.legal + Ways.of(still, pits)
    elsewhere = laid.rearranged(rules, before, fit, history) if not before.ply else []
    run = race.judged(rules, before, evidence, fit, [*benign.candidates, *elsewhere])
    if run is not None:
        return run
    scored = score(fit, benign)
    rest = math.log(_UNLIKE) + fit.other(scored[0].best.counts)
    if rest - scored[0].log_p > math.log(BEYOND):
        benign += follows.answered
        scored = score(fit, benign)
        rest = math.log(_FAULTY) + fit.other(scored[0].best.counts)
    likeliest = scored[0].best
    searched: Search = "none"
    # What runs on into the opponent's row can leave the very board that his answer would.
    if likeliest.answered or rest - scored[0].log_p > math.log(BEYOND) or fit.denied(likeliest.counts):
        scored, cut = _spoiled(rules, before, fit, benign, elsewhere, work)
        rest, searched = -math.inf, "cut" if cut else "all"
    strange = _strange(fit, scored)
    read = evidence.during is not None and len(evidence.during.seen)
    if read or looks is not None:
        witness = TimelineLikelihood(evidence.during, fit.p, fit.seen) if evidence.during is not None and read else None
        scored = hear(rules, before, fit, witness, scored, looks)
    total = _logsum([*(s.log_p for s in scored), strange, rest])
    scored = [replace(s, log_p=s.log_p - total) for s in scored]
    return replace(_verdict(rules, before, fit, scored, math.exp(strange - total)), evidence=total, searched=searched)


def _strange(fit: Fit, scored: Sequence[Scored]) -> float:
    """The log-likelihood of "something else": it leaves one board out of many, and all of that one is read rightly.

    It does not shrink with the pits that differ: a relay that goes on from a board made wrong changes them all. Where
    seeds may be laid out as people like, it may leave any of those boards, too.
    """
    laid_out = max((-s.best.log_prior for s in scored if s.best.kind == "rearranged"), default=0.0)
    return math.log(priors.ELSE) + fit.ceiling - max(math.log(priors.ELSEWHERE), laid_out)


def _spoiled(
    rules: Rules, before: Position, fit: Fit, benign: Ways, elsewhere: list[Candidate], work: int
) -> tuple[list[Scored], bool]:
    """What accuses nobody and what does, side by side; and whether the search was broken off at its bound. elsewhere:
    rearrangements that are known already."""
    faulty, cut = known(rules, before).faulty(work)
    elsewhere = elsewhere or (laid.rearranged(rules, before, fit) if before.ply else [])
    pits, least = before.board.pits, float((fit.boards(benign.boards) + benign.log_priors).max()) - search.FAR
    # A board that one legal move leaves accuses nobody, however else it may have come about.
    lawful = {c.counts for c in benign.candidates if not (c.answered or c.kind == "rearranged")}
    laid_so = _excused(before, elsewhere + [c for c in benign.candidates if c.kind == "rearranged"])
    tampered = Ways.of(search.tampered(before, fit, least), pits)
    # Later on, what looks sown was hardly laid: a turn of rearranging is rare, and seldom looks like that.
    sown = faulty.but(lawful if before.ply else lawful | laid_so)
    spoiled = sown + tampered.but(lawful | laid_so) + Ways.of(elsewhere, pits).but(lawful)
    scored = score(fit, benign + spoiled)
    if not fit.denied(scored[0].best.counts):
        return scored, cut
    more = Work(min(work, TWICE))
    twice = Ways.of(search.twice(rules, before, fit, spoiled.candidates, more, least), pits)
    twice = twice.but(lawful | spoiled.leaving.keys())  # one fault is enough for these
    return score(fit, benign + spoiled + twice), cut or more.done


def score(fit: Fit, ways: Ways) -> list[Scored]:
    """Candidates by board and kind, most probable first; log_p not yet normalised. Accusations that are beyond all
    likelihood beside the best explanation are left out."""
    fits = fit.boards(ways.boards)
    values = fits + ways.log_priors
    candidates, groups = ways.candidates, dict[tuple[tuple[int, ...], str], list[tuple[float, int]]]()
    for i in np.flatnonzero((values >= values.max() - search.FAR) | ~ways.accuse).tolist():
        c = candidates[i]
        key = (c.counts, "illegal" if c.kind == "illegal" else f"{c.kind} {c.move} {c.player}")
        groups.setdefault(key, []).append((c.log_prior + _hands(fit, c), i))
    found = []
    for members in groups.values():
        likely = sorted(members, reverse=True)[:TRACES]
        i = likely[0][1]
        found.append(Scored(candidates[i], _logsum([p for p, _ in members]) + float(fits[i]), float(fits[i]),
                            tuple((p, candidates[k]) for p, k in likely)))
    found.sort(key=lambda s: -s.log_p)
    return found


def hear(rules: Rules, before: Position, fit: Fit, witness: TimelineLikelihood | None, scored: list[Scored],
         looks: Pictures | None = None) -> list[Scored]:
    """The same, weighed anew by what was read while the hands were in play, and by which pits look otherwise since;
    most probable first.

    Nothing is said there for an explanation, only against those that fit worse than the best. An accusation that is
    too unlikely to be heard gains nothing by what is said against the best honest explanation.
    """
    heard = [i for i, s in enumerate(scored[:HEARD])
             if s.log_p > scored[0].log_p - HEARD_WITHIN and s.best.kind != "rearranged"]
    # Seeds that are laid and not sown are laid in any order. And what has nothing beside it is not weighed.
    if sum(len(scored[i].members) for i in heard) < 2:
        return scored
    told: dict[tuple[int, int], NDArray[np.int64]] = {}
    work = Work(REPLAYED)
    for i in heard:
        for k, (_, c) in enumerate(scored[i].members):
            if (boards := _passes(rules, before, c, work)) is not None:
                told[i, k] = boards
    if not told:
        return scored
    words = {} if witness is None else _witnessed(fit, witness, scored, told)
    words = {at: words.get(at, 0.0) + (0.0 if looks is None else looks.say(boards)) for at, boards in told.items()}
    top = max(words.values())
    found = list(scored)
    for i in heard:
        s = scored[i]
        beside = [max(-WITNESS, words.get((i, k), -math.inf) - top) for k in range(len(s.members))]
        best = max(range(len(beside)), key=lambda k: s.members[k][0] + beside[k])
        was, now = _logsum(p for p, _ in s.members), _logsum(p + w for (p, _), w in zip(s.members, beside, strict=True))
        found[i] = replace(s, best=s.members[best][1], log_p=s.log_p - was + now, heard=beside[best])
    honest = max((found[i] for i in heard if not found[i].accuses), key=lambda s: s.log_p, default=None)
    if honest is not None and honest.heard < 0:
        for i in set(range(len(found))).difference(heard):
            if found[i].accuses:
                found[i] = replace(found[i], log_p=found[i].log_p + honest.heard, heard=honest.heard)
    return sorted(found, key=lambda s: -s.log_p)


def _witnessed(fit: Fit, witness: TimelineLikelihood, scored: list[Scored],
               told: dict[tuple[int, int], NDArray[np.int64]]) -> dict[tuple[int, int], float]:
    """What the readings say of each trace, nats; nothing where they fit none at all. told: the boards of each member of
    each of the scored."""
    said = dict(zip(told, witness.hear(list(told.values())), strict=True))
    gone = {i: np.isin(np.arange(len(fit.seen)), fit.denied(scored[i].best.counts)) for i, _ in told}
    words = {(i, k): _words(h, gone[i], scored[i].members[k][1]) for (i, k), h in said.items()}
    clearest = max(words, key=words.__getitem__)
    if words[clearest] < DEAF * said[clearest].stays:
        return {}
    # Where hands that changed nothing were, and in which order seeds were laid back, nobody knows.
    moved = {(i, k): scored[i].members[k][1].kind not in ("unchanged", "withdrawn") for i, k in told}
    nearest = max((said[at].reach for at in told if moved[at]), default=0.0)
    return {at: w + max(-REACHED, said[at].reach - nearest) * moved[at] for at, w in words.items()}


def _passes(rules: Rules, before: Position, c: Candidate, work: Work) -> NDArray[np.int64] | None:
    """The boards that it passes through, as of `passed`; None where nobody has sown so long, or where coming to them
    again takes more than what is left of the work."""
    if c.kind == "tampered":
        return np.array([before.counts, c.counts])
    trace = search.trace(rules, before, c, work)
    return None if trace is None or len(trace) > SOWN else passed(before.counts, trace)


def _words(heard: TraceLikelihood, gone: NDArray[np.bool_], c: Candidate) -> float:
    """What the readings say of a trace, nats. gone: bool[pits], where the quiet board denies what it leaves."""
    # Of a board that was laid back nobody knows in which order.
    last = heard.last if c.kind != "withdrawn" else np.zeros(len(gone))
    return heard.fit + float(np.where(heard.kept & gone, -CHANGED, last).sum())


def _excused(before: Position, elsewhere: Sequence[Candidate]) -> set[tuple[int, ...]]:
    """Boards that a side may have laid just as well: seeds shifted between a few pits. Where many pits changed as by
    sowing, which is likelier decides."""
    return {e.counts for e in elsewhere
            if sum(a != b for a, b in zip(e.counts, before.counts, strict=True)) <= SHIFTED}


def _hands(fit: Fit, c: Candidate) -> float:
    if c.of_both:
        return fit.both_hands
    return 0.0 if c.player is None or c.kind == "withdrawn" else fit.hand(c.player)


def _logsum(values: Iterable[float]) -> float:
    listed = [v for v in values if v > -math.inf]
    if len(listed) == 1:
        return listed[0]
    top = max(listed, default=-math.inf)
    return top + math.log(sum(math.exp(v - top) for v in listed)) if listed else top


# ---- from posteriors to words
# ---------------------------------------------------------------------------------------------


def _verdict(rules: Rules, before: Position, fit: Fit, scored: list[Scored], strange: float) -> Verdict:
    top = scored[0]
    best = _two_best(before, fit, scored, strange)
    rival = next((s for s in scored if s.best.counts != top.best.counts and not (top.accuses and s.accuses)), None)
    margin = top.fit - (rival.fit if rival else fit.other(top.best.counts))
    sure = _p(s for s in scored if s.best.kind == top.best.kind)
    doubtful = _doubts(fit, scored, top, sure)
    if doubtful is not None:
        return Verdict("not-sure", before, before, _player(scored), None, confidence=max(sure, strange), margin=margin,
                       best=best, pits=doubtful)
    c, after = top.best, top.best.settled(before)
    captured = 0 if c.player is None else after.captured[c.player] - before.captured[c.player]
    steps = () if c.kind in ("unchanged", "withdrawn", "tampered") else search.trace(rules, before, c) or ()
    return Verdict(
        c.kind, before, after, c.player, c.move, steps, c.faults,
        _expected(rules, before, c, after), max(0, captured), min(1.0, sure), margin, best, (), _then(c),
    )


def _then(c: Candidate) -> tuple[Side, str] | None:
    return (c.moves[1].before.board.owner(c.moves[1].pit), c.moves[1].name) if c.of_both else None


def _doubts(fit: Fit, scored: list[Scored], top: Scored, sure: float) -> tuple[int, ...] | None:
    """The pits that would decide, or None where the top explanation may be said aloud. None of the pits would where
    the board is plain, and only who moved is not, or whether it was one move or two."""
    counts = top.best.counts
    denied = fit.denied(counts, plainly=not top.accuses)
    rivals = [s for s in scored[1:] if s.best.counts != counts]
    same = _p(s for s in scored if s.best.counts == counts and s.accuses == top.accuses)
    plain = not denied and _p(s for s in scored if s.best.counts == counts) >= PLAIN
    if not top.accuses:
        legal = top.best.kind == "legal"
        against = _against(top, rivals) if legal else None
        if legal:
            denied = sorted({*_unanswered(fit, top, denied, rivals), *fit.plainly_off(counts)})
        if not denied and against is None and min(sure, same) >= (LEGAL_BOUND if legal else HARMLESS_BOUND):
            return None
        return () if plain and against is None else _apart(fit, counts, rivals[:1] if against is None else [against],
                                                           denied)
    if fit.both_hands > ALSO and any(s.best.answered and not s.accuses and s.best.counts == counts for s in scored):
        return ()
    if any(s.best.kind == "rearranged" and not s.best.rearranges and s.best.counts == counts for s in scored):
        return ()  # before the first move, what looks as if it had been sown may have been laid out so
    if (misfits := _misfits(fit, top)) is not None:
        return misfits
    if _handless(fit, top):
        return () if plain else _apart(fit, counts, rivals[:1], denied)
    accused = _p(s for s in scored if s.accuses)
    turns = [s for s in rivals if s.best.rearranges]
    if any(s.log_p > top.log_p - LAID for s in turns):
        return () if plain and accused < ILLEGAL_BOUND else _apart(fit, counts, turns[:1], denied)
    honest = next((s for s in rivals if not (s.accuses or s.best.rearranges)), None)
    if honest is None:
        return tuple(denied) if denied or accused < ILLEGAL_BOUND else None
    gain = np.where(fit.clear(counts, honest.best.counts), fit.per_pit(counts) - fit.per_pit(honest.best.counts), 0.0)
    near = sum(abs(a - b) for a, b in zip(counts, honest.best.counts, strict=True)) == 1
    if denied:
        # Here the eye errs, or more was done than is told: so the clearest of the other pits may be misread as well.
        gain[denied] = 0.0
        gain[gain.argmax()] = min(0.0, gain.max())
    heard = top.heard - honest.heard
    heard = min(WITNESS_MARGIN, heard if heard >= 0 else AGAINST * heard)
    witness = heard + max(0.0, _hands(fit, top.best) - _hands(fit, honest.best))
    # Several are no misreading: more was done than is told, by more than one hand it may be.
    backed = len(denied) < 2 and gain.sum() + witness >= ILLEGAL_MARGIN and (
        not near or (witness >= ONE_SEED and not denied))
    if accused >= ILLEGAL_BOUND and same >= BOARD_BOUND and backed:
        return None
    return () if plain and accused < ILLEGAL_BOUND else _apart(fit, counts, [honest, *rivals[:1]], denied)


def _misfits(fit: Fit, top: Scored) -> tuple[int, ...] | None:
    """The pits to look at, where what was read does not bear out an accusation: no misreading explains away a pit that
    is plainly empty, or not, or two seeds off; two faults are found on the very board that was read; and nobody is a
    thief where all the seeds lie there. None where it does."""
    counts = top.best.counts
    off, read = fit.plainly_off(counts), fit.read(counts)
    if off:
        return tuple(off)
    two = len(top.best.faults) > 1 and read != counts
    taken = sum(f.n * TAKES.get(f.code, 0) for f in top.best.faults)
    if two or (taken and sum(read) == sum(counts) + taken):
        return tuple(p for p, n in enumerate(read) if n != counts[p])
    return None


def _against(top: Scored, rivals: Iterable[Scored]) -> Scored | None:
    """The accusation against which a legal move is not said aloud, if there is one: board and drops speak for it."""
    spoken = (s for s in rivals if s.accuses and min(s.fit - top.fit, s.heard - top.heard) >= SPOKEN)
    best = max(spoken, key=lambda s: s.fit + s.heard, default=None)
    return best if best is not None and best.fit + best.heard >= top.fit + top.heard + OUTSPOKEN else None


def _unanswered(fit: Fit, top: Scored, denied: Sequence[int], rivals: Iterable[Scored]) -> list[int]:
    """Of the pits that deny a legal board, those that the drops do not answer for. They do where they speak against the
    fault by which the pit would be read rightly; of one that could not be heard nothing is known."""
    refuted = [s.best.counts for s in rivals
               if s.accuses and s.fit > top.fit and top.heard - s.heard >= SPOKEN and s.heard > -WITNESS]
    return [p for p in denied
            if all(fit.p[p, min(counts[p], COUNTS - 1)] * DENIED < fit.p[p].max() for counts in refuted)]


def _apart(fit: Fit, counts: tuple[int, ...], others: list[Scored], denied: list[int]) -> tuple[int, ...]:
    """The pits where explanations differ, those that are not clearly read first of all."""
    pits = set(denied)
    for other in others:
        pits |= {p for p, (a, b) in enumerate(zip(counts, other.best.counts, strict=True)) if a != b}
    doubtful = [p for p in sorted(pits) if fit.p[p].max() < 0.99 or not fit.seen[p] or p in denied]
    return tuple(doubtful or sorted(pits))


def _p(scored: Iterable[Scored]) -> float:
    return sum(math.exp(s.log_p) for s in scored)


def _player(scored: list[Scored]) -> Side | None:
    return scored[0].best.player


def _handless(fit: Fit, s: Scored) -> bool:
    """Whether it accuses somebody whose hand was not there, though the other side's plainly was."""
    return s.accuses and s.best.player is not None and fit.hand(s.best.player) < HANDLESS


def _two_best(before: Position, fit: Fit, scored: list[Scored], strange: float) -> tuple[Explanation, ...]:
    """The two that are likeliest; what somebody would have done whose hand was not there is something else."""
    told = [s for s in scored if not _handless(fit, s)]
    found = [
        Explanation(
            s.best.kind, math.exp(s.log_p), s.best.player, s.best.move,
            s.best.faults, s.best.settled(before), _then(s.best),
        )
        for s in told[:2]
    ]
    found.append(Explanation("else", strange + _p(s for s in scored if _handless(fit, s))))
    return tuple(sorted(found, key=lambda e: -e.p)[:2])


def _expected(rules: Rules, before: Position, c: Candidate, after: Position) -> Position | None:
    """What should lie there: of the pit played the legal end nearest to the board; None where nothing is wrong."""
    if not c.fault:
        return None
    if c.fault.code == "double-move":
        return c.moves[0].position
    if c.outcome is None or c.outcome.pit not in rules.starts(before):
        return before
    ends = [m.position for m in rules.moves(before).moves if m.pit == c.outcome.pit]
    return min(ends, key=lambda p: sum(abs(a - b) for a, b in zip(p.counts, after.counts, strict=True)), default=None)
