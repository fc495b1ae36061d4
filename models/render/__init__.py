"""Drawn cards and tables: for training data and for the simulated table."""
