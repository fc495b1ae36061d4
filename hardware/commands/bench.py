"""`railbird bench`: how fast this machine sees and speaks, and with how much memory."""

import argparse

from hardware.bench import Json, measure
from hardware.bench_speech import speech_figures
from hardware.files import Lines

WORDS = {
    "cpu": "processor",
    "picture": "picture, pixels",
    "cards_seen": "cards seen (20 lie there)",
    "stacks_seen": "stacks seen (7 lie there)",
    "full_look_ms": "CPU ms of the dearest look after all that is laid at once",
    "changed_seat_ms": "CPU ms of the dearest look after one card is laid",
    "idle_frame_ms": "CPU ms of a look at nothing new (median)",
    "start_up_to_first_reading_s": "seconds from the start to the first reading",
    "peak_memory_mb": "most memory, MB",
    "rest_to_words_s": "stream seconds from a total at rest to its words (median, 95 %)",
    "look_before_words_ms": "ms of the look that led to words (median, 95 %)",
    "words_to_sound_ms": "ms from words to the first sample (none: there is no aplay)",
    "words_to_sound_ms_flite": "ms from words to the first sample, flite (median, 95 %)",
    "first_words_to_sound_ms_flite": "the same in the first minute of all, nothing made in advance",
    "words_to_sound_ms_espeak-ng": "ms from words to the first sample, espeak-ng (median, 95 %)",
    "first_words_to_sound_ms_espeak-ng": "the same in the first minute of all",
    "totals_missed": "totals missed on the simulated table meanwhile",
    "totals_wrong": "totals wrong",
}


def work(arguments: argparse.Namespace) -> int:
    """Measure, then print one JSON object or a line a figure."""
    figures = speech_figures() if arguments.speech else measure()
    with Lines("-") as out:
        if arguments.json:
            out.write(figures)
        else:
            for line in in_words(figures):
                out.write_text(line)
    return 0


def in_words(figures: Json) -> list[str]:
    """A line a figure."""
    rows = []
    for key, value in figures.items():
        shown = " ".join(str(v) for v in value) if isinstance(value, list) else str(value)
        rows.append(f"{shown:>20}  {WORDS.get(key, key)}")
    return rows
