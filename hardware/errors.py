"""What goes wrong outside the program, each in one line: what, and what to do about it."""


class HardwareError(Exception):
    """Something failed; `str()` is one line for standard error, `status` the exit status."""

    status = 1


class CameraAbsentError(HardwareError):
    """A camera does not answer now; it may later, when it is plugged in."""


class BadInputError(HardwareError):
    """An argument or a file is bad."""

    status = 2


def reason(error: OSError) -> str:
    """The operating system's own words for an error, in lower case."""
    return (error.strerror or str(error) or type(error).__name__).lower()
