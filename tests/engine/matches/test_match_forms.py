"""What a won game counts and when a match is over (engine/games/enkeshui.md, "Matches", "En Dodoi", "Omweso")."""

from dataclasses import replace

import pytest

from engine.board import Board, Side
from engine.matches import (
    FORMS,
    Annulled,
    BoardSet,
    Forfeited,
    Form,
    GameBegun,
    GameEnded,
    GameScore,
    GameScored,
    GamesForm,
    Joined,
    MatchBegun,
    MatchError,
    MatchEvent,
    MatchOutcome,
    MatchState,
    OlAlai,
    Points,
    Sticks,
    Surplus,
    Tally,
    after,
    fold,
)
from engine.matches.forms import shortened
from engine.position import Position
from engine.rules import games, ruleset
from tests.engine.matches.shorthand import ENDODOI, ENKESHUI, OMWESO, SURPLUS, N, S, akawumbi, move, on, playing, won


def row(position: Position, side: Side) -> list[int]:
    """A side's pits from its own left."""
    return [position.counts[p] for p in position.board.own(side)]


# ---- games of any kind
# ---------------------------------------------------------------------------------------------------


def test_a_game_without_a_form_of_its_own_is_played_for_an_agreed_number_of_games() -> None:
    setup, form = ruleset("endodoi").setup(), GamesForm(3)
    assert form.tally(setup, [GameScore(S), GameScore(None)]) == Tally((1, 0), "wins", (1, 0), 1, None)
    for last, winner in ((S, S), (N, None)):
        over = form.tally(setup, [GameScore(S), GameScore(None), GameScore(last)]).outcome
        assert over == MatchOutcome(winner, "the 3 agreed games are played")
    with pytest.raises(MatchError, match="the agreed number of games is 0: a whole number from 1"):
        GamesForm(0).check(setup)


def test_every_game_names_forms_that_there_are() -> None:
    assert all(set(ruleset(game).forms) <= set(FORMS) and ruleset(game).forms for game in games())
    assert {name: FORMS[name](4, True).name for name in FORMS} == {name: name for name in FORMS}


# ---- sticks


def test_a_stick_for_each_win() -> None:
    s = won(won(fold([ENKESHUI]), S), N)
    assert (s.tally.score, s.tally.unit, s.outcome) == ((1, 1), "inkeek", None)
    s = won(s, N)
    assert s.tally.score == (1, 2)
    assert s.outcome == MatchOutcome(N, "the 3 agreed games are played")


def test_a_drawn_game_is_one_of_the_agreed_and_brings_no_stick() -> None:
    s = won(won(won(fold([ENKESHUI]), None, (24, 24)), S), N)
    assert (s.tally.score, s.tally.games, s.tally.drawn) == ((1, 1), (1, 1), 1)
    assert s.outcome is not None and s.outcome.winner is None


def test_every_game_of_a_match_by_sticks_begins_from_the_set_up() -> None:
    s = won(fold([ENKESHUI]), S, (40, 8))
    assert s.due == ruleset("enkeshui").setup()


def test_the_agreed_games_are_all_played_though_the_match_is_decided() -> None:
    s = won(won(fold([ENKESHUI]), S), S)
    assert s.outcome is None
    assert won(s, N).tally.score == (2, 1)


# ---- surplus


def test_the_winner_takes_his_surplus_out_of_play() -> None:
    s = won(fold([SURPLUS]), S, (30, 18))
    assert s.due.captured == (6, 0)
    assert row(s.due, S) == [0, 0, 4, 4, 4, 4, 4, 4]
    assert s.tally.score == (30, 18)


@pytest.mark.parametrize(("setup", "seeds", "laid"), [
    ("2x8-right", 18, [0, 0, 0, 2, 4, 4, 4, 4]),
    ("2x8-right", 20, [0, 0, 0, 4, 4, 4, 4, 4]),
    ("2x8-right", 4, [0, 0, 0, 0, 0, 0, 0, 4]),
    ("2x8-left", 18, [0, 2, 4, 4, 4, 4, 0, 0]),
    ("2x12", 10, [0, 0, 0, 0, 0, 0, 0, 1, 3, 0, 3, 3]),
])
def test_the_loser_fills_his_holes_with_the_standard_number_from_his_right(
    setup: str, seeds: int, laid: list[int]
) -> None:
    rules = ruleset("enkeshui")
    s = won(fold([MatchBegun("enkeshui", Surplus(), setup=rules.setup(setup))]), N, (seeds, 48 - seeds))
    assert row(s.due, S) == laid
    assert row(s.due, N) == row(rules.setup(setup), N)
    assert s.due.captured == (0, 24 - seeds)
    assert rules.problem_sentences(s.due) == []


