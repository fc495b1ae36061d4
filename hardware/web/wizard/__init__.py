"""The set-up wizard: pages of their own in which a table is measured, laid out and tried before it is saved."""
