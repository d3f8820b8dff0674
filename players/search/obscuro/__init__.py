"""Obscuro: subgames of positions that fit, solved without common knowledge, for two players and constant sums.

Source: Zhang, Sandholm: General search techniques without common knowledge for imperfect-information games, and
application to superhuman fog-of-war chess (arXiv 2506.01242); Zhang, Sandholm 2021 (knowledge-limited subgames).
"""
