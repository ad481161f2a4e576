"""The evidence's share of the disk: the oldest stills of legal moves make room."""

import os
from pathlib import Path

import pytest

from device.evidence.quota import EVERY, ORPHAN_S, Quota
from device.journal.events import EvidenceDropped, StateEntered, TableStarted, VerdictGiven, translatable
from device.journal.messages import message
from tests.device.game_with_stills import GameWithStills, stills_of


@pytest.fixture
def game(tmp_path: Path) -> GameWithStills:
    return GameWithStills(tmp_path / "data")


def test_the_oldest_stills_of_legal_moves_go_and_never_a_fouls(game: GameWithStills) -> None:
    events = [game.verdict(kind) for kind in ("legal", "illegal", "legal", "not-sure", "withdrawn", "legal", "legal")]
    quota = Quota(game.data.evidence, 11_000, least_free=0)
    quota.note(events)
    dropped = quota.tend()
    assert dropped == EvidenceDropped(files=5, bytes=5_000), "down to nine tenths of what may be"
    gone = set().union(*(stills_of(e) for e in events)) - game.there()
    oldest = stills_of(events[0]) | stills_of(events[2])
    assert oldest < gone < oldest | stills_of(events[5])
    assert quota.tend() is None
    tight = Quota(game.data.evidence, 1_000, least_free=0)
    tight.note(events)
    assert tight.tend() == EvidenceDropped(files=3, bytes=3_000)
    assert game.there() == stills_of(events[1]) | stills_of(events[3]) | stills_of(events[4])
    assert tight.tend() is None, "a foul's evidence stays, whatever the quota says"


def test_a_still_that_a_foul_shares_with_a_legal_move_stays(game: GameWithStills) -> None:
    legal = game.verdict("legal")
    assert isinstance(legal.body, VerdictGiven)
    foul = game.verdict("illegal", before=legal.body.still_after)
    quota = Quota(game.data.evidence, 100, least_free=0)
    quota.note([legal, foul])
    quota.tend()
    assert game.there() == stills_of(foul)


def test_a_demo_s_fouls_make_room_and_those_of_a_real_game_after_it_stay(game: GameWithStills) -> None:
    simulated = TableStarted(camera="the simulated table", version="0", told=translatable(message("camera.sim")))
    events = [game.journal.append(simulated), game.verdict("illegal"), game.verdict("legal"),
              game.journal.append(TableStarted(camera="USB camera 0", version="0")), game.verdict("illegal")]
    quota = Quota(game.data.evidence, 100, least_free=0)
    quota.note(events)
    assert quota.tend() == EvidenceDropped(files=4, bytes=4_000)
    assert game.there() == stills_of(events[-1])


def test_a_legal_move_that_was_judged_otherwise_afterwards_keeps_its_stills(game: GameWithStills) -> None:
    first = game.verdict("legal")
    again = game.verdict("illegal", answers=first.number)
    quota = Quota(game.data.evidence, 100, least_free=0)
    quota.note([first, again])
    assert quota.tend() is None and game.there() == stills_of(first) | stills_of(again)


def test_files_that_no_event_names_go_first_but_not_at_once(game: GameWithStills) -> None:
    legal, fresh, old = game.verdict("legal"), game.still(), game.still()
    long_ago = (game.data.evidence / old).stat().st_mtime - ORPHAN_S - 9
    os.utime(game.data.evidence / old, (long_ago, long_ago))
    quota = Quota(game.data.evidence, 3_500, least_free=0)
    quota.note([legal])
    assert quota.tend() == EvidenceDropped(files=1, bytes=1_000)
    assert game.there() == stills_of(legal) | {fresh}


def test_a_disk_that_gets_full_is_made_room_on(game: GameWithStills) -> None:
    events = [game.verdict("legal") for _ in range(3)]
    quota = Quota(game.data.evidence, 1 << 40, least_free=1 << 60)
    quota.note(events)
    assert quota.tend() == EvidenceDropped(files=6, bytes=6_000)


def test_it_is_looked_through_now_and_then(game: GameWithStills) -> None:
    quota = Quota(game.data.evidence, 10_000, least_free=0)
    assert quota.due
    quota.tend()
    quota.note([game.verdict("legal") for _ in range(EVERY - 1)])
    quota.note([game.journal.append(StateEntered(state="watching"))])
    assert not quota.due
    quota.note([game.verdict("legal")])
    assert quota.due
