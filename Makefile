# Three commands: make run, make test, make bench. `make help` lists the rest.
PYTHON ?= python3
BIN := .venv/bin

.PHONY: help run test check fast slow bench demo clean

help:
	@echo "make run    start the server (installs what it needs the first time)"
	@echo "make test   everything: lint, types, layers, tests, with real peers where possible"
	@echo "make check  format, lint, types, layers"
	@echo "make fast   the fast tests only"
	@echo "make slow   the long tests only"
	@echo "make bench  every benchmark"
	@echo "make demo   a whole game by real mail, to look at"

.venv/run.stamp: requirements.lock pyproject.toml
	@test -x $(BIN)/python || $(PYTHON) -m venv .venv
	@$(BIN)/python -m pip install -q --disable-pip-version-check --require-hashes -r requirements.lock
	@$(BIN)/python -m pip install -q --disable-pip-version-check --no-deps --no-build-isolation -e . 
	@touch $@
