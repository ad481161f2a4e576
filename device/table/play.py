"""The game in play: pass observations of the board to the referee, and announce its findings."""

from collections import deque
from concurrent.futures import Future
from dataclasses import dataclass, replace
from itertools import chain

import msgspec
import numpy as np

from device.eyes.pipeline import JobRunner
from device.journal.game import side_of
from device.journal.messages import message
from device.journal.states import State
from device.table.context import TableContext
from device.table.observing import HandCame, Observed, Observer
from device.table.orders import game_over
from device.table.parameters import JUDGEMENT
from device.table.recount import after_unknown_move
from device.table.setup import begin_next_game, seeds_in_hand
from device.table.turn_clock import TurnClock
from device.table.turned_picture import TurnWatch
from device.table.verdict_events import FOLLOWS, WHO_MOVES, finding_event, position_set, timed
from device.turn import Turn
from engine.board import Side
from engine.position import Position
from engine.referee.belief import Belief
from engine.referee.decide import Referee
from engine.referee.emission import Emission, Memory
from engine.referee.finding import Finding
from engine.referee.observation import Observation
from engine.referee.parameters import THRESHOLDS
from engine.rules import Rules
from engine.verdict import Doubt
from vision.reading import Reading

AS_IT_LIES = message("set.as-it-lies")
BEFORE_DOUBT = message("set.before-doubt")


@dataclass(frozen=True)
class RefereesAnswer:
    """The referee's answer to one observation. findings: what it found; belief: what may have been played; waits:
    something happened that no finding covers yet; turned: `TurnWatch.found`."""

    findings: list[Finding]
    belief: Belief
    waits: bool
    turned: tuple[Turn, Position] | None


class _Refereeing:
    """A referee, with a `TurnWatch` beside it. It may work on another thread, one call after the other."""

    def __init__(self, rules: Rules, starts: tuple[Position, ...], memory: Memory | None,
                 history: tuple[Position, ...]) -> None:
        """Arguments: see `Referee`."""
        self._referee, self._turns = Referee(rules, *starts, memory=memory, history=history), TurnWatch(rules)

    def observe(self, observed: Observed) -> RefereesAnswer:
        """Take in an observation."""
        referee, base = self._referee, self._referee.base
        found = referee.observe(observed.observation, over=observed.over)
        return self._answer(self._turns.told(found, base, referee.belief, observed.observation))

    def hand(self, came: HandCame, steals: float) -> RefereesAnswer:
        """Take in that a hand has come. steals: probability that its side may take the other side's turn."""
        found = self._referee.hand(came.side, came.t)
        if steals:
            self._referee.may_steal(came.side, steals)
        return self._answer(found)

    def _answer(self, found: list[Finding]) -> RefereesAnswer:
        return RefereesAnswer(found, self._referee.belief, self._referee.waits, self._turns.found)


