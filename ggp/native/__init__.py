"""The native functions of a game, as kernels call them."""
