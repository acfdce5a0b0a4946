# Three commands: make run, make test, make bench. `make help` lists the rest.
PYTHON ?= python3
BIN := .venv/bin
PIP := $(BIN)/python -m pip install -q --disable-pip-version-check
PYTEST := $(BIN)/python -m pytest
DEBIAN := postgresql postfix postfix-pcre dovecot-imapd dovecot-lmtpd

.PHONY: help run test check fast slow postgres bench demo docs year peers clean

help:
	@echo "make run    start the server (installs what it needs the first time)"
	@echo "make test   lint, types, layers and the fast tests, with real peers where possible"
	@echo "make slow   the long tests: fuzzing, whole games, thousands of secrecy pairs"
	@echo "make postgres  the tests that open a store, all on a real PostgreSQL (needs root, for the server)"
	@echo "make bench  every benchmark, each beside a peer or a limit measured in the same run"
	@echo "make demo   a whole game by real mail, to look at"
	@echo "make year   a year of twelve games with nobody watching, and its table (twenty minutes)"
	@echo "make docs   the lists of commands in docs/players.md and docs/gms.md, from their table"
	@echo "make check  format, lint, types, layers; make fast: the fast tests; make clean"

run: .venv/run.stamp
	@$(BIN)/gm run

test: check fast

check: .venv/dev.stamp
	$(BIN)/ruff format --check -q gm tests benchmarks
	$(BIN)/ruff check -q gm tests benchmarks
	$(BIN)/mypy --no-error-summary
	$(BIN)/lint-imports --no-logo

fast: .venv/dev.stamp peers
	$(PYTEST) -n auto --dist worksteal -m "not slow"

# All that opens a store, with every store in a real PostgreSQL instead of an SQLite file.
postgres: .venv/dev.stamp peers
	TEST_DATABASE=postgresql $(PYTEST) -n auto --dist worksteal -m "not slow" tests/mail tests/desk tests/club tests/turns tests/clock \
		tests/web tests/app tests/secrecy

slow: .venv/dev.stamp peers
	$(PYTEST) -n auto --dist worksteal -m slow --timeout 3000

bench: .venv/bench.stamp
	@for file in benchmarks/*.py; do echo "== $$file"; $(BIN)/python $$file || exit 1; done

# The chapters of the manuals that list all commands, from the table that HELP is made from.
docs: .venv/run.stamp
	@$(BIN)/python -m gm.desk.manual docs

demo: .venv/run.stamp
	@$(BIN)/gm demo

year: .venv/dev.stamp
	$(BIN)/python -m tests.sim

# The real servers that the tests run against. Without root the tests that need a missing one are skipped and say so.
peers:
	@if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null && ! dpkg -s $(DEBIAN) >/dev/null 2>&1; then \
		apt-get update -q >/dev/null && \
		DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends $(DEBIAN) >/dev/null; \
	fi

.venv/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "gm needs Python 3.11 or newer"; exit 1; }
	@$(PYTHON) -m venv .venv

.venv/run.stamp: requirements.lock pyproject.toml | .venv/bin/python
	@echo "Installing (once) ..."
	@$(PIP) --require-hashes -r requirements.lock
	@$(PIP) --no-deps --no-build-isolation -e .
	@touch $@

.venv/dev.stamp: requirements-dev.lock .venv/run.stamp
	@$(PIP) --require-hashes -r requirements-dev.lock
	@touch $@

.venv/bench.stamp: .venv/dev.stamp
	@$(PIP) diplomacy==1.1.2
	@touch $@

clean:
	rm -rf .venv demo-out .mypy_cache .ruff_cache .hypothesis
