"""From typed expressions and statements to the intermediate representation."""
