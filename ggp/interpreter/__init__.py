"""The reference interpreter: slow, obvious, the oracle."""
