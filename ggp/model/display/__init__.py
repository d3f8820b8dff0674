"""The scene of a world state: from the rules' `display`, or from the types of the variables."""
