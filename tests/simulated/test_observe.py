"""What vision would report of a simulated table: rates, noise, what hands hide."""

import itertools
import statistics

import pytest

from hardware.simulator.dealer import Dealer
from hardware.simulator.observe import Observer
from hardware.simulator.tables import half_moon
from table_state.observation import parse_line, to_json
from table_state.rules import PRESETS


def watch(level, rate=5.0, rounds=2, seed=1):
    dealer = Dealer(half_moon(), PRESETS["charity"], seed)
    observer = Observer(dealer.stage, level, seed, rate)
    lines = []
    for _ in range(rounds):
        lines += observer.lines(dealer.round().end)
    return dealer, lines


@pytest.mark.parametrize("rate", [5.0, 15.0, 30.0])
def test_lines_come_at_the_rate_asked_for(rate):
    _, lines = watch("clean", rate)
    gaps = [b.t - a.t for a, b in itertools.pairwise(lines)]
    assert statistics.median(gaps) == pytest.approx(1 / rate, rel=0.1)
    assert max(gaps) <= 1.01
    assert min(gaps) > 0


@pytest.mark.parametrize("level", ["clean", "noisy", "hard"])
def test_lines_are_section_3s(level):
    _, lines = watch(level)
    for line in lines:
        assert parse_line(to_json(line)) == line


def test_clean_is_right_and_noisy_is_wrong_as_often_as_said():
    dealer, lines = watch("noisy", rounds=6)
    faces = {c.code for c in dealer.stage.cards}
    sure = [c for line in lines for c in line.cards if c.code and c.p > 0.7]
    doubtful = [c for line in lines for c in line.cards if c.code and c.code != "??" and c.p <= 0.7]
    assert {c.code for c in sure} <= faces
    assert 0.003 < len(doubtful) / len(sure) < 0.03
    _, clean = watch("clean", rounds=6)
    assert {c.code for line in clean for c in line.cards if c.code} <= faces
    assert all(c.p == 1.0 for line in clean for c in line.cards)


def test_a_hand_hides_what_it_covers():
    _, lines = watch("clean")
    for line in lines:
        for thing in (*line.cards, *line.chips):
            assert all((thing.x - h.x) ** 2 + (thing.y - h.y) ** 2 > (h.r - 2) ** 2 for h in line.hands)


def test_hard_play_has_gaps_and_jolts():
    _, lines = watch("hard", rounds=12)
    assert any(b.t - a.t > 1.9 for a, b in itertools.pairwise(lines))
