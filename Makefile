# Everything the project can do from a fresh clone, with nothing but python3 and make.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
# Of a crawl: named after the host.
OUT ?= out/$(firstword $(subst :, ,$(firstword $(filter-out %:,$(subst /, ,$(URL)))))).jsonl
MAX_PAGES ?= 0
WITHIN ?= /
CHECKED := webclean_scrapy spiders tests docs benchmarks
FLOOR := $(VENV)/floor
AUDIT := $(VENV)/audit
ON_FLOOR := tests/test_addon.py tests/test_poet.py tests/spidermiddlewares tests/e2e/test_reactors.py \
	tests/downloadermiddlewares/test_sibling.py tests/pipelines/test_clean.py tests/pipelines/test_dedup.py
QUICK := tests/cases tests/cleaning tests/keywords tests/dedup tests/classify tests/report \
	tests/test_docs.py tests/test_imports.py tests/test_items.py tests/test_public_face.py \
	tests/test_golden.py tests/test_settings.py

# One more than there are cores, as many tests wait for a limit of time to pass.
export PYTEST_XDIST_AUTO_NUM_WORKERS ?= $(shell expr $$(getconf _NPROCESSORS_ONLN) + 1)
# Tests start 150 programs, each of which would compile the package anew.
export PYTHONDONTWRITEBYTECODE :=

# pip compiles on one core, and the tests of what it installs too; some are no valid Python.
COMPILE := $(BIN)/python -W ignore -m compileall -qq -j 0 -x '/tests?/' $(VENV)/lib || true
PURELIB := -c 'import sysconfig; print(sysconfig.get_path("purelib"))'

.DEFAULT_GOAL := help
.PHONY: help demo crawl watch test quick cover floor services lint types bench nightly readme picture docs release audit clean

help:  ## List the targets
	@awk -F ':.*## ' '/^[a-z]+:.*## /{printf "  make %-8s %s\n", $$1, $$2}' Makefile

demo: $(VENV)/.package  ## Crawl the bundled news portal into out/articles.jsonl, and check the articles
	@$(BIN)/python -m spiders.demo_run

crawl: $(VENV)/.package  ## Crawl a site: URL=https://... [MAX_PAGES=100] [WITHIN=/news/] [OUT=out/HOST.jsonl]
	@test -n "$(URL)" || { echo "Which site? make crawl URL=https://example.com/"; exit 2; }
	$(BIN)/webclean crawl "$(URL)" --max-pages "$(MAX_PAGES)" --within "$(WITHIN)" -o "$(OUT)"

watch: $(VENV)/.package  ## Add the new articles of sites, by default of the demo: [SITES=sites.txt] [WATCHED=FILE]
ifdef SITES
	$(BIN)/webclean watch --sites "$(SITES)" -o "$(or $(WATCHED),out/watch.jsonl)"
else
	$(BIN)/python -m spiders.demo --watch "$(or $(WATCHED),out/demo/watch.jsonl)"
endif

test: lint types floor  ## Check style and types, run every test: five to seven minutes on two cores
	$(BIN)/python -m pytest -n auto --dist worksteal -q -rs

quick: lint $(VENV)/.tools  ## Check style, run the tests that need no service: 90 seconds
	$(BIN)/python -m pytest -n auto --dist worksteal -q --ignore-glob='*redis*' --ignore-glob='*browser*' $(QUICK)

cover: $(VENV)/.tools services  ## Run every test and measure branch coverage
	$(BIN)/python -m pytest -n auto --dist worksteal -q --cov --cov-branch --cov-fail-under=90

floor: $(FLOOR)/.package services  ## Run the tests of all that touches Scrapy on the oldest one that is supported
	@# a test of what a later Scrapy brings is skipped here, also with CI=true
	CI= $(FLOOR)/bin/python -m pytest -n auto --dist worksteal -q -p no:cacheprovider $(ON_FLOOR)

services: | $(VENV)/.pip  # after it: both may call apt-get
	@sh tests/services.sh

lint: $(VENV)/.ruff  ## Check style and format; print the sizes of rooms beside their budgets
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/python -m benchmarks.sizes

types: $(VENV)/.tools  ## Check types
	$(BIN)/mypy --strict $(CHECKED)

bench: $(VENV)/.peers  ## Measure quality and speed beside others, into out/benchmarks.md: [DATA=folder]
	$(BIN)/python -m benchmarks report $(DATA) -o out/benchmarks.md
	@echo "result: out/benchmarks.md"

