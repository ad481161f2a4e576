"""The house keeps its shape: folders that hold one concept, modules that can be read, and documents that exist."""

import ast
import re
import subprocess
from collections import Counter
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import grimp
import pytest

ROOT = Path(__file__).parents[1]
ROOMS = ("engine", "vision", "device", "web")
MOST_MODULES = 16
"""Modules of one folder, `__init__.py` apart."""
MOST_LINES = 500
"""Lines of one module, style sheet, script or template."""
ENDINGS = (".py", ".js", ".css", ".html")
CITED = re.compile(r"`([\w./-]*\w\.(?:py|md|svg|jpg|onnx|npz|txt|toml|html|js|css))`"
                   r"|\]\(([\w/.-]+\.(?:md|svg|jpg))(?:#[\w-]+)?\)")
"""A path between backticks, from the root or from the citing file's folder; or a link, from that folder."""
DECISIONS = ROOT / "tests" / "bench" / "decisions"
MOST_DECISION_WORDS = 300
"""Words of one page of decisions."""
MOST_DECISION_PAGES = 16
"""Topics that decisions are sorted by."""
MOST_WORDS = 25_000
"""Words in all documents together."""
OF_A_TABLE = ("inkeek.toml",)
"""Files that a table has in its data folder."""


def tracked() -> list[Path]:
    """Every file that is part of the project."""
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    return [ROOT / name for name in listed.splitlines() if (ROOT / name).exists()]


def name(path: Path) -> str:
    """A file's path as documents cite it."""
    return path.relative_to(ROOT).as_posix()


def words(text: str) -> int:
    """How many words a document has; a bar of a table is none."""
    return sum(any(letter.isalnum() for letter in word) for word in text.split())


def test_no_folder_holds_more_modules_than_one_concept_needs() -> None:
    held = Counter(name(p.parent) for p in tracked()
                   if p.suffix == ".py" and p.name != "__init__.py" and name(p).split("/")[0] in ROOMS)
    assert len(held) > 15
    assert not {folder: n for folder, n in held.items() if n > MOST_MODULES}


def test_no_module_is_longer_than_can_be_read_at_once() -> None:
    long = {name(p): n for p in tracked() if p.suffix in ENDINGS
            for n in [len(p.read_text("utf-8").splitlines())] if n > MOST_LINES}
    assert not long


def test_no_file_is_cited_that_does_not_exist() -> None:
    cited = {(p, ticked or link, bool(link)) for p in tracked() if p.suffix in (".py", ".md")
             for ticked, link in CITED.findall(p.read_text("utf-8"))}
    assert len(cited) > 100
    assert not sorted((name(p), path) for p, path, linked in cited if path not in OF_A_TABLE
                      and not (p.parent / path).exists() and (linked or not (ROOT / path).exists()))


def test_decisions_are_few_short_pages_that_the_index_names() -> None:
    pages = sorted(page for page in DECISIONS.glob("**/*.md") if page.name != "README.md")
    assert 8 < len(pages) <= MOST_DECISION_PAGES
    index = (DECISIONS / "README.md").read_text("utf-8")
    for page in pages:
        text = page.read_text("utf-8")
        assert page.parent == DECISIONS and re.fullmatch(r"[a-z-]+\.md", page.name), "named after its topic"
        assert words(text) <= MOST_DECISION_WORDS, page.name
        assert all(part in text for part in ("**Question.**", "**Tried.**", "**Left.**")), page.name
        assert f"]({page.name})" in index, page.name


def test_the_documents_can_be_read() -> None:
    counted = {name(page): words(page.read_text("utf-8")) for page in tracked() if page.suffix == ".md"}
    assert 10_000 < sum(counted.values()) <= MOST_WORDS, sorted(counted.items(), key=lambda one: -one[1])[:8]


def test_no_module_imports_itself_by_way_of_others() -> None:
    """Imports inside functions, and those for the types alone, are imports too."""
    graph = grimp.build_graph(*ROOMS, cache_dir=None)
    assert len(graph.modules) > 150 and "engine.games.base" in graph.modules
    order = TopologicalSorter({one: graph.find_modules_directly_imported_by(one) for one in graph.modules})
    try:
        order.prepare()
    except CycleError as error:
        pytest.fail(f"a circle of imports: {' < '.join(error.args[1])}")


def refers_forward(module: ast.Module) -> bool:
    """Whether an annotation names what is bound only after it, or for the type checker alone."""
    bound: dict[str, float] = {}
    for node in module.body:
        for_types = isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"
        bound |= dict.fromkeys(bound_by(node), float("inf") if for_types else node.end_lineno or 0)
    notes = [note for node in ast.walk(module) for part in ("annotation", "returns")
             if (note := getattr(node, part, None)) is not None]
    return any(isinstance(one, ast.Name) and bound.get(one.id, 0) >= note.lineno
               for note in notes for one in ast.walk(note))


def bound_by(node: ast.stmt) -> list[str]:
    """The names that a statement of a module binds."""
    if isinstance(node, ast.FunctionDef | ast.ClassDef):
        return [node.name]
    parts = list(ast.walk(node))
    return ([part.asname or part.name for part in parts if isinstance(part, ast.alias)]
            + [part.id for part in parts if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store)])


def test_annotations_are_postponed_only_where_one_refers_forward() -> None:
    """Where one does and they are not, ruff finds an undefined name."""
    texts = {name(path): path.read_text("utf-8") for path in tracked() if path.suffix == ".py"}
    future = "\nfrom __future__ import annotations\n"
    postponed = {path: ast.parse(text) for path, text in texts.items() if future in text}
    assert len(postponed) > 50
    assert not [path for path, module in sorted(postponed.items()) if not refers_forward(module)]
