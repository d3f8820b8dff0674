"""How many examples hypothesis tries, and what it does with one that fails: the same in all tests of random texts.

`GGP_EXAMPLES=5000` tries so many of each test, other ones each time; the suite tries the same few every time.
An example that fails is shown as it was found; `GGP_SHRINK=1` makes it as small as can be, which may take minutes.
"""

from __future__ import annotations

import os

from hypothesis import HealthCheck, Phase, settings

EXAMPLES = int(os.environ.get("GGP_EXAMPLES", "0"))
SHRINK = os.environ.get("GGP_SHRINK", "") not in ("", "0")
CHECKS = [HealthCheck.too_slow, HealthCheck.filter_too_much, HealthCheck.data_too_large, HealthCheck.large_base_example]


def examples(count: int) -> settings:
    """Return settings for so many examples."""
    return settings(
        max_examples=EXAMPLES or count,
        derandomize=not EXAMPLES,
        phases=[Phase.generate, *([Phase.shrink] if SHRINK else [])],
        suppress_health_check=CHECKS,
    )
