# inkeek: `make run` opens the page at http://localhost:8000, `make test` checks everything. Both make .venv first.

PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
ARGS   ?=

# On a Raspberry Pi the camera's library comes with the system and must be seen from the venv.
SYSTEM := $(shell $(PYTHON) -c 'import importlib.util as u; print("--system-site-packages" if u.find_spec("picamera2") else "")' 2>/dev/null)

comma  := ,
EXTRAS := sim$(if $(SYSTEM),$(comma)pi)

.PHONY: help venv run test contract bench lint clean

help:
	@sed -n '1s/^# //p' Makefile

venv: $(VENV)/.run

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "inkeek needs Python 3.11 or newer; $(PYTHON) is older" >&2; exit 1; }
	@$(PYTHON) -m venv $(SYSTEM) $(VENV) || { echo "no venv could be made: on Debian run 'apt install python3-venv'" >&2; exit 1; }

# The marks say with which pyproject.toml the venv was filled: unchanged, nothing is installed again.
$(VENV)/.run: pyproject.toml | $(BIN)/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[$(EXTRAS)]'
	@touch $@

$(VENV)/.dev: pyproject.toml $(VENV)/.run
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[$(EXTRAS),dev]'
	@touch $@

run: $(VENV)/.run
	@$(BIN)/inkeek run $(ARGS)

lint: $(VENV)/.dev
	$(BIN)/ruff check
	$(BIN)/mypy
	$(BIN)/lint-imports

test: lint
	$(BIN)/python -m pytest $(ARGS)

# The library of the Pi's camera, for `make test` to hold our calls against it.
contract: $(VENV)/.dev
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[contract]'

bench: $(VENV)/.dev
	$(BIN)/python -m tests.bench $(ARGS)

clean:
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .import_linter_cache .hypothesis
