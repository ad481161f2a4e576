"""The count of the functions that run for a legal move."""

from click.testing import CliRunner

from device.table.table import Table
from tests.bench import trace_functions


def test_what_runs_for_a_legal_move_is_counted_by_file() -> None:
    """Functions of the table, the referee and the rules are included; those of libraries and tests are not."""
    first = trace_functions.of_staged(moves=1).moves[0]
    files = {code.co_filename.removeprefix(f"{trace_functions.ROOT}/") for code in first}
    assert {"device/table/table.py", "engine/referee/decide.py", "engine/referee/emission.py"} <= files
    assert all(file.startswith(("engine/", "device/", "vision/")) for file in files)
    assert len(files) < len(first) < 600
    assert Table.reading.__code__ in first


def test_the_figure_is_printed() -> None:
    said = CliRunner().invoke(trace_functions.main, []).output.splitlines()
    assert said[0].startswith("legal move 1: ") and said[0].endswith(" files")
    assert sum(int(line.split()[0]) for line in said if line.startswith("  ")) == int(said[0].split()[3])
