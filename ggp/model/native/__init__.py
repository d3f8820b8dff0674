"""A game's native functions: their interface, calls from kernels and Python, random numbers, information states."""
