"""`.venv/bin/python -m tests.web.catalogs`: brings the translations up to the English messages, and compiles them for
the page.

Keys that are new stand in every `.po` with an empty translation and the English as a comment; those that are gone are
dropped. What has no translation yet is printed. The page reads the compiled `.mo` with Python's own gettext; Babel is
needed here alone.
"""

import io
from collections.abc import Iterator
from datetime import UTC, datetime
from functools import cache
from pathlib import Path

from babel.messages.catalog import Catalog, Message
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

from web.messages import MESSAGES
from web.words import DOMAIN, LANGUAGES, LOCALE


class Unversioned(Catalog):
    """A catalogue that does not say by which version of Babel it was written: the same texts make the same files."""

    def __iter__(self) -> Iterator[Message]:
        for message in super().__iter__():
            if not message.id:  # the header
                lines = str(message.string).splitlines(keepends=True)
                message.string = "".join(line for line in lines if not line.startswith("Generated-By:"))
            yield message


def file_of(code: str, ending: str) -> Path:
    """A language's catalogue."""
    return LOCALE / code / "LC_MESSAGES" / f"{DOMAIN}.{ending}"


def known(code: str) -> dict[str, str]:
    """The translations that a language has, by key."""
    path = file_of(code, "po")
    return _texts(path.read_bytes()) if path.exists() else {}


@cache
def _texts(po: bytes) -> dict[str, str]:
    return {str(one.id): str(one.string) for one in read_po(io.BytesIO(po)) if one.id}


def catalogue(code: str, texts: dict[str, str]) -> Catalog:
    """As it is written: in the order of the English messages, English beside it."""
    day = datetime(2026, 1, 1, tzinfo=UTC)  # the same texts make the same files
    made = Unversioned(creation_date=day, revision_date=day, locale=code, domain=DOMAIN,
                       project="inkeek", fuzzy=False, charset="utf-8",
                       header_comment=f"# {LANGUAGES[code]}. No native speaker has read these yet.")
    for key, english in MESSAGES.items():
        made.add(key, texts.get(key, ""), auto_comments=[english])
    return made


def compiled(code: str) -> bytes:
    """What the `.mo` of a language has to hold."""
    out = io.BytesIO()
    write_mo(out, catalogue(code, known(code)))
    return out.getvalue()


def untranslated(code: str) -> list[str]:
    """The keys that a language has no translation for yet: the page shows them in English."""
    texts = known(code)
    return [key for key in MESSAGES if not texts.get(key, "").strip()]


def missing(code: str) -> str:
    """How many keys of a language have no translation, and which, as a line for people; "" where none is missing."""
    keys = untranslated(code)
    return f"{code}: {len(keys)} without a translation: {', '.join(keys)}" if keys else ""


def main() -> None:
    """Write every `.po` and `.mo` anew, and print what is left to be translated."""
    for code in LANGUAGES:
        if code == "en":
            continue
        made = catalogue(code, known(code))
        path = file_of(code, "po")
        path.parent.mkdir(parents=True, exist_ok=True)
        out = io.BytesIO()
        write_po(out, made, width=110, omit_header=False)
        path.write_bytes(out.getvalue())
        file_of(code, "mo").write_bytes(compiled(code))
        if missing(code):
            print(missing(code))


if __name__ == "__main__":
    main()
