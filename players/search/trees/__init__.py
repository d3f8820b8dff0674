"""The trees that searches keep, and what is done to a whole tree."""
