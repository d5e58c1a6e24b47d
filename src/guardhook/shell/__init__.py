"""Reading shell text: the lexers and the records that they fill."""
