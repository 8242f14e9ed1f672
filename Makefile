# Everything below needs Python 3.11 or newer, git and make; each target first makes .venv if it is missing or out of date.
#
#   make train                               train, evaluate and report with the quick configuration
#   make train VARIANT=... ARGS='--seed 3'   another game, more options
#   make test ARGS='-k auction'              some of the tests
#   make setup PYTHON=/usr/bin/python3.12    a Python of your choice

VENV := .venv
BIN := $(VENV)/bin
PYTHON ?=
VARIANT ?= tarneeb-koutchina
CONFIG ?= configs/$(VARIANT)_quick.toml
ARGS ?=
# A process a core, but not more than memory and the first compilation bear.
PARALLEL := --numprocesses auto --maxprocesses 4 --dist worksteal

# Two stamps, so that whoever only plays and trains does not install the linters. A stamp is younger than what it was made from,
# and the folder's own path is noted in .venv, since an environment survives neither a move nor the loss of its Python.
SETUP := $(VENV)/.setup
SETUP_DEV := $(VENV)/.setup-dev
HOME_NOTE := $(VENV)/.made-in
INPUTS := pyproject.toml constraints.txt

# 3.11 before the newer ones: it is what CI runs. A candidate counts only if it runs and can make an environment: a pyenv shim
# exists for versions that are not active, and Debian ships python3 without ensurepip.
CANDIDATES := $(if $(PYTHON),"$(PYTHON)",python3.11 python3.12 python3.13 python3.14 python3 python)
USABLE := import ensurepip, sys, venv; raise SystemExit(sys.version_info < (3, 11))

INSTALL := $(BIN)/python -m pip install --disable-pip-version-check $(if $(CI),--quiet) -c constraints.txt -e

.DEFAULT_GOAL := help
.PHONY: help setup train test mutants lint lint-rules lint-format lint-types format docs clean FORCE
.DELETE_ON_ERROR:

help: ## this list
	@sed -n 's/^\([a-z]*\):.*## \(.*\)/  make \1|\2/p' Makefile | awk -F'|' '{ printf "%-14s %s\n", $$1, $$2 }'

setup: $(SETUP) ## make .venv with everything needed to play, train and test

train: $(SETUP) ## train on VARIANT, evaluate, and write a checkpoint, a curve and a report
	$(BIN)/laffa train $(CONFIG) $(ARGS)

test: $(SETUP) ## run the tests
	$(BIN)/pytest $(PARALLEL) $(ARGS)

mutants: $(SETUP) ## plant small faults in the rules, one by one: is each noticed? (a quarter of an hour)
	$(BIN)/python tests/mutants.py $(ARGS)

# Three targets, so that `make -k lint` tells everything at once.
lint: lint-rules lint-format lint-types ## ruff (rules and format) and pyright

lint-rules: $(SETUP_DEV)
	$(BIN)/ruff check .

lint-format: $(SETUP_DEV)
	$(BIN)/ruff format --check .

lint-types: $(SETUP_DEV)
	$(BIN)/pyright

format: $(SETUP_DEV) ## let ruff fix and format the code
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

# The variable silences the theme's announcement of its successor.
docs: $(SETUP_DEV) ## build the documentation into site/
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict

clean: ## remove .venv and everything that can be made again (not runs/)
	rm -rf $(VENV) .cache build dist site .pytest_cache .ruff_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

define make_venv
	@chosen=; for candidate in $(CANDIDATES); do \
	    if "$$candidate" -c '$(USABLE)' >/dev/null 2>&1; then chosen=$$candidate; break; fi; \
	done; \
	if [ -z "$$chosen" ]; then \
	    echo 'laffa needs Python 3.11 or newer with its venv module (Debian and Ubuntu: apt install python3-venv); none was found among:' $(CANDIDATES) >&2; \
	    exit 1; \
	fi; \
	echo "Making $(VENV) with $$("$$chosen" --version); the first time takes a few minutes."; \
	"$$chosen" -m venv --clear $(VENV) && printf '%s\n' "$(CURDIR)" > $(HOME_NOTE)
endef

ifneq ($(shell $(BIN)/python -V >/dev/null 2>&1 && cat $(HOME_NOTE) 2>/dev/null),$(CURDIR))
$(HOME_NOTE): FORCE
endif
$(HOME_NOTE):
	$(make_venv)

$(SETUP): $(HOME_NOTE) $(INPUTS)
	$(INSTALL) '.[train,test]'
	@touch $@
	@echo 'Ready: try $(BIN)/laffa --help'

$(SETUP_DEV): $(SETUP)
	$(INSTALL) '.[dev]'
	@touch $@
