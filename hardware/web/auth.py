"""The dealer's code: checked slowly, guessed at no speed, remembered by a cookie of this site alone."""

import hashlib
import hmac
import secrets
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass

COOKIE = "railbird_dealer"
SESSION_SECONDS = 12 * 3600.0
FREE_TRIES = 5
"""Wrong codes from one address before it must wait."""
LONGEST_WAIT = 300.0
_ADDRESSES_KEPT = 1000
_SESSIONS_KEPT = 32
_LETTERS = "23456789ABCDEFGHJKMNPQRSTUVWXYZ"


def make_code() -> str:
    """Return a new dealer's code, like `7K4M-Q2XP`: 39 bits, no letters that are taken for digits."""
    letters = "".join(secrets.choice(_LETTERS) for _ in range(8))
    return f"{letters[:4]}-{letters[4:]}"


def _plain(code: str) -> str:
    return "".join(character for character in code if character.isalnum()).casefold()


@dataclass(slots=True)
class _Tries:
    wrong: int = 0
    wait_until: float = 0.0


class DealerDoor:
    """Checks the code and keeps the sessions; times are those of `clock`, seconds."""

    def __init__(self, code: str, clock: Callable[[], float] = time.monotonic) -> None:
        self._salt = secrets.token_bytes(16)
        self._hash = self._scrypt(code)
        self._clock = clock
        self._tries: OrderedDict[str, _Tries] = OrderedDict()
        self._sessions: OrderedDict[bytes, float] = OrderedDict()

    def _scrypt(self, code: str) -> bytes:
        # 16 MiB and some 50 ms a try: OWASP's lowest setting for scrypt, and a Pi bears it.
        return hashlib.scrypt(_plain(code).encode(), salt=self._salt, n=2**14, r=8, p=1)

    def wait(self, address: str) -> float:
        """Return how many seconds this address must wait before its next try, 0 for none."""
        tries = self._tries.get(address)
        return max(0.0, tries.wait_until - self._clock()) if tries else 0.0

    def matches(self, code: str) -> bool:
        """Say whether the code is right; takes some 50 ms, call it off the event loop."""
        return hmac.compare_digest(self._scrypt(code), self._hash)

    def count(self, address: str, *, right: bool) -> None:
        """Note how a try of an address ended; after five wrong ones each next wait is twice as long."""
        if right:
            self._tries.pop(address, None)
            return
        tries = self._tries.setdefault(address, _Tries())
        self._tries.move_to_end(address)
        tries.wrong += 1
        if tries.wrong >= FREE_TRIES:
            seconds = min(LONGEST_WAIT, 2.0 ** min(tries.wrong - FREE_TRIES + 1, 10))
            tries.wait_until = self._clock() + seconds
        while len(self._tries) > _ADDRESSES_KEPT:
            self._tries.popitem(last=False)

    def open_session(self) -> str:
        """Return a new session's secret for the cookie; only its digest is kept."""
        token = secrets.token_urlsafe(32)
        self._sessions[_digest(token)] = self._clock() + SESSION_SECONDS
        while len(self._sessions) > _SESSIONS_KEPT:
            self._sessions.popitem(last=False)
        return token

    def knows(self, token: str | None) -> bool:
        """Say whether a cookie's value is an open session."""
        return bool(token) and self._sessions.get(_digest(token or ""), 0.0) > self._clock()

    def close_session(self, token: str | None) -> None:
        """Forget a session."""
        self._sessions.pop(_digest(token or ""), None)


def _digest(token: str) -> bytes:
    return hashlib.sha256(token.encode()).digest()
