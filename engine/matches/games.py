"""Events of the match and of whole games: begun, ended, scored, forfeited, annulled."""

from dataclasses import replace

from engine.board import Side
from engine.games.base import Rearranging, Rules
from engine.games.rearranging import relaid
from engine.matches.checks import MatchError, lies, whole
from engine.matches.events import Annulled, Forfeited, GameBegun, GameEnded, GameScored, MatchBegun
from engine.matches.forms import GameScore, laid
from engine.matches.record import GameRecord, running
from engine.matches.state import MatchState, rules_of
from engine.messages import Message, any_of, message
from engine.messages import side as named
from engine.position import Position


def match_begun(s: MatchState, e: MatchBegun) -> MatchState:
    """Set the match, its form, its rules and the set-up of its games."""
    if s.begun is not None:
        raise MatchError(f"the match has begun already, as one of {s.begun.game}")
    rules, form = rules_of(e.game, e.rules, e.sets), e.form
    if form.name not in rules.forms:
        raise MatchError(f"{form.name} is no form of a match of {rules.title}: {any_of(rules.forms)}")
    setup = replace(rules.setup() if e.setup is None else e.setup, to_move=Side.SOUTH)
    _check_fresh(rules, setup, (0, 0), message("contest.setup"))
    form.check(setup)
    return replace(s, begun=e, setup=setup)


def begun(s: MatchState, e: GameBegun, n: int) -> MatchState:
    """Begin the next game, or the next attempt at an annulled one, from the set-up that is due."""
    if s.game is not None:
        raise MatchError(f"game {e.game} cannot begin: game {s.game.number} is being played")
    last = s.games[-1] if s.games else None
    again = last is not None and last.scored is None
    number = 1 if last is None else last.number if again else last.number + 1
    if e.game != number:
        why = f"game {number} was annulled and is replayed" if again else f"the next is game {number}"
        raise MatchError(f"game {e.game} cannot begin: {why}")
    start = replace(s.due if e.position is None else _laid(s, e.position, e.game), to_move=e.first)
    game = GameRecord(number, n, start, start, n, s.due)
    return replace(s, games=(*s.games, game))


def ended(s: MatchState, e: GameEnded, n: int) -> MatchState:
    """End a game that was played out: the rules determine the result from the board."""
    game = running(s.games, e.game)
    found = s.rules.problems(game.position)
    if found:
        raise MatchError(message("contest.no-result", game=game.number, why=found[0]))
    over = s.rules.ended(game.position, [move.before for move in game.moves if not move.retracted])
    if over is None:
        raise MatchError(message("contest.not-over", game=game.number, side=named(game.position.to_move)))
    return _closed(s, n, GameScore(over.winner, over.result, over.points))


def scored(s: MatchState, e: GameScored, n: int) -> MatchState:
    """Score a game as people say it ended."""
    game, rules = running(s.games, e.game), s.rules
    if e.winner is None and not rules.draws:
        raise MatchError(message("contest.no-draw", game=game.number, title=rules.title))
    if e.result is not None:
        _check_result(rules, game, e)
    elif s.begun is not None and s.begun.form.counts_seeds:
        raise MatchError(message("contest.no-seeds", game=game.number))
    return _closed(s, n, GameScore(e.winner, e.result))


def forfeited(s: MatchState, e: Forfeited, n: int) -> MatchState:
    """Give the game being played to the other side."""
    if s.game is None:
        raise MatchError(f"{e.side.title} cannot resign a game: none is being played")
    if s.begun is not None and s.begun.form.counts_seeds:
        raise MatchError(message("contest.alone", side=named(e.side), game=s.game.number))
    return _closed(s, n, GameScore(e.side.other))


def annulled(s: MatchState, e: Annulled, n: int) -> MatchState:
    """Annul a game."""
    running(s.games, e.game)
    return _closed(s, n, None)


# ---- shared
# -------------------------------------------------------------------------------------------------------------


def _closed(s: MatchState, n: int, score: GameScore | None) -> MatchState:
    return replace(s, games=(*s.games[:-1], replace(s.games[-1], scored=score, ended=n)))


def _check_fresh(rules: Rules, position: Position, captured: tuple[int, int], what: Message) -> None:
    """Raise MatchError unless a game can begin from this position."""
    found = rules.problems(position)
    if found:
        raise MatchError(message("contest.unfit", what=what, why=found[0]))
    if position.captured != captured:
        south, north = position.captured
        raise MatchError(message("contest.out-of-play", what=what, south=south, north=north,
                              due=f"{captured[0]}-{captured[1]}"))
    if position.ply or any(position.caps) or position.won is not None:
        raise MatchError(message("contest.under-way", what=what, ply=position.ply))
    bull = next((p for p, owner in enumerate(position.bulls) if owner is not None), None)
    if bull is not None:
        raise MatchError(rules.message("contest.bull", what=what, pit=position.board.name(bull)))


def _laid(s: MatchState, position: Position, number: int) -> Position:
    """Return a set-up as it was laid: each side's due seeds, in its own pits; rearranged if the rules allow it."""
    due, rules, what = s.due, s.rules, message("contest.laid", game=number)
    _check_fresh(rules, lies(position, due.board, what), due.captured, what)
    for side in Side:
        lay, owed = laid(position, side), laid(due, side)
        if lay != owed:
            raise MatchError(message("contest.lay", what=what, count=lay, side=named(side), due=owed))
    if rules.arranges(due):
        return position
    if rules.rearranging is Rearranging.SETUP:
        check_relaid(rules, due, position, what)
    elif position.counts != due.counts:
        pit = next(p for p, (a, b) in enumerate(zip(position.counts, due.counts, strict=True)) if a != b)
        raise MatchError(message("contest.rearranged", what=what, count=position.counts[pit], pit=due.board.name(pit),
                              due=due.counts[pit]))
    return position


def check_relaid(rules: Rules, set_up: Position, position: Position, what: Message) -> None:
    """Raise MatchError unless each side has re-laid at most two of its pits of `set_up` to get `position`. what: names
    the board in the error."""
    for side in Side:
        if not relaid(rules, set_up, position.counts, side):
            raise MatchError(message("contest.relaid", what=what, side=named(side)))


def _check_result(rules: Rules, game: GameRecord, e: GameScored) -> None:
    south, north = e.result or (0, 0)
    due = rules.seeds(game.start.board)
    if whole(south, "South's seeds") + whole(north, "North's seeds") != due:
        raise MatchError(message("contest.sum", result=f"{south}-{north}", game=game.number, sum=south + north,
                              title=rules.title, due=due))
    more = None if south == north else Side.SOUTH if south > north else Side.NORTH
    if e.winner is not more and rules.most_seeds_win:
        named = "nobody" if e.winner is None else e.winner.title
        raise MatchError(f"the result {south}-{north} of game {game.number} is not one that {named} wins")
