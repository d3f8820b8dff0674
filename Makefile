# The two commands of the README, and what the continuous integration runs besides.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin

.PHONY: demo test experiments check clean

# What is needed to play; the tests' tools come on top, so that the demonstration need not wait for them.
$(VENV)/ready-to-play: pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --disable-pip-version-check --editable .
	touch $@

$(VENV)/ready-to-test: $(VENV)/ready-to-play
	$(BIN)/pip install --quiet --disable-pip-version-check --editable '.[test]'
	touch $@

demo: $(VENV)/ready-to-play
	$(BIN)/python -m experiments.demo

test: $(VENV)/ready-to-test
	$(BIN)/python -m pytest -rs --numprocesses=auto --dist=worksteal

# The quick forms of all experiments and benchmarks; they take minutes and test little of ggp, so `test` goes without.
experiments: $(VENV)/ready-to-test
	$(BIN)/python -m pytest -rs --numprocesses=auto --dist=worksteal tests/smoke

check: $(VENV)/ready-to-test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

clean:
	rm -rf $(VENV) build *.egg-info
