"""Pixels to felt: what lies on the table, seen in one frame."""
