"""The PowerShell reader: `lexer.read` is the door, `records` holds the two records that only PowerShell has."""
