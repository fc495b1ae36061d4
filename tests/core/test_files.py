"""Sections 2 and 4 of the contract: layouts, rules, presets; every key checked, file and key in every error."""

from fractions import Fraction
from pathlib import Path

import pytest

from table_state.errors import InputError
from table_state.layout import parse_layout
from table_state.rules import PRESETS, parse_rules, preset

SHARED = Path(__file__).parents[3] / "shared"

LAYOUT = """
name = "two"
card = [63.5, 88.9]
chip = 39.0
dealer = [0, 150]
shoe = [-500, 60]
discard = [500, 60]
[chip_values]
white = 1
pink = 2.5
[[seat]]
number = 2
name = "Tom"
circle = [200, 600, 60]
cards = [150, 500]
[[seat]]
number = 1
circle = [-200, 600, 60]
cards = [-150, 500]
insurance = [-100, 400]
"""


def test_a_layout_is_read_with_exact_values_and_seats_in_order() -> None:
    layout = parse_layout(LAYOUT)
    assert [s.number for s in layout.seats] == [1, 2]
    assert layout.chip_values["pink"] == Fraction(5, 2)
    assert layout.camera is None


@pytest.mark.parametrize(
    ("old", "new", "key"),
    [
        ("chip = 39.0", "chip = 0", "chip"),
        ("chip = 39.0", "", "chip"),
        ("chip = 39.0", "chip = nan", "chip"),
        ("dealer = [0, 150]", "dealer = [0]", "dealer"),
        ("pink = 2.5", "pink = -1", "chip_values.pink"),
        ("number = 2", "number = 1", "seat"),
        ("number = 2", 'number = "2"', "seat[0].number"),
        ("circle = [200, 600, 60]", "circle = [200, 600, 0]", "seat[0].circle"),
        ('name = "Tom"', "name = 3", "seat[0].name"),
    ],
)
def test_a_bad_layout_names_file_and_key(old: str, new: str, key: str) -> None:
    with pytest.raises(InputError) as e:
        parse_layout(LAYOUT.replace(old, new, 1), "t.toml")
    assert (e.value.file, e.value.key) == ("t.toml", key)


def test_a_camera_is_read() -> None:
    camera = "\n[camera]\nsize = [640, 480]\npoints = [[0,0,0,0],[1,0,1,0],[1,1,1,1],[0,1,0,1]]\nmatrix = [1,2,3,4]\n"
    layout = parse_layout(LAYOUT + camera)
    assert layout.camera is not None
    assert layout.camera.size == (640, 480)
    assert layout.camera.matrix == (1, 2, 3, 4)


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("deck = 6", "deck"),
        ("decks = true", "decks"),
        ("decks = 0", "decks"),
        ('first_dealer_card = "left"', "first_dealer_card"),
        ("surrender = 1", "surrender"),
        ("blackjack_pays = -1.5", "blackjack_pays"),
        ('blackjack_pays = "3:2"', "blackjack_pays"),
        ('peek = ["K"]', "peek"),
        ("bets = [10, 5]", "bets"),
        ("bets = [1]", "bets"),
        ('remedies = "pray"', "remedies"),
        ("max_hands = 1.5", "max_hands"),
        ('pay_order = "up"', "pay_order"),
    ],
)
def test_a_bad_rules_file_names_file_and_key(text: str, key: str) -> None:
    with pytest.raises(InputError) as e:
        parse_rules(text, "r.toml")
    assert (e.value.file, e.value.key) == ("r.toml", key)


def test_no_toml_is_an_input_error() -> None:
    with pytest.raises(InputError, match="not TOML"):
        parse_rules("= = =")


def test_custom_rules_are_exact_and_build_on_a_preset() -> None:
    rules = parse_rules('preset = "casino"\nblackjack_pays = 1.2\nbets = [2.5, 100]')
    assert rules.blackjack_pays == Fraction(6, 5)
    assert rules.bets == (Fraction(5, 2), Fraction(100))
    assert rules.max_hands == PRESETS["casino"].max_hands


def test_the_presets_are_the_guides() -> None:
    assert preset("home").first_dealer_card == "down"
    assert (preset("charity").max_hands, preset("home").max_hands, preset("casino").max_hands) == (2, 4, 3)
    with pytest.raises(InputError):
        preset("moon")


@pytest.mark.skipif(not (SHARED / "layouts").is_dir(), reason="the shared folder is not there")
def test_the_shared_layouts_are_read() -> None:
    for path in (SHARED / "layouts").glob("*.toml"):
        assert parse_layout(path.read_text(), path.name).seats
