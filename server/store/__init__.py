"""The embedded store, and the records in it."""
