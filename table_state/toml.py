"""Reading TOML with the file and the key in every error."""

import math
import tomllib
from decimal import Decimal, InvalidOperation
from fractions import Fraction
from typing import Any

from table_state.errors import InputError


class Section:
    """A table of a TOML file that knows where it stands, so that errors name file and key."""

    def __init__(self, values: dict[str, Any], file: str, at: str = "") -> None:
        self.values = values
        self.file = file
        self.at = at

    def key(self, name: str) -> str:
        """A key with the path that leads to it."""
        return f"{self.at}.{name}" if self.at else name

    def error(self, name: str, what: str) -> InputError:
        """An error about one key of this table, to be raised."""
        return InputError(what, self.file, None, self.key(name))

    def get(self, name: str) -> Any:
        """A key's value; InputError where it is missing."""
        if name not in self.values:
            raise self.error(name, "missing")
        return self.values[name]

    def text(self, name: str, default: str | None = None) -> str:
        """A text; InputError for anything else."""
        value = self.values.get(name, default) if default is not None else self.get(name)
        if not isinstance(value, str):
            raise self.error(name, f"{value!r} is not text")
        return value

    def numbers(self, name: str, count: int | None) -> tuple[float, ...]:
        """A list of finite numbers, count of them where count is given."""
        return self.as_numbers(name, self.get(name), count)

    def as_numbers(self, name: str, value: Any, count: int | None) -> tuple[float, ...]:
        """The same for a value that was already taken out."""
        if not isinstance(value, list) or (count is not None and len(value) != count):
            raise self.error(name, "not a list" if count is None else f"not a list of {count} numbers")
        return tuple(self.as_number(name, v) for v in value)

    def as_number(self, name: str, value: Any) -> float:
        """A finite number as a float."""
        if isinstance(value, bool) or not isinstance(value, int | Decimal):
            raise self.error(name, f"{value!r} is not a number")
        if isinstance(value, Decimal) and not value.is_finite():
            raise self.error(name, f"{value} is not a finite number")
        number = float(value) if abs(Decimal(value)) < 10**9 else math.inf
        if number == math.inf:
            raise self.error(name, f"{str(value)[:40]} is out of all measure")
        return number

    def fraction(self, name: str) -> Fraction:
        """A number exactly as it is written."""
        value = self.get(name)
        self.as_number(name, value)
        return Fraction(value)

    def table(self, name: str) -> "Section":
        """A table below this one."""
        value = self.get(name)
        if not isinstance(value, dict):
            raise self.error(name, "not a table")
        return Section(value, self.file, self.key(name))


def parse(text: str, file: str) -> Section:
    """The whole of a TOML text, a byte order mark before it or not; InputError where it is no TOML."""
    try:
        return Section(tomllib.loads(text.removeprefix("\ufeff"), parse_float=_decimal), file)
    except (tomllib.TOMLDecodeError, RecursionError, ValueError) as e:
        raise InputError(f"not TOML: {e}"[:200], file) from None


def _decimal(text: str) -> Decimal:
    try:
        return Decimal(text)
    except InvalidOperation:
        raise ValueError(f"bad number {text[:40]}") from None
