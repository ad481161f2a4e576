"""Small disks for tests: ones that fill up, and that can be made read-only."""

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest


class Disk:
    """A mounted disk of some hundred kilobytes, in memory."""

    def __init__(self, path: Path) -> None:
        """path: where it is mounted."""
        self.path = path
        self._ballast = path / "ballast"

    def fill(self, leave: int = 0) -> None:
        """Leave no more than so many bytes free."""
        with self._ballast.open("ab", buffering=0) as file:
            for size in (1 << 16, 1 << 12):
                try:
                    while True:
                        file.write(bytes(size))
                except OSError:
                    continue
        if leave:
            with self._ballast.open("rb+") as file:
                file.truncate(max(0, self._ballast.stat().st_size - leave))

    def empty(self) -> None:
        """There is room again."""
        self._ballast.unlink(missing_ok=True)

    def only_read(self, on: bool) -> None:
        """Mount it read-only, as a kernel does with a card that fails."""
        subprocess.run(["mount", "-o", f"remount,{'ro' if on else 'rw'}", str(self.path)], check=True)


@contextmanager
def small_disk(path: Path, kilobytes: int = 512) -> Iterator[Disk]:
    """A disk mounted at `path` for a while; the test is skipped where that is not allowed."""
    path.mkdir(parents=True, exist_ok=True)
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={kilobytes}k", "tmpfs", str(path)],
                             capture_output=True, text=True, check=False)
    if mounted.returncode:
        pytest.skip("a disk that fills up (as root, where a tmpfs can be mounted)")
    try:
        yield Disk(path)
    finally:
        subprocess.run(["umount", "--lazy", str(path)], check=True)
