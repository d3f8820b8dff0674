"""Matrix games."""
