# Every target sets up what it needs in .venv, once; after that it starts at once.
# `make test PYTHON=python3.12` takes another interpreter.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
RUNTIME := $(VENV)/has-runtime
DEV := $(VENV)/has-dev

.DEFAULT_GOAL := help
.PHONY: help demo test check bench fuzz load trial picture clean

help: ## Show this list
	@sed -n 's/^\([a-z-]*\):.*## /make \1	/p' $(firstword $(MAKEFILE_LIST)) | expand -t 27

demo: $(RUNTIME) ## See on sample records what ctxls does
	@$(BIN)/python -m ctxls demo

test: $(DEV) ## Run every test
	@$(BIN)/python -m pytest

check: $(DEV) ## Check style, types, import contracts and documentation
	@$(BIN)/ruff check --quiet
	@$(BIN)/ruff format --check --quiet
	@$(BIN)/mypy
	@$(BIN)/lint-imports --no-logo
	@$(BIN)/python -m pytest -q tests/test_docs.py tests/test_examples.py

# SMALL=1: correctness alone. CORPUS=FOLDER: your Markdown. FULL=1: growth to 100,000 records.
# WRITE=1: write docs/performance.md. PROFILE=ROW: where a row's time goes.
bench: $(RUNTIME) ## Measure ctxls beside ripgrep and codesearch
	@PYTHONPATH=tests $(BIN)/python -m bench $(if $(SMALL),--small) $(if $(FULL),--full) \
	$(if $(WRITE),--write) $(if $(CORPUS),--corpus "$(CORPUS)") $(if $(PROFILE),--profile "$(PROFILE)")

fuzz: $(DEV) ## Look for a pattern that the index answers wrongly: make fuzz SECONDS=600
	@PYTHONPATH=server:tests $(BIN)/python tests/fuzz/fuzz.py --seconds $(or $(SECONDS),60)

load: $(DEV) ## Measure how long an outline takes while hostile searches run
	@PYTHONPATH=server:tests $(BIN)/python tests/load/load.py

trial: $(DEV) ## Open, outline and read every record of a store: make trial STORE=FILE
	@test -n "$(STORE)" || { echo "Name a store: make trial STORE=FILE" >&2; exit 2; }
	@$(BIN)/python tests/trial/trial.py "$(STORE)"

picture: $(RUNTIME) ## Draw the picture of the README: docs/demo.svg
	@$(BIN)/python -m ctxls demo --svg docs/demo.svg

# The editors are kept in .cache. Packages that the machine lacks are installed when root runs this,
# and named to anybody else.
.PHONY: test-editors
test-editors: $(DEV) ## Test both clients in the editors themselves
	@failed=; for editor in vscode neovim; do \
	$(MAKE) --no-print-directory test-editors-$$editor || failed="$$failed $$editor"; done; \
	test -z "$$failed" || { echo "The tests of these clients failed:$$failed" >&2; exit 2; }

VSCODE := editor-clients/vscode
VSIX := $(VSCODE)/ctxls-0.1.0.vsix
VSIX_PARTS := $(wildcard $(VSCODE)/src/*.ts $(VSCODE)/syntaxes/* $(VSCODE)/*.json $(VSCODE)/*.md) \
	$(VSCODE)/.vscodeignore $(VSCODE)/bundle.mjs
.PHONY: vscode test-editors-vscode
vscode: $(VSIX) ## Build the VS Code extension
	@echo "code --install-extension $(VSIX)"

test-editors-vscode: $(DEV) $(VSIX) ## Test the VS Code client in VS Code itself
	@editor-clients/with-node tests/editors/vscode/run

$(VSIX): $(VSIX_PARTS) $(VSCODE)/node_modules/.package-lock.json
	@cd $(VSCODE) && ../with-node npm run --silent package >package.log 2>&1 || { cat package.log >&2; exit 2; }

$(VSCODE)/node_modules/.package-lock.json: $(VSCODE)/package-lock.json
	@echo "Installing what the VS Code extension is built with (once) ..."
	@cd $(VSCODE) && ../with-node npm ci --loglevel=error --ignore-scripts
	@touch $@

# Neovim itself and a terminal to see it in; PICTURES=docs/editors/images draws the documentation's.
NEOVIM := .cache/neovim
.PHONY: test-editors-neovim
test-editors-neovim: $(DEV) ## Test the Neovim client in Neovim itself
	@tests/editors/neovim/install $(BIN)/python
	@PYTHONPATH=$(NEOVIM) $(BIN)/python -m pytest tests/editors/neovim

clean: ## Remove .venv and every cache
	@rm -rf $(VENV) build dist .mypy_cache .pytest_cache .ruff_cache .import_linter_cache .grimp_cache .hypothesis .cache
	@rm -rf $(VSCODE)/node_modules $(VSCODE)/out $(VSCODE)/LICENSE $(VSCODE)/package.log $(VSIX)
	@find server tests -name __pycache__ -prune -exec rm -rf {} +

# need: a command that must succeed, what is wrong when it fails, the packages that mend it.
SUDO := $(if $(filter 0,$(shell id -u)),,sudo )
need = @$(1) >/dev/null 2>&1 || { echo "$(2): $(SUDO)apt-get install -y $(3)" >&2; exit 2; }
IN_RANGE := import sys; sys.exit(not (3, 11) <= sys.version_info < (3, 15))
IS_OURS := import ctxls, os; assert os.path.samefile(ctxls.__path__[0], "server/ctxls")

$(VENV)/pyvenv.cfg:
	$(call need,command -v $(PYTHON),$(PYTHON) is missing; install it with,python3 python3-venv)
	$(call need,$(PYTHON) -c '$(IN_RANGE)',$(PYTHON) is not Python 3.11 to 3.14; install one and \
	say make PYTHON=python3.11,python3.11 python3.11-venv)
	$(call need,$(PYTHON) -c 'import ensurepip; import venv',$(PYTHON) has no venv; install it \
	with,$(notdir $(PYTHON))-venv)
	@echo "Setting up .venv with `$(PYTHON) -V` (once) ..."
	@$(PYTHON) -m venv --clear $(VENV)

$(RUNTIME): pyproject.toml | $(VENV)/pyvenv.cfg
	@echo "Installing ctxls and what it runs on (once) ..."
	@$(BIN)/python -m pip install -qq --disable-pip-version-check --editable .
	@touch $@

$(DEV): pyproject.toml | $(VENV)/pyvenv.cfg
	@echo "Installing ctxls and what it is tested with (once) ..."
	@$(BIN)/python -m pip install -qq --disable-pip-version-check --editable '.[dev]'
	@touch $(RUNTIME) $@

# A .venv that does not run this checkout (half made, moved, its Python gone), or that is not of the
# Python that was asked for, is made anew.
VERSION := import sys; print(*sys.version_info)
IS_OTHER := test "`$(PYTHON) -c '$(VERSION)' 2>&1`" != "`$(BIN)/python -c '$(VERSION)' 2>&1`"
STALE := $(shell $(BIN)/python -c '$(IS_OURS)' 2>&1 || echo stale)
ifneq ($(STALE)$(if $(filter-out file,$(origin PYTHON)),$(shell $(IS_OTHER) && echo other)),)
.PHONY: $(VENV)/pyvenv.cfg $(RUNTIME) $(DEV)
endif
