"""The referee on a log of readings (`inkeek judge LOG --referee`): its findings as events in their kept forms."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from device.cli.output_forms import watch_form
from device.evidence.reading_log import LogError, read_log
from device.journal.events import GameStarted
from device.table.observing import HandCame, Observed, Observer
from device.table.verdict_events import verdict_events
from engine.judge import search
from engine.judge.verdict import Explanation, Verdict
from engine.position import Position
from engine.referee.account import Happening
from engine.referee.decide import Finding, Referee
from engine.rules import Rules, ruleset

Emit = Callable[[dict[str, Any]], None]


def referee_log(path: Path, emit: Emit) -> None:
    """Referee a recording from the log of what vision said of it, by a belief over games. emit: takes each event.
    Raises `LogError` where it is no log, or its game cannot be played."""
    try:
        header, logged = read_log(path)
        game = _Game.of(header.started, emit)
        for entry in logged:
            if entry.what == "reading" and entry.reading is not None and entry.reading.found:
                game.take(game.observer.add(entry.reading))
        game.take(game.observer.end())
    except OSError as error:
        raise LogError(f"{path} cannot be read: {error.strerror}") from None
    except LogError:
        raise
    except ValueError as error:
        raise LogError(f"{path}: {error}") from None


@dataclass
class _Game:
    """A game that the referee follows. times: seconds, when each finding was said."""

    rules: Rules
    observer: Observer
    referee: Referee
    emit: Emit
    times: dict[int, float] = field(default_factory=dict)

    @classmethod
    def of(cls, started: GameStarted, emit: Emit) -> _Game:
        """A game that begins as told. Raises ValueError where it cannot."""
        rules, start = ruleset(started.game, started.rules, started.sets), Position.parse(started.position)
        emit({"t": 0.0, "event": "position", "position": str(start)})
        return cls(rules, Observer(start.board.pits), Referee(rules, start), emit)

    def take(self, told: Iterator[Observed | HandCame]) -> None:
        """Let the referee take in what the observer says, and say what it finds."""
        for one in told:
            match one:
                case HandCame(side, t):
                    found = self.referee.hand(side, t)
                case Observed(observation, over):
                    found = self.referee.observe(observation, over=over)
            self.times |= {finding.number: round(finding.t, 3) for finding in found}
            for finding in found:
                self._say(finding)

    def _say(self, finding: Finding) -> None:
        body, = verdict_events(self.rules, verdict_of(self.rules, finding), hands_in=finding.began,
                               hands_out=finding.left, t=finding.t, counts=[])[:1]
        instead_of = None if finding.instead_of is None else self.times[finding.instead_of]
        form = watch_form(body, body.t, body.position, instead_of)
        assert form is not None, "a verdict has a form"
        if finding.shown_by is not None:
            form["shown_by"] = self.times[finding.shown_by]
        self.emit(form)


def verdict_of(rules: Rules, finding: Finding) -> Verdict:
    """A finding as the verdict that the journal writes down."""
    what = finding.what
    h, before, after = what.what, what.before, what.after
    explained = Explanation(h.kind, finding.p, h.player, h.move, h.faults, after)
    if finding.kind == "not-sure":
        return Verdict("not-sure", before, before, h.player, confidence=finding.p, best=(explained,))
    alike = tuple(Explanation(o.what.kind, p, o.what.player, o.what.move, o.what.faults, o.after)
                  for o, p in finding.others)
    steps = () if h.kind in ("withdrawn", "tampered") else search.trace_of(rules, before, h) or ()
    return Verdict(finding.kind, before, after, h.player, h.move, steps, h.faults,
                   search.expected_position(rules, before, h, after), _captured(what), finding.p, best=(explained,),
                   alike=alike)


def _captured(what: Happening) -> int:
    """Seeds that the mover took."""
    player = what.what.player
    return 0 if player is None else max(0, what.after.captured[player] - what.before.captured[player])
