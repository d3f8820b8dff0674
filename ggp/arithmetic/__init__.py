"""Arithmetic that all implementations share: 64-bit words, real functions, random numbers."""
