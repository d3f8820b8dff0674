"""The reference interpreter, and random play in checked mode: slow, obvious, the oracle."""
