"""The referee against the simulated dealer: 200 legal rounds, 200 with one to three mistakes, noise included.

Kinds of problem that are known to happen still are marked as expected failures with their reason, not hidden.
The full measure is `python -m hardware.simulator.check --rounds 20000`.
"""

from collections import Counter
from random import Random

import pytest

from hardware.simulator.compare import Verdict
from hardware.simulator.dealer import MISTAKES
from hardware.simulator.play import judge, pick_house, referee, same_story, simulate

ROUNDS, PER_SESSION, RATE = 200, 8, 2.5
LEGAL_KINDS = (
    "false alarm", "wrong total", "total missed", "wrong text", "said again", "wrong words", "words missed",
    "wrong result", "result missed", "result twice", "result late", "extra result", "rounds", "resolved unraised",
)  # fmt: skip
STAND = "a last player who stands without a sign: the turned hole card is taken for an exposed one"
KNOWN_LEGAL: dict[str, str] = {
    "false alarm": STAND,
    "total missed": STAND,
    "words missed": STAND,
    "wrong result": STAND,
}
"""Kind of problem in legal play -> why it happens still."""
MENDED = "two lines and a half a second: a mending is not always noticed within 4 s"
LATE_CHIPS = "late chips left standing are counted into doubles and payouts"
SEVERAL = "missed or late where another mistake came before it in the session"
KNOWN_MISTAKES: dict[str, str] = {
    "dealer-must-draw": SEVERAL,
    "dealer-must-stand": MENDED,
    "dealer-played-early": SEVERAL,
    "dealer-skipped": MENDED,
    "dealt-to-empty-circle": MENDED,
    "double-not-allowed": MENDED,
    "extra-card": MENDED,
    "hole-card-exposed": SEVERAL,
    "insurance-not-allowed": SEVERAL,
    "insurance-too-large": SEVERAL,
    "late-bet": LATE_CHIPS,
    "paid-early": SEVERAL,
    "skipped-seat": MENDED,
    "split-not-allowed": SEVERAL,
    "false alarm": "after-effects of mistakes left as they are, one-deck houses' counts; " + LATE_CHIPS,
    "wrong total": SEVERAL,
    "wrong words": SEVERAL,
    "wrong result": SEVERAL,
}
"""Mistake's code, or kind of problem -> why it is not always caught rightly."""
CODES = sorted({{"dealer-blackjack-missed": "dealer-played-early"}.get(m, m) for m in MISTAKES} - {"bet-out-of-limits"})


WRONG_KINDS = ("false alarm", "wrong total", "wrong words", "wrong result", "said again")
CATCHING = ("alert missed", "alert late", "wrong moves", "resolved missed", "resolved early")


def play(name, level, mistakes):
    verdict, rng = Verdict(), Random(name)
    for i in range(ROUNDS // PER_SESSION):
        seed = f"suite {name} {i}"
        verdict.merge(judge(simulate(pick_house(seed), seed, PER_SESSION, lambda _: mistakes(rng), level, RATE)))
    return verdict


@pytest.fixture(scope="module")
def legal():
    return play("legal", "noisy", lambda rng: 0)


@pytest.fixture(scope="module")
def wrong():
    return play("wrong", "clean", lambda rng: rng.randint(1, 3))


def known(names, reasons):
    return [
        pytest.param(n, marks=pytest.mark.xfail(reason=reasons[n], strict=False)) if n in reasons else n for n in names
    ]


@pytest.mark.parametrize("kind", known(LEGAL_KINDS, KNOWN_LEGAL))
def test_legal_play_has_no(kind, legal):
    assert [p for p in legal.problems if p.kind == kind][:5] == []


def test_legal_play_is_all_heard(legal):
    counts: Counter[str] = legal.counts
    assert counts["results due"] > 500
    assert counts["totals due"] > 800


@pytest.mark.parametrize("code", known(CODES, KNOWN_MISTAKES))
def test_mistake_is_caught(code, wrong):
    assert [p for p in wrong.problems if p.about == code and p.kind in CATCHING][:5] == []


@pytest.mark.parametrize("kind", known(WRONG_KINDS, KNOWN_MISTAKES))
def test_with_mistakes_about_there_is_no(kind, wrong):
    assert [p for p in wrong.problems if p.kind == kind][:5] == []


@pytest.mark.parametrize("seed", known(("a", "b", "c"), dict.fromkeys("abc", "times may differ by over 0.5 s")))
def test_the_rate_of_lines_changes_nothing(seed):
    stories = []
    for rate in (5.0, 15.0, 30.0):
        session = simulate(pick_house(seed), f"rates {seed}", 2, lambda _: 1, "clean", rate, steady=True)
        stories.append(referee(session.house, session.lines))
    assert same_story(stories[0], stories[1]) == []
    assert same_story(stories[0], stories[2]) == []
