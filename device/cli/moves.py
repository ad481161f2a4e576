"""`inkeek moves`: list the legal moves of positions."""

import json
import sys
from collections.abc import Iterator
from typing import Any, BinaryIO

import click

from device.cli.boards import for_people
from device.cli.options import LINES, SETS, Unusable, usable_rules
from engine.drawing import outline
from engine.explain import renamed
from engine.messages import any_of
from engine.position import MAX_LINE, Position, PositionError
from engine.rules import Rules, games


def lines(stream: BinaryIO) -> Iterator[str]:
    """Yield the stream's lines as they come, blank ones too, so that each gets an answer; a far too long line is cut.
    """
    while raw := stream.readline(16 * MAX_LINE):
        rest = raw
        while rest and not rest.endswith(b"\n"):
            rest = stream.readline(16 * MAX_LINE)
        yield raw.decode("utf-8", "replace").strip()


def answer(rules: Rules, line: str) -> dict[str, Any]:
    """The JSON form for one position line: its moves, how the game ended, or what is wrong with the line."""
    try:
        position = Position.parse(line)
    except PositionError as e:
        return {"error": str(e), "position": line[: 2 * MAX_LINE]}
    problems = rules.problem_sentences(position)
    if problems:
        return {"error": "; ".join(problems), "position": line}
    form: dict[str, Any] = {
        "position": str(position), "to_move": position.to_move.letter, "moves": [], "endless": [], "over": None,
    }
    over = rules.over(position)
    if over is not None:
        winner = None if over.winner is None else over.winner.letter
        form["over"] = {"result": f"{over.result[0]}-{over.result[1]}", "winner": winner, "reason": over.reason}
        return form
    found = rules.moves(position)
    form["moves"] = [
        {"move": m.name, "position": str(m.position), "captured": m.captured, "laps": m.laps, "ends": m.ends}
        for m in found.moves
    ]
    form["endless"] = [position.board.name(p) for p in found.endless]
    if found.unproved:
        form["unproved"] = [position.board.name(p) for p in found.unproved]
    return form


def plain(form: dict[str, Any]) -> str:
    """The form of `answer` as text for people."""
    if "error" in form:
        return f"{form['position']}\n  cannot be used: {form['error']}"
    out = [form["position"]]
    if form["over"]:
        over = form["over"]
        winner = f"{over['winner']} wins" if over["winner"] else "a draw"
        out.append(f"  over: {over['result']}, {winner}: {over['reason']}")
    for m in form["moves"]:
        how = f"{m['laps']} lap{'s' * (m['laps'] != 1)}, {m['ends']}"
        won = f" of {m['captured']} seeds" if m["captured"] else ""
        out.append(f"  {m['move']:<6} {m['position']}  ({how}{won})")
    for pit in form["endless"]:
        how = "does not end within the laps that are followed" if pit in form.get("unproved", ()) else "never ends"
        out.append(f"  {pit:<6} sowing {how}")
    return "\n".join(out)


def show_to_people(rules: Rules, line: str) -> None:
    """Draw a position in the terminal, and list the legal moves with how each is played."""
    from rich.table import Table

    from device.cli.boards import console, drawn

    position, out = Position.parse(line), console()
    out.print(f"{rules.title} {rules.name} on {position.board}: {position}\n")
    out.print(drawn(position))
    over = rules.over(position)
    if over is not None:
        won = "a draw" if over.winner is None else f"{over.winner.title} wins"
        out.print(f"\nOver: {over.result[0]}-{over.result[1]}, {won}: {over.reason}")
        return
    found = rules.moves(position)
    number = f"{len(found.moves)} legal move{'s' * (len(found.moves) != 1)}"
    out.print(f"\n{position.to_move.title} to move: {number}\n")
    table = Table(box=None, pad_edge=False, header_style="dim")
    for heading in ("move", "laps", "captures", "ends", "how it is played"):
        table.add_column(heading, justify="right" if heading in ("laps", "captures") else "left")
    for move in found.moves:
        table.add_row(move.name, str(move.laps), str(move.captured or ""), move.ends,
                      renamed(outline(position.board, move.trace), rules.nouns))
    for pit in found.endless:
        how = "is followed no further" if pit in found.unproved else "never ends"
        table.add_row(position.board.name(pit), "", "", "", f"sowing from here {how}")
    out.print(table)


@click.command(epilog=LINES)
@click.argument("line", required=False)
@click.option("--game", required=True, help=f"The game: {any_of(games())}.")
@click.option("--rules", default=None, help="The ruleset; the game's first unless given.")
@SETS
@click.option("--json", "as_json", is_flag=True, help="One JSON object a line.")
def moves(line: str | None, game: str, rules: str | None, fields: dict[str, str], as_json: bool) -> None:
    """List the legal moves of a position.

    LINE is a position in quotes, such as `inkeek moves --game oware "4,4,4,4,4,0/4,4,4,4,4,4 N 0-4 ply=3"`. Write - to
    read lines from standard input. Without LINE the game's set-up is taken: `inkeek moves --game omweso`. A terminal
    shows the board and how each move is played.
    """
    chosen, _ = usable_rules(game, rules, "", fields)
    people = for_people(as_json=as_json)
    # json.dumps gives ASCII, as answers quote any input, whatever the terminal can show.
    show = json.dumps if as_json else plain
    if line != "-":
        form = answer(chosen, str(chosen.setup()) if line is None else line)
        if "error" in form:
            if as_json:
                click.echo(show(form))
            raise Unusable(form["error"])
        if people:
            show_to_people(chosen, form["position"])
        else:
            click.echo(show(form))
        return
    asked = bad = 0
    for text in lines(sys.stdin.buffer):
        form = answer(chosen, text)
        asked, bad = asked + 1, bad + ("error" in form)
        click.echo(show(form))
    if bad:
        raise click.ClickException(f"{bad} of {asked} position{'s' * (asked != 1)} could not be used")
