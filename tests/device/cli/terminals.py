"""Commands as a person sees them: in a terminal of 100 columns."""

import io
import sys

import pytest
from rich.text import Text

from device.cli.main import main


class Screen(io.StringIO):
    """Keeps what a terminal is shown."""

    def isatty(self) -> bool:
        return True


def in_a_terminal(monkeypatch: pytest.MonkeyPatch, *arguments: str) -> str:
    """What a command that ends well shows there, without its colours."""
    screen = Screen()
    monkeypatch.setattr(sys, "stdout", screen)
    monkeypatch.setenv("COLUMNS", "100")
    with pytest.raises(SystemExit) as ended:
        main(list(arguments))
    assert ended.value.code == 0
    return Text.from_ansi(screen.getvalue()).plain
