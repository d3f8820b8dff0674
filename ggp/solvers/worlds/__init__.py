"""Games that hide nothing, on the graph of world states."""