class Play:
    """The game in play since it was last set. Gathers readings into observations, passes these to the referee, and
    announces its findings."""

    def __init__(self, context: TableContext, work: JobRunner) -> None:
        """context: shared by the table's phases; work: executes the referee's work, which takes long."""
        self._context, self._work = context, work
        self._observer = Observer()
        self._refereeing: _Refereeing | None = None
        self._asked: deque[Future[RefereesAnswer]] = deque()
        self._of_this_rest = 0
        """How many observations of the present rest were made for the referee."""
        self._numbers: dict[int, int] = {}
        self._begun_unseen: set[int] = set()
        """Numbers of the findings on moves that began unseen."""
        self._answer: RefereesAnswer | None = None
        self._missed = False
        self.clock = TurnClock()

    @property
    def on(self) -> bool:
        """Whether the referee follows the game."""
        return self._refereeing is not None

    @property
    def rest(self) -> Observation | None:
        """The last observation of the board at rest; None if there is none."""
        return self._observer.rest

    @property
    def hand(self) -> bool:
        """Whether a hand is over the board."""
        return self._observer.hand

    @property
    def turned(self) -> tuple[Turn, Position] | None:
        """How the picture has to be turned, and the position then; None until that is known."""
        return None if self._answer is None else self._answer.turned

    @property
    def waits(self) -> bool:
        """Whether something may have happened that was not announced yet."""
        return self.awaits_rest or (self._answer is not None and self._answer.waits)

    @property
    def awaits_rest(self) -> bool:
        """Whether hands were there, and the board was not observed at rest since."""
        return self._observer.waits

    @property
    def unwatched(self) -> bool:
        """Whether the table was blind and has not observed the board since."""
        return self._missed or self._observer.unwatched

    # ---- what goes to the referee -------------------------------------------------------------------------------

    def start(self) -> None:
        """Begin a new referee at the game's position. It remembers the pits as they last were at rest."""
        context = self._context
        rules, position = context.game.playing
        memory = None if self.rest is None else Emission(Memory.unseen(position.board.pits), self.rest).memory
        known = context.turn_known and not rules.arranges(position)
        starts = (position,) if known else (position, replace(position, to_move=position.to_move.other))
        self.stop()
        self._refereeing = _Refereeing(rules, starts, memory, tuple(context.game.history))

    def stop(self) -> None:
        """End the referee."""
        self._refereeing, self._answer, self._of_this_rest = None, None, 0
        for asked in self._asked:
            asked.cancel()
        self._asked.clear()
        self._numbers, self._begun_unseen = {}, set()
        self._observer.restart()

    def forget_looks(self) -> None:
        """Forget the observations, as the pits look different from now on: at another place, or by another eye."""
        self._observer = Observer()
        if self.on:
            self.start()

    def missed(self) -> None:
        """Note that the table is blind."""
        self._missed = True
        self.clock.stop()

    def observe(self, reading: Reading) -> list[Finding]:
        """Take in a reading of the board; return the new findings."""
        rules, position = self._context.game.playing
        may_race = self.on and rules.races and not position.ply
        observed = self._observer.missed(reading.time_ns / 1e9) if self._missed else ()
        self._missed = False
        for one in chain(observed, self._observer.add(reading, may_race=may_race)):
            self._pass_on(one)
        return self._found()

    def _pass_on(self, one: Observed | HandCame) -> None:
        """Pass an observation or a hand to the referee."""
        following = self._refereeing
        if following is None:
            return
        if isinstance(one, HandCame):
            steals = self._may_steal(one.side, one.t)
            self._asked.append(self._work.submit(lambda: following.hand(one, steals)))
            self._of_this_rest = 0
        elif not seeds_in_hand(*self._context.game.playing, one.observation):
            if self._of_this_rest > 1 and self._asked and self._asked[-1].cancel():
                # A slow machine has not begun with it. The newer one says more; the first one says since when.
                self._asked.pop()
            self._asked.append(self._work.submit(lambda: following.observe(one)))
            self._of_this_rest = 0 if one.over else self._of_this_rest + 1

    def _may_steal(self, side: Side, t: float) -> float:
        """Probability that the turn's clock lets this side play although it is the other's turn. t: seconds."""
        rules = self._context.game.playing[0]
        if self.clock.close_call(rules, side, t):
            return JUDGEMENT.steals_close
        return JUDGEMENT.steals if self.clock.open_to(rules, side, t) else 0.0

    def _found(self, *, wait: bool = False) -> list[Finding]:
        found: list[Finding] = []
        while self._asked and (wait or self._asked[0].done()):
            self._answer = self._asked.popleft().result()
            found += self._answer.findings
        return found

    def last_findings(self) -> list[Finding]:
        """The last findings, at the end of the recording."""
        for one in self._observer.end():
            self._pass_on(one)
        return self._found(wait=True)

    # ---- what is said ------------------------------------------------------------------------------------------

    def announce(self, findings: list[Finding]) -> None:
        """Announce findings, and enter the state that follows."""
        context = self._context
        if self.on and self.waits and self._next_game():
            return
        for finding in sorted(findings, key=lambda f: f.instead_of is not None):
            if not (self.on and self._say(finding)):
                return
        self._set_board()
        if context.hand:
            context.enter(State.HANDS_IN)
        elif self._asked or self.waits:
            context.enter(State.JUDGING if self._asked else State.SETTLING)
        elif context.state is not State.WATCHING:
            context.enter(State.WATCHING)

    def _say(self, finding: Finding) -> bool:
        """Announce one finding; return whether the game goes on with this referee."""
        context = self._context
        rules = context.game.playing[0]
        of_earlier = finding.instead_of is not None
        if Doubt.BEGUN_UNSEEN in finding.doubt:
            self._begun_unseen.add(finding.number)
        if finding.accuses and finding.instead_of in self._begun_unseen:
            return True  # a later move shows no more of it
        if finding.kind != "legal" and not of_earlier and finding.replaces is None and self._next_game():
            return False
        if not of_earlier and finding.replaces is None:
            finding = self._from_here(finding)
        body = finding_event(rules, finding)
        if not of_earlier:
            body = timed(body, self.clock.passed(rules, finding))
            self.clock.after(finding, known=context.turn_known)
        shown_by = 0 if finding.shown_by is None else self._numbers.get(finding.shown_by, 0)
        instead_of = 0 if finding.instead_of is None else self._numbers[finding.instead_of]
        replaced = 0 if finding.replaces is None else self._numbers.get(finding.replaces, 0)
        body = msgspec.structs.replace(body, instead_of=instead_of, shown_by=shown_by, answers=replaced)
        self._numbers[finding.number] = context.say(body).number
        self._teach(finding)
        return of_earlier or not self.ends()

    def ends(self) -> bool:
        """End the game if its rules end it at its position; return whether they do."""
        context, (rules, position) = self._context, self._context.game.playing
        over = rules.ended(position, context.game.history) if context.game.synced else None
        if over is None:
            return False
        context.say(game_over(over))
        self.stop()
        context.enter(State.OVER)
        return True

    def _next_game(self) -> bool:
        """Begin the next game if its set-up lies on the board in mid-game; return whether it began."""
        context = self._context
        late = context.game.playing[1].ply > JUDGEMENT.opening_moves
        if not (late and context.window.enough and begin_next_game(context)):
            return False
        self.start()
        return True

    def _from_here(self, finding: Finding) -> Finding:
        """If a finding shows whose turn it was or how the board lay before, announce that; return the finding, adapted
        to it."""
        context, before = self._context, finding.what.before
        position = context.game.playing[1]
        if finding.kind in ("rearranged", "withdrawn"):  # these take no turn
            what = finding.what
            passed = finding.kind == "withdrawn" or what.after.ply > before.ply
            after = what.after if passed else replace(what.after, to_move=position.to_move)
            before = replace(before, to_move=position.to_move)
            finding = replace(finding, what=replace(what, before=before, after=after))
        elif finding.kind != "tampered":
            context.turn_known = True
        if before != position and (context.game.synced or finding.kind != "not-sure"):
            stolen = self.clock.open_to(context.game.playing[0], before.to_move, finding.seen.began)
            why = WHO_MOVES if before.counts == position.counts else FOLLOWS
            context.say(position_set(before, message("set.stolen") if stolen and why is WHO_MOVES else why))
        return finding

    def _set_board(self) -> None:
        """If the position is known by now and differs from the game's, announce it."""
        context = self._context
        if self._answer is None or self._answer.waits or self._asked or context.hand or context.game.over:
            return
        position, synced = context.game.playing[1], context.game.synced
        lies, p = self._answer.belief.position
        known = p >= (THRESHOLDS.likely if not synced else JUDGEMENT.teaching_confidence)
        if not known or (synced and lies.counts == position.counts):
            return
        as_before = lies.counts == position.counts
        context.turn_known = synced or as_before
        context.say(position_set(lies, BEFORE_DOUBT if as_before else FOLLOWS if synced else AS_IT_LIES))

    def take_as_it_lies(self) -> None:
        """Go on from the board as it is read, after people let a move stand: if the position is unknown, or plainly
        differs from what is read."""
        context, seen = self._context, self.rest
        if seen is None or not seen.seen.all():
            return
        (rules, stands), synced = context.game.playing, context.game.synced
        read, held = seen.loglik.argmax(axis=1), np.asarray(stands.counts)
        off = seen.plainly_off(stands.counts)
        counts = np.where(off, read, held) if synced else read
        if synced and not off.any():
            return
        asked = side_of(context.game.last.body.player) if context.game.last is not None else None
        lies = after_unknown_move(stands, asked, counts.tolist())
        if synced:
            lies = replace(lies, to_move=stands.to_move, ply=stands.ply)
        if not rules.problems(lies):
            context.say(position_set(lies, AS_IT_LIES))
            self.start()

    def _teach(self, finding: Finding) -> None:
        """Teach the eye what the pits hold, if a finding shows it."""
        belief, sure = None if self._answer is None else self._answer.belief, JUDGEMENT.teaching_confidence
        if finding.kind == "not-sure" or finding.p < sure or belief is None or self._asked:
            return
        lies, p = belief.position
        if p < sure or lies.counts != finding.after.counts:
            return
        stays = np.where(finding.seen.seen, finding.seen.stays, -1)
        self._context.teach(lies.counts, stays, errors=finding.kind == "legal")
