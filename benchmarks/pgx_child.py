"""Random games of Pgx by the batch, measured on request: run by a Python that has Pgx, not by the one that has ggp.

`python pgx_child.py GAME N STEPS`: compiles STEPS transitions of N games in one loop, with uniformly random legal
actions and automatic reset, on one thread, and says `ready SECONDS`. For each line on its input it then makes them, and
says how many it made for each second of processor time.
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
    """Compile a game's loop, and measure it once for each line on the input."""
    began = time.perf_counter()
    env = pgx.make(game)
    step = jax.vmap(auto_reset(env.step, env.init))

    def advance(carry, _):  # type: ignore[no-untyped-def]
        states, key = carry
        key, choice, chance = jax.random.split(key, 3)
        logits = jnp.where(states.legal_action_mask, 0.0, -jnp.inf)
        actions = jax.random.categorical(choice, logits, axis=-1)
        return (step(states, actions, jax.random.split(chance, n)), key), states.terminated.sum()

    run = jax.jit(lambda carry: jax.lax.scan(advance, carry, None, length=steps))
    carry = jax.vmap(env.init)(jax.random.split(jax.random.PRNGKey(1), n)), jax.random.PRNGKey(2)
    carry, _ = jax.block_until_ready(run(carry))
    print(f"ready {time.perf_counter() - began:.1f}", flush=True)
    for _ in sys.stdin:
        began = time.process_time()
        carry, _ = jax.block_until_ready(run(carry))
        print(n * steps / (time.process_time() - began), flush=True)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))
