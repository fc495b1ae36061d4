"""Section 3 of the contract: what is read, what is tolerated, what is refused with one clear line."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from table_state.errors import InputError
from table_state.observation import MAX_LINE, Correction, Observation, bounded, parse_line, read_lines, to_json

GOOD = (
    '{"t": 1.5, "cards": [{"x": 1, "y": 2.5, "deg": 3, "code": "8s", "p": 0.9}], "hands": [{"x": 0, "y": 0, "r": 9}]}'
)


def test_a_line_is_read_and_written_back_equal() -> None:
    line = parse_line(GOOD)
    assert isinstance(line, Observation)
    assert parse_line(to_json(line)) == line


def test_absent_p_is_one_and_absent_lists_are_empty() -> None:
    line = parse_line('{"t": 0, "cards": [{"x": 1, "y": 2, "code": null}]}')
    assert isinstance(line, Observation)
    assert line.cards[0].p == 1.0
    assert line.chips == ()


@pytest.mark.parametrize(
    "text",
    [
        '{"t": 1, "cards": [',
        '{"t": NaN}',
        '{"t": -1}',
        '{"t": 1e400}',
        '{"t": true}',
        '{"t": "1"}',
        "{}",
        "[]",
        "null",
        '{"t": 1, "cards": 5}',
        '{"t": 1, "cards": [5]}',
        '{"t": 1, "cards": [{"x": 1, "y": 2}]}',
        '{"t": 1, "cards": [{"x": 1, "code": "8s"}]}',
        '{"t": 1, "cards": [{"x": 1, "y": 2, "code": "9x"}]}',
        '{"t": 1, "cards": [{"x": 1, "y": 2, "code": "8s", "p": 2}]}',
        '{"t": 1, "cards": [{"x": Infinity, "y": 2, "code": "8s"}]}',
        '{"t": 1, "chips": [{"x": 1, "y": 2, "color": "red", "count": 1.5}]}',
        '{"t": 1, "chips": [{"x": 1, "y": 2, "count": 1}]}',
        '{"t": 1, "hands": [{"x": 1, "y": 2, "r": -1}]}',
        '{"t": 1, "correction": {"kind": "sing"}}',
        '{"t": 1, "correction": {"kind": "card", "x": 1, "y": 1}}',
        '{"t": 1, "correction": {"kind": "bet", "seat": 1}}',
        "[" * 100_000,
        '{"t": ' + "9" * 5000 + "}",
    ],
)
def test_bad_lines_are_input_errors_with_file_and_line(text: str) -> None:
    with pytest.raises(InputError) as e:
        parse_line(text, "x.jsonl", 7)
    assert str(e.value).startswith("x.jsonl:7: ")
    assert "\n" not in str(e.value)


def test_time_going_back_names_the_line() -> None:
    with pytest.raises(InputError, match="x:3"):
        list(read_lines(['{"t": 1}', "", '{"t": 0.5}'], "x"))


def test_a_line_without_end_is_refused_before_it_is_parsed() -> None:
    with pytest.raises(InputError, match="x:1"):
        list(read_lines(["a" * (MAX_LINE + 1)], "x"))
    chunks = iter(["b" * 10, ""])
    assert list(bounded(lambda n: next(chunks))) == ["b" * 10]


def test_too_many_cards_are_refused() -> None:
    row = {"t": 1, "cards": [{"x": 1, "y": 1, "code": "8s"}] * 10_000}
    with pytest.raises(InputError, match="cards"):
        parse_line(json.dumps(row))


def test_corrections_are_read_and_written_back_equal() -> None:
    for row in (
        {"kind": "card", "x": 1, "y": 2, "code": "3d"},
        {"kind": "no-card", "x": 1, "y": 2},
        {"kind": "bet", "seat": 2, "amount": 2.5},
        {"kind": "not-a-mistake", "alert": "late-bet"},
        {"kind": "new-shoe"},
        {"kind": "undo"},
    ):
        line = parse_line(json.dumps({"t": 3, "correction": row}))
        assert isinstance(line, Correction)
        assert parse_line(to_json(line)) == line


def _refusal(text: str) -> str:
    """What is said of a line that is refused; nothing of one that is read."""
    try:
        parse_line(text)
    except InputError as e:
        return str(e)
    return ""


@given(st.text(max_size=200))
def test_any_text_is_a_line_or_an_input_error(text: str) -> None:
    assert "\n" not in _refusal(text)


_JSON = st.recursive(
    st.none() | st.booleans() | st.floats() | st.integers() | st.text(max_size=5),
    lambda x: st.lists(x, max_size=4) | st.dictionaries(st.sampled_from(["t", "x", "y", "code", "cards", "p"]), x),
    max_leaves=12,
)


@given(st.dictionaries(st.sampled_from(["t", "cards", "chips", "hands", "correction"]), _JSON))
def test_any_json_is_a_line_or_an_input_error(row: dict[str, object]) -> None:
    assert "\n" not in _refusal(json.dumps(row))
