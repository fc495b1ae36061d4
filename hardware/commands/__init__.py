"""What each command does: one module a command, with a function `work`."""
