"""The intermediate representation."""
