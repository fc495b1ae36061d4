"""Weights, and how they are made: synthetic tables, data sets, training, evaluation."""
