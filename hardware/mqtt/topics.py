"""The names under which a table is found at a broker."""

from dataclasses import dataclass

ROOT = "railbird"
KINDS = ("status", "state", "events", "health")


@dataclass(frozen=True, slots=True)
class Topics:
    """A table's topics. `events` are sent once, each of the others the broker keeps."""

    table: str

    @property
    def status(self) -> str:
        """`online` or `offline`."""
        return f"{ROOT}/{self.table}/status"

    @property
    def state(self) -> str:
        """What everybody at the table may see now."""
        return f"{ROOT}/{self.table}/state"

    @property
    def events(self) -> str:
        """Each line that the referee says."""
        return f"{ROOT}/{self.table}/events"

    @property
    def health(self) -> str:
        """How the installation fares."""
        return f"{ROOT}/{self.table}/health"


def split_topic(topic: str) -> tuple[str, str] | None:
    """The table and the kind of a topic, None for a topic that is none of ours."""
    parts = topic.split("/")
    if len(parts) != 3 or parts[0] != ROOT or parts[2] not in KINDS or not parts[1]:
        return None
    return parts[1], parts[2]
