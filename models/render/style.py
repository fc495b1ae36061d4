"""The styles of our own decks: sizes, places and colours of what is printed, at random in every kind people own."""

from dataclasses import dataclass

import numpy as np

Color = tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class Style:
    """How one deck of ours looks; lengths in fractions of the card's height."""

    size: tuple[float, float]
    rank_height: float
    rank_squeeze: float
    suit_height: float
    suit_squeeze: float
    gap: float
    inset: tuple[float, float]
    bulge: float
    colors: dict[str, Color]
    paper: Color
    four_corners: bool
    pip_height: float
    court: str
    language: str
    radius: float
    frame: bool


def random_style(rng: np.random.Generator) -> Style:
    """Draw a style; every kind of deck that the README names has its share."""
    kind = rng.choice(["standard", "jumbo", "large-print", "small", "bridge"], p=[0.4, 0.24, 0.1, 0.12, 0.14])
    low, high = {
        "standard": (0.085, 0.125),
        "jumbo": (0.14, 0.21),
        "large-print": (0.19, 0.27),
        "small": (0.07, 0.095),
        "bridge": (0.1, 0.16),
    }[kind]
    rank = float(rng.uniform(low, high))
    big = rank > 0.135
    dark = rng.random() < 0.2
    return Style(
        size=(57.2, 88.9) if kind == "bridge" or rng.random() < 0.1 else (63.5, 88.9),
        rank_height=rank,
        rank_squeeze=float(rng.uniform(0.7, 1.15)),
        suit_height=rank * float(rng.uniform(0.5, 0.95)),
        suit_squeeze=float(rng.uniform(0.75, 1.05)),
        gap=float(rng.uniform(0.006, 0.022)),
        inset=(
            float(rng.uniform(0.02, 0.045)) + (0.0 if big else float(rng.uniform(0, 0.02))),
            float(rng.uniform(0.022, 0.055)),
        ),
        bulge=float(rng.uniform(0.0, 0.12)),
        colors=_colors(rng, dark),
        paper=_paper(rng, dark),
        four_corners=bool(rng.random() < 0.2),
        pip_height=float(rng.uniform(0.08, 0.16)) * (0.75 if big else 1.0),
        court=str(rng.choice(["art", "shapes", "letter", "crown"], p=[0.55, 0.25, 0.12, 0.08])),
        language=str(rng.choice(["english", "german", "french"], p=[0.9, 0.05, 0.05])),
        radius=float(rng.uniform(0.03, 0.055)),
        frame=bool(rng.random() < 0.7),
    )


def _near(rng: np.random.Generator, color: Color, spread: float = 18) -> Color:
    b, g, r = (int(np.clip(v + rng.normal(0, spread), 0, 255)) for v in color)
    return b, g, r


def _colors(rng: np.random.Generator, dark: bool) -> dict[str, Color]:
    if dark:
        gold, silver = _near(rng, (90, 170, 210)), _near(rng, (195, 200, 205))
        a, b = (gold, silver) if rng.random() < 0.5 else (silver, gold)
        if rng.random() < 0.3:
            a = b
        return {"h": a, "d": a, "c": b, "s": b}
    red, black = _near(rng, (35, 25, 205)), _near(rng, (28, 24, 24), 10)
    colors = {"h": red, "d": red, "c": black, "s": black}
    if rng.random() < 0.14:
        colors |= {"d": _near(rng, (200, 90, 20)), "c": _near(rng, (50, 130, 20))}
        if rng.random() < 0.3:
            colors["d"] = _near(rng, (20, 140, 230))
    return colors


def _paper(rng: np.random.Generator, dark: bool) -> Color:
    if dark:
        return _near(rng, (26, 24, 24), 8)
    tint = rng.uniform(0, 22)
    v = rng.uniform(236, 255)
    return int(v - tint), int(v - tint * 0.4), int(v)
