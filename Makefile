# `make run` and `make test` are all a newcomer needs: Python 3.11 or newer, git and make.

PYTHON ?= $(shell for name in python3 python3.14 python3.13 python3.12 python3.11 python; do \
	"$$name" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo "$$name" && break; done)
HOST ?= 127.0.0.1
PORT ?= 8000
JOBS ?= 2
BIN := .venv/bin

.PHONY: setup run test check bench

run: .venv/.run
	@exec $(BIN)/python manage.py up --host $(HOST) --port $(PORT)

setup: .venv/.test

test: .venv/.test
	$(BIN)/python -m pytest -n $(JOBS)

# Templates are linted and not reformatted: that would put blanks into the wires they draw.
check: .venv/.test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/djlint --lint --quiet templates

bench: .venv/.test
	$(BIN)/python -m tests.benchmarks

# The stamps say which extras are installed; a newer pyproject.toml makes them stale. uv is used when it is there.
.venv/.run: pyproject.toml | .venv/bin/python
	@$(call install,.)
	@touch $@

.venv/.test: pyproject.toml | .venv/bin/python
	@$(call install,'.[test]')
	@touch .venv/.run $@

.venv/bin/python:
	@test -n "$(PYTHON)" || { \
		echo "Cablese needs Python 3.11 or newer, and found $$(python3 --version 2>&1). Name one with make PYTHON=…" >&2; exit 1; }
	@echo "Making .venv with $$($(PYTHON) --version)"
	@if command -v uv >/dev/null; then uv venv --quiet --python "$$(command -v $(PYTHON))" .venv; \
		else $(PYTHON) -m venv .venv; fi || { rm -rf .venv; exit 1; }

define install
echo "Installing" $(1) && if command -v uv >/dev/null; then uv pip install --quiet --python $(BIN)/python -e $(1); \
	else $(BIN)/python -m pip install --quiet --disable-pip-version-check -e $(1); fi
endef
