"""Games with hidden information, in sequence form."""
