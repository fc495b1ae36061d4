"""What is said, as lines for a person who reads along in a terminal."""

from table_state.table import Alert, Output, Resolved, Say


def plain_line(output: Output) -> str | None:
    """One line for words and alerts, None for the rest."""
    match output:
        case Say(t=t, text=text):
            return f"{t:9.2f}  {text}"
        case Alert(t=t, text=text):
            return f"{t:9.2f}  ! {text}"
        case Resolved(t=t, code=code):
            return f"{t:9.2f}  mended: {code}"
    return None
