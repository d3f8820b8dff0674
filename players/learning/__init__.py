"""Evaluations learned from the rules: features from the declarations, weights from self-play, native code that adds."""
