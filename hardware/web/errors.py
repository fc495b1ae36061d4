"""Faults of the web part that a command reports in one line."""

from table_state.errors import InputError


class WebError(InputError):
    """The pages cannot be served; `str()` is one line: what is wrong and what to do."""

    def __init__(self, what: str) -> None:
        super().__init__(what, "display")


class PortInUseError(WebError):
    """Another program listens on the wanted port."""
