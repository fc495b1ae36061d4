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
    _flavours(g)
    for mistake, rig in RIGS.items():
        if not g.planned(mistake):
            continue
        mine, dealer = FLAVOURS.get(mistake, {}).get(g.flavour.get(mistake, ""), rig)
        if dealer:
            set_card(n, dealer[0])
            set_card(total_slots - 1, dealer[1])
        seat = g.targets.get(mistake)
        if mine and seat is not None:
            set_card(first(index[seat]), mine[0])
            set_card(n + 1 + index[seat], mine[1])
    if g.planned("hole-card-exposed") and arithmetic.natural([g.shoe[n], g.shoe[total_slots - 1]]):
        set_card(n, "6")


def _flavours(g: Game) -> None:
    """Choose in which of its ways each planned mistake is made, as far as the rules know it."""
    r = g.rules
    known = {
        "21": not r.hit_on_21,
        "rank": r.split_by == "rank",
        "unequal": r.max_hands > 1,
        "split": r.max_hands > 1 and not r.double_after_split,
        "stands on soft 17": not r.hits_soft_17,
        "hits soft 17": r.hits_soft_17,
    }
    for mistake, ways in FLAVOURS.items():
        if g.planned(mistake):
            g.flavour[mistake] = g.rng.choice([w for w in ways if known.get(w, True)])


T = "TJQK"
Rig = tuple[tuple[str, str] | None, tuple[str, str] | None]
FLAVOURS: dict[str, dict[str, Rig]] = {
    "card-not-due": {"stood": ((T, "789"), None), "doubled": (("5", "6"), None), "21": ((T, "3"), None)},
    "split-not-allowed": {"unlike": (("9", "5"), None), "rank": (("K", "QJ"), None), "unequal": (("8", "8"), None)},
    "double-not-allowed": {
        "late": (("2", "34"), None),
        "too much": (("5", "6"), None),
        "split": (("8", "8"), None),
    },
    "bust-not-taken": {"all": ((T, "456"), None), "cards": ((T, "456"), None), "bet": ((T, "456"), None)},
    "dealer-must-draw": {"hard": (None, (T + "9", "6")), "hits soft 17": (None, ("6", "A"))},
    "dealer-must-stand": {"hard": (None, (T, "789")), "stands on soft 17": (None, ("6", "A"))},
    "hole-card-exposed": {"stays": (None, None), "flash": (None, None)},
}
"""Mistake -> the ways in which it can be made, with the cards that each needs."""
RIGS: dict[str, Rig] = {
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
