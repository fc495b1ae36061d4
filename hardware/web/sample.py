"""A moment of a round, made up, for the README's picture and for trying the pages without a camera."""

from fractions import Fraction

from table_state.layout import Layout, parse_layout
from table_state.output import Alert, Event, Move, Output, Say
from table_state.view import HandView, SeatView, TableView

_SEATS = (
    (1, "Jim", -700, 369, -512, 328),
    (2, "Rosa", -542, 610, -396, 507),
    (3, "", -295, 773, -216, 627),
    (4, "Walter", 0, 830, 0, 670),
    (5, "", 295, 773, 216, 627),
    (6, "Edith", 542, 610, 396, 507),
    (7, "Sam", 700, 369, 512, 328),
)


def sample_layout() -> Layout:
    """Return a half-moon table with seven seats."""
    head = 'name = "half-moon"\ncard = [63.5, 88.9]\nchip = 39.0\ndealer = [0.0, 150.0]\n'
    head += "shoe = [-610.0, 50.0]\ndiscard = [610.0, 50.0]\n[chip_values]\nwhite = 1\nred = 5\n"
    seat = '[[seat]]\nnumber = {}\nname = "{}"\ncircle = [{}, {}, 60.0]\ncards = [{}, {}]\n'
    return parse_layout(head + "".join(seat.format(*row) for row in _SEATS), "sample")


def sample_view() -> TableView:
    """Return the view: a soft hand in turn, a split, a hand to be checked, a card dealt past a seat."""
    seats = (
        SeatView(1, "Jim", "10", (HandView(("Ah", "2c"), 13, True, "3 or 13", "turn"),)),
        SeatView(2, "Rosa", "20", (_hand("8s", "3d", total=11), _hand("8h", "Tc", total=18))),
        SeatView(3, "", "5", (_hand("9d", "7c", total=16),)),
        SeatView(4, "Walter", "25", (HandView(("Ks", "As"), 21, True, "21", "blackjack"),)),
        SeatView(5, "", None, ()),
        SeatView(6, "Edith", "10", (HandView(("Qd", "T?"), None, False, "", "waiting", True),)),
        SeatView(7, "Sam", "15", (_hand("6h", "5s", "9c", total=20),)),
    )
    dealer = HandView(("Kd", "??"), 10, False, "10", "waiting")
    return TableView(21.0, "play", (1, 0), seats, dealer, ())


def sample_words() -> list[Output]:
    """Return what is being said at that moment."""
    return [
        Event(1.0, "round-started"),
        Event(2.0, "bet", 1, amount=Fraction(10)),
        Event(3.0, "card", 1, 0, "Ah"),
        Say(21.0, "3 or 13, Jim?", 1, 0, 13, True, ("Ah", "2c")),
    ]


def sample_alert() -> Alert:
    """Return a skipped seat with the moves that mend it."""
    moves = (Move("6h", "seat:7", "seat:6"), Move("Kd", "dealer", "seat:7"))
    text = "Edith was skipped: move the 6 from Sam to Edith, and the king from the dealer to Sam."
    return Alert(20.0, "skipped-seat", 6, None, text, moves)


def _hand(*cards: str, total: int) -> HandView:
    return HandView(cards, total, False, str(total), "waiting")
