"""A Debian system in a folder, with the real libcamera and the real picamera2 in it."""

import os
import shutil
import subprocess
from pathlib import Path

from tests.libcamera.shown import RATE, REPEATS, SIZE

SUITE = "trixie"
BACKPORTS = f"{SUITE}-backports"
MIRROR = "http://deb.debian.org/debian"
PACKAGES = ("python3", "python3-venv", "python3-dev", "python3-numpy", "gcc", "libc6-dev", "libcap-dev",
            "ca-certificates")
CAMERA = ("libcamera0.7", "libcamera-ipa", "python3-libcamera")
"""From the backports: picamera2 of today asks for what Debian's own has not yet."""
WHEELS = ("picamera2>=0.3.30", "opencv-python-headless>=4.10,<6", "msgspec>=0.19", "click>=8.1")
OURS = ("engine", "vision", "device")
BUILD_S = 2400
VIRTUAL = "usr/share/libcamera/pipeline/virtual/virtual.yaml"


class NotHere(Exception):
    """Such a system cannot be built or entered here. One sentence."""


def build(root: Path) -> None:
    """Make the system, unless it is there already; some ten minutes, most of them the network's. Raises `NotHere`."""
    done = root.with_name(root.name + ".done")
    if done.exists() and done.read_text() == _mark():
        return
    if os.geteuid():
        raise NotHere("only root may make a Debian system in a folder")
    for tool, package in (("mmdebstrap", "mmdebstrap"), ("unshare", "util-linux"), ("chroot", "coreutils")):
        if shutil.which(tool) is None:
            raise NotHere(f"{tool} is missing: apt-get install {package}")
    if root.exists():
        shutil.rmtree(root)
    root.parent.mkdir(parents=True, exist_ok=True)
    said = "a Debian system cannot be made"
    call(["mmdebstrap", "--quiet", "--variant=apt", f"--include={','.join(PACKAGES)}", SUITE, str(root),
          f"deb {MIRROR} {SUITE} main", f"deb {MIRROR} {BACKPORTS} main"], said)
    for name in ("etc/resolv.conf", "etc/ssl/certs/ca-certificates.crt", "etc/pip.conf"):  # this machine's network
        if Path("/", name).is_file():
            shutil.copyfile(Path("/", name), root / name)
    enter(root, ["apt-get", "update", "-q"], said)
    enter(root, ["env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "install", "-y", "-q", "--no-install-recommends",
                 "-t", BACKPORTS, *CAMERA], "libcamera cannot be installed there")
    said = "picamera2 cannot be installed there"
    enter(root, ["python3", "-m", "venv", "--system-site-packages", "/venv"], said)
    enter(root, ["/venv/bin/python", "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *WHEELS], said)
    done.write_text(_mark())


def furnish(root: Path, source: Path, film: Path) -> None:
    """Put the program as it is now into the system, and the film before its virtual camera."""
    place = root / "inkeek"
    shutil.rmtree(place, ignore_errors=True)
    for name in OURS:
        shutil.copytree(source / name, place / name, ignore=shutil.ignore_patterns("__pycache__"))
    (place / "tests").mkdir()
    (place / "tests" / "__init__.py").touch()
    shutil.copytree(source / "tests" / "libcamera", place / "tests" / "libcamera",
                    ignore=shutil.ignore_patterns("__pycache__"))
    shutil.rmtree(root / "film", ignore_errors=True)
    shutil.copytree(film, root / "film", ignore=shutil.ignore_patterns("*.json"))
    width, height = SIZE
    (root / VIRTUAL).write_text(f'''"Virtual":
  supported_formats:
  - width: {width}
    height: {height}
    frame_rates: [{round(RATE * REPEATS)}]
  - width: 320
    height: 180
  frames:
    path: "/film/"
  model: "virtual"
''')


def enter(root: Path, command: list[str], said: str, seconds: float = BUILD_S) -> str:
    """Run a command in the system; what it printed. Its mounts go with it. Raises `NotHere`: `said`, and why."""
    script = ("mount --rbind /dev \"$0/dev\" && mount -t proc proc \"$0/proc\" && mount --rbind /sys \"$0/sys\" "
              "&& exec chroot \"$0\" \"$@\"")
    return call(["unshare", "--mount", "sh", "-c", script, str(root), *command], said, seconds)


def call(command: list[str], said: str, seconds: float = BUILD_S) -> str:
    """Run a command; what it printed. Raises `NotHere`: `said`, and why."""
    environment = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "VIRTUAL_ENV")}
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=seconds, check=False, env=environment,
                              stdin=subprocess.DEVNULL)
    except subprocess.TimeoutExpired as error:
        raise NotHere(f"{said}: it took more than {seconds:.0f} s") from error
    if done.returncode:
        last = (done.stderr.strip() or done.stdout.strip() or f"status {done.returncode}").splitlines()
        raise NotHere(f"{said}: {' | '.join(last[-3:])}")
    return done.stdout


def _mark() -> str:
    return repr((SUITE, PACKAGES, CAMERA, WHEELS))
