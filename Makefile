# The same commands locally and in CI. Everything goes into .venv; nothing else on the machine changes.
PYTHON ?= python3
VENV ?= .venv
BIN = $(VENV)/bin
ARGS ?=
FILE ?=

RUNTIME = $(VENV)/.installed
DEVELOPMENT = $(VENV)/.installed-dev
PIP = $(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt

.PHONY: chat test check docs bench eval test-live clean help

help:
	@echo "make chat    talk to Luna (ARGS='--user ana' passes options on)"
	@echo "make test    run the whole test suite"
	@echo "make check   lint, types, import rules, docs"
	@echo "make docs    write the parts of the docs that come from the code"
	@echo "make bench   time a turn beside its floor, and what learning and forgetting cost"
	@echo "make eval    measure learning, recall and personas (FILE=locomo10.json adds a file of your own)"
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
	@$(BIN)/python -m perdure.evals.checkpoints
	@$(BIN)/python -m perdure.evals.learning_cost
	@$(BIN)/python -m perdure.evals.forgetting

eval: $(DEVELOPMENT)
	@$(BIN)/python -m perdure.evals.learning $(ARGS)
	@$(BIN)/python -m perdure.evals.recall en
	@$(BIN)/python -m perdure.evals.recall zh
	@$(BIN)/python -m perdure.evals.identity
	@$(if $(FILE),$(BIN)/python -m perdure.evals.recall "$(FILE)")

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
