"""The simulated dealer: what it writes down as true agrees with itself, with the contract's geometry, and varies."""

import math
from collections import Counter
from random import Random

import pytest

from hardware.simulator.compare import compare
from hardware.simulator.dealer import MISTAKES, Dealer, random_rules
from hardware.simulator.oracle import perfect
from hardware.simulator.play import House, pick_house, simulate
from hardware.simulator.tables import half_moon
from table_state.rules import PRESETS

SEEDS = range(24)


def expectations(seed, mistakes, rounds=4):
    house = pick_house(seed)
    return simulate(house, seed, rounds, lambda i: mistakes, "clean", 5.0).expected


@pytest.mark.parametrize("mistakes", [0, 1, 3])
def test_what_is_due_is_true(mistakes):
    for seed in SEEDS:
        expected = expectations(seed, mistakes)
        verdict = compare(expected, perfect(expected))
        assert verdict.problems == [], (seed, verdict.problems[:3])


@pytest.mark.parametrize("mistakes", [0, 2])
def test_a_silent_referee_misses_everything(mistakes):
    expected = expectations(5, mistakes)
    verdict = compare(expected, [])
    kinds = Counter(p.kind for p in verdict.problems)
    assert kinds["total missed"] == sum(e["required"] for e in expected["totals"]) > 0
    assert kinds["alert missed"] == len(expected["alerts"])


def test_the_same_seed_gives_the_same_bytes():
    a = simulate(pick_house(3), 3, 3, lambda i: 2, "hard", 5.0)
    b = simulate(pick_house(3), 3, 3, lambda i: 2, "hard", 5.0)
    assert a.lines == b.lines
    assert a.expected == b.expected
    assert simulate(pick_house(3), 4, 3, lambda i: 2, "hard", 5.0).lines != a.lines


def test_noise_does_not_change_the_story():
    a = simulate(pick_house(7), 7, 2, lambda i: 1, "clean", 5.0)
    b = simulate(pick_house(7), 7, 2, lambda i: 1, "hard", 30.0)
    assert a.expected | {"level": ""} == b.expected | {"level": ""}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_every_mistake_can_be_made(mistake):
    rng = Random(mistake)
    for seed in range(60):
        rules = random_rules(rng) if seed % 2 else rng.choice(list(PRESETS.values()))
        dealer = Dealer(half_moon(7), rules, f"{mistake} {seed}")
        if dealer._possible(mistake) and mistake in dealer.round([mistake]).made:
            assert dealer.book.alerts
            return
    pytest.fail(f"{mistake} was never made")


def test_everything_a_player_can_do_is_done():
    wanted = ["win", "lose", "push", "blackjack", "bust", "surrender", "insurance", "split", "even money"]
    wanted += ["Insurance is open", "Dealer breaks", "too many", "Dealer has blackjack"]
    seen = Counter()
    for seed in range(300):
        expected = expectations(f"variety {seed}", 0, 6)
        seen.update(r["outcome"][0] for r in expected["results"])
        seen.update("insurance" for r in expected["insurance"])
        seen.update("split" for r in expected["results"] if r["hand"] in (1, None))
        seen.update(p["text"] for p in expected["phrases"])
        seen.update("even money" for r in expected["results"] if len(r["outcome"]) > 1)
        if all(seen[w] for w in wanted):
            break
    assert [w for w in wanted if not seen[w]] == []


@pytest.mark.parametrize("seed", range(8))
def test_cards_lie_where_the_contract_has_them(seed):
    """A card at rest is nearest to its own place's point, or against a card of its heap; none lies by chance."""
    house = House("any", half_moon(4 + seed % 4), list(PRESETS.values())[seed % 3])
    dealer = Dealer(house.layout, house.rules, f"geometry {seed}")
    places = {0: house.layout.dealer} | {s.number: s.cards for s in house.layout.seats}
    for _ in range(4):
        dealer.round()
        owners = [(0, dealer.game.dealer)] + [(p.number, h) for p in dealer.game.players for h in p.hands]
        for seat, hand in owners:
            for card in hand.cards:
                for leg in card.legs[:-2]:
                    spot = leg.end
                    near = min(places, key=lambda n: math.dist(places[n], (spot.x, spot.y)))
                    against = any(
                        math.dist((spot.x, spot.y), (c.legs[0].end.x, c.legs[0].end.y)) < 60
                        for c in hand.cards
                        if c is not card
                    )
                    assert near == seat or against
                    assert math.dist(places[seat], (spot.x, spot.y)) < 260
