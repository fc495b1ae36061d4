"""A slot of one frame between a camera that waits for nobody and the look at its frames."""

import threading
from collections.abc import Iterator

from hardware.camera import Camera
from vision.frame import Frame


class Newest:
    """Runs a camera in a thread of its own and gives the newest frame; those nobody took are counted in `dropped`."""

    def __init__(self, camera: Camera) -> None:
        self._camera = camera
        self._filled = threading.Condition()
        self._frame: Frame | None = None
        self._error: BaseException | None = None
        self._ended = False
        self._thread = threading.Thread(target=self._capture, name="capture", daemon=True)
        self.dropped = 0

    def frames(self) -> Iterator[Frame]:
        """The newest frame each time one is asked for, none twice. Raises what the camera raised."""
        self._thread.start()
        while (frame := self._take()) is not None:
            yield frame
        if self._error is not None:
            raise self._error

    def looks(self, every: float) -> Iterator[Frame | None]:
        """The same, and None after every so many seconds without a new one."""
        self._thread.start()
        while (frame := self._take(every)) is not None or not self._ended:
            yield frame
        if self._error is not None:
            raise self._error

    def _take(self, patience: float | None = None) -> Frame | None:
        with self._filled:
            self._filled.wait_for(lambda: self._frame is not None or self._ended, timeout=patience)
            frame, self._frame = self._frame, None
            return frame

    def _capture(self) -> None:
        try:
            for frame in self._camera.frames():
                self._put(frame)
                if self._ended:
                    break
        except BaseException as error:  # noqa: BLE001 - handed to the thread that takes the frames
            self._error = error
        finally:
            with self._filled:
                self._ended = True
                self._filled.notify_all()

    def _put(self, frame: Frame) -> None:
        with self._filled:
            self.dropped += self._frame is not None
            self._frame = frame
            self._filled.notify_all()

    def close(self) -> None:
        """Stop the camera and wake whoever waits for a frame."""
        with self._filled:
            self._ended = True
            self._frame = None
            self._filled.notify_all()
        self._camera.close()
        if self._thread.is_alive():
            self._thread.join(timeout=2.0)
