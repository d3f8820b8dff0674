"""Generated code made runnable: as plain Python, and as machine code."""
