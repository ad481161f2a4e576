"""From the belief to words: what is said, what is waited for, what is asked."""

from __future__ import annotations

import math
from collections import defaultdict
from dataclasses import dataclass, field, replace

import numpy as np

from engine.games.base import Rules
from engine.position import Position
from engine.referee.account import Account, Happening
from engine.referee.belief import Belief
from engine.referee.observation import Observation

ACCUSING = ("illegal", "tampered")


@dataclass
class Open:
    """An episode that is not settled. said: what was said of it, by its place."""

    episode: int
    seen: Observation
    said: dict[int, dict] = field(default_factory=dict)


class Referee:
    """Observes a game and says what was played."""

    def __init__(self, rules: Rules, start: Position) -> None:
        self.base = Belief.of_start(rules, start)
        self.belief = self.base
        self.open: list[Open] = []
        self.begun = False
        self.said: list[dict] = []
        self.current: Open | None = None

    def observe(self, seen: Observation, over: bool) -> list[dict]:
        if not self.begun and not seen.disturbed:
            self.base = self.belief = self.base.settled(seen)
            self.begun = over
            return []
        self.begun = True
        if over and self.current is not None and seen is self.current.seen:
            pass
        else:
            self.belief = self.base.advanced(seen)
        if not seen.disturbed:
            if over:
                self.base = self.belief
            return []
        episode = self.belief.episode
        if self.current is None or self.current.episode != episode:
            self.current = Open(episode, seen)
            self.open.append(self.current)
        self.current.seen = seen
        found = self._decide(seen, over)
        if over:
            self.base = self.belief
            self.current = None
            self.open = self.open[-6:]
        return found

    def hand(self, side: int, t: float) -> list[dict]:
        """A hand of that side's has come: whose move is in its middle, the other side would hardly begin."""
        if self.current is not None or not self.open:
            return []
        nats = [a.nats + (math.log(0.03) if a.middle is not None and a.middle[0] != side else 0.0)
                for a in self.belief.accounts]
        total = np.logaddexp.reduce(nats)
        accounts = sorted((replace(a, nats=float(n - total)) for a, n in zip(self.belief.accounts, nats)),
                          key=lambda a: -a.nats)
        self.belief = self.base = replace(self.belief, accounts=tuple(accounts))
        out = []
        for one in self.open:
            out += self._of_episode(one, replace(one.seen, t=t), True, one.episode == self.belief.episode,
                                    same=side if one.episode == self.belief.episode else None)
        return out

    def finish(self) -> list[dict]:
        return []

    def _decide(self, seen: Observation, over: bool) -> list[dict]:
        found = []
        for one in self.open:
            now = one is self.current
            found += self._of_episode(one, seen, (over and seen.last) or not now, now)
        return found

    def _of_episode(self, one: Open, seen: Observation, over: bool, now: bool, same: int | None = None) -> list[dict]:
        accounts = self.belief.accounts
        odds: dict[tuple, float] = defaultdict(float)
        for a in accounts:
            key = tuple(h.key[:3] for h in a.of_episode(one.episode)), (a.middle is not None and now)
            odds[key] += math.exp(a.nats)
        best = max(odds, key=odds.get)
        p = odds[best]
        steps, middle = best
        if middle and (not over or (same is not None and any(a.middle and a.middle[0] == same for a in accounts[:1]))):
            return []
        top = next(a for a in accounts if tuple(h.key[:3] for h in a.of_episode(one.episode)) == steps
                   and (a.middle is not None and now) == middle)
        happened = top.of_episode(one.episode)
        accused = any(h.what.kind in ACCUSING for h in happened)
        unknown = any(h.what.kind == "else" for h in happened)
        legal_p = sum(v for k, v in odds.items() if not any(s[0] in ACCUSING or s[0] == "else" for s in k[0]))
        middle_p = sum(v for k, v in odds.items() if k[1])
        out = []
        if same is not None and middle_p > 0.02 and any(a.middle and a.middle[0] == same for a in accounts):
            return []  # its hand came back: it may go on
        if accused:
            guilty = sum(v for k, v in odds.items() if any(s[0] in ACCUSING for s in k[0]))
            sure = (p >= 0.8 and guilty >= 0.95 if not one.said else p >= 0.985) and middle_p < 0.05
            wait = seen.rest_s < 0.55 and now and not over
        elif unknown:
            sure, wait = False, seen.rest_s < 1.5 and now and not over
        else:
            sure, wait = p >= 0.88, False
        if sure and not wait:
            for k, h in enumerate(happened):
                if h.what.kind in ("unchanged",):
                    continue
                before = one.said.get(k)
                v = self._verdict(h, one.seen, p)
                v["t"] = seen.t
                if before is not None and not (before["kind"] == "not-sure" or (before["kind"], before.get("player"), (before.get("move") or "?")[0]) != (v["kind"], v.get("player"), (v.get("move") or "?")[0])):
                    continue
                if before is not None:
                    v["instead_of"] = before["id"] if before.get("instead_of") is None else before["instead_of"]
                self._say(v, out)
                one.said[k] = v
            return out
        if (over or seen.rest_s >= (4.0 if middle_p > 0.05 else 2.0)) and not one.said and (happened or unknown or p < 0.9):
            h = happened[0] if happened else None
            shown = dict(odds)
            if h is None:  # the likeliest that says something
                other = [a for a in accounts if a.of_episode(one.episode)]
                if not other or not now:
                    return out
                h = other[0].of_episode(one.episode)[0]
                if math.exp(other[0].nats) < 0.1:
                    return out
            v = self._verdict(h, one.seen, p)
            v = {"t": seen.t, "kind": "not-sure", "player": v["player"], "move": None, "best": {"kind": v["kind"], "player": v["player"], "move": v["move"], "faults": v["faults"]}, "p": p, "hands_in": v["hands_in"], "hands_out": v["hands_out"]}
            self._say(v, out)
            one.said[0] = v
        return out

    def _say(self, v: dict, out: list) -> None:
        v["id"] = len(self.said)
        self.said.append(v)
        out.append(v)

    def _verdict(self, h: Happening, seen: Observation, p: float) -> dict:
        name = h.before.board.name
        w = h.what
        return {"t": seen.t, "kind": w.kind, "player": None if w.player is None else w.player.letter, "move": w.move,
                "faults": [{"code": f.code, "pit": "" if f.pit is None else name(f.pit)} for f in w.faults], "p": p,
                "hands_in": seen.began, "hands_out": seen.left, "position": str(h.after)}
