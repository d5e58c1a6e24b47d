"""THE Bash reader, in layers; `lexer.read` is its only door. The layers for rarer things load when they are met."""
