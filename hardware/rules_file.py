"""Where a table's house rules go if nobody says otherwise."""

from pathlib import Path


def rules_beside(layout: Path) -> Path:
    """The file of the house rules that belongs to a layout's file: NAME-rules.toml for NAME.toml."""
    return layout.with_name(f"{layout.stem}-rules.toml")
