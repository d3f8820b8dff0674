"""Blueprints: strategies for a whole game, learned before play over an abstraction of what chance has shown.

Source: Lanctot, Waugh, Zinkevich, Bowling 2009 (external sampling); Brown, Sandholm 2019 (linear weights); Johanson et
al. 2013 (buckets by the chance to win, of which only the present one is remembered).
"""
