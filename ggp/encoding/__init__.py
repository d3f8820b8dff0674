"""How values, states, actions and observations are numbers, and texts."""
