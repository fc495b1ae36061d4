"""The composition root: one function builds the program, every part replaceable, and one loop runs it."""

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path

from hardware.camera import Camera, CameraOptions, KnowsItsView, is_live, open_camera
from hardware.control import Control, Quiet
from hardware.counts import Counts
from hardware.errors import BadInputError, HardwareError
from hardware.journal import Entry, Journal, read_journal
from hardware.keeping import Keeping
from hardware.notices import Notices, say
from hardware.pace import Pace
from hardware.parts import Corrections, Listener, Looks, Referee, TellsOfCorrections
from hardware.patient import Patient
from hardware.recording import Recorder
from hardware.refind import Refinder
from hardware.resume import Resume, resumed
from hardware.slot import Newest
from hardware.state import state_folder
from hardware.switched import Switched
from hardware.watch import Watch
from hardware.weights import weights
from table_state.errors import InputError
from table_state.layout import Layout
from table_state.observation import Correction, Observation
from table_state.rules import HouseRules
from table_state.table import Output, Table
from vision.frame import Frame

__all__ = ["App", "Corrections", "Keeps", "Listener", "Looks", "Referee", "compose", "real_looker"]

TICK = 0.1  # seconds that a correction waits at most while no frame comes
STALLED = 5.0  # seconds without a frame after which somebody is told


@dataclass(frozen=True, slots=True)
class Keeps:
    """Where a round is kept for a restart, and a new referee."""

    path: Path
    layout: Layout
    rules: HouseRules
    fresh: Callable[[], Referee]

    def journal(self, going: Sequence[Entry]) -> Journal | None:
        """The journal, with the round that goes on; None with a notice where nothing can be kept."""
        try:
            return Journal(self.path, self.layout, self.rules, going)
        except HardwareError as error:
            say(str(error))
            return None


@dataclass(slots=True)
class App:
    """The program: camera, recogniser, referee, and who listens to it."""

    camera: Camera
    layout: Layout
    looker: Looks
    table: Referee
    listeners: Sequence[Listener] = ()
    recorder: Recorder | Keeping | None = None
    corrections: Corrections = field(default_factory=Corrections)
    counts: Counts = field(default_factory=Counts)
    quiet: Quiet = field(default_factory=lambda: Quiet(Control()))
    control: Control = field(default_factory=Control)
    notices: Notices = field(default_factory=Notices)
    watch: Watch | None = None
    pace: Pace | None = None
    keeps: Keeps | None = None
    resume: Resume | None = None
    journal: Journal | None = None
    clock: Callable[[], float] = time.monotonic

    def run(self) -> None:
        """Play the camera to its end. Raises HardwareError and the core's InputError."""
        failed: BaseException | None = None
        try:
            start = t = self.resume.start if self.resume is not None else 0.0
            came = self.clock()
            for frame in self._frames():
                if frame is not None and start:
                    frame = replace(frame, t=frame.t + start)
                t = t if frame is None else frame.t
                self._correct(t)
                if frame is None:
                    self._wait(self.clock() - came)
                    continue
                came = self.clock()
                self._see(frame)
        except BaseException as error:
            failed = error
            raise
        finally:
            self._end(failed)

    def _frames(self) -> Iterator[Frame | None]:
        """The frames; of a camera with its own pace also None where none has come for a moment."""
        return self.camera.looks(TICK) if isinstance(self.camera, Newest) else self.camera.frames()

    def _wait(self, seconds: float) -> None:
        """No frame has come for so long."""
        if "camera-lost" in self.notices.standing:
            self._unseen()
        elif seconds >= STALLED and self.watch is not None and self.control.camera_on:
            self.notices.tell("camera-frozen", f"no picture has come for {STALLED:g} s; unplug the camera, plug it in")

    def _unseen(self) -> None:
        for listener in self.listeners:
            listener.waits()

    def _see(self, frame: Frame) -> None:
        """Look, where there is a table to see: a black picture is no empty table."""
        self.notices.end("camera-frozen", "pictures come again")
        if self.watch is not None and not self.watch.sees(frame):
            self._unseen()
            return
        self._look(frame if self.watch is None else self.watch.straight(frame))
        if self.pace is not None:
            self.pace.looked()

    def _look(self, frame: Frame) -> None:
        with self.counts.stage("look"):
            observation = self.looker.look(frame)
        if self.recorder is not None:
            with self.counts.stage("record"):
                self.recorder.look(frame, observation)
        for listener in self.listeners:
            listener.observe(frame, observation)
        self._step(observation)
        self.counts.looked()

    def _correct(self, t: float) -> None:
        """Take what people corrected since the last frame; its time is the stream's, the core knows no other."""
        while not self.corrections.empty():
            asked = self.corrections.get()
            correction = replace(asked, t=t)
            if self.recorder is not None:
                self.recorder.correction(correction)
            self._step(correction)
            applied = not isinstance(self.table, TellsOfCorrections) or self.table.corrected
            for listener in self.listeners:
                listener.answer(asked, applied)

    def _step(self, line: Observation | Correction) -> None:
        if self.resume is None:
            self._judge(line)
        elif (known := self.resume.take(line)) is not None:
            self._go_on(self.resume, *known)

    def _go_on(self, resume: Resume, same: bool, lines: Sequence[Observation | Correction]) -> None:
        """It is known whether the table still shows the round that was on when the program died."""
        self.resume = None
        assert self.keeps is not None
        self.journal = self.keeps.journal(resume.entries if same else ())
        if same:
            say("the round goes on where it was interrupted")
            self._tell(resume.untold)
        else:
            say("the table shows another round than the one that was interrupted; a new one begins")
            self.table = self.keeps.fresh()
        for line in lines:
            self._judge(line)

    def _judge(self, line: Observation | Correction) -> None:
        if self.journal is not None:
            self.journal.line(line)
        with self.counts.stage("referee"):
            outputs = self.table.step(line)
        if self.journal is not None:
            self.journal.told(outputs)
        self.counts.said(outputs)
        with self.counts.stage("tell"):
            self._tell(outputs)

    def _tell(self, outputs: Sequence[Output]) -> None:
        view, told = self.quiet.heard(self.table.view(), outputs)
        for listener in self.listeners:
            listener.publish(view, told)

    def _end(self, failed: BaseException | None) -> None:
        self.camera.close()
        if self.journal is not None:
            self.journal.close()
        if isinstance(failed, BadInputError | InputError):
            self._discard_recording()
        elif self.recorder is not None:
            self.recorder.close()  # after any other fault, too: what was seen at a table is not to be had again
        for listener in self.listeners:
            listener.close(failed is not None and not isinstance(failed, KeyboardInterrupt))

    def _discard_recording(self) -> None:
        if self.recorder is not None:
            self.recorder.discard()


