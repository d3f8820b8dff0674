"""The trees that searches keep, and operations on whole trees."""
