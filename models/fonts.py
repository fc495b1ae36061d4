"""Rank glyphs from TrueType fonts, for training data alone (Pillow)."""

from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont


class FontGlyphs:
    """Draws a text of a font as a tight mask; `squeeze` narrows it as printers of cards do."""

    def __init__(self, path: Path, squeeze: float) -> None:
        self.font = ImageFont.truetype(str(path), 160)
        self.squeeze = squeeze

    def __call__(self, text: str, height: int) -> NDArray[np.uint8]:
        """Return a mask `height` px high of the text's ink."""
        x0, y0, x1, y1 = (round(v) for v in self.font.getbbox(text))
        image = Image.new("L", (max(1, x1 - x0), max(1, y1 - y0)))
        ImageDraw.Draw(image).text((-x0, -y0), text, fill=255, font=self.font)
        width = max(2, round(image.width * self.squeeze * height / image.height))
        return np.asarray(image.resize((width, height), Image.Resampling.LANCZOS), np.uint8)
