"""The belief sampler: draws from the optimal actions, with open cards, of all consistent world states, by frequency.

Source: Auger 2011, section 4. See `perfect_information_sampling.py`, which this is a case of.
"""

from __future__ import annotations

from players.search.information_sets.perfect_information_sampling import WorldFamily

FAMILY = WorldFamily(exact=True)
