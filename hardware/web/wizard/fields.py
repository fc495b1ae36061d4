"""What was typed, read field by field: every fault is kept with the path of its field, as `corners.0.x`."""

import math
from decimal import Decimal, InvalidOperation
from fractions import Fraction
from typing import Any

from hardware.web.wizard.words import word

Draft = dict[str, Any]
LONGEST = 200  # characters of a text that are kept


class Fields:
    """Reads a draft; `errors` holds what is wrong with it, path -> words."""

    def __init__(self, draft: Draft) -> None:
        self._draft = draft
        self.errors: dict[str, str] = {}

    def fault(self, path: str, key: str, **values: object) -> None:
        """Note a fault of a field; the first one stays."""
        self.errors.setdefault(path, word(key, **values))

    def raw(self, path: str) -> Any:
        """What stands at a path; None where nothing does."""
        at: Any = self._draft
        for part in path.split("."):
            if isinstance(at, dict):
                at = at.get(part)
            elif isinstance(at, list) and part.isdecimal() and int(part) < len(at):
                at = at[int(part)]
            else:
                return None
        return at

    def rows(self, path: str) -> int:
        """How many rows a list has."""
        found = self.raw(path)
        return len(found) if isinstance(found, list) else 0

    def text(self, path: str) -> str:
        """A text, its spaces at both ends away."""
        found = self.raw(path)
        return " ".join(str(found).split())[:LONGEST] if isinstance(found, str) else ""

    def filled(self, path: str) -> bool:
        """Whether anything was typed there."""
        return self.text(path) != ""

    def decimal(self, path: str, low: float, high: float) -> Decimal | None:
        """A number from `low` to `high`; a comma may stand for the point. None with a fault where it is none."""
        text = self.text(path).replace(",", ".").replace("\N{MINUS SIGN}", "-")
        try:
            value = Decimal(text)
        except InvalidOperation:
            self.fault(path, "fault.empty" if not text else "fault.number")
            return None
        if not value.is_finite() or not low <= value <= high:
            self.fault(path, "fault.range", low=f"{low:g}", high=f"{high:g}")
            return None
        return value

    def number(self, path: str, low: float, high: float) -> float | None:
        """The same as a float, rounded to a thousandth."""
        value = self.decimal(path, low, high)
        return None if value is None else round(float(value), 3)

    def numbers(self, paths: tuple[str, ...], low: float, high: float) -> tuple[float, ...] | None:
        """Several of them; None where one is missing, every fault noted."""
        found = [self.number(path, low, high) for path in paths]
        return None if any(value is None for value in found) else tuple(v for v in found if v is not None)

    def whole(self, path: str, low: int, high: int) -> int | None:
        """A whole number."""
        value = self.decimal(path, low, high)
        if value is not None and value != value.to_integral_value():
            self.fault(path, "fault.whole", low=low, high=high)
            return None
        return None if value is None else int(value)

    def fraction(self, path: str, low: float, high: float) -> Fraction | None:
        """A number exactly; also written as 3:2 or 6/5."""
        text = self.text(path).replace(":", "/")
        top, slash, bottom = text.partition("/")
        if slash and top.strip().isdecimal() and bottom.strip().isdecimal() and int(bottom) > 0:
            value = Fraction(int(top), int(bottom))
            # What the file can hold exactly is a decimal number.
            value = Fraction(str(round(float(value), 6)))
            if low <= value <= high:
                return value
            self.fault(path, "fault.range", low=f"{low:g}", high=f"{high:g}")
            return None
        found = self.decimal(path, low, high)
        return None if found is None else Fraction(found)

    def choice(self, path: str, choices: tuple[str, ...]) -> str | None:
        """One of several texts."""
        value = self.text(path)
        if value not in choices:
            self.fault(path, "fault.choice")
            return None
        return value


def plain(value: float | Fraction) -> str:
    """A number as a field shows it: no more digits than it needs."""
    number = float(value)
    return str(int(number)) if math.isfinite(number) and number == int(number) else f"{number:.6g}"
