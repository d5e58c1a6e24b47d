"""The command line, one module a verb. It may import what it likes: no tool call waits for it."""
