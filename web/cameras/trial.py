"""Tries a network camera on the page before the table uses it.

The page opens no camera: `device.system.camera_trial` does, in a process of its own, and passes its pictures on. One
camera is tried at a time; a newer trial ends the one before it.
"""

import struct
import subprocess
import sys
import threading
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import IO, Any

import msgspec

ANSWER_S = 20.0
"""How long a camera may take to answer; its process gives up sooner."""
KEEP_S = 5.0
SILENT = "The camera does not answer"
MOST_BYTES = 4_000_000
"""The largest size of one picture."""


class TrialError(Exception):
    """The address gives no pictures."""

    def __init__(self, sentence: str, told: Mapping[str, Any] | None) -> None:
        """sentence: why, in English; told: the message to show; None if the text is no address of a camera."""
        super().__init__(sentence)
        self.told = told


class CameraTrial:
    """Tries cameras one after the other. word: the address being tried, without its secrets, "" for none; picture: the
    newest JPEG, b"" before the first."""

    def __init__(self, data: Path) -> None:
        """data: the folder in which an address is kept."""
        self._data = data
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self.word, self.picture = "", b""

    def begin(self, address: str) -> None:
        """Try the camera at an address, one line. Raises `TrialError`."""
        with self._lock:
            self._end()
            self._process = process = subprocess.Popen(
                [sys.executable, "-m", "device.system.camera_trial", str(self._data)], stdin=subprocess.PIPE,
                stdout=subprocess.PIPE)
            late = threading.Timer(ANSWER_S, process.kill)
            late.start()
            assert process.stdin is not None and process.stdout is not None
            with suppress(OSError):  # the process died, so no answer comes
                process.stdin.write(f"{address}\n".encode())
                process.stdin.flush()
            said = process.stdout.readline()
            late.cancel()
            try:
                answer = msgspec.json.decode(said, type=dict[str, Any])
            except msgspec.DecodeError:
                answer = {"why": {"key": "setup.address.silent"}, "sentence": SILENT}
            if not answer.get("word"):
                self._end()
                process.stdout.close()
                raise TrialError(str(answer.get("sentence", "")), answer.get("why"))
            self.word = str(answer["word"])
            threading.Thread(target=self._take, args=(process, process.stdout), daemon=True).start()

    def keep(self) -> str:
        """Keep the address, end the trial and return the camera's word; "" without a trial, or if the address cannot be
        kept."""
        with self._lock:
            process, word = self._process, self.word
            kept = False
            if process is not None and process.stdin is not None:
                with suppress(OSError, subprocess.TimeoutExpired):
                    process.stdin.write(b"keep\n")
                    process.stdin.flush()
                    kept = process.wait(KEEP_S) == 0
            self._end()
            return word if kept else ""

    def _end(self) -> None:
        process, self._process = self._process, None
        self.word, self.picture = "", b""
        if process is not None:
            process.kill()
            process.wait()
            if process.stdin is not None:
                with suppress(OSError):  # closing flushes what the process no longer reads
                    process.stdin.close()

    def _take(self, process: subprocess.Popen[bytes], stream: IO[bytes]) -> None:
        """Receive pictures until the process ends."""
        while len(head := stream.read(4)) == 4 and (size := struct.unpack(">I", head)[0]) <= MOST_BYTES:
            picture = stream.read(size)
            if self._process is process:
                self.picture = picture
        stream.close()
        if self._process is process:
            self.word, self.picture = "", b""
