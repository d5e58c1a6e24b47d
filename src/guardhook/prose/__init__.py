"""Prose as an agent writes it: which files hold it, what in them is code, which words are denied.

`words` alone settles a clean text: blanking never adds a hit, so `spans` is worth loading only when a word was found.
"""
