"""The referee of a match, its clocks, chance and journal: plain code without I/O."""
