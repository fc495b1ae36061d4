"""`railbird say`: speak a text as the table would, to try the voice."""

import argparse
from dataclasses import replace

from hardware.commands.inputs import read_layout
from hardware.config import Settings, settings
from hardware.errors import BadInputError, HardwareError
from hardware.files import Lines, check_replaceable, replace_file
from hardware.players import NO_DEVICE, find_player
from hardware.speaking import clips_of, everything
from hardware.wording import Wording
from table_state.layout import Layout

LONGEST = 500


def work(arguments: argparse.Namespace) -> int:
    """Say it, or write it to a WAV file; the status is 1 where nothing can be heard."""
    found = with_sound(settings(), arguments)
    if arguments.ahead is not None:
        return make_ahead(read_layout(arguments.ahead), found)
    text = " ".join((arguments.text or "").split())
    if not text or len(text) > LONGEST:
        raise BadInputError(f"there is nothing to say; give 1 to {LONGEST} characters in quotes")
    if arguments.output is not None:
        _check(arguments.output)
    clip = clips_of(found).get(Wording(found.language, found.names).spoken(text))
    if arguments.output is not None:
        replace_file(arguments.output, clip.read_bytes())
        return 0
    player = find_player()
    if not player.works() or not player.play(clip):
        raise HardwareError(NO_DEVICE)
    return 0


def make_ahead(layout: Layout, found: Settings) -> int:
    """Make the clips of everything that is made in advance at a table; what is there already is kept."""
    clips, texts = clips_of(found), everything(layout, found)
    with Lines("-") as out:
        for text in texts:
            clips.get(text)
        out.write_text(f"{len(texts)} phrases are ready")
    return 0


def with_sound(found: Settings, arguments: argparse.Namespace) -> Settings:
    """The settings with what the arguments say about the sound instead."""
    given = {key: getattr(arguments, key) for key in ("voice", "language", "speed", "pitch", "volume")}
    return replace(found, **{key: value for key, value in given.items() if value is not None})


def _check(name: str) -> None:
    try:
        check_replaceable(name)
    except BadInputError as error:
        raise BadInputError(f"--output {error}") from None
