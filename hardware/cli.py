"""The `railbird` command: arguments in, one line for every error, the contract's exit statuses."""

import argparse
import os
import signal
import sys
import threading
import traceback
from collections.abc import Callable, Sequence

from hardware.arguments import BAD, parser
from hardware.errors import BadInputError, HardwareError, reason
from table_state.errors import InputError

DONE, FAILED = 0, 1
ENDLESS = ("demo", "run", "pit", "setup")  # these end when the user says so; another that is stopped is not done


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; returns the exit status."""
    try:
        arguments = parser().parse_args(argv)
    except SystemExit as stop:
        return stop.code if isinstance(stop.code, int) else DONE
    work: Callable[[argparse.Namespace], int] = arguments.work
    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGTERM, signal.default_int_handler)  # a service is stopped as a user stops it
    endless = arguments.command in ENDLESS or getattr(arguments, "observations", None) == "-"
    return guarded(lambda: work(arguments), f"railbird {arguments.command}", endless)


def guarded(work: Callable[[], int], name: str, endless: bool = False) -> int:
    """Do the work; whatever goes wrong is one line on standard error and an exit status.

    `endless` work is done when the user stops it.
    """
    try:
        status = work()
        sys.stdout.flush()
        return status
    except KeyboardInterrupt:
        return DONE if endless else _say(name, "stopped before it was done", FAILED)
    except BrokenPipeError:
        # Whoever read our output has gone; the interpreter must not try to flush into the closed pipe at its end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return FAILED
    except (BadInputError, InputError) as error:
        return _say(name, str(error), BAD)
    except HardwareError as error:
        return _say(name, str(error), error.status)
    except OSError as error:
        where = f"{error.filename}: " if error.filename else ""
        return _say(name, f"{where}{reason(error)}; check the place and try again", FAILED)
    except MemoryError:
        return _say(name, "there is not enough memory; close other programs or use smaller pictures", FAILED)
    except Exception as error:  # noqa: BLE001 - the last line of defence: no user meets a traceback
        if os.environ.get("RAILBIRD_DEBUG"):
            traceback.print_exc()
        what = " ".join(f"{type(error).__name__} {error}".split())
        return _say(name, f"a fault of the program ({what}); set RAILBIRD_DEBUG=1 for more and report it", FAILED)


def _say(name: str, text: str, status: int) -> int:
    print(f"{name}: {' '.join(text.split())}", file=sys.stderr)
    return status


if __name__ == "__main__":
    sys.exit(main())
