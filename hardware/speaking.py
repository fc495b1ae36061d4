"""Puts the speaker together as the settings say: voice, clips, words in the language, what is made in advance."""

from collections.abc import Callable, Iterable

from hardware.clips import Clips
from hardware.config import Settings
from hardware.notices import say
from hardware.players import find_player
from hardware.speaker import Speaker
from hardware.verbosity import Verbosity
from hardware.voices import find_voice
from hardware.wording import Wording, beginnings, phrases
from table_state.layout import Layout


def wording_of(layout: Layout, settings: Settings) -> Wording:
    """The words in the language of the settings; a name's spelling there goes before that in the layout."""
    spelled = {seat.name: seat.spoken for seat in layout.seats if seat.spoken}
    return Wording(settings.language, {**spelled, **settings.names})


def clips_of(settings: Settings) -> Clips:
    """The clips of the voice in the settings. Raises HardwareError where there is none."""
    voice = find_voice(settings.voice, settings.language, settings.speed, settings.pitch)
    return Clips(voice, volume=settings.volume, notice=say)


def verbosity_of(settings: Settings) -> Verbosity:
    """How much is said."""
    return Verbosity(settings.verbosity, settings.seat_verbosity, settings.quiet_hours)


def ahead(layout: Layout, settings: Settings) -> list[str]:
    """What is said at a table again and again, the likeliest first."""
    return list(phrases(wording_of(layout, settings), _seats(layout)))


def everything(layout: Layout, settings: Settings) -> list[str]:
    """All that is made in advance at a table."""
    return [*ahead(layout, settings), *beginnings(wording_of(layout, settings), _seats(layout))]


def _seats(layout: Layout) -> list[tuple[int, str]]:
    return [(seat.number, seat.name) for seat in layout.seats]


def speaker_of(layout: Layout, settings: Settings, notice: Callable[[str], None], more: Iterable[str] = ()) -> Speaker:
    """The speaker of a table, `more` phrases made in advance. Raises HardwareError where it cannot speak."""
    wording, seats = wording_of(layout, settings), _seats(layout)
    return Speaker(
        clips_of(settings),
        find_player(),
        notice,
        (*ahead(layout, settings), *map(wording.spoken, more)),
        wording=wording,
        begun=list(beginnings(wording, seats)),
        wanted=verbosity_of(settings).wants,
    )
