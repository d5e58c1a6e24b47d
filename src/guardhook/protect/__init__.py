"""What keeps the guard in place, and what would change it (SPEC P). Loaded for calls that write, move or remove files.

An agent that may write its own settings could switch its guard off with one line, so such a call needs a person.
"""
