"""Tables to simulate on: half-moon layouts of any number of seats, drawn from nothing but arithmetic."""

import math
import random
from fractions import Fraction

from table_state.layout import Layout, Seat

NAMES = ("Mia", "", "Otis", "", "Ruth", "Leo", "")
CASINO_CHIPS = {"white": Fraction(1), "red": Fraction(5), "green": Fraction(25), "black": Fraction(100)}
HOME_CHIPS = {"yellow": Fraction(1, 2), "white": Fraction(1), "red": Fraction(5), "blue": Fraction(10)}


def half_moon(seats: int = 7, casino: bool = True) -> Layout:
    """A table with its seats on an ellipse round the dealer, first base to the dealer's left.

    The cards of neighbouring seats lie 200 mm and more apart; circles 160 mm outside of them.
    """
    half_width = 512.0 if seats > 5 else 420.0
    depth, base = (430.0, 240.0) if seats > 5 else (330.0, 230.0)
    angles = [math.radians(180.0 - (i + 0.35) * 180.0 / (seats - 0.3)) for i in range(seats)]
    places = tuple(_seat(i + 1, a, half_width, depth, base) for i, a in enumerate(angles))
    chips = CASINO_CHIPS if casino else HOME_CHIPS
    return Layout(
        name=f"half moon of {seats}",
        card=(63.5, 88.9),
        chip=39.0,
        dealer=(0.0, 145.0),
        shoe=(-600.0, 50.0),
        discard=(600.0, 50.0),
        chip_values=dict(chips),
        seats=places,
    )


def _seat(number: int, angle: float, a: float, b: float, base: float) -> Seat:
    x, y = a * math.cos(angle), base + b * math.sin(angle)
    out = (math.cos(angle), 0.35 + 0.65 * math.sin(angle))
    size = math.hypot(*out)
    ux, uy = out[0] / size, out[1] / size
    name = NAMES[(number - 1) % len(NAMES)]
    circle = (round(x + ux * 175.0, 1), round(y + uy * 165.0, 1), 60.0)
    insurance = (round(x - ux * 108.0, 1), round(y - uy * 100.0, 1))
    return Seat(number, name, circle, (round(x, 1), round(y, 1)), insurance)


def random_table(rng: random.Random) -> Layout:
    """A table of four to seven seats."""
    return half_moon(rng.choice((4, 5, 6, 7, 7)), rng.random() < 0.6)