def test_south_and_north_fill_from_their_own_right() -> None:
    setup = ruleset("enkeshui").setup()
    assert shortened(setup, S, 6) == [(7, 4), (6, 2), (5, 0), (4, 0), (3, 0), (2, 0)]
    assert [p for p, _ in shortened(setup, N, 6)] == [15, 14, 13, 12, 11, 10]


@pytest.mark.parametrize(("seeds", "over"), [(4, False), (3, True), (0, True)])
def test_lost_when_the_far_right_hole_cannot_be_filled(seeds: int, over: bool) -> None:
    s = won(fold([SURPLUS]), N, (seeds, 48 - seeds))
    assert (s.outcome is not None) is over
    if s.outcome is not None:
        assert s.outcome.winner is N
        assert s.outcome.reason.endswith("cannot fill h, his far right hole, with 4")


def test_one_seed_left_is_said_in_the_singular() -> None:
    s = won(fold([SURPLUS]), S, (47, 1))
    assert s.outcome == MatchOutcome(S, "North has 1 seed and cannot fill H, his far right hole, with 4")


def test_a_drawn_surplus_game_leaves_both_whole() -> None:
    s = won(won(fold([SURPLUS]), S, (30, 18)), None, (24, 24))
    assert s.due == ruleset("enkeshui").setup()


def test_an_earlier_surplus_counts_for_its_owner() -> None:
    s = on(won(fold([SURPLUS]), S, (30, 18)), GameBegun(2, N))
    assert s.position is not None and s.position.captured == (6, 0)
    # South's row is bare, North to move: what the rules count includes the six that South put aside.
    lies = Position(Board(2, 8), (0,) * 16, captured=(6, 42), ply=9)
    s = on(s, BoardSet(2, lies), GameEnded(2))
    assert s.tally.score == (6, 42)
    assert row(s.due, S) == [0, 0, 0, 0, 0, 0, 2, 4]


def test_a_game_begins_short_and_is_played_by_the_rules() -> None:
    s = on(won(fold([SURPLUS]), S, (40, 8)), GameBegun(2, N))
    for _ in range(6):
        s = on(s, move(s))
    assert s.position is not None and s.position.total == 48


def test_a_surplus_game_is_not_scored_without_its_seeds_nor_forfeited_alone() -> None:
    s = playing(SURPLUS)
    with pytest.raises(MatchError, match="game 1 is scored without its seeds"):
        after(s, GameScored(1, S))
    with pytest.raises(MatchError, match="South cannot resign game 1 alone"):
        after(s, Forfeited(S))


def test_a_surplus_match_begins_even() -> None:
    lopsided = Position(Board(2, 8), (0, 0, 4, 4, 4, 4, 4, 5, 0, 0, 4, 4, 4, 4, 4, 3))
    with pytest.raises(MatchError, match="25 seeds for South and 23 for North"):
        fold([MatchBegun("enkeshui", Surplus(), setup=lopsided)])


# ---- ol alai


def test_en_dodoi_goes_to_the_agreed_number_of_wins() -> None:
    s = won(won(won(won(fold([ENDODOI]), S), N), S), None)
    assert (s.tally.score, s.tally.unit, s.tally.drawn, s.outcome) == ((2, 1), "ol alai", 1, None)
    assert won(s, S).outcome == MatchOutcome(S, "South has the 3 agreed wins")


# ---- points


def test_akawumbi_weighs_its_points() -> None:
    s = akawumbi(won(fold([OMWESO]), S), N)
    assert (s.tally.score, s.tally.games, s.tally.unit) == ((1, 3), (1, 1), "points")
    s = won(s, S)
    assert s.outcome == MatchOutcome(N, "the 3 agreed games are played")


