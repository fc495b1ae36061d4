"""The pages people see: the table display, a page for each seat, the dealer's console."""
