"""A Mosquitto of a run's own."""

import os
import shutil
import socket
import subprocess
from pathlib import Path


class OwnBroker:
    """A Mosquitto of this run's own, that can be away for a while."""

    def __init__(self, program: str, folder: Path) -> None:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = int(probe.getsockname()[1])
        self._config = folder / "mosquitto.conf"
        text = f"listener {self.port} 127.0.0.1\nallow_anonymous true\npersistence false\nuser root\n"
        self._config.write_text(text, encoding="utf-8")
        self._program = program
        self._process: subprocess.Popen[bytes] | None = None

    @classmethod
    def here(cls, folder: Path) -> "OwnBroker | None":
        """The broker, None where none is installed."""
        program = shutil.which("mosquitto", path=f"{os.environ.get('PATH', '')}:/usr/sbin:/usr/local/sbin")
        return cls(program, folder) if program else None

    @property
    def pid(self) -> int:
        """Its process, 0 while it is gone."""
        return self._process.pid if self._process is not None else 0

    def start(self) -> None:
        """Let it run."""
        if self._process is None:
            quiet = subprocess.DEVNULL
            self._process = subprocess.Popen([self._program, "-c", str(self._config)], stdout=quiet, stderr=quiet)

    def stop(self) -> None:
        """Let it be gone."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None

    def hold(self, up: bool) -> None:
        """Let it be there or gone."""
        if up:
            self.start()
        else:
            self.stop()
