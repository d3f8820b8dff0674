"""Random games of Pgx by the batch, measured on request: run by a Python that has Pgx, not by the one that has ggp.

`python pgx_child.py GAME N STEPS`: compiles transitions of N games, with uniformly random legal actions and automatic
reset, on one thread, and says `ready SECONDS`. For each line on its input it makes STEPS of them in each of two ways,
and says how many transitions it made for each second of processor time: `CALLS LOOP`. CALLS: Python calls one compiled
function a step, which draws the actions and makes the transitions, and gets the states with their observations, as
everybody does who looks at them. LOOP: all steps are one compiled loop (`lax.scan`); XLA leaves out what nobody reads,
such as the observations of all steps but the last.
"""

import os
import sys
import time

os.environ.setdefault("XLA_FLAGS", "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1")
os.environ.setdefault("JAX_PLATFORMS", "cpu")

import jax
import jax.numpy as jnp
import pgx
from pgx.experimental import auto_reset


def main(game: str, n: int, steps: int) -> None:
    """Compile a game's transitions, and measure them once for each line on the input."""
    began = time.perf_counter()
    env = pgx.make(game)
    step = jax.vmap(auto_reset(env.step, env.init))

    def advance(carry, _=None):  # type: ignore[no-untyped-def]
        states, key = carry
        key, choice, chance = jax.random.split(key, 3)
        logits = jnp.where(states.legal_action_mask, 0.0, -jnp.inf)
        actions = jax.random.categorical(choice, logits, axis=-1)
        return (step(states, actions, jax.random.split(chance, n)), key), None

    call = jax.jit(lambda carry: advance(carry)[0])

    def by_calls(carry):  # type: ignore[no-untyped-def]
        for _ in range(steps):
            carry = jax.block_until_ready(call(carry))
        return carry

    run = jax.jit(lambda carry: jax.lax.scan(advance, carry, None, length=steps)[0])
    carry = jax.vmap(env.init)(jax.random.split(jax.random.PRNGKey(1), n)), jax.random.PRNGKey(2)
    for way in (by_calls, run):
        carry = jax.block_until_ready(way(carry))
    print(f"ready {time.perf_counter() - began:.1f}", flush=True)
    for _ in sys.stdin:
        rates = []
        for way in (by_calls, run):
            began = time.process_time()
            carry = jax.block_until_ready(way(carry))
            rates.append(n * steps / (time.process_time() - began))
        print(*rates, flush=True)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))
