"""A moment at the table as an SVG picture, drawn from observations and what the referee shows of them."""

from html import escape
from math import hypot

from table_state.layout import Layout
from table_state.observation import Observation, SeenCard, SeenChips
from table_state.view import HandView, TableView

DEALERS = 215.0  # mm from the dealer's place within which a card is the dealer's
MARGIN = 90.0  # mm of felt around what the layout names
SUITS = {"c": ("♣", "#1b5e20"), "d": ("♦", "#0d47a1"), "h": ("♥", "#b71c1c"), "s": ("♠", "#111111")}
CHIPS = {
    "white": "#f5f5f5", "yellow": "#fdd835", "orange": "#fb8c00", "red": "#c62828", "pink": "#f48fb1",
    "purple": "#6a1b9a", "blue": "#1565c0", "green": "#2e7d32", "black": "#212121", "brown": "#6d4c41",
    "grey": "#9e9e9e",
}  # fmt: skip
BRIGHT = {"white", "yellow", "orange", "pink", "grey"}


def draw(layout: Layout, observation: Observation, view: TableView) -> str:
    """The SVG text: felt, circles, cards, chips and hands as they were seen, totals and alerts as they are shown.

    The dealer sits below, as the table frame has it: y grows away from the dealer, upwards in the picture. What lies
    under a card that the referee hides is not drawn: a back is a back.
    """
    x0, y0, x1, y1 = _extent(layout)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{x0:g} {-y1:g} {x1 - x0:g} {y1 - y0:g}" '
        'font-family="sans-serif" text-anchor="middle">',
        f"<title>{escape(layout.name)} at {view.t:g} s</title>",
        f'<rect x="{x0:g}" y="{-y1:g}" width="{x1 - x0:g}" height="{y1 - y0:g}" fill="#0b5d3b"/>',
        *_places(layout),
        *(_card(card, layout, _is_hidden(card, layout, view)) for card in observation.cards),
        *(_chips(chips, layout) for chips in observation.chips),
        *(_hand(h.x, h.y, h.r) for h in observation.hands),
        *_totals(layout, view),
        *_alerts(view, x0, y1),
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def _extent(layout: Layout) -> tuple[float, float, float, float]:
    spots = [layout.dealer, layout.shoe, layout.discard]
    spots += [(s.circle[0], s.circle[1]) for s in layout.seats] + [s.cards for s in layout.seats]
    xs, ys = [x for x, _ in spots], [y for _, y in spots]
    return min(xs) - MARGIN, min(0.0, min(ys)) - MARGIN, max(xs) + MARGIN, max(ys) + MARGIN


def _text(x: float, y: float, size: float, text: str, extra: str = 'fill="#fff"') -> str:
    return f'<text x="{x:g}" y="{-y:g}" font-size="{size:g}" {extra}>{escape(text)}</text>'


def _places(layout: Layout) -> list[str]:
    parts = []
    for seat in layout.seats:
        x, y, r = seat.circle
        parts.append(f'<circle cx="{x:g}" cy="{-y:g}" r="{r:g}" fill="none" stroke="#e6d9a8" stroke-width="3"/>')
        parts.append(_text(x, y + r + 8, 26, seat.name or f"seat {seat.number}"))
    for name, (x, y) in (("shoe", layout.shoe), ("discard", layout.discard)):
        parts.append(f'<rect x="{x - 40:g}" y="{-y - 60:g}" width="80" height="120" fill="#00000055"/>')
        parts.append(_text(x, y, 20, name))
    return parts


def _is_hidden(card: SeenCard, layout: Layout, view: TableView) -> bool:
    """Whether this may be the hole card, caught by the camera before it was turned."""
    shown = view.dealer.cards
    near = hypot(card.x - layout.dealer[0], card.y - layout.dealer[1]) < DEALERS
    return near and "??" in shown and card.code not in shown


def _card(card: SeenCard, layout: Layout, hidden: bool) -> str:
    width, height = layout.card
    at = f'<g transform="translate({card.x:g} {-card.y:g}) rotate({-card.deg:g})">'
    box = f'<rect x="{-width / 2:g}" y="{-height / 2:g}" width="{width:g}" height="{height:g}" rx="4" stroke="#222"'
    if card.code is None or hidden:
        return f'{at}{box} fill="#37474f"/></g>'
    rank, suit = card.code[0], card.code[1]
    sign, colour = SUITS.get(suit, ("?", "#555"))
    corner = f'x="{-width / 2 + 16:g}" y="{-height / 2 + 26:g}" font-size="24"'
    face = f'<text {corner} fill="{colour}">{escape(rank)}{sign}</text>'
    return f'{at}{box} fill="#fff"/>{face}</g>'


def _chips(chips: SeenChips, layout: Layout) -> str:
    ink = "#111" if chips.color in BRIGHT else "#fff"
    count = "?" if chips.count is None else str(chips.count)
    colour = CHIPS.get(chips.color, "#777")
    disc = f'<circle cx="{chips.x:g}" cy="{-chips.y:g}" r="{layout.chip / 2:g}" fill="{colour}"'
    return f'{disc} stroke="#fff" stroke-dasharray="6 4"/>' + _text(chips.x, chips.y - 7, 20, count, f'fill="{ink}"')


def _hand(x: float, y: float, r: float) -> str:
    return f'<circle cx="{x:g}" cy="{-y:g}" r="{r:g}" fill="#ffcc8055" stroke="#ffcc80"/>'


def _totals(layout: Layout, view: TableView) -> list[str]:
    by_number = {seat.number: seat for seat in view.seats}
    parts = [_total(*layout.dealer, [view.dealer])]
    parts += [_total(*s.cards, list(by_number[s.number].hands)) for s in layout.seats if s.number in by_number]
    return [part for part in parts if part]


def _total(x: float, y: float, hands: list[HandView]) -> str:
    text = "  ".join("check" if hand.check else hand.text for hand in hands if hand.cards)
    return _text(x + 62, y - 66, 34, text, 'fill="#ffeb3b" font-weight="bold"') if text else ""


def _alerts(view: TableView, x0: float, y1: float) -> list[str]:
    left = 'fill="#ffab91" text-anchor="start"'
    return [_text(x0 + 12, y1 - 30 - 30 * n, 24, f"! {alert.text}", left) for n, alert in enumerate(view.alerts)]
