# SPDX-License-Identifier: Apache-2.0
# Two commands do everything: `make demo` shows what redcore is for, `make test` checks it.
# Both make the virtual environment .venv first. Needed beforehand: Python 3.11 or newer, make, g++, git.

PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
READY  := $(VENV)/.ready
JOBS   ?= auto

# Python keeps what it has compiled: some environments forbid it, and there each worker of the tests,
# and each of the programs that they start, would compile redcore and the tests again.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: help demo serve test test-full coverage lint browser debian-tools tools bender docs release generate clean

help:
	@echo "make demo       find, check, place and route a 256-bit core for P-256, and show the report"
	@echo "make serve      the web page, on 127.0.0.1"
	@echo "make test       style, types, lint of every RTL file, the quick tests"
	@echo "make test-full  every test, including the ones that take minutes (what they cover: make coverage)"
	@echo "make coverage   what tests cover of Python and RTL, a record of each; goes on where it was cut"
	@echo "make docs       the documentation site, in build/site"
	@echo "make release    sdist, wheel with its SBOM, archive of RTL alone, in dist"
	@echo "make generate   rewrite the generated files (registers, manifests, catalogue, notebooks, figures, plots)"
	@echo "make clean      remove .venv and build"

# The stamp follows what decides the environment's content, so an update of either installs again.
$(READY): pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "redcore needs Python 3.11 or newer; name one with: make PYTHON=python3.12 $(MAKECMDGOALS)" >&2; exit 2; }
	@command -v g++ >/dev/null || \
	  { echo "redcore needs g++: apt install g++ (Debian), dnf install gcc-c++ (Fedora), xcode-select --install (macOS)" >&2; exit 2; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || \
	  { echo "Python's venv module is missing: apt install python3-venv (Debian)" >&2; exit 2; }
	@echo "installing into $(VENV) (about half a minute)" >&2
	@$(PYTHON) -m venv $(VENV)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check \
	  --constraint constraints.txt --editable '.[dev]'
	@touch $@

demo: $(READY)
	@$(BIN)/redcore doctor
	@$(BIN)/redcore list
	@$(BIN)/redcore build --width 256 --modulus p256 --target ecp5-85k --objective throughput \
	  --out build/p256 --force

serve: $(READY)
	@$(BIN)/redcore serve --open

lint: $(READY)
	@$(BIN)/ruff check .
	@$(BIN)/mypy

# The tests of the web page drive a real browser, which no Python package brings along.
browser:
	@for name in chromium chromium-browser google-chrome google-chrome-stable; do \
	  command -v $$name >/dev/null && exit 0; done; \
	if command -v apt-get >/dev/null && [ "$$(id -u)" = 0 ]; then \
	  echo "installing chromium for the tests of the web page" >&2; \
	  apt-get update -qq && \
	  DEBIAN_FRONTEND=noninteractive apt-get install -qq -y chromium >/dev/null && exit 0; \
	fi; \
	echo "the tests of the web page need Chromium: sudo apt-get install chromium (Debian)," \
	  "sudo dnf install chromium (Fedora)" >&2

# What bundles say is tried with Debian's own tools, which are unpacked into $(VENV), not installed.
debian-tools: $(READY)
	@$(BIN)/python tests/debian_tools.py

# A Rust program, built where there is cargo; newer versions build slang by CMake, too.
BENDER := 0.28.2
bender: $(READY)
	@command -v cargo >/dev/null || { echo "Bender is not tried: there is no cargo" >&2; exit 0; }; \
	test -x $(BIN)/bender || { \
	  echo "building Bender $(BENDER) (two minutes)" >&2; \
	  CARGO_TARGET_DIR=build/bender cargo install --quiet --locked --version $(BENDER) \
	    --root $(VENV) bender || echo "Bender is not tried: it was not built" >&2; }

# One behind the other: two apt-get wait for no lock.
tools:
	@$(MAKE) --no-print-directory browser
	@$(MAKE) --no-print-directory debian-tools

# Lint takes one processor, downloads hardly any.
test: $(READY)
	@$(MAKE) --no-print-directory -j2 lint tools
	@$(BIN)/redcore doctor
	@$(BIN)/pytest -q -n $(JOBS) --dist worksteal

test-full: $(READY)
	@$(MAKE) --no-print-directory -j3 lint tools bender
	@$(BIN)/redcore doctor
	@$(BIN)/pytest -q -n $(JOBS) --dist worksteal -m '' --no-verdicts

coverage: lint browser
	@$(BIN)/python benchmarks/covered.py python --jobs $(JOBS)
	@$(BIN)/python benchmarks/covered.py rtl --jobs $(JOBS)
	@$(BIN)/python benchmarks/covered.py record
	@$(BIN)/python -m redcore.generate.figures

# The theme's notice about the future of MkDocs is no warning about a page.
docs: $(READY)
	@NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --quiet
	@echo "open build/site/index.html by way of: $(BIN)/python -m http.server --directory build/site"

# What a release consists of. The bill of materials is that of an environment with the wheel alone.
release: $(READY)
	@rm -rf dist build/release build/release-tools && mkdir -p dist
	@$(PYTHON) -m venv build/release-tools
	@build/release-tools/bin/python -m pip install --quiet --disable-pip-version-check \
	  --constraint constraints.txt cyclonedx-bom
	@$(BIN)/python -m build --no-isolation --outdir dist . >/dev/null
	@$(PYTHON) -m venv build/release
	@build/release/bin/python -m pip install --quiet --disable-pip-version-check \
	  --constraint constraints.txt dist/*.whl
	@build/release-tools/bin/cyclonedx-py environment --output-reproducible \
	  --pyproject pyproject.toml --output-file dist/redcore.cdx.json build/release/bin/python
	@$(BIN)/python -m redcore.generate.release dist

generate: $(READY)
	@$(BIN)/python -m redcore.generate.registers
	@$(BIN)/python -m redcore.generate.manifests
	@$(BIN)/python -m redcore.generate.catalogue
	@$(BIN)/python -m redcore.generate.consumers
	@$(BIN)/python -m redcore.generate.notebooks
	@$(BIN)/python -m benchmarks --render
	@$(BIN)/python -m redcore.generate.figures
	@$(BIN)/python -m redcore.generate.timing
	@$(BIN)/python -m redcore.plots.gallery

clean:
	rm -rf $(VENV) build
