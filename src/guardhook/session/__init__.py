"""A session's start: the event, the check of the wired guard, and the report that an agent shows (SPEC G).

`acceptance` is the hook's; everything else runs once a session, in the hook of its start.
"""
