"""What is raised for a bad file or a bad line; a dealing error is data and never raised."""


class InputError(ValueError):
    """A file, a line of it or a key of it cannot be used; str() is one line that says which and why."""

    def __init__(self, what: str, file: str, line: int | None = None, key: str | None = None) -> None:
        self.what = what
        self.file = file
        self.line = line
        self.key = key
        super().__init__(str(self))

    def __str__(self) -> str:
        where = self.file if self.line is None else f"{self.file}:{self.line}"
        key = "" if self.key is None else f"{self.key}: "
        return " ".join(f"{where}: {key}{self.what}".split())
