"""Measurements of speed, reported beside what is known from elsewhere."""
