"""Random games of Pgx or Ludax by the batch, measured on request: run by a Python that has them, not by that of ggp.

`python jax_child.py NAME N STEPS`: NAME is `pgx:chess` or `ludax:pente`. It compiles transitions of N games, with
uniformly random legal actions and automatic reset, says `ready SECONDS`, and for each line on its input makes STEPS of
them in each of two ways, and says how many transitions it made a second: `CALLS LOOP`. CALLS: Python calls one compiled
function a step, which draws the actions and makes the transitions, and gets the states with their observations, as
everybody does who looks at them. LOOP: all steps are one compiled loop (`lax.scan`); XLA leaves out what nobody reads,
such as the observations of all steps but the last.

On a processor (`JAX_PLATFORMS=cpu`) it computes on one thread, and seconds are those of processor time; on an
accelerator they are those of the clock, and the calls do not wait for each other.
"""

import os
import sys
import time
from pathlib import Path

os.environ.setdefault("XLA_FLAGS", "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1")
os.environ.setdefault("JAX_PLATFORMS", "cpu")

import jax
import jax.numpy as jnp
from pgx.experimental import auto_reset

ON_PROCESSOR = os.environ["JAX_PLATFORMS"] == "cpu"


def environment(name):  # type: ignore[no-untyped-def]
    """Return a game, and what shows a state to the player who acts."""
    framework, _, game = name.partition(":")
    if framework == "pgx":
        import pgx

        return pgx.make(game), lambda state: state.observation
    import ludax

    env = ludax.LudaxEnvironment(game_path=str(Path(ludax.__file__).parent / "games" / f"{game}.ldx"))
    return env, lambda state: env.observe(state, state.current_player)


def main(name: str, n: int, steps: int) -> None:
    """Compile a game's transitions, and measure them once for each line on the input."""
    began = time.perf_counter()
    env, look = environment(name)
    step = jax.vmap(auto_reset(env.step, env.init))

    def advance(carry, _=None):  # type: ignore[no-untyped-def]
        states, key = carry
        key, choice, chance = jax.random.split(key, 3)
        logits = jnp.where(states.legal_action_mask, 0.0, -jnp.inf)
        actions = jax.random.categorical(choice, logits, axis=-1)
        return (step(states, actions, jax.random.split(chance, n)), key), None

    def shown(carry):  # type: ignore[no-untyped-def]
        carry, _ = advance(carry)
        return carry, jax.vmap(look)(carry[0])

    carry = jax.jit(jax.vmap(env.init))(jax.random.split(jax.random.PRNGKey(1), n)), jax.random.PRNGKey(2)
    call = jax.jit(shown).lower(carry).compile()
    loop = jax.jit(lambda carry: jax.lax.scan(advance, carry, None, length=steps)[0]).lower(carry).compile()

    def by_calls(carry):  # type: ignore[no-untyped-def]
        for _ in range(steps):
            carry, seen = call(carry)
            if ON_PROCESSOR:
                jax.block_until_ready(seen)
        return carry

    print(f"ready {time.perf_counter() - began:.1f}", flush=True)
    clock = time.process_time if ON_PROCESSOR else time.perf_counter
    for _ in sys.stdin:
        rates = []
        for way in (by_calls, loop):
            began = clock()
            carry = jax.block_until_ready(way(carry))
            rates.append(n * steps / (clock() - began))
        print(*rates, flush=True)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))
