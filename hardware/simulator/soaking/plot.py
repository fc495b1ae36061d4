"""Memory over a soak as a small SVG, with the faults below it."""

from collections.abc import Sequence
from html import escape

from hardware.simulator.soaking.faults import KINDS, Fault

WIDTH, HEIGHT, LEFT, TOP = 1000.0, 300.0, 60.0, 30.0
ROW = 16.0


def svg(memory: Sequence[tuple[float, float]], faults: Sequence[Fault], seconds: float) -> str:
    """`memory`: (seconds of play, MB)."""
    most = max((mb for _, mb in memory), default=1.0) * 1.1
    scale = (WIDTH - LEFT - 10.0) / seconds
    height = HEIGHT + TOP + ROW * (len(KINDS) + 1)

    def point(t: float, mb: float) -> str:
        return f"{LEFT + t * scale:.1f},{TOP + HEIGHT * (1 - mb / most):.1f}"

    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH:.0f} {height:.0f}" font-family="sans-serif">']
    out.append(f'<rect width="{WIDTH:.0f}" height="{height:.0f}" fill="#fff"/>')
    for n in range(5):
        y = TOP + HEIGHT * n / 4
        out.append(f'<path d="M{LEFT:.0f} {y:.1f}H{WIDTH - 10:.0f}" stroke="#ddd"/>')
        out.append(_text(LEFT - 6, y + 4, f"{most * (1 - n / 4):.0f} MB", "end"))
    path = " ".join(point(t, mb) for t, mb in memory)
    out.append(f'<polyline points="{path}" fill="none" stroke="#0a5c3f" stroke-width="2"/>')
    for row, kind in enumerate(KINDS):
        y = TOP + HEIGHT + ROW * (row + 1)
        for fault in faults:
            if fault.kind == kind:
                wide = max(2.0, (fault.end - fault.start) * scale)
                at = LEFT + fault.start * scale
                out.append(f'<rect x="{at:.1f}" y="{y - 9:.1f}" width="{wide:.1f}" height="9" fill="#8c0a1d"/>')
        out.append(_text(WIDTH - 12, y, kind, "end"))
    out.append(_text(LEFT, 18, f"Memory of the program over {seconds / 3600:.2f} hours of play", "start"))
    return "\n".join([*out, "</svg>"]) + "\n"


def _text(x: float, y: float, text: str, anchor: str) -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" font-size="11" text-anchor="{anchor}" fill="#222">{escape(text)}</text>'