nightly: $(VENV)/.tools services  ## Kill crawls, hostile input, other constants, a million mutations: [SEED=0] [RUNS=1000000] [MINUTES=0] [DATA=folder]
	$(BIN)/python -m pytest -m nightly -n auto --dist worksteal -q -rs
	$(BIN)/python -m tests.nightly kills --count 200
	$(BIN)/python -m tests.nightly faults
	$(BIN)/python -m tests.nightly hostile --seed $(or $(SEED),0)
	$(BIN)/python -m tests.nightly sites --seed $(or $(SEED),1)
	$(BIN)/python -m tests.nightly patterns
	$(BIN)/python -m tests.nightly mutations --seed $(or $(SEED),0) --sample 40
	$(BIN)/python -m tests.nightly torture --seed $(or $(SEED),0) --runs $(or $(RUNS),1000000) \
		--minutes $(or $(MINUTES),0)
ifdef DATA
	$(BIN)/python -m benchmarks papers "$(DATA)" --check
endif

readme: $(VENV)/.package  ## Write the generated parts of README.md and docs/: [PARTS="settings stats"]
	$(BIN)/python -m docs.generate $(PARTS)

picture: demo  ## Draw the README's picture, docs/explain.png; needs Chromium
	chromium --headless --no-sandbox --hide-scrollbars --window-size=1366,848 \
		--screenshot=docs/explain.png "file://$(CURDIR)/out/explain.html"

docs: $(VENV)/.docs  ## Make a site of docs/ in out/docs; a warning is an error
	$(BIN)/python -m sphinx -b html -W --keep-going -n -q -d out/.doctrees docs out/docs
	@echo "result: out/docs/index.html"

release: $(VENV)/.release  ## Build what an index is given, into dist, and check it
	rm -rf dist
	$(BIN)/python -m build
	$(BIN)/python -m twine check --strict dist/*

audit: $(VENV)/.tools $(AUDIT)/.package  ## Look for known weaknesses in all that is installed; needs the network
	$(AUDIT)/bin/pip-audit --path "$$($(BIN)/python $(PURELIB))"

clean:  ## Remove what the other targets made
	rm -rf $(VENV) out build dist .coverage .coverage.* .hypothesis .mypy_cache .pytest_cache .ruff_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# Each stamp is written last, so that an install that broke off is begun again.
$(VENV)/.pip:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 10))' \
		|| { echo "Python 3.10 or later is needed; try make PYTHON=python3.12 ..."; exit 1; }
	@echo "Making a virtual environment in $(VENV)"
	@sh tests/services.sh venv $(PYTHON)
	@$(PYTHON) -m venv --clear $(VENV)
	@$(BIN)/python -m pip install --quiet --upgrade pip
	@touch $@

$(VENV)/.package: $(VENV)/.pip pyproject.toml
	@echo "Installing the package and what it needs into $(VENV): about a minute, once"
	@$(BIN)/python -m pip install --quiet --editable .
	@touch $@

# All that make lint needs, 25 MB; before .tools, as two pips must not write to one folder.
$(VENV)/.ruff: $(VENV)/.pip pyproject.toml
	@$(BIN)/python -m pip install --quiet "$$(grep -o 'ruff>=[0-9.]*' pyproject.toml)"
	@touch $@

$(VENV)/.tools: $(VENV)/.ruff pyproject.toml
	$(BIN)/python -m pip install --quiet --no-compile --editable '.[test]'
	@$(COMPILE)
	@touch $@ $(VENV)/.package

# The packages of .venv, and before them the older Scrapy with what it asks for.
$(FLOOR)/.package: $(VENV)/.tools
	$(BIN)/python -m venv --without-pip --clear $(FLOOR)
	@echo "import site; site.addsitedir('$$($(BIN)/python $(PURELIB))')" \
		> "$$($(FLOOR)/bin/python $(PURELIB))/lent.pth"
	$(BIN)/python -m pip --python $(FLOOR)/bin/python install --quiet 'scrapy==2.14.*'
	@touch $@

$(VENV)/.peers: $(VENV)/.tools
	$(BIN)/python -m pip install --quiet --editable '.[test,peers]' 'scipy>=1.10'
	@touch $@

# A folder of its own: what looks at the packages is none of them.
$(AUDIT)/.package: $(VENV)/.pip
	$(BIN)/python -m venv --clear $(AUDIT)
	$(AUDIT)/bin/python -m pip install --quiet 'pip-audit>=2.9'
	@touch $@

$(VENV)/.docs: $(VENV)/.package
	$(BIN)/python -m pip install --quiet --editable '.[docs]'
	@touch $@

$(VENV)/.release: $(VENV)/.package
	$(BIN)/python -m pip install --quiet --editable '.[release]'
	@touch $@
