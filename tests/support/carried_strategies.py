"""Strategies of a game unfolded in one way, for the same game unfolded in another."""

from __future__ import annotations

import numpy as np

from ggp.codegen.kernels import F64
from ggp.solvers.sequence_form.sequence_form_tree import SequenceFormTree


def carried_over(strategies: F64, source: SequenceFormTree, target: SequenceFormTree) -> F64:
    """Return strategies of one tree as those of another, by information-state keys."""
    carried = np.ones(target.sequences)
    for number, key in enumerate(target.key.tolist()):
        same = source.find(target.player_of(number), tuple(key))
        assert same is not None
        assert source.action[source.sequences_at(same)].tolist() == target.action[target.sequences_at(number)].tolist()
        carried[target.sequences_at(number)] = strategies[source.sequences_at(same)]
    return carried
