"""The catalogue: complete in every language, and every sentence of the referee is in it."""

import ast
import re
from pathlib import Path
from typing import TypeGuard

import pytest

from hardware.catalogue import LANGUAGES, catalogue, parse_po
from hardware.wording import SLOT, Wording, beginnings, known, phrases, pieces, sentences
from table_state.errors import InputError
from table_state.layout import parse_layout
from table_state.observation import read_lines
from table_state.output import Alert, Output, Say
from table_state.rules import parse_rules
from table_state.table import Table
from table_state.view import HandView, TableView
from tests.simulated.golden import FOLDER, unpack

ROOT = Path(__file__).parents[2]
GERMAN = Wording("de", {"Jim": "Dschimm"})
HEADS = ("Seat ", "The ", "A ", "Insurance ", "There ")


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_has_the_same_keys_and_values(language: str) -> None:
    own = parse_po((ROOT / "hardware/locale" / f"{language}.po").read_text(encoding="utf-8"), language)
    english = catalogue()
    assert set(own) == set(english)
    assert {key: set(SLOT.findall(text)) for key, text in own.items()} == {
        key: set(SLOT.findall(english[key])) for key in own
    }


def test_a_bad_catalogue_names_its_line() -> None:
    assert parse_po('msgid ""\nmsgstr "x: y"\n\n# c\nmsgid "a"\n"b"\nmsgstr ""\n"c\\"d"\n', "x.po") == {"ab": 'c"d'}
    for text, line in (('msgid "a"\nmsgstr b', 2), ('msgstr "a"', 1), ("what", 1)):
        with pytest.raises(InputError) as caught:
            parse_po(text, "x.po")
        assert str(caught.value).startswith(f"x.po:{line}: ")
    with pytest.raises(InputError, match="twice"):
        parse_po('msgid "a"\nmsgstr "b"\nmsgid "a"\nmsgstr "c"\n', "x.po")


def _texts(file: Path) -> list[str]:
    """The sentences that a module writes, a value in place of each hole."""
    found = []
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.JoinedStr):
            parts = [p.value if isinstance(p, ast.Constant) else _value(p) for p in node.values]
            found.append("".join(str(part) for part in parts))
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            found.append(re.sub(r"\{seat\}", "3", node.value).replace("{place}", "The dealer"))
    return [t for t in found if t.startswith(HEADS) and t.endswith(".")]


def _value(part: ast.expr) -> str:
    name = ast.unparse(part.value) if isinstance(part, ast.FormattedValue) else ""
    if "why" in name:
        return "is not offered" if "fault" in name else "21 may not be doubled"
    if name == "side":
        return "right"
    if name == "amount":
        return " 7"
    return "8s" if "code" in name else "its bet was" if "what" in name else "has 12" if "words_" in name else "7"


@pytest.mark.parametrize("name", ["checks_deal", "checks_play", "checks_pay", "shoe", "table"])
def test_every_sentence_of_the_referee_is_known(name: str) -> None:
    file = ROOT / "table_state" / f"{name}.py"
    docs = set(re.findall(r'"""(.+?)"""', file.read_text(), re.DOTALL))
    doubtful = {"Insurance 21 may not be doubled.", "Seat 3 may not surrender 21 may not be doubled."}
    for text in _texts(file):
        for sentence in sentences(text):
            if text not in docs and sentence not in doubtful and "not be doubled" not in sentence:
                assert known(sentence) is not None, sentence


@pytest.mark.parametrize(
    "advice", re.findall(r'Remedy\(\w+, "(.+?)"\)', (ROOT / "table_state/remedies.py").read_text())
)
def test_every_remedy_is_known(advice: str) -> None:
    assert known(f"{advice}.") is not None


