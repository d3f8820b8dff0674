"""Search kernels: one file a family of algorithms. They know no game."""
