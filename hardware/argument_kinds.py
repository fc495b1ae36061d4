"""What an argument of the command must look like; ValueError where it does not."""

from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from hardware.mqtt.address import Broker

Value = TypeVar("Value", str, int, float)


def point(text: str) -> tuple[float, float, float, float]:
    """A pixel and its place on the felt (mm), like `312,1190=-600,20`."""
    from hardware.calibration import parse_point

    return parse_point(text)


def marker(text: str) -> tuple[int, float, float]:
    """A marker's number and its place on the felt (mm), like `1=-560,30`."""
    from hardware.marker_sheet import parse_marker

    return parse_marker(text)


def broker(text: str) -> "Broker":
    """An MQTT broker, like `house:1883`."""
    from hardware.mqtt.address import parse_broker

    return parse_broker(text)


def table(text: str) -> str:
    """A table's name at a broker."""
    from hardware.mqtt.address import TABLE

    return _fits(text, text, TABLE.fullmatch(text) is not None)


def file(text: str) -> str:
    """A file's name, not empty."""
    return _fits(text, text, text != "")


def felt(text: str) -> tuple[float, float]:
    """A felt's width and depth in mm, like `1800x1000`."""
    width, _, depth = text.lower().partition("x")
    return positive(width), positive(depth)


def positive(text: str) -> float:
    """A number over 0."""
    value = float(text)
    return _fits(text, value, 0 < value < 1e9)


def factor(text: str) -> float:
    """How many times as fast or as high, 0.5 to 2."""
    value = float(text)
    return _fits(text, value, 0.5 <= value <= 2)


def loudness(text: str) -> float:
    """How many times as loud, 0 to 4."""
    value = float(text)
    return _fits(text, value, 0 <= value <= 4)


def moment(text: str) -> float:
    """Seconds from 0."""
    value = float(text)
    return _fits(text, value, 0 <= value < 1e9)


def seed(text: str) -> int:
    """A whole number from 0."""
    value = int(text)
    return _fits(text, value, 0 <= value < 2**63)


def port(text: str) -> int:
    """A port's number; 0 takes any free one."""
    value = int(text)
    return _fits(text, value, 0 <= value < 65536)


def _fits(text: str, value: Value, good: bool) -> Value:
    """What a text means, where it is one of those that are taken."""
    if not good:
        raise ValueError(text)
    return value


positive.__name__, moment.__name__ = "positive number", "number of seconds"
point.__name__, marker.__name__ = "point PX,PY=X,Y", "marker N=X,Y"
felt.__name__ = "size WIDTHxDEPTH in mm, such as 1800x1000"
broker.__name__, table.__name__ = "broker HOST:PORT", "name of small letters, digits, - and _"
factor.__name__, loudness.__name__ = "number from 0.5 to 2", "number from 0 to 4"
file.__name__ = "file name"
seed.__name__, port.__name__ = "whole number from 0", "port number"
