"""Random rules files by the hundred thousand, each held against everything that says what a game means.

`python -m tests.fuzz --minutes 60` makes files that nobody wrote (`tests/support/random_rules.py`), compares the
interpreter, the generated source, the machine code, batches, `ggp check`, drawings and the formatter on each of them
(`comparisons`), reduces what fails to a few lines (`reduction`), and saves it. The tests run a few files of a fixed
seed (`tests/property/test_random_rules.py`).
"""
