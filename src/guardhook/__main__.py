"""`python -m guardhook`: the same command line as `guardhook`."""

from guardhook.cli.main import main

main()
