"""Measurements of speed, reported beside published figures."""
