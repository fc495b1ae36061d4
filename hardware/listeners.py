"""Who listens to the referee: the file of `--json`, the terminal, the speaker and the display."""

from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from functools import partial

from hardware.app import Corrections, Listener
from hardware.asking import Asking
from hardware.config import Settings
from hardware.control import Control
from hardware.counts import Counts
from hardware.errors import BadInputError, HardwareError
from hardware.files import Lines
from hardware.notices import Notice, Notices
from hardware.said import plain_line
from hardware.service import service
from hardware.speaker import Speaker
from hardware.speaking import ahead, speaker_of, wording_of
from hardware.web.words import choose
from hardware.wording import Wording
from table_state.layout import Layout
from table_state.output import Output, Say
from table_state.view import HandView, TableView

Build = Callable[[Layout, Corrections], Sequence[Listener]]
CANNOT_SEE, SEE_AGAIN = "I cannot see the table", "I can see again"
NOTHING = TableView(0.0, "idle", None, (), HandView(), ())


class JsonFile(Listener):
    """Writes everything that is said to a file; with `whole` it appears only when all went well.

    Without it, at a table that plays on, a full disk ends the file and not the game, and what was written stays.
    """

    def __init__(self, name: str, whole: bool, notices: Notices | None = None) -> None:
        self._lines, self._whole, self._notices = Lines(name, whole), whole, notices or Notices()
        self._began = self._ended = False

    def publish(self, view: TableView, outputs: Sequence[Output]) -> None:
        """Write each output as a line."""
        for output in outputs:
            self._write(output)

    def _write(self, output: Output) -> None:
        if self._ended:
            return
        try:
            self._lines.write(output.to_json())
            self._began = True
        except HardwareError as error:
            if self._whole or not self._began:
                raise
            self._ended = True
            self._notices.tell("recording-stopped", f"what is said is no longer written: {error}")

    def close(self, failed: bool) -> None:
        """Put the file in its place, or leave none."""
        if failed and (self._whole or not self._began):
            self._lines.discard()
        else:
            self._lines.close()


class Terminal(Listener):
    """Prints words and alerts for whoever reads along."""

    def __init__(self, wording: Wording) -> None:
        self._wording, self._lines = wording, Lines("-")

    def publish(self, view: TableView, outputs: Sequence[Output]) -> None:
        """Print what is spoken."""
        for output in outputs:
            if (text := plain_line(self._wording.output(output))) is not None:
                self._lines.write_text(text)

    def close(self, failed: bool) -> None:
        """Nothing to put away."""


class Spoken(Listener):
    """Hands on to the speaker, and says when the table can no longer be seen and when it can again, once each."""

    def __init__(self, speaker: Speaker) -> None:
        self._speaker = speaker
        self._blind: set[str] = set()

    @property
    def speaker(self) -> Speaker:
        """Who speaks."""
        return self._speaker

    def noticed(self, notice: Notice) -> None:
        """A fault of the installation begins or ends."""
        if not notice.is_blind:
            return
        before = bool(self._blind)
        (self._blind.add if notice.stands else self._blind.discard)(notice.code)
        if bool(self._blind) != before:
            self._speaker.publish(NOTHING, [Say(0.0, SEE_AGAIN if before else CANNOT_SEE)])

    def publish(self, view: TableView, outputs: Sequence[Output]) -> None:
        """Let the words wait for their turn."""
        self._speaker.publish(view, outputs)

    def close(self, failed: bool) -> None:
        """Say the last words."""
        self._speaker.close(failed)


@dataclass(frozen=True, slots=True)
class Wanted:
    """Who shall listen. `whole`: the file of `--json` appears at the end, as the source may turn out bad; `keep`: the
    evening is kept for the dealer, as it is a real one; `control`: what the dealer's console switches.
    """

    json: str | None = None
    whole: bool = True
    display: bool = True
    mqtt: bool = True
    speech: bool = True
    keep: bool = False
    control: Control = field(default_factory=Control)

    def builder(self, settings: Settings, notices: Notices, counts: Counts | None = None) -> Build:
        """What builds them: last, when everything else is known to be good."""
        counted = counts or Counts()
        choose(settings.language)
        notices.listen(counted.noticed)
        notices.follow(lambda notice: counted.fault(notice.code, notice.stands))

        def build(layout: Layout, corrections: Corrections) -> Sequence[Listener]:
            found: list[Listener] = []
            with ExitStack() as undo:
                undo.callback(lambda: close_all(found))
                if self.json:
                    found.append(JsonFile(self.json, self.whole, notices))
                asking = Asking(corrections, settings) if self.speech else None
                if asking is not None:
                    found.append(asking)
                if self.display:
                    found.append(self._shown(layout, corrections, settings, notices, counted, asking))
                if self.speech and (speaker := spoken(layout, settings, notices)) is not None:
                    found.append(speaker)
                    if asking is not None:
                        asking.listen(speaker.speaker)
                    self.control.listen(self._renamed(speaker.speaker, settings))
                    notices.follow(speaker.noticed)
                    self.control.listen(partial(_hush, self.control, speaker.speaker))
                if self.json != "-":
                    found.append(Terminal(wording_of(layout, settings)))
                if self.mqtt and settings.mqtt is not None:
                    found.append(_told(layout, settings, counted))
                if (systemd := service()) is not None:
                    found.append(systemd)
                    self.control.while_off(systemd.alive)
                undo.pop_all()
            return found

        return build

    def _renamed(self, speaker: Speaker, settings: Settings) -> Callable[[], None]:
        def prepare() -> None:
            if (layout := self.control.layout) is not None:
                speaker.prepare(ahead(layout, settings))

        return prepare

    def _shown(
        self,
        layout: Layout,
        corrections: Corrections,
        settings: Settings,
        notices: Notices,
        counts: Counts,
        asking: Asking | None,
    ) -> Listener:
        from hardware.shown import desk_of, shown  # the web's libraries take their time to load: only where wanted
        from hardware.web.asked import Asked

        desk = desk_of(layout, settings, self.control, self.keep)
        asked = Asked(asking.talk, asking.page_keys, asking.all_keys()) if asking is not None else None
        return shown(layout, corrections, settings, notices, counts, desk, asked)


def _hush(control: Control, speaker: Speaker) -> None:
    if control.paused:
        speaker.hush()


def close_all(listeners: Sequence[Listener]) -> None:
    """Take back what was opened."""
    for listener in listeners:
        listener.close(True)


def spoken(layout: Layout, settings: Settings, notices: Notices) -> Spoken | None:
    """The speaker, or None with a notice where this machine cannot speak. Raises BadInputError for an unknown voice."""

    def heard(text: str) -> None:
        (notices.tell if text.startswith("silent: ") else notices.end)("silent", text)

    try:
        return Spoken(speaker_of(layout, settings, heard, (CANNOT_SEE, SEE_AGAIN)))
    except BadInputError:
        raise
    except HardwareError as error:
        notices.tell("silent", f"silent: {error}")
        return None


def _told(layout: Layout, settings: Settings, counts: Counts) -> Listener:
    from hardware.mqtt.build import told

    return told(layout, settings, counts)
