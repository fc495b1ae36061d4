"""The measurement of how well words are understood: its arithmetic, without a recogniser."""

import numpy as np
import pytest

from hardware.heard_back import RATE, TableNoise, judged, plain, vocabulary


@pytest.mark.parametrize(
    ("heard", "same"),
    [
        ("Seventeen, Jim?", "17, Jim?"),
        ("Three or thirteen.", "3 or 13"),
        ("To many!", "too many"),
        ("twenty-one", "21"),
        ("7, 7", "7"),
        ("2 or 12, 2 or 12.", "2 or 12"),
        ("The dealer has twenty one", "The dealer has 21"),
        ("paid 12.5.", "paid 12.5"),
        ("Check the dealer's cards", "check the dealers cards"),
    ],
)
def test_what_sounds_alike_is_the_same(heard: str, same: str) -> None:
    assert plain(heard) == plain(same)


def test_what_was_heard_is_judged_among_all_phrases() -> None:
    found = list(judged(["17, Jim?", "18, Jim?", "too many"], ["Seventeen, Jim.", "eighteen Jim oh", "4"]))
    assert [(one.right, one.nearest) for one in found] == [(True, True), (False, True), (False, False)]
    assert len(set(vocabulary())) == len(vocabulary())


def test_noise_is_as_much_softer_as_was_asked_for() -> None:
    random = np.random.default_rng(3)
    tone = np.sin(np.arange(RATE) / 7).astype(np.float32) * 0.2
    noisy = TableNoise(random.standard_normal(RATE).astype(np.float32)).over(tone, 10.0)
    rest = noisy - tone
    assert 9.5 < 10 * np.log10(np.mean(tone**2) / np.mean(rest**2)) < 10.5
