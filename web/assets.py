"""Scripts, styles, typefaces and sounds under addresses that change with their content, so that browsers can keep them.

Scripts are written as small modules and styles as small sheets. A file that imports others is sent together with them
as one file, because a phone in a slow network waits for each file, and then for each file that it imports.
"""

import gzip
import hashlib
import mimetypes
import re
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from flask import Flask, Response, abort, request

from web.compression import LEAST_BYTES, is_text, unpacks

LASTING = "public, max-age=31536000, immutable"
PASSING = "no-cache"
"""For requests with the address of another version: a page that was open when the program was replaced."""

IMPORTED_SCRIPT = re.compile(r'^import \{ ([^}]+) \} from "\./([a-z_]+)\.js";$', re.M)
EXPORTED = re.compile(r"^export (?=(?:async )?(?:function|class|const) (\w+))", re.M)
NOT_JOINED = re.compile(r"^(?:import|export)\b.*", re.M)
IMPORTED_STYLE = re.compile(r'^@import "([a-z_./]+\.css)";\n', re.M)

mimetypes.add_type("text/javascript", ".js")
mimetypes.add_type("font/woff2", ".woff2")


class AssetError(ValueError):
    """A script cannot be joined with the modules that it imports."""


@dataclass(frozen=True)
class Asset:
    """One file as it is sent. packed: the same compressed; None where compressing gains nothing."""

    data: bytes
    mimetype: str
    packed: bytes | None


class Assets:
    """The files of one folder. version: a hash of all files as they were at the start."""

    def __init__(self, folder: Path) -> None:
        """See the class."""
        self.folder = folder
        whole = hashlib.sha256()
        for path in sorted(path for path in folder.rglob("*") if path.is_file()):
            held = joined_style(path).encode() if path.suffix == ".css" else path.read_bytes()
            whole.update(f"{path.relative_to(folder)}\n".encode() + held)
        self.version = whole.hexdigest()[:12]
        self._ready: dict[str, Asset] = {}

    def get(self, name: str) -> Asset | None:
        """Return the file of that name below the folder; None if there is none."""
        if name not in self._ready:
            path = (self.folder / name).resolve()
            if not path.is_relative_to(self.folder.resolve()) or not path.is_file():
                return None
            self._ready[name] = _asset(path)
        return self._ready[name]


@lru_cache(maxsize=4)
def assets_of(folder: Path) -> Assets:
    """Return the files of the folder as they were at the first call."""
    return Assets(folder)


def _asset(path: Path) -> Asset:
    mimetype = mimetypes.guess_type(path.name)[0] or "application/octet-stream"
    data = path.read_bytes()
    if path.suffix == ".js":
        data = joined_script(path).encode()
    elif path.suffix == ".css":
        data = joined_style(path).encode()
    packed = gzip.compress(data, 9, mtime=0) if is_text(mimetype) and len(data) >= LEAST_BYTES else None
    return Asset(data, mimetype, packed)


def joined_script(path: Path) -> str:
    """Return a module preceded by all its imports, each wrapped in a function that is called once and returns its
    exports.

    It understands only those parts of the modules' syntax that this project uses. Raises AssetError for anything else,
    and for modules that import each other in a circle.
    """
    done: dict[str, str] = {}

    def visit(name: str, above: tuple[str, ...]) -> None:
        if name in above:
            raise AssetError(f"{path.name}: {' imports '.join((*above, name))}")
        if name in done:
            return
        text = path.with_name(f"{name}.js").read_text("utf-8")
        for _, imported in IMPORTED_SCRIPT.findall(text):
            visit(imported, (*above, name))
        done[name] = text

    visit(path.stem, ())
    return "\n".join(_piece(name, text, name == path.stem) for name, text in done.items())


def _piece(name: str, text: str, entry: bool) -> str:
    """Return one module without its imports. entry: the script that was asked for, which alone keeps its exports."""
    text = IMPORTED_SCRIPT.sub(lambda found: f"const {{ {found[1].replace(' as ', ': ')} }} = ${found[2]};", text)
    bare = EXPORTED.sub("", text)
    if left := NOT_JOINED.search(bare):
        raise AssetError(f"{name}.js: {left[0]!r} cannot be joined")
    names = ", ".join(EXPORTED.findall(text))
    return text if entry else f"const ${name} = (() => {{\n{bare}return {{ {names} }};\n}})();"


def joined_style(path: Path) -> str:
    """Return a sheet with the sheets that it imports put in their places."""
    return IMPORTED_STYLE.sub(lambda found: joined_style(path.parent / found[1]), path.read_text("utf-8"))


def serve(app: Flask, folder: Path) -> None:
    """Serve the folder as the app's static files. `url_for("static", filename=…)` gives addresses that browsers may
    keep."""
    assets = assets_of(folder)
    present = assets.version

    def static(version: str, filename: str) -> Response:
        asset = assets.get(filename)
        if asset is None:
            abort(404)
        packed = asset.packed if unpacks(request) else None
        response = Response(packed or asset.data, mimetype=asset.mimetype)
        if packed:
            response.content_encoding = "gzip"
        if asset.packed:
            response.vary.add("Accept-Encoding")
        else:  # a browser asks for a sound in parts
            response.make_conditional(request, accept_ranges=True, complete_length=len(asset.data))
        response.headers["Cache-Control"] = LASTING if version == present else PASSING
        return response

    app.add_url_rule("/static/<version>/<path:filename>", "static", static)

    @app.url_defaults
    def with_version(endpoint: str, values: dict[str, object]) -> None:
        if endpoint == "static":
            values.setdefault("version", present)
