"""Keys and buttons as a listener: those of this machine, and what the pages send in their stead."""

from collections.abc import Sequence

from hardware.app import Corrections, Listener
from hardware.config import Settings
from hardware.errors import HardwareError
from hardware.key_reader import Buttons, KeyReader
from hardware.keys import by_browser, by_code, by_pin, mapping
from hardware.notices import say
from hardware.talk import Speaks, Talk
from table_state.table import Output, TableView

NO_RIGHT = "keys are not read: no right to read /dev/input; sudo usermod -aG input $USER, then log in again"


class Asking(Listener):
    """Lets people ask for words by keys, as the settings map them."""

    def __init__(self, corrections: Corrections, settings: Settings) -> None:
        self.talk = Talk(corrections.put, settings.my_seat)
        self._mapped = mapping(settings.keys)
        self._reader = KeyReader(by_code(self._mapped), self.talk.press)
        self._buttons = _buttons(by_pin(self._mapped), self.talk)
        if self._reader.refused and settings.keys:
            say(NO_RIGHT)

    def listen(self, speaker: Speaks) -> None:
        """Let this speaker answer."""
        self.talk.speaker = speaker

    def page_keys(self) -> dict[str, str]:
        """What the display page's own keys do: nothing where the devices are read, a key is not to count twice."""
        return {} if self._reader.devices else by_browser(self._mapped)

    def all_keys(self) -> dict[str, str]:
        """What all keys do, by the names that a page has for them."""
        return by_browser(self._mapped)

    def publish(self, view: TableView, outputs: Sequence[Output]) -> None:
        """Take the newest view."""
        self.talk.see(view)

    def close(self, failed: bool) -> None:
        """Read no more keys."""
        self._reader.close()
        if self._buttons is not None:
            self._buttons.close()


def _buttons(pins: dict[int, str], talk: Talk) -> Buttons | None:
    if not pins:
        return None
    try:
        return Buttons(pins, talk.press)
    except HardwareError as error:
        say(f"buttons are not read: {error}")
        return None
