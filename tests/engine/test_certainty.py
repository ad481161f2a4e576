"""Nothing is shown as surer than it was measured to be."""

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import certainty

ROOT = Path(__file__).parents[2]
MEASURED = re.compile(r"\| Legal moves called illegal \| (\d+) of ([\d,]+) \[")
HIGHEST = f"{100 * certainty.MOST:.1f}"
BOUND = re.compile(r"(?:surer|more certain) than (\d+\.\d+ %)")


def test_documents_state_the_bound_that_there_is() -> None:
    stated = {(page.name, one) for page in (ROOT / "README.md", *ROOT.glob("*/README.md"))
              for one in BOUND.findall(page.read_text("utf-8"))}
    assert stated == {("README.md", f"{100 * certainty.MOST:.1f} %")}


def test_the_bound_is_not_above_what_the_readme_tells() -> None:
    found = MEASURED.search((ROOT / "README.md").read_text("utf-8"))
    assert found is not None
    wrong, of = int(found[1]), int(found[2].replace(",", ""))
    assert 1 - wrong / of >= certainty.MOST


@pytest.mark.parametrize(("p", "text"), [(1.0, HIGHEST), (0.99998, HIGHEST), (certainty.MOST + 0.0005, HIGHEST),
                                         (0.9876, "98.7"), (0.62, "62.0"), (0.0004, "0.1"), (0.0, "0.0"),
                                         (float("nan"), "0.0")])
def test_in_per_cent(p: float, text: str) -> None:
    assert certainty.percent(p) == text


@given(st.floats(0.001, 1.0))
def test_never_surer_than_it_is(p: float) -> None:
    assert certainty.shown(p) <= min(p + 1e-9, certainty.MOST)
    assert certainty.shown(p) > min(p, certainty.MOST) - 0.0011
