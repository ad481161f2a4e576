"""The generated end of each game's page of rules: its set-ups and its rulesets. Every field, with its values and where
they are written down, is in `inkeek rules GAME`.

python -m tests.engine.games.rule_pages      writes them into engine/games/GAME.md, below the line `MARK`
"""

from collections.abc import Iterable, Sequence
from pathlib import Path

from engine.games.fields import word
from engine.position import Position
from engine.rules import Rules, game, games, ruleset

FOLDER = Path(__file__).parents[3] / "engine" / "games"
MARK = "<!-- From here on made by `python -m tests.engine.games.rule_pages`. -->"


def page(name: str) -> Path:
    """The page of a game."""
    return FOLDER / f"{name}.md"


def written(text: str, of: type[Rules]) -> str:
    """A page with its end made anew. Raises ValueError where the line `MARK` is missing."""
    head, mark, _ = text.partition(MARK)
    if not mark:
        raise ValueError(f"the page of {of.game} has no line {MARK!r}")
    return f"{head}{MARK}\n\n{end(of)}"


def end(of: type[Rules]) -> str:
    """Set-ups and rulesets of a game, as Markdown; no set-ups where every pit holds as many seeds."""
    setups = [(name, str(board), row(setup)) for board in of.boards
              for name, setup in ((each, ruleset(of.game).setup(each)) for each in ruleset(of.game).setups(board))]
    rulesets = [(f"`{name}`", of.sources[name], ", ".join(f"`{key}: {word(value)}`" for key, value in changed.items()))
                for name, changed in of.rulesets.items()]
    listed = ["## Set-ups", "", *table(("name", "board", "each row from its owner's left"), setups), ""]
    return "\n".join([
        *(listed if any(len(set(counts.split())) > 1 for *_, counts in setups) else ()),
        "## Rulesets", "", *table(("ruleset", "source", "fields that are not the default"), rulesets)]) + "\n"


def row(setup: Position) -> str:
    """South's rows of a set-up, the inner one first; both sides have the same."""
    cols = setup.board.cols
    own = setup.counts[:cols] if setup.board.rows == 2 else own_rows(setup)
    lines = [own[k:k + cols] for k in range(0, len(own), cols)]
    return " / ".join(" ".join(map(str, line)) for line in lines)


def own_rows(setup: Position) -> tuple[int, ...]:
    """South's inner and outer row on a board of four, read off the position's line."""
    inner, outer = str(setup).split()[0].split("/")[2:]
    return tuple(int(count) for line in (inner, outer) for count in line.split(","))


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    """The lines of a Markdown table."""
    return [f"| {' | '.join(cells)} |" for cells in (head, ["---"] * len(head), *rows)]


def main() -> None:
    """Write every page's end anew."""
    for name in games():
        page(name).write_text(written(page(name).read_text("utf-8"), game(name)), "utf-8")


if __name__ == "__main__":
    main()
