"""`railbird restore`: a table's files out of a backup."""

from hardware.commands.backup import restore as work

__all__ = ["work"]