def test_akawumbi_points_are_a_field_of_the_rules() -> None:
    begun = MatchBegun("omweso", Points(points=5), sets=(("akawumbi_points", "5"),))
    assert akawumbi(fold([begun]), N).outcome == MatchOutcome(N, "North has the 5 agreed points")


def test_omweso_knows_no_drawn_game() -> None:
    with pytest.raises(MatchError, match="game 1 has no winner"):
        won(fold([OMWESO]), None)


def test_an_annulled_game_counts_for_nothing_and_is_replayed() -> None:
    s = on(playing(OMWESO), Annulled(1))
    assert (s.tally.score, s.tally.games, s.game) == ((0, 0), (0, 0), None)
    with pytest.raises(MatchError, match="game 2 cannot begin: game 1 was annulled and is replayed"):
        after(s, GameBegun(2, S))
    s = on(s, GameBegun(1, N))
    assert s.game is not None
    assert s.game.number == 1
    assert [(game.running, game.scored) for game in s.games] == [(False, None), (True, None)]
    s = on(s, GameScored(1, N))
    assert s.tally.score == (0, 1)


# ---- forfeits and games in general


def test_a_forfeited_game_is_the_others() -> None:
    s = on(playing(), Forfeited(S))
    assert (s.tally.score, s.games[0].running) == ((0, 1), False)


def test_a_game_played_to_its_end_is_scored_by_the_rules() -> None:
    s = playing(ENDODOI)
    while s.position is not None and s.rules.over(s.position) is None:
        s = on(s, move(s))
    assert s.position is not None
    over = s.rules.over(s.position)
    assert over is not None
    s = on(s, GameEnded(1))
    scored = s.games[0].scored
    assert scored is not None
    assert (scored.winner, scored.result) == (over.winner, over.result)


def over_now() -> MatchState:
    return won(won(won(fold([ENKESHUI]), S), S), N)


SOUTH_25 = Position(Board(2, 8), (0, 0, 4, 4, 4, 4, 4, 5, 0, 0, 4, 4, 4, 4, 4, 3))


@pytest.mark.parametrize(("begun", "said"), [
    (MatchBegun("chess", Sticks(3)), "'chess' is not a game"),
    (MatchBegun("enkeshui", Sticks(3), rules="mine"), "'mine' is not a ruleset of Enkeshui"),
    (MatchBegun("enkeshui", Sticks(3), sets=(("bulls", "1"),)), "'bulls' is not a field"),
    (MatchBegun("endodoi", Sticks(3)), "sticks is no form of a match of En Dodoi: ol-alai"),
    (MatchBegun("enkeshui", Sticks(0)), "the agreed number of games is 0: a whole number from 1"),
    (MatchBegun("endodoi", OlAlai(-1)), "the agreed number of wins is -1"),
    (MatchBegun("omweso", Points()), "agree on a number of games or of points"),
    (MatchBegun("omweso", Points(games=3, points=9)), "both 3 games and 9 points are agreed"),
    (MatchBegun("omweso", Points(points=0)), "the agreed number of points is 0"),
    (MatchBegun("enkeshui", Sticks(3), setup=Position(Board(2, 8), (3,) * 16, captured=(1, 0))),
     "the set-up has 1-0 seeds out of play: 0-0 are due|49 seeds"),
    (MatchBegun("enkeshui", Sticks(3), setup=Position(Board(2, 8), (3,) * 16, ply=4)), "a game under way, at ply 4"),
    (MatchBegun("enkeshui", Sticks(3), setup=Position(Board(2, 8), (3,) * 16, (S,) + (None,) * 15)),
     "bull"),
    (MatchBegun("enkeshui", Sticks(3), setup=Position(Board(2, 8), (2,) * 16)), "32 seeds"),
])
def test_a_match_that_cannot_be_is_refused(begun: MatchBegun, said: str) -> None:
    with pytest.raises(MatchError, match=f"event 1, MatchBegun: .*({said})"):
        fold([begun])


def test_nothing_comes_before_the_match_nor_a_second_beginning() -> None:
    with pytest.raises(MatchError, match="event 1, Joined: the match has not begun"):
        fold([Joined(S, "Ole")])
    with pytest.raises(MatchError, match="event 2, MatchBegun: the match has begun already, as one of enkeshui"):
        fold([ENKESHUI, ENDODOI])


