"""Keys of clickers, number pads and keyboards, and what they do; as Linux and as a browser call them."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

ACTIONS = ("repeat", "my-hand", "dealer", "next", "right")
"""Say the last words again; my hand; the dealer's cards; whose turn is next; that was no mistake."""


@dataclass(frozen=True, slots=True)
class Key:
    """One key: its number in Linux's input events, its `KeyboardEvent.code` in a browser."""

    code: int
    browser: str


LETTERS = dict(zip("qwertyuiop", range(16, 26), strict=True)) | dict(zip("asdfghjkl", range(30, 39), strict=True))
LETTERS |= dict(zip("zxcvbnm", range(44, 51), strict=True))
KEYS: dict[str, Key] = {
    **{letter: Key(code, f"Key{letter.upper()}") for letter, code in LETTERS.items()},
    **{str((n + 1) % 10): Key(2 + n, f"Digit{(n + 1) % 10}") for n in range(10)},
    **{f"f{n}": Key(58 + n, f"F{n}") for n in range(1, 11)},
    "escape": Key(1, "Escape"),
    "backspace": Key(14, "Backspace"),
    "tab": Key(15, "Tab"),
    "enter": Key(28, "Enter"),
    "period": Key(52, "Period"),
    "space": Key(57, "Space"),
    "kp-multiply": Key(55, "NumpadMultiply"),
    "kp-7": Key(71, "Numpad7"),
    "kp-8": Key(72, "Numpad8"),
    "kp-9": Key(73, "Numpad9"),
    "kp-minus": Key(74, "NumpadSubtract"),
    "kp-4": Key(75, "Numpad4"),
    "kp-5": Key(76, "Numpad5"),
    "kp-6": Key(77, "Numpad6"),
    "kp-plus": Key(78, "NumpadAdd"),
    "kp-1": Key(79, "Numpad1"),
    "kp-2": Key(80, "Numpad2"),
    "kp-3": Key(81, "Numpad3"),
    "kp-0": Key(82, "Numpad0"),
    "kp-dot": Key(83, "NumpadDecimal"),
    "kp-enter": Key(96, "NumpadEnter"),
    "kp-divide": Key(98, "NumpadDivide"),
    "home": Key(102, "Home"),
    "up": Key(103, "ArrowUp"),
    "pageup": Key(104, "PageUp"),
    "left": Key(105, "ArrowLeft"),
    "right": Key(106, "ArrowRight"),
    "end": Key(107, "End"),
    "down": Key(108, "ArrowDown"),
    "pagedown": Key(109, "PageDown"),
    "mute": Key(113, "AudioVolumeMute"),
    "volume-down": Key(114, "AudioVolumeDown"),
    "volume-up": Key(115, "AudioVolumeUp"),
    "next-song": Key(163, "MediaTrackNext"),
    "play-pause": Key(164, "MediaPlayPause"),
    "previous-song": Key(165, "MediaTrackPrevious"),
    "camera": Key(212, "Camera"),
    "play": Key(207, "MediaPlay"),
}
USUAL: dict[str, str] = {
    "pagedown": "repeat",
    "pageup": "my-hand",
    "f5": "dealer",
    "period": "next",
    "volume-up": "repeat",
    "volume-down": "my-hand",
    "play-pause": "repeat",
    "next-song": "next",
    "camera": "repeat",
    "kp-0": "repeat",
    "kp-enter": "repeat",
    "kp-1": "my-hand",
    "kp-2": "dealer",
    "kp-3": "next",
    "kp-9": "right",
}
"""Without a setting: what presenters' clickers, camera buttons, headsets and number pads send."""

GPIO = re.compile(r"gpio([0-9]|1[0-9]|2[0-7])")


def is_key(name: str) -> bool:
    """Whether a setting may name this key or button."""
    return name in KEYS or GPIO.fullmatch(name) is not None


def mapping(settings: Mapping[str, str] | None) -> dict[str, str]:
    """What each key does: the usual, and what the settings say instead (`nothing` frees a key)."""
    whole = {**USUAL, **(settings or {})}
    return {name: action for name, action in whole.items() if action != "nothing"}


def by_code(mapped: Mapping[str, str]) -> dict[int, str]:
    """The same by Linux's numbers."""
    return {KEYS[name].code: action for name, action in mapped.items() if name in KEYS}


def by_browser(mapped: Mapping[str, str]) -> dict[str, str]:
    """The same by a browser's codes."""
    return {KEYS[name].browser: action for name, action in mapped.items() if name in KEYS}


def by_pin(mapped: Mapping[str, str]) -> dict[int, str]:
    """The same by the numbers of a Raspberry Pi's GPIO lines."""
    return {int(found[1]): action for name, action in mapped.items() if (found := GPIO.fullmatch(name))}