@pytest.mark.parametrize("name", ["resplit-with-two-equal-cards", "surrender-refused-not-resolved"])
def test_everything_said_in_a_recording_is_known(name: str) -> None:
    recording = unpack(FOLDER / f"{name}.json.gz")
    table = Table(parse_layout(recording["layout"]), parse_rules(recording["rules"], "rules"))
    said = [o.text for line in read_lines(recording["lines"].splitlines(), "x") for o in table.step(line) if _speaks(o)]
    assert len(said) > 5
    for text in said:
        assert known(text) or all(known(s) for s in sentences(text)), text


def _speaks(output: Output) -> TypeGuard[Say | Alert]:
    return isinstance(output, Say | Alert)


@pytest.mark.parametrize(
    ("english", "german"),
    [
        ("17, Jim?", "17, Dschimm?"),
        ("3 or 13, seat 4?", "3 oder 13, Platz 4?"),
        ("The dealer has 7 or 17", "Der Geber hat 7 oder 17"),
        ("too many", "überkauft"),
        ("check seat 4", "Platz 4 prüfen"),
        ("Seat 3 was paid 2.5 and is due 15. Put it right.", "Platz 3 bekam 2,5 und bekommt richtig 15. Berichtigen."),
        (
            "Seat 3 may not split: 8s and Td are no pair. Put the cards back together and return the bet.",
            "Platz 3 darf nicht teilen: Pik Acht und Karo Zehn sind kein Paar. "
            "Die Karten wieder zusammenlegen und den Einsatz zurückgeben.",
        ),
    ],
)
def test_german_words_numbers_and_soft_pairs(english: str, german: str) -> None:
    assert GERMAN.spoken(english) == german


def test_cards_are_shown_and_spoken_in_words_all_else_as_the_referee_wrote_it() -> None:
    text = "There are more 8s than 6 decks hold. Stop and check the cards."
    for worded in (Wording().shown, Wording().spoken):
        assert worded(text) == text.replace("8s", "eight of spades")
    assert Wording(names={"Jim": "Gym"}).spoken("17, Jim?") == "17, Gym?"
    assert Wording().spoken("whatever else is said") == "whatever else is said"


def test_outputs_and_views_are_translated() -> None:
    alert = Alert(
        0.0, "late-bet", 2, None, "Seat 2 bet after the first card. The bet is not in this round; move it back."
    )
    view = TableView(0.0, "play", None, (), HandView(("Ac", "2d"), 13, True, "3 or 13"), (alert,))
    assert GERMAN.view(view).dealer.text == "3 oder 13"
    assert GERMAN.view(view).alerts[0].text.startswith("Platz 2 hat nach der ersten Karte gesetzt.")
    assert GERMAN.output(Say(0.0, "17, Jim?", 1, 0, 17)) == Say(0.0, "17, Jim?", 1, 0, 17)
    assert Wording().view(view) == view


def test_what_is_said_again_and_again_begins_with_totals() -> None:
    said = list(phrases(Wording(), [(1, "Jim"), (2, "")]))
    assert said[0] == "4"
    assert {"3 or 13, Jim?", "17, seat 2?", "The dealer has 7 or 17", "Put it right."} <= set(said)
    assert len(said) == len(set(said))
    begun = set(beginnings(Wording(), [(1, "Jim"), (2, "")]))
    assert {"Seat 1 was paid", "Seat 2 may not split:", "The dealer has"} <= begun


def test_words_are_cut_where_something_is_ready() -> None:
    here = {"Seat 2 was paid", "Put it right.", "The dealer", "17"}
    paid = "Seat 2 was paid 2.5 and is due 10. Put it right."
    assert pieces(paid, here.__contains__, ["Seat 2 was paid"]) == [
        "Seat 2 was paid",
        "2.5 and is due 10.",
        "Put it right.",
    ]
    assert pieces(paid, here.__contains__, []) == ["Seat 2 was paid 2.5 and is due 10.", "Put it right."]
    assert pieces("17", here.__contains__, []) == ["17"]
    assert pieces("The dealer has 12", here.__contains__, ["The dealer has"]) == ["The dealer has 12"]
