# The same commands locally and in CI. Everything goes into .venv; nothing else on the machine changes.
PYTHON ?= python3
VENV ?= .venv
BIN = $(VENV)/bin
ARGS ?=

RUNTIME = $(VENV)/.installed
DEVELOPMENT = $(VENV)/.installed-dev
PIP = $(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt

.PHONY: chat test check docs bench eval test-live clean help

help:
	@echo "make chat    talk to Luna (ARGS='--user ana' passes options on)"
	@echo "make test    run the whole test suite"
	@echo "make check   lint, types, import rules, docs"
	@echo "make docs    write the parts of the docs that come from the code"
	@echo "make bench   time a turn beside its floor"
	@echo "make eval    measure learning"
	@echo "make clean   remove the environment"

chat: $(RUNTIME)
	@$(BIN)/perdure chat $(ARGS)

test: $(DEVELOPMENT)
	@$(BIN)/python -m pytest -n auto $(ARGS)

check: $(DEVELOPMENT)
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/lint-imports
	@$(BIN)/python scripts/check_types.py
	@$(BIN)/python scripts/docs.py --check

docs: $(DEVELOPMENT)
	@$(BIN)/python scripts/docs.py

bench: $(DEVELOPMENT)
	@$(BIN)/python -m perdure.evals.speed $(ARGS)

eval: $(DEVELOPMENT)
	@$(BIN)/python -m perdure.evals.learning $(ARGS)

$(BIN)/python:
	@echo "Creating the environment in $(VENV) ..." >&2
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "perdure needs Python 3.11 or newer; set PYTHON=python3.12 or so")'
	@$(PYTHON) -m venv $(VENV)

$(RUNTIME): pyproject.toml constraints.txt | $(BIN)/python
	@echo "Installing perdure and what it needs (about a minute, once) ..." >&2
	@$(PIP) --editable .
	@touch $@

$(DEVELOPMENT): $(RUNTIME)
	@echo "Installing the tools for tests and checks ..." >&2
	@$(PIP) --editable '.[dev]'
	@touch $@

clean:
	rm -rf $(VENV) build dist *.egg-info
