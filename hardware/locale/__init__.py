"""The catalogue of words: a gettext file for each language."""
