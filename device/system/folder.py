"""The data folder: journal, evidence, live picture, and the settings that people may write there."""

from __future__ import annotations

import errno
import fcntl
import logging
import os
import shutil
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Annotated

import msgspec
from msgspec import Meta

from device.errors import UserError
from device.south import South

log = logging.getLogger(__name__)


MEMORY = Path("/dev/shm")
"""A folder in memory, for the live picture: ten pictures a second would wear out a memory card."""


SERVICES = Path("/var/lib/inkeek")
"""The services' data folder (`device/service`)."""

FRESH_S = 15.0
"""The table writes its live state at least this often, even if a frame takes long on a small machine."""


class FolderError(UserError):
    """The data folder, or its settings, cannot be used; one sentence."""


class HallSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`[hall]` of `inkeek.toml`: the hall that the table publishes to."""

    address: Annotated[str, Meta(description="of its broker, as --hall of inkeek run; empty for none")] = ""
    ca: Annotated[str, Meta(description="CA certificate of the broker (PEM), for mqtts://")] = ""
    password_file: Annotated[str, Meta(description="file whose first line is the password")] = ""
    name: Annotated[str, Meta(max_length=80, description="the table's name at the hall; empty for the machine's")] = ""


class PageSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`[page]` of `inkeek.toml`: the page's server."""

    names: Annotated[list[Annotated[str, Meta(pattern=r"^[A-Za-z0-9_.-]+$")]],
                     Meta(description="further names that the page may be asked for by, as behind a proxy")] = []


class Settings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`inkeek.toml`: every setting with its range. The command line overrides them."""

    camera: Annotated[str, Meta(min_length=1, description="the pictures' source, as --camera of inkeek run")] = "sim"
    south: Annotated[South, Meta(description="the edge of the picture where South sits")] = "bottom"
    game: Annotated[str, Meta(min_length=1, description="the game that a new journal begins with")] = "enkeshui"
    rules: Annotated[str, Meta(description="its ruleset; empty for the game's first")] = ""
    board: Annotated[str, Meta(description="rows and columns, such as 2x8; empty for the set-up's own")] = ""
    host: Annotated[str, Meta(min_length=1, description="address the page is served on; 0.0.0.0: all")] = "127.0.0.1"
    evidence_mb: Annotated[int, Meta(ge=10, le=1_000_000, description="megabytes of stills that are kept; of legal "
                                     "moves the oldest go first, of fouls none")] = 4000
    port: Annotated[int, Meta(ge=1, le=65535, description="the page's port")] = 8000
    hall: HallSettings = HallSettings()
    page: PageSettings = PageSettings()


class DataFolder:
    """One table's data folder: the places of its files, its settings and its lock."""

    def __init__(self, path: Path) -> None:
        """path: the folder, which need not exist yet."""
        self.path = path

    @classmethod
    def default(cls, environment: Mapping[str, str] | None = None) -> DataFolder:
        """The default folder: systemd's STATE_DIRECTORY, else `inkeek` in the XDG data folder."""
        env = os.environ if environment is None else environment
        state = env.get("STATE_DIRECTORY", "").split(":")[0]
        if state:
            return cls(Path(state))
        home = env.get("XDG_DATA_HOME", "")
        root = Path(home) if home.startswith("/") else Path(env.get("HOME") or "~").expanduser() / ".local" / "share"
        return cls(root / "inkeek")

    @classmethod
    def at_hand(cls, environment: Mapping[str, str] | None = None, services: Path = SERVICES) -> DataFolder:
        """The folder that a command without --data means: the user's own, or if that is missing the services'."""
        own = cls.default(environment)
        return cls(services) if services.is_dir() and not own.path.exists() else own

    @property
    def journal(self) -> Path:
        """The journal's file."""
        return self.path / "journal.sqlite3"

    @property
    def evidence(self) -> Path:
        """The folder of stills and clips."""
        return self.path / "evidence"

    @property
    def live(self) -> Path:
        """The folder of the live picture."""
        return self.path / "live"

    @property
    def simulated(self) -> Path:
        """The file with the simulated table's state."""
        return self.path / "simulated.json"

    def make(self) -> None:
        """Make the folder if it is missing; on a read-only or full disk an existing one will do. Raises `FolderError`.
        """
        try:
            self.evidence.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            if self.path.is_dir() and (self.only_read or error.errno == errno.ENOSPC):
                return
            raise FolderError(f"the data folder {self.path} cannot be used: {error.strerror or error}") from error
        if not os.access(self.path, os.W_OK | os.X_OK) and not self.only_read:
            raise FolderError(f"the data folder {self.path} may not be written to by this user")

    def settings(self) -> Settings:
        """Read `inkeek.toml` in the folder. Raises `FolderError`, which names the file and the field."""
        file = self.path / "inkeek.toml"
        try:
            text = file.read_bytes()
        except (FileNotFoundError, NotADirectoryError):
            return Settings()
        except OSError as error:
            raise FolderError(f"{file} cannot be read: {error.strerror or error}") from error
        try:
            return msgspec.toml.decode(text, type=Settings)
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            raise FolderError(f"{file}: {str(error).replace('`$.', '`')}") from error

    @contextmanager
    def held(self) -> Iterator[None]:
        """Lock the folder for one table, as two would write to one journal. Raises `FolderError`."""
        lock = self._lock_file()
        try:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError as error:
                raise FolderError(f"another table runs on {self.path}: end it, or choose another --data") from error
            yield
        finally:
            os.close(lock)

    @property
    def only_read(self) -> bool:
        """Whether the disk is mounted read-only."""
        try:
            return bool(os.statvfs(self.path).f_flag & os.ST_RDONLY)
        except OSError:
            return False

    def _lock_file(self) -> int:
        """Open what `held` locks: a file, or the folder itself if none can be made. Raises `FolderError`."""
        lock = self.path / "table.lock"
        try:
            return os.open(lock, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o666)
        except OSError:
            try:
                return os.open(lock if lock.exists() else self.path, os.O_RDONLY | os.O_CLOEXEC)
            except OSError as error:
                raise FolderError(f"the data folder {self.path} cannot be used: {error.strerror or error}") from error

    def make_live(self) -> Path:
        """Make the live folder and return it, in memory if the machine can; one left by an ended table is reused."""
        live = self.live
        if live.is_dir():
            return live
        with suppress(OSError):
            live.unlink(missing_ok=True)  # a link to a folder in memory that was lost at power-off
        try:
            if not os.access(MEMORY, os.W_OK):
                live.mkdir(exist_ok=True)
                return live
            target = tempfile.mkdtemp(prefix="inkeek-", dir=MEMORY)
            live.symlink_to(target, target_is_directory=True)
        except OSError as error:
            # On a disk that refuses writes the page has no live picture, but the table goes on refereeing.
            log.warning("there is no live picture: %s: %s", live, error.strerror or error)
        return live

    def lives(self) -> bool:
        """Whether the table wrote its live state in the last `FRESH_S`; also True if it has no live folder."""
        try:
            return time.time() - (self.live / "state.json").stat().st_mtime < FRESH_S
        except OSError:
            return not self.live.exists()

    def drop_live(self) -> None:
        """Remove the live folder when the table has ended."""
        live = self.live
        with suppress(OSError):
            if live.is_symlink():
                target = live.resolve()
                live.unlink()
                if target.parent == MEMORY and target.name.startswith("inkeek-"):
                    shutil.rmtree(target)
            elif live.is_dir():
                shutil.rmtree(live)
