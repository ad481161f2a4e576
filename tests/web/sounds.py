"""`python -m tests.web.sounds`: speaks what the page says aloud, with Debian's espeak-ng, into small WAV files.

The words of the count are the game's own, in every language. There is no Luganda voice, so a Swahili one reads it; the
Japanese voice knows no Chinese characters, so it is given kana. What is spoken was heard by no native speaker.
"""

import io
import shutil
import subprocess
import wave
from collections.abc import Mapping
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from web.words import LANGUAGES, catalog

FOLDER = Path(__file__).parents[2] / "web" / "static" / "sound"
RATE = 11_025
"""Samples a second, of eight bits: enough for a voice, and a fifth of what espeak-ng gives."""

VOICES: Mapping[str, str] = {"en": "en", "sw": "sw", "lg": "sw", "ja": "ja"}
SAID: Mapping[str, str] = {"illegal": "verdict.illegal", "not-sure": "verdict.not-sure", "tampered": "verdict.tampered",
                           "withdrawn": "verdict.withdrawn", "blind": "state.blind"}
"""Name of a clip, and the message that it speaks."""
COUNT: Mapping[str, str] = {"omu": "omu", "ebiri": "ebiri"}
KANA: Mapping[str, str] = {"illegal": "はんそく", "not-sure": "はっきりしません", "tampered": "ばんがかわりました",
                           "withdrawn": "とりけし", "blind": "みえていません", "omu": "おむ", "ebiri": "えびり"}


def text_of(code: str, name: str) -> str:
    """What a clip says."""
    if code == "ja":
        return KANA[name]
    return COUNT.get(name) or catalog(code)[SAID[name]]


def spoken(voice: str, text: str) -> NDArray[np.float64]:
    """Samples at `RATE`, -1 to 1, without the silence at the end."""
    program = shutil.which("espeak-ng")
    if program is None:
        raise SystemExit("espeak-ng is not installed: apt install espeak-ng")
    raw = subprocess.run([program, "-v", voice, "-s", "150", "--stdout", text], check=True, capture_output=True).stdout
    with wave.open(io.BytesIO(raw)) as file:
        rate, data = file.getframerate(), np.frombuffer(file.readframes(file.getnframes()), "<i2") / 32768
    smooth = np.convolve(data, np.ones(2) / 2, "same")  # what lies above half the new rate would fold down
    at = np.arange(0, len(smooth) - 1, rate / RATE)
    sound = np.interp(at, np.arange(len(smooth)), smooth)
    loud = np.flatnonzero(np.abs(sound) > 0.01)
    return np.asarray(sound[: loud[-1] + RATE // 20] / max(0.1, float(np.abs(sound).max())) * 0.9)


def main() -> None:
    """Speak every clip of every language."""
    for code in LANGUAGES:
        (FOLDER / code).mkdir(parents=True, exist_ok=True)
        for name in (*SAID, *COUNT):
            with wave.open(str(FOLDER / code / f"{name}.wav"), "wb") as file:
                file.setnchannels(1)
                file.setsampwidth(1)
                file.setframerate(RATE)
                sound = spoken(VOICES[code], text_of(code, name))
                file.writeframes(np.round(sound * 127 + 128).astype(np.uint8).tobytes())


if __name__ == "__main__":
    main()
