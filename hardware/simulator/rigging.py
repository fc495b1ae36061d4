"""A shoe put in order so that planned mistakes have their occasion."""

from hardware.simulator import arithmetic
from hardware.simulator.game import Game


def rig_deal(g: Game) -> None:
    """Order the shoe so that the planned mistakes have their occasion."""
    n = len(g.players)
    total_slots = 2 * n + 2

    def first(k: int) -> int:
        return k

    def set_card(index: int, ranks: str) -> None:
        g.fix(index, lambda c: c[0] in ranks, total_slots)

    index = {p.number: i for i, p in enumerate(g.players)}
    for mistake, (mine, dealer) in RIGS.items():
        if not g.planned(mistake):
            continue
        if dealer:
            set_card(n, dealer[0])
            set_card(total_slots - 1, dealer[1])
        seat = g.targets.get(mistake)
        if mine and seat is not None:
            set_card(first(index[seat]), mine[0])
            set_card(n + 1 + index[seat], mine[1])
    if g.planned("hole-card-exposed") and arithmetic.natural([g.shoe[n], g.shoe[total_slots - 1]]):
        set_card(n, "6")


T = "TJQK"
RIGS: dict[str, tuple[tuple[str, str] | None, tuple[str, str] | None]] = {
    "insurance-too-large": (("9", "T8"), ("A", "23456789")),
    "insurance-not-allowed": (None, None),
    "paid-early": (("A", T), ("A" + T, "6789")),
    "bust-not-taken": ((T, "456"), None),
    "split-not-allowed": (("9", "5"), None),
    "double-not-allowed": (("2", "34"), None),
    "surrender-not-allowed": ((T, "56"), None),
    "taken-early": (("5", "2346"), None),
    "out-of-turn": (("5" + T, "46"), None),
    "card-not-due": ((T, "789"), None),
    "dealer-played-early": ((T, "56"), ("6", T)),
    "dealer-blackjack-missed": ((T, "56"), (T, "A")),
    "dealer-must-draw": ((T, "98"), (T + "9", "6")),
    "dealer-must-stand": ((T, "9"), (T, "789")),
    "not-paid": ((T, T + "9"), ("9", "89")),
    "not-taken": ((T, "6"), (T, "9")),
    "push-taken": ((T, "8"), ("8", T)),
    "wrong-payout": ((T, T + "9"), ("9", "89")),
    "cleared-early": ((T, T + "9"), ("9", "89")),
    "pay-order": ((T, T + "9"), ("9", "89")),
}
"""Mistake -> ranks of the two cards of its seat, ranks of the dealer's upcard and hole card."""
