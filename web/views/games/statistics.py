"""Games in figures on the page: one game's plots, and the summary of a day or of the match."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from flask import Blueprint, abort, current_app, render_template
from flask.blueprints import BlueprintSetupState
from markupsafe import Markup

from device.journal.projection.games import PlayedGame
from web.players import player
from web.readmodel.book import Book
from web.readmodel.feed import Item
from web.readmodel.games import offers
from web.views import audience
from web.views.games.figures import Figures, FiguresCache, MoveFigures, together
from web.views.games.history import found_items, local
from web.views.games.plots import bars, lines
from web.words import say

blueprint = Blueprint("statistics", __name__)


@dataclass(frozen=True)
class Plot:
    """A plot with its title, and the same in words."""

    title: str
    picture: Markup
    told: str


@dataclass(frozen=True)
class Row:
    """A game of a summary. place: its number in the match or on the day; at: its local time."""

    place: int
    game: PlayedGame
    figures: Figures
    at: str


@blueprint.record_once
def _keep(state: BlueprintSetupState) -> None:
    state.app.extensions["figures"] = FiguresCache()


@blueprint.get("/games/day/<day>")
def of_day(day: str) -> str:
    """Show the summary of a day in this machine's time zone."""
    book = audience.book()
    games = [game for game in reversed(book.games()) if local(game.at)[:10] == day]
    if not games:
        abort(404)
    return _summary(book, say("stats.day", day=day), [(at, game) for at, game in enumerate(games, 1)])


@blueprint.get("/match/summary")
def of_match() -> str:
    """Show the summary of the current or last match."""
    book = audience.book()
    counted = book.match().counted
    games = sorted((counted[game.number], game.number, game) for game in book.games() if game.number in counted)
    if not games:
        abort(404)
    return _summary(book, say("stats.match"), [(place, game) for place, _, game in games])


def plots_of(game: PlayedGame, found: Figures) -> list[Plot]:
    """Return the plots of one game that have enough data."""
    plots = [_seeds(found)] if _has_captures(game) and len(found.turns) > 1 else []
    if len(found.seconds) > 1 and found.slowest is not None:
        told = say("stats.time.told", n=len(found.seconds), median=short(found.median_seconds),
                   most=short(found.slowest.seconds), who=called(found.slowest))
        timed = [(turn.player, turn.seconds) for turn in found.turns if turn.seconds is not None]
        plots.append(Plot(say("stats.time"), bars(timed, told), told))
    if len(found.laps) > 1 and found.longest is not None:
        told = say("stats.laps.told", n=len(found.laps), mean=short(found.mean_laps), most=found.longest.laps,
                   who=called(found.longest))
        laps = [(turn.player, turn.laps) for turn in found.turns if turn.laps]
        plots.append(Plot(say("stats.laps"), bars(laps, told), told))
    return plots


def figures_of(book: Book, game: PlayedGame, read: Callable[[], Sequence[Item]] | None = None) -> Figures:
    """Return the game's figures. read: returns its feed items, if they are read already."""
    kept: FiguresCache = current_app.extensions["figures"]
    return kept.of(book.id, game, read or (lambda: found_items(book.events(game))))


def called(turn: MoveFigures | None) -> str:
    """Return a move's name for people: the player and the pit."""
    return f"{player(turn.player)} {turn.move}".strip() if turn is not None else ""


def short(value: float | None) -> str:
    """Return a number with one decimal, or none if it is zero; "–" for None."""
    return "–" if value is None else f"{value:.1f}".removesuffix(".0")


def _seeds(found: Figures) -> Plot:
    south, north = ([0, *(turn.captured[i] for turn in found.turns)] for i in (0, 1))
    told = say("stats.seeds.told", n=len(found.turns), south=player("S"), s=south[-1], north=player("N"), m=north[-1])
    return Plot(say("stats.seeds"), lines(south, north, told), told)


def _has_captures(game: PlayedGame) -> bool:
    return next((offer["captures"] for offer in offers() if offer["game"] == game.game), True)


def _summary(book: Book, title: str, games: Sequence[tuple[int, PlayedGame]]) -> str:
    rows = [Row(place, game, figures_of(book, game), local(game.at)) for place, game in games]
    fouls = [foul for foul in book.fouls() if foul.game in {game.number for _, game in games}]
    return render_template("summary.html", title=title, rows=rows, all=together([row.figures for row in rows]),
                           fouls=fouls, plot=_each_game(rows))


def _each_game(rows: Sequence[Row]) -> Plot | None:
    """Return a plot of the seeds captured in each game, South's beside North's."""
    ends = [(row, row.figures.turns[-1].captured) for row in rows if row.figures.turns and _has_captures(row.game)]
    if not ends:
        return None
    told = say("stats.each.told", each=say("list.comma").join(f"{south}–{north}" for _, (south, north) in ends))
    pairs = [pair for _, end in ends for pair in zip("SN", end, strict=True)]
    return Plot(say("stats.each.seeds"), bars(pairs, told, of_each=2), told)


@blueprint.app_context_processor
def helpers() -> dict[str, object]:
    """Return the templates' functions for figures."""
    return {"called": called, "short": short, "plots_of": plots_of,
            "figures_of": lambda game, found: figures_of(audience.book(), game, lambda: found)}
