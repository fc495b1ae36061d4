"""`railbird read`: the cards and chips in still photographs."""

import argparse
import sys
from typing import Any

from hardware.errors import BadInputError
from hardware.files import Lines
from hardware.pictures import Picture, load_picture
from hardware.weights import weights
from vision.photo import PhotoReader, PhotoReading

MOST_PIXELS = 26_000_000  # a photograph larger than this is read at half, a third ... of its size


def work(arguments: argparse.Namespace) -> int:
    """Read every picture; one that cannot be read gets a line on standard error and the status is 2."""
    reader = PhotoReader(weights())
    bad = 0
    with Lines("-") as out:
        for name in arguments.images:
            try:
                picture = load_picture(name, MOST_PIXELS)
            except BadInputError as error:
                bad += 1
                print(f"railbird read: {error}", file=sys.stderr)
                continue
            row = as_json(name, picture, reader.read(picture.image))
            if arguments.json:
                out.write(row)
            else:
                out.write_text(in_words(row))
    return 2 if bad else 0


def as_json(name: str, picture: Picture, reading: PhotoReading) -> dict[str, Any]:
    """The contract's line for one picture; polygons in pixels of the file, after its rotation."""
    along, across = picture.scale

    def scaled(polygon: Any) -> list[list[float]]:
        return [[round(float(x) * along, 1), round(float(y) * across, 1)] for x, y in polygon]

    cards = [
        {"code": c.code, "p": round(float(c.p), 3), "polygon": scaled(c.polygon)}
        | ({} if c.kind == "card" else {"kind": c.kind})
        for c in reading.cards
    ]
    chips = [
        {"color": c.color, "count": c.count, "p": round(float(c.p), 3), "polygon": scaled(c.polygon)}
        for c in reading.chips
    ]
    size = {"width": picture.width, "height": picture.height}
    return {"image": name, **size, "cards": cards, "backs": reading.backs, "chips": chips}


def in_words(row: dict[str, Any]) -> str:
    """The same for a person."""
    cards = " ".join(card.get("kind", card["code"]) for card in row["cards"]) or "no cards"
    backs = f", {row['backs']} face down" if row["backs"] else ""
    chips = "".join(f", {chip['count'] or '?'} {chip['color']}" for chip in row["chips"])
    return f"{row['image']}: {cards}{backs}{chips}"
