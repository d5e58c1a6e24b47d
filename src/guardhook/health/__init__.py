"""The state of an installation: what is there (`survey`), what is wrong with it (`*_rules`, `findings`), and
whether the wired commands answer (`probe`). Nothing here changes an installation, and nothing runs in the hook."""
