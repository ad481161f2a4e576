"""`inkeek prove`: compare what is read on a board with people's counts."""

import json
from pathlib import Path
from typing import Any

import click

from device.cli.files import not_drawn, silencing_libraries, there
from device.cli.options import LINES, SOUTH, Unusable
from device.south import South
from engine import certainty
from engine.position import Position

WELL = 0.98
"""Least share of pits read right for "well"."""
FAIRLY = 0.9
"""Least share of pits read right for "fairly"."""
ADVICE = "more even light, a camera nearer and straight above, or seeds that stand out from the wood would help"


def proof(form: dict[str, Any], stated: list[int], line: str) -> dict[str, Any]:
    """Compare the form of `PhotoReader.read` with the counts that people state, in ring order; return the JSON form.

    Hidden pits are listed but not compared. `sure_and_wrong` counts the worst: pits misread with a probability of 0.99
    or more.
    """
    pits = [{"name": p["name"], "stated": n, "count": p["count"], "p": p["p"], "p_stated": p["probs"][min(n, 25)],
             "hidden": p["hidden"]} for p, n in zip(form["pits"], stated, strict=True)]
    seen = [p for p in pits if not p["hidden"]]
    wrong = [p for p in seen if p["count"] != min(p["stated"], 25)]
    share = 1 - len(wrong) / max(1, len(seen))
    return {
        "image": form["image"], "found": True, "board": form["board"], "position": line,
        "right": len(seen) - len(wrong), "of": len(seen), "sure_and_wrong": sum(p["p"] >= 0.99 for p in wrong),
        "reads": "well" if share >= WELL and seen else "fairly" if share >= FAIRLY and seen else "badly", "pits": pits,
        "warnings": form["warnings"],
    }


def proof_lines(result: dict[str, Any]) -> str:
    """The form of `proof` as text for people."""
    from device.cli.photographs import size_doubt, warning_lines
    from vision.parameters import DRAWING

    lines = [f"{result['image']}: {result['right']} of {result['of']} pits read right"]
    if doubt := size_doubt(result):
        lines.append(f"  the position line is for a board of {doubt}: check it")
    for pit in (p for p in result["pits"] if not p["hidden"]):
        if pit["count"] != pit["stated"]:
            sure = certainty.shown(pit["p"])
            lines.append(f"  {pit['name']} holds {pit['stated']} but is read as {pit['count']} (p {sure:.3f})")
        elif pit["p"] < DRAWING.doubtful:
            lines.append(f"  {pit['name']} is rightly read as {pit['stated']}, but with doubt (p {pit['p']:.2f})")
    lines.extend(warning_lines(result))
    reads = result["reads"].replace("fairly", "fairly well")
    if not doubt:
        lines.append(f"inkeek reads this board {reads}" + ("" if reads == "well" else f": {ADVICE}"))
    return "\n".join(lines)


@click.command(epilog=LINES)
@click.argument("images", metavar="IMAGE…", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--position", "line", required=True, metavar="LINE", help="The seeds on the board, as a position line.")
@click.option("--south", default="bottom", type=SOUTH, help="The edge of the picture where South sits.")
@click.option("--overlay", type=click.Path(path_type=Path), metavar="PICTURE",
              help="Write a drawing of the pits and counts, misread ones marked, to this file; for one photograph.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object a line.")
@silencing_libraries
def prove(images: tuple[Path, ...], line: str, south: South, overlay: Path | None, as_json: bool) -> None:
    """Check how well a board is read, by known counts.

    For a photograph of Oware's set-up: `inkeek prove board.jpg --position "4,4,4,4,4,4/4,4,4,4,4,4 S 0-0"`.
    """
    from device.cli.photographs import PhotoReader, check_overlay, draw_overlay

    if overlay is not None and len(images) > 1:
        raise Unusable(f"--overlay is for one photograph, not for {len(images)} photographs")
    try:
        position = Position.parse(line)
        reader = PhotoReader(position.board, south)
    except ValueError as error:
        raise Unusable(str(error)) from None
    for image in images:
        there(image)
    if overlay is not None:
        check_overlay(overlay, images[0])
    reasons = []
    for image in images:
        read = reader.read(image)
        _show(read.form, image, position, line, as_json=as_json)
        if not read.form["found"]:
            reasons.append(str(read.form["reason"]) + not_drawn(overlay))
        elif overlay is not None:
            draw_overlay(image, read, overlay, position.counts)
    if reasons:
        raise click.ClickException(reasons[0])


def _show(form: dict[str, Any], image: Path, position: Position, line: str, *, as_json: bool) -> None:
    """Print the comparison for one photograph, or that there is nothing to compare."""
    if not form["found"]:
        click.echo(json.dumps(form) if as_json else f"{image}: nothing to prove")
        return
    result = proof(form, list(position.counts), line)
    click.echo(json.dumps(result) if as_json else proof_lines(result))
