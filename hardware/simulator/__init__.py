"""A simulated table: a dealer's script with its truth, what vision would report of it, and a camera that shows it."""
