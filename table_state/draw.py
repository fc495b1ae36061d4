"""The table at a moment as an SVG picture; a hole card shows its back until it is turned."""

from html import escape
from typing import Final

from table_state.layout import Layout
from table_state.table import Table
from table_state.view import HandView

_COLORS: Final = {
    "white": "#f4f4f0",
    "yellow": "#e8c832",
    "orange": "#e08028",
    "red": "#c03030",
    "pink": "#e890b0",
    "purple": "#7848a0",
    "blue": "#3060b8",
    "green": "#2c8850",
    "black": "#282828",
    "brown": "#7c5030",
    "grey": "#909090",
}
_SUITS: Final = {"c": "♣", "d": "♦", "h": "♥", "s": "♠", "?": "?"}
_MARGIN: Final = 140.0


def draw(table: Table) -> str:
    """The table as it is seen now: places, cards, chips, totals, alerts; SVG text, felt millimetres as units."""
    layout = table.layout
    x0, y0, x1, y1 = _box(layout)
    width, height = x1 - x0, y1 - y0
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{x0:g} {-y1:g} {width:g} {height + 60:g}" '
        f'font-family="sans-serif">',
        f'<rect x="{x0:g}" y="{-y1:g}" width="{width:g}" height="{height + 60:g}" fill="#1f5a41"/>',
        *_places(layout),
        *_cards(table),
        *_chips(table),
        *_words(table, x0, y0),
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def _box(layout: Layout) -> tuple[float, float, float, float]:
    points = [layout.dealer, layout.shoe, layout.discard, *(s.cards for s in layout.seats)]
    points += [(s.circle[0], s.circle[1]) for s in layout.seats]
    xs, ys = [p[0] for p in points], [p[1] for p in points]
    return min(xs) - _MARGIN, min(ys) - _MARGIN, max(xs) + _MARGIN, max(ys) + _MARGIN


def _text(x: float, y: float, text: str, size: float, color: str = "#f4f4f0", anchor: str = "middle") -> str:
    place = f'x="{x:.1f}" y="{-y:.1f}" font-size="{size:g}" fill="{color}" text-anchor="{anchor}"'
    return f"<text {place}>{escape(text)}</text>"


def _places(layout: Layout) -> list[str]:
    out = []
    for seat in layout.seats:
        x, y, r = seat.circle
        out.append(f'<circle cx="{x:g}" cy="{-y:g}" r="{r:g}" fill="none" stroke="#d8d0a8" stroke-width="3"/>')
        out.append(_text(x, y + r + 12, f"{seat.number} {seat.name}".strip(), 26))
        if seat.insurance is not None:
            ix, iy = seat.insurance
            out.append(f'<circle cx="{ix:g}" cy="{-iy:g}" r="6" fill="none" stroke="#d8d0a8"/>')
    for name, (x, y) in (("shoe", layout.shoe), ("rack", layout.discard)):
        out.append(_text(x, y, name, 24, "#a8c8b0"))
    return out


def _cards(table: Table) -> list[str]:
    width, height = table.layout.card
    out = []
    for card in sorted(table.tracker.live, key=lambda c: (c.rest, c.id)):
        code = card.code if card.is_up else None
        fill = "#fafaf4" if code else "#8c3040"
        turn = f'transform="translate({card.x:.1f} {-card.y:.1f}) rotate({-card.deg:.1f})"'
        frame = f'x="{-width / 2:g}" y="{-height / 2:g}" width="{width:g}" height="{height:g}" rx="5"'
        out.append(f'<g {turn}><rect {frame} fill="{fill}" stroke="#303030"/>')
        if code:
            color = "#b02020" if code[1] in "dh" else "#202020"
            label = f"{code[0].replace('T', '10')}{_SUITS[code[1]]}"
            out.append(_text(-width / 2 + 5, height / 2 - 24, label, 24, color, "start"))
        out.append("</g>")
    return out


def _chips(table: Table) -> list[str]:
    r = table.layout.chip / 2
    out = []
    for pile in table.chips.piles:
        color = _COLORS.get(pile.color, "#909090")
        circle = f'cx="{pile.x:.1f}" cy="{-pile.y:.1f}" r="{r:g}"'
        out.append(f'<circle {circle} fill="{color}" stroke="#ffffff" stroke-dasharray="6 5" stroke-width="2"/>')
        ink = "#202020" if pile.color in ("white", "yellow", "pink") else "#ffffff"
        out.append(_text(pile.x, pile.y - 7, "?" if pile.count is None else str(pile.count), 20, ink))
    return out


def _words(table: Table, x0: float, y0: float) -> list[str]:
    view = table.view()
    out = []
    for seat, shown in zip(table.layout.seats, view.seats, strict=True):
        texts = [_hand(h) for h in shown.hands if _hand(h)]
        if texts:
            out.append(_text(seat.cards[0], seat.cards[1] - 95, " | ".join(texts), 26, "#ffe890"))
    if _hand(view.dealer):
        out.append(_text(table.layout.dealer[0], table.layout.dealer[1] - 95, _hand(view.dealer), 26, "#ffe890"))
    out.append(_text(x0 + 20, y0 - 20, f"t = {view.t:.2f} s, {view.phase}", 24, anchor="start"))
    for n, alert in enumerate(view.alerts):
        out.append(_text(x0 + 20, y0 + 20 + 30 * n, f"{alert.code}: {alert.text}", 22, "#ffb0a0", "start"))
    return out


def _hand(hand: HandView) -> str:
    return "check" if hand.check and hand.cards else hand.text