def compose(
    spec: str,
    layout: Layout,
    rules: HouseRules,
    options: CameraOptions | None = None,
    record: Path | None = None,
    notices: Notices | None = None,
    counts: Counts | None = None,
    control: Control | None = None,
    *,
    journal: Path | None = None,
    camera: Camera | None = None,
    looker: Callable[[Layout], Looks] | None = None,
    table: Callable[[Layout, HouseRules], Referee] = Table,
    listeners: Callable[[Layout, Corrections], Sequence[Listener]] = lambda layout, corrections: (),
) -> App:
    """The program for a source named `spec`; `journal`: where a round is kept for a restart.

    Raises HardwareError, with nothing written or left open.
    """
    options = options or CameraOptions()
    counts, control, notices = counts or Counts(), control or Control(), notices or Notices()
    recording = Recorder(record) if record is not None else None
    recorder = Keeping(recording, notices) if recording is not None else None
    live = is_live(spec)

    def opened() -> Camera:
        return _waiting(spec, layout, rules, options, notices)

    source = camera or opened()
    try:
        seen_layout = control.named(source.layout if isinstance(source, KnowsItsView) else layout)
        if seen_layout.camera is None:
            raise BadInputError(
                f"layout {layout.name!r}: no [camera]: this table is not calibrated; add the camera's points"
            )
        if recording is not None:
            recording.layout = seen_layout
        switched = Switched(source, control, opened if live else None, notices)
        app = App(
            camera=_newest(switched, counts) if live or options.realtime else switched,
            layout=seen_layout,
            looker=(looker or real_looker)(seen_layout),
            table=table(seen_layout, rules),
            recorder=recorder,
            counts=counts,
            quiet=Quiet(control),
            control=control,
            notices=notices,
            watch=Watch(notices, Refinder(seen_layout, state_folder() / "markers.json")) if live else None,
            pace=Pace(notices) if live else None,
        )
        control.listen(partial(_rename, app, control))
        if journal is not None:
            _keep(app, Keeps(journal, seen_layout, rules, partial(table, seen_layout, rules)))
        app.listeners = listeners(seen_layout, app.corrections)
        return app
    except BaseException:
        source.close()
        raise


def _rename(app: App, control: Control) -> None:
    if control.layout is not None:
        app.table.layout = control.layout


def _keep(app: App, keeps: Keeps) -> None:
    """Let the app go on with the round that was kept, if there is one, and keep the rounds to come."""
    entries = read_journal(keeps.path, keeps.layout, keeps.rules)
    app.keeps, app.resume = keeps, resumed(entries, app.table)
    if app.resume is None:
        app.table = keeps.fresh() if entries else app.table
        app.journal = keeps.journal(())


def _waiting(spec: str, layout: Layout, rules: HouseRules, options: CameraOptions, notices: Notices) -> Camera:
    """The camera, waited for where it is one that may be plugged in later."""
    opener = partial(open_camera, spec, layout, rules, options)
    return Patient(opener, notices) if is_live(spec) else opener()


def _newest(source: Camera, counts: Counts) -> Newest:
    newest = Newest(source)
    counts.asked["dropped_frames"] = lambda: newest.dropped
    return newest


def real_looker(layout: Layout) -> Looks:
    """The recogniser with the shipped weights. Raises HardwareError where they are missing."""
    from vision.looker import Looker

    return Looker(layout, weights())
