"""What agent-style, a package that is not ours, finds in prose: reported, never a reason to stop a write.

`releases` says which of its detectors belong to which release, `isolation` keeps the package away from the answer,
`advise` is the hook's use of it, `audit` and `changes` are the pre-review audit's.
"""