def test_what_is_no_event_of_a_match_is_refused() -> None:
    assert MatchState().outcome is None
    with pytest.raises(MatchError, match="event 2, MatchEvent: MatchEvent is no event of a match"):
        fold([ENKESHUI, MatchEvent()])


@pytest.mark.parametrize(("event", "said"), [
    (GameBegun(4, S), "the match is over: the 3 agreed games are played"),
    (GameScored(4, S), "the match is over"),
    (GameEnded(3), "the match is over"),
    (Forfeited(S), "the match is over"),
    (Joined(S, "Ole"), "the match is over"),
])
def test_no_stick_after_the_match_is_over(event: MatchEvent, said: str) -> None:
    s = over_now()
    with pytest.raises(MatchError, match=f"event 8, {type(event).__name__}: {said}"):
        after(s, event)
    assert s == over_now()


@pytest.mark.parametrize(("event", "said"), [
    (GameBegun(2, S), "game 2 cannot begin: game 1 is being played"),
    (GameEnded(1), "game 1 is not over: South can move"),
    (GameEnded(2), "game 2 is not being played: game 1 is"),
    (GameScored(1, S, (30, 17)), "the result 30-17 of game 1 makes 47 seeds: Enkeshui is played with 48"),
    (GameScored(1, S, (50, -2)), "North's seeds is -2"),
    (GameScored(1, S, (18, 30)), "the result 18-30 of game 1 is not one that South wins"),
    (GameScored(1, None, (18, 30)), "is not one that nobody wins"),
])
def test_a_game_that_cannot_go_so_is_refused(event: MatchEvent, said: str) -> None:
    s = playing()
    with pytest.raises(MatchError, match=said):
        after(s, event)


def test_a_forfeit_needs_a_game() -> None:
    with pytest.raises(MatchError, match="South cannot resign a game: none is being played"):
        fold([ENKESHUI, Forfeited(S)])
    with pytest.raises(MatchError, match="game 1 is not being played: no game is"):
        fold([ENKESHUI, GameEnded(1)])
    with pytest.raises(MatchError, match="game 3 cannot begin: the next is game 1"):
        fold([ENKESHUI, GameBegun(3, S)])


def test_a_game_with_seeds_missing_has_no_result_but_people_may_score_it() -> None:
    s = playing()
    short = Position(Board(2, 8), (0,) * 8 + (4,) * 8, captured=(8, 7), ply=30)
    s = on(s, BoardSet(1, short))
    with pytest.raises(MatchError, match="game 1 has no result: 47 seeds"):
        after(s, GameEnded(1))
    assert on(s, GameScored(1, N)).tally.score == (0, 1)


# ---- the set-up as it was laid


def test_a_side_may_lay_its_own_seeds_otherwise_where_the_rules_let_it() -> None:
    laid = Position(Board(2, 8), (4, 4, 4, 4, 4, 4, 0, 0, 0, 0, 4, 4, 4, 4, 4, 4))
    s = fold([ENKESHUI, GameBegun(1, N, laid)])
    assert s.position == replace(laid, to_move=N)
    strict = MatchBegun("enkeshui", Sticks(3), sets=(("rearrange", "never"),))
    with pytest.raises(MatchError, match="the set-up laid for game 1 has 4 seeds in pit a: 0 are due"):
        fold([strict, GameBegun(1, N, laid)])


@pytest.mark.parametrize(("form", "laid", "said"), [
    (Sticks(3), SOUTH_25, "has 25 seeds in South's pits: 24 are due"),
    (Sticks(3), ruleset("enkeshui").setup("2x12"), "is of 2x12: the match is played on 2x8"),
    (Surplus(), replace(SOUTH_25, counts=(0, 0, 4, 4, 4, 4, 4, 2, *SOUTH_25.counts[8:]), captured=(3, 0)),
     "has 3-0 seeds out of play: 0-0 are due"),
    (Sticks(3), replace(SOUTH_25, counts=(-1, 0, 5, 4, 4, 4, 4, 4, *SOUTH_25.counts[8:])),
     "has fewer than no seeds in pit a"),
])
def test_a_set_up_laid_wrong_is_refused(form: Form, laid: Position, said: str) -> None:
    with pytest.raises(MatchError, match=said):
        fold([MatchBegun("enkeshui", form), GameBegun(1, S, laid)])
