"""The small parts: totals, belief, the deal, notation, remedies."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from table_state.belief import Belief
from table_state.cards import DECK
from table_state.deal import Landing, read_deal, right_places
from table_state.errors import InputError
from table_state.hand import is_blackjack, total
from table_state.notation import HandNote, RoundNote, read, write
from table_state.remedies import PROFILES, remedy


@pytest.mark.parametrize(
    ("values", "best", "soft", "words"),
    [
        ([10, 7], 17, False, "17"),
        ([1, 2], 13, True, "3 or 13"),
        ([1, 1], 12, True, "2 or 12"),
        ([1, 10], 21, True, "21"),
        ([1, 5, 10], 16, False, "16"),
        ([10, 9, 5], 24, False, "24"),
    ],
)
def test_totals(values: list[int], best: int, soft: bool, words: str) -> None:
    now = total(values)
    assert (now.best, now.soft, now.words) == (best, soft, words)


def test_ace_and_ten_is_a_blackjack_and_three_sevens_are_not() -> None:
    assert is_blackjack([10, 1])
    assert not is_blackjack([7, 7, 7])


@pytest.mark.parametrize("rate", [5, 15, 30])
def test_a_card_misread_for_most_of_a_second_is_never_sure_as_the_wrong_one(rate: int) -> None:
    belief = Belief()
    for n in range(int(0.8 * rate) + 1):
        belief.read(n / rate, "9h", 0.85)
        assert not belief.sure
    for n in range(int(2 * rate)):
        belief.read(0.85 + n / rate, "3h", 0.95)
    assert belief.sure
    assert belief.code == "3h"


@pytest.mark.parametrize("rate", [5, 15, 30])
def test_a_well_read_card_is_sure_within_half_a_second(rate: int) -> None:
    belief = Belief()
    for n in range(int(0.6 * rate) + 1):
        belief.read(n / rate, "9h", 0.95)
    assert belief.sure


def test_a_persons_word_overrules_every_reading() -> None:
    belief = Belief()
    belief.fix("3d")
    for n in range(100):
        belief.read(n / 5, "8d", 0.99)
    assert (belief.code, belief.sure) == ("3d", True)


def _deal(places: list[int], order: list[int]) -> list[tuple[str, int]]:
    cards = [Landing(n, place, float(n), float(n) - 0.6) for n, place in enumerate(places, 1)]
    return [(e.code, e.seat) for e in read_deal(order, 0, cards, lambda place: 1e9, 1e9).errors]


@pytest.mark.parametrize(
    ("places", "errors"),
    [
        ([1, 3, 4, 0, 1, 3, 4, 0], []),
        ([1, 4], [("skipped-seat", 3)]),
        ([1, 2], [("dealt-to-empty-circle", 2)]),
        ([1, 3, 3], [("extra-card", 3)]),
        ([1, 3, 4, 1], [("dealer-skipped", 0)]),
        ([1, 3, 4, 4], [("extra-card", 4)]),
        ([1, 3, 4, 0, 0], [("extra-card", 0)]),
        ([1, 3, 4, 0, 1, 4], [("skipped-seat", 3)]),
        ([1, 3, 0], [("skipped-seat", 4)]),
    ],
)
def test_the_deal_is_read_from_the_order_of_the_cards(places: list[int], errors: list[tuple[str, int]]) -> None:
    assert _deal(places, [1, 3, 4, 0]) == errors


def test_a_hidden_place_is_taken_to_have_its_card() -> None:
    cards = [Landing(1, 1, 1.0, 0.4), Landing(2, 4, 3.0, 2.4)]
    assert not read_deal([1, 3, 4, 0], 0, cards, lambda place: 0.0 if place == 3 else 9.0, 9.0).errors


def test_cards_beyond_the_deal_have_no_place() -> None:
    assert right_places([1, 0], 5) == [1, 0, 1, 0, None]


def test_every_profile_tells_what_to_do() -> None:
    for profile in PROFILES:
        for code in ("skipped-seat", "dealt-to-empty-circle", "dealer-skipped", "extra-card"):
            assert remedy(profile, code).advice


_CARDS = st.lists(st.sampled_from([*DECK, "??", "T?"]), max_size=6).map(tuple)
_BET = st.none() | st.fractions(min_value=0, max_value=10_000, max_denominator=100)
_HAND = st.builds(HandNote, st.integers(1, 9), _BET, st.sampled_from(["", "s", "sd", "d", "u", "f", "b", "e"]), _CARDS)
_NOTE = st.builds(
    RoundNote, st.lists(_HAND, max_size=8).map(tuple), st.lists(st.tuples(st.integers(1, 9), _BET)).map(tuple), _CARDS
)


@given(_NOTE)
def test_a_round_is_written_and_read_without_loss(note: RoundNote) -> None:
    assert read(write(note)) == note


@pytest.mark.parametrize("text", ["", "1=10:Ts", "1=x:Ts D:", "D:Ts D:Ts", "1=1/0:Ts D:"])
def test_what_is_no_round_is_an_input_error(text: str) -> None:
    with pytest.raises(InputError):
        read(text)


def test_an_example_reads_as_it_looks() -> None:
    note = read("1=10:Ts8d i1=2.5 D:6dJh4h")
    assert note.hands[0].cards == ("Ts", "8d")
    assert note.insurance == ((1, Fraction(5, 2)),)
