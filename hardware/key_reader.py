"""Keys of this machine's keyboards, clickers and number pads, read from Linux's input devices, and GPIO buttons."""

import os
import selectors
import struct
import threading
import warnings
from collections.abc import Callable, Mapping
from importlib import import_module
from pathlib import Path
from typing import Any

from hardware.errors import HardwareError

EVENT = struct.Struct("llHHi")  # struct input_event: two longs of time, type, code, value
KEY, DOWN = 1, 1
AGAIN = 2.0  # seconds between two looks for devices that were plugged in
DEVICES = Path("/dev/input")

Press = Callable[[str], object]


class KeyReader:
    """Reads key presses in a thread of its own; devices may come and go. A key that is not mapped is never kept."""

    def __init__(self, mapped: Mapping[int, str], press: Press, folder: Path = DEVICES) -> None:
        """`mapped`: what each key, by Linux's number, does; `press` is called with that."""
        self._mapped, self._press, self._folder = mapped, press, folder
        self._selector = selectors.DefaultSelector()
        self._open: dict[Path, int] = {}
        self._rest: dict[int, bytes] = {}
        self._stop, self._wake = os.pipe()
        self._selector.register(self._stop, selectors.EVENT_READ)
        self.refused = False  # there are devices and this user may read none of them
        self._look()
        self._thread = threading.Thread(target=self._read, name="keys", daemon=True)
        self._thread.start()

    @property
    def devices(self) -> int:
        """How many devices are read."""
        return len(self._open)

    def close(self) -> None:
        """Read no more."""
        os.write(self._wake, b"x")
        self._thread.join(timeout=2.0)
        for path in list(self._open):
            self._forget(path)
        self._selector.close()
        os.close(self._stop)
        os.close(self._wake)

    def _look(self) -> None:
        there = set(self._folder.glob("event*"))
        for path in set(self._open) - there:
            self._forget(path)
        refused = False
        for path in sorted(there - set(self._open)):
            try:
                end = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
            except OSError:
                refused = True
                continue
            self._open[path] = end
            self._selector.register(end, selectors.EVENT_READ, path)
        self.refused = refused and not self._open

    def _forget(self, path: Path) -> None:
        end = self._open.pop(path)
        self._selector.unregister(end)
        self._rest.pop(end, None)
        os.close(end)

    def _read(self) -> None:
        while True:
            ready = self._selector.select(timeout=AGAIN)
            for found, _ in ready:
                if found.fd == self._stop:
                    return
                self._take(found.data, found.fd)
            if not ready or len(self._open) == 0:
                self._look()

    def _take(self, path: Path, end: int) -> None:
        try:
            data = os.read(end, EVENT.size * 64)
        except BlockingIOError:
            return
        except OSError:
            data = b""  # unplugged
        if not data:
            self._forget(path)
            return
        data = self._rest.pop(end, b"") + data
        whole = len(data) - len(data) % EVENT.size
        self._rest[end] = data[whole:]
        for _, _, kind, code, value in EVENT.iter_unpack(data[:whole]):
            if kind == KEY and value == DOWN and code in self._mapped:
                self._press(self._mapped[code])


class Buttons:
    """Buttons between a GPIO line and ground, on a Raspberry Pi."""

    def __init__(self, mapped: Mapping[int, str], press: Press) -> None:
        """`mapped`: what each line, by its GPIO number, does. Raises HardwareError where there is no GPIO."""
        self._buttons: list[Any] = []
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # one for each library it would rather have
                self._open(import_module("gpiozero").Button, mapped, press)
        except ImportError:
            raise HardwareError("buttons need gpiozero; sudo apt install python3-gpiozero python3-lgpio") from None
        except Exception as error:  # noqa: BLE001 - gpiozero's pin factories raise what they like
            self.close()
            what = " ".join(str(error).split())[:80]
            raise HardwareError(f"no GPIO button can be read here ({what}); take gpio lines out of [keys]") from None

    def _open(self, button_of: Callable[..., Any], mapped: Mapping[int, str], press: Press) -> None:
        for pin, action in mapped.items():
            button = button_of(pin, bounce_time=0.05)
            button.when_pressed = _presses(press, action)
            self._buttons.append(button)

    def close(self) -> None:
        """Let the lines go."""
        for button in self._buttons:
            button.close()


def _presses(press: Press, action: str) -> Callable[[], None]:
    def pressed() -> None:
        press(action)

    return pressed
