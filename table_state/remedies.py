"""Remedy profiles: how a house mends a dealing error, as data."""

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Remedy:
    """Whether cards move to where a correct deal would have put them, and what the dealer is told to do."""

    slide: bool
    advice: str


SLIDE: Final = Remedy(True, "Stop the deal and move the cards on")
DEAD: Final = Remedy(False, "The hand that was dealt wrongly is dead; leave the cards and deal on")
VOID: Final = Remedy(False, "The deal is void; take all cards and deal again")
OFFER: Final = Remedy(True, "Offer the players to withdraw, then move the cards on")

PROFILES: Final[dict[str, dict[str, Remedy]]] = {
    "slide": {},
    "dead-hand": {
        "skipped-seat": Remedy(False, "The skipped bet is not in this round; give it back and deal on"),
        "dealt-to-empty-circle": DEAD,
        "extra-card": DEAD,
        "dealer-skipped": Remedy(False, "Deal on; the dealer takes the card after the last player"),
    },
    "void": dict.fromkeys(("skipped-seat", "dealt-to-empty-circle", "extra-card", "dealer-skipped"), VOID),
    "offer": dict.fromkeys(("skipped-seat", "dealt-to-empty-circle", "extra-card", "dealer-skipped"), OFFER),
}
"""Profile -> code -> remedy; a code that a profile leaves out slides."""


def remedy(profile: str, code: str) -> Remedy:
    """A profile's remedy for a code of the deal; KeyError for an unknown profile."""
    return PROFILES[profile].get(code, SLIDE)
