"""What is spoken, in which order, and what is not spoken any more."""

from hypothesis import given, settings
from hypothesis import strategies as st

from hardware.speech_queue import AGAIN, FRESH, SpeechQueue, Words
from table_state.output import Alert, Event, Output, Resolved, Say


def total(text: str, seat: int = 2, hand: int = 0) -> Say:
    return Say(0.0, text, seat, hand, 17)


def alert(text: str, code: str = "skipped-seat", seat: int = 2) -> Alert:
    return Alert(0.0, code, seat, None, text)


def queue(*outputs: tuple[float, Output]) -> SpeechQueue:
    waiting = SpeechQueue()
    for t, output in outputs:
        waiting.hear(output, t)
    return waiting


def spoken(waiting: SpeechQueue, t: float) -> list[str]:
    texts = []
    while (words := waiting.take(t)) is not None:
        texts.append(words.text)
    return texts


def test_newer_words_about_a_hand_replace_older_ones() -> None:
    assert spoken(queue((0, total("12, Jim?")), (0.1, total("15, Ada?", 3)), (0.2, total("19"))), 0.3) == [
        "15, Ada?",
        "19",
    ]


def test_two_hands_of_a_seat_are_two_things() -> None:
    assert spoken(queue((0, total("12", hand=0)), (0, total("13", hand=1))), 0) == ["12", "13"]


def test_alerts_go_before_totals() -> None:
    assert spoken(queue((0, total("12")), (0.1, alert("Seat 2 was skipped."))), 0.2) == ["Seat 2 was skipped.", "12"]


def test_nothing_stale_is_spoken() -> None:
    waiting = queue((0, total("12")), (0, alert("Seat 2 was skipped.")), (0, Say(0, "Place your bets")))
    assert spoken(waiting, FRESH["phrase"] + 0.1) == ["Seat 2 was skipped.", "12"]
    assert spoken(queue((0, total("12")), (0, alert("Late."))), FRESH["total"] + 0.1) == ["Late."]
    assert spoken(queue((0, alert("Seat 2 was skipped."))), FRESH["alert"] + 0.1) == []


def test_nothing_is_spoken_twice() -> None:
    waiting = queue((0, total("12")))
    assert spoken(waiting, 0) == ["12"]
    waiting.hear(total("12"), 1.0)
    assert spoken(waiting, 1.0) == []
    waiting.hear(total("12"), AGAIN + 1.1)
    assert spoken(waiting, AGAIN + 1.1) == ["12"]


def test_a_mended_mistake_is_not_spoken_of() -> None:
    waiting = queue((0, alert("Seat 2 was skipped.")), (0.5, Resolved(0.5, "skipped-seat", 2)))
    assert spoken(waiting, 0.6) == []


def test_what_becomes_void_while_it_sounds_is_broken_off() -> None:
    waiting = queue((0, alert("Seat 2 was skipped.")))
    waiting.take(0)
    assert waiting.speaking is not None
    waiting.hear(Resolved(0.5, "skipped-seat", 2), 0.5)
    assert waiting.speaking is None
    waiting.hear(total("12"), 1.0)
    words = waiting.take(1.0)
    waiting.hear(total("12"), 1.1)
    assert waiting.speaking is words
    waiting.hear(total("17"), 1.2)
    assert waiting.speaking is None
    assert spoken(waiting, 1.2) == ["17"]


def test_what_could_not_be_heard_waits_again_unless_newer_words_do() -> None:
    waiting = queue((0, total("12")))
    words = waiting.take(0)
    assert words is not None
    waiting.give_back(words)
    assert waiting.take(0.1) == words
    waiting.hear(total("17"), 0.2)
    waiting.give_back(words)
    assert spoken(waiting, 0.3) == ["17"]


def test_totals_of_a_round_that_is_over_are_not_spoken() -> None:
    waiting = queue((0, total("12")), (0, alert("Seat 1 was not paid.")), (0.1, Event(0.1, "round-ended")))
    assert spoken(waiting, 0.2) == ["Seat 1 was not paid."]


def test_events_and_results_have_no_words() -> None:
    assert spoken(queue((0, Event(0, "turn", 2, 0))), 0) == []


OUTPUTS = st.one_of(
    st.builds(total, st.sampled_from("abc"), st.integers(0, 2), st.integers(0, 1)),
    st.builds(alert, st.sampled_from("xyz"), st.sampled_from(["one", "two"]), st.integers(0, 2)),
    st.builds(lambda text: Say(0.0, text), st.sampled_from(["p", "q"])),
    st.just(Event(0.0, "round-ended")),
)


@settings(deadline=None)
@given(st.lists(st.tuples(st.floats(0, 3), OUTPUTS, st.booleans()), max_size=40))
def test_whatever_comes_at_most_one_phrase_waits_for_each_thing(steps: list[tuple[float, Output, bool]]) -> None:
    waiting, t = SpeechQueue(), 0.0
    for wait, output, take in steps:
        t += wait
        waiting.hear(output, t)
        abouts = [w.about for w in waiting.waiting]
        assert len(abouts) == len(set(abouts))
        if take and (words := waiting.take(t)) is not None:
            assert t - words.t <= FRESH[words.kind]
            assert words.kind == "alert" or not [w for w in waiting.waiting if w.kind == "alert"]


def test_rank_is_alerts_then_the_oldest() -> None:
    old, new = Words("a", "total", ("hand", 1, 0), 1.0), Words("b", "alert", ("alert x", 1, None), 2.0)
    assert sorted([old, new], key=lambda w: w.rank) == [new, old]
