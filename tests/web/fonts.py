"""`python -m tests.web.fonts LATIN JAPANESE`: makes the fonts that films and cards are written with.

LATIN and JAPANESE are the unpacked npm packages @fontsource/noto-sans and @fontsource/noto-sans-jp, whose pieces are
put together; needs `pip install fonttools brotli`. Of Latin come the letters of Europe and of Uganda's languages; of
Japanese the kana, the signs of JIS level 1 (2,965, which most names are written with), and whatever else the page's
translation uses.
"""

import sys
import tempfile
from pathlib import Path

from fontTools import subset
from fontTools.merge import Merger
from fontTools.ttLib import TTFont

from device.films.letters import FONTS
from web.words import catalog

WEIGHT = "600-normal"
LATIN = {*range(0x20, 0x7F), *range(0xA0, 0x180), *range(0x2010, 0x2030), 0x2212, 0x2192}
KANA = set(range(0x3000, 0x3100))
JIS_1 = {ord(bytes((row, cell)).decode("euc_jp", "ignore") or " ") for row in range(0xB0, 0xD0)
         for cell in range(0xA1, 0xFF)}
DROPPED = ["GSUB", "GPOS", "GDEF", "vhea", "vmtx", "VORG", "BASE", "STAT", "meta", "DSIG", "gasp"]
"""Tables of a font that whoever writes plain lines has no use for."""


def put_together(package: Path, pattern: str, signs: set[int], to: Path) -> set[int]:
    """One font of those pieces of a package that hold one of the signs; the signs that it has."""
    options = subset.Options(layout_features=[], hinting=False, notdef_outline=True, name_IDs=["*"])
    options.drop_tables += DROPPED
    with tempfile.TemporaryDirectory() as folder:
        parts = []
        for piece in sorted((package / "files").glob(f"{pattern}-{WEIGHT}.woff2")):
            font = TTFont(piece)
            wanted = signs & set(font.getBestCmap())
            if not wanted:
                continue
            cut = subset.Subsetter(options)
            cut.populate(unicodes=wanted)
            cut.subset(font)
            font.flavor = None
            parts.append(str(Path(folder) / f"{piece.stem}.ttf"))
            font.save(parts[-1])
        merged = Merger().merge(parts)
        merged.save(to)
        return set(merged.getBestCmap())


def main(latin: Path, japanese: Path) -> None:
    """Make both."""
    has = put_together(latin, "noto-sans-latin*", LATIN, FONTS[0])
    said = {ord(sign) for text in catalog("ja").values() for sign in text}
    put_together(japanese, "noto-sans-jp-*", (KANA | JIS_1 | said) - has, FONTS[1])


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
