"""Counterfactual regret minimisation on partial trees."""
