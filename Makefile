# Targets for all tasks of the project; `make` lists them.
# Everything is installed into $(VENV) and built in build/ and dist/; `make clean` removes all of them.

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:

# Any Python from 3.11; by default the first on this machine: `make PYTHON=python3.12 test` chooses one
PYTHON ?= $(shell for p in python3 python3.13 python3.12 python3.11; do \
	$$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$p && break; done)
VENV   ?= .venv
BIN    := $(VENV)/bin
PIP    := $(BIN)/python -m pip install --quiet --disable-pip-version-check
PYTEST := $(BIN)/pytest
# One test process for each processor; `make WORKERS=0 test` runs all tests in one process, for debuggers
WORKERS ?= auto
# Each process takes a share of neighbouring tests, which use the same fixtures and caches, and what is left of another's at the end
SIDE_BY_SIDE = -n $(WORKERS) --dist worksteal
# Of tests with many cases that take long, one case in some: `make SAMPLE=--sample=2 test` draws others, `make SAMPLE= test` runs all
SAMPLE ?= --sample=1
# Further arguments for pytest, in any target: `make test ARGS='-k border'`
ARGS ?=
# `make SHORT=1 checked sanitize test-wheel` runs fewer tests
SHORT ?=

# Compiled modules are kept, even where the environment says otherwise: the tests start Python some thousand times
unexport PYTHONDONTWRITEBYTECODE

# Compiled without debugging information, which takes a third of the time and most of the space
RELEASE := CFLAGS="$$CFLAGS -g0"

KERNEL  := $(wildcard ext/*.pyx ext/*.pxi ext/*/*.pxd)
COMPILED = $(wildcard tetrasolve/stop.*.so tetrasolve/tetrarchia/kernel.*.so tetrasolve/tetrarchia/whole.*.so tetrasolve/finem/kernel.*.so)
LIBRARY := $(shell find tetrasolve -name '*.py' -o -name '*.pyi' -o -name '*.toml')

# The main task, on the rulebook's example of combat
EXAMPLE := fight
PLAN    := plan $(EXAMPLE) --objective "kill narbonensis" --svg build/demo-plan.svg
RISK    := risk $(EXAMPLE) --svg build/demo-risk.svg

## -- first steps

.PHONY: help
help: ## print this list
	@sed -nE 's/^## -- (.*)/\n\1/p; s/^([a-z-]+):.*## (.*)/  make \1\t\2/p' Makefile | expand -t 22

.PHONY: demo
demo: $(VENV)/.installed ## compute the best plan and the risk of the rulebook's example, with pictures in build/
	@mkdir -p build
	$(BIN)/tetrasolve $(PLAN)
	$(BIN)/tetrasolve $(RISK)

.PHONY: test
test: setup ## run all tests except the slow ones, some with a sample of their cases
	$(PYTEST) $(SIDE_BY_SIDE) -m "not slow and not browser" $(SAMPLE) $(ARGS)

.PHONY: serve
serve: $(VENV)/.served ## show the web page and answer questions over HTTP on this machine: http://127.0.0.1:8000
	$(BIN)/tetrasolve serve

## -- work on the code

.PHONY: setup
setup: $(VENV)/.installed $(VENV)/.tools ## create a virtual environment with the library, its kernel and all tools

.PHONY: test-slow
test-slow: setup ## run the slow tests
	$(PYTEST) $(SIDE_BY_SIDE) -m slow $(ARGS)

# Requests that are made for each operation; the short form makes few
SERVICE_EXAMPLES := $(if $(SHORT),2,20)

.PHONY: test-service
test-service: setup ## all tests of the service, the slow ones too, and requests made from its OpenAPI document
	TETRASOLVE_EXAMPLES=$(SERVICE_EXAMPLES) $(PYTEST) -n 0 $(if $(SHORT),-k generated_requests,) $(ARGS) tests/serve

# It requires programs of the system: the first one that is missing is named, and then nothing is run
.PHONY: test-cluster
test-cluster: setup ## kill two instances of the service behind haproxy, their workers and Postgres, while clients ask
	cd tests && ../$(BIN)/python -c 'import servecluster, sys; sys.exit(servecluster.missing())'
	$(PYTEST) -n 0 tests/cluster $(ARGS)

.PHONY: test-page
test-page: $(VENV)/.browsed ## test the web page in Chromium, which has to be installed
	@$(BIN)/python tests/chromium.py
	$(PYTEST) -m browser $(ARGS) tests/page

.PHONY: check-solvers
check-solvers: setup ## compare all engines on every turn of the solvers' tests (slow)
	$(PYTEST) $(SIDE_BY_SIDE) tests/solvers $(ARGS)

.PHONY: mutants
mutants: setup ## change the reference rules row by row of the rulebook, and see that tests of the row find it
	$(BIN)/python tests/mutation

.PHONY: search
search: setup ## search for new counterexamples to the property tests (slow)
	$(PYTEST) $(SIDE_BY_SIDE) --hypothesis-profile=search $(ARGS)

.PHONY: check
check: lint types docs ## run all other checks: lint, types, documentation

.PHONY: lint
lint: setup ## check style, spelling and import contracts
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	PATH="$(abspath $(BIN)):$$PATH" $(BIN)/cython-lint $(KERNEL) # it runs pycodestyle by name
	$(BIN)/codespell --dictionary=- --dictionary=docs/words.txt # docs/words.txt: private or archaic words
	$(BIN)/lint-imports

.PHONY: format
format: setup ## let ruff fix and format the code
	$(BIN)/ruff check --fix
	$(BIN)/ruff format

.PHONY: types
types: setup ## run mypy, and compare the stubs with the compiled kernels
	$(BIN)/mypy
	$(BIN)/mypy proofs/checker # separately, since its modules are top-level
	$(BIN)/stubtest --mypy-config-file pyproject.toml --allowlist ext/stub-differences.txt --ignore-disjoint-bases \
		tetrasolve.tetrarchia.kernel tetrasolve.tetrarchia.whole tetrasolve.finem.kernel tetrasolve.stop

.PHONY: docs
docs: setup ## build the documentation in build/docs/html; broken references and unproved facts are errors
	$(BIN)/python -I -S proofs/checker --index proofs/index.json
	$(BIN)/sphinx-build --nitpicky --fail-on-warning --keep-going --quiet -d build/docs/doctrees docs build/docs/html

.PHONY: docs-look
docs-look: docs ## take screenshots of the pages in build/docs/look; an error if one is too wide for a phone
	$(BIN)/python docs/screenshots.py build/docs/html build/docs/look

.PHONY: bench
bench: setup ## run the benchmarks
	$(PIP) --group bench
	for script in bench/*.py; do $(BIN)/python $$script || exit; done

.PHONY: signature
signature: setup ## print the integer that changes only when the behaviour of the rules does
	$(BIN)/tetrasolve bench --signature

## -- facts and their proofs

.PHONY: proofs
proofs: setup ## prove all facts again, and test which rows of the board they depend on
	rm -f proofs/robustness.checkpoint
	$(BIN)/tetrasolve facts prove --fresh
	$(BIN)/tetrasolve --game et-finem facts prove --fresh
	$(BIN)/tetrasolve facts robust --fresh

.PHONY: check-proofs
check-proofs: setup ## check all certificates and the index with the checker, and prove a sample again
	$(BIN)/tetrasolve facts check --sample 20
	$(BIN)/tetrasolve --game et-finem facts check --sample 5

## -- puzzles

# Processes that make puzzles: `make PROCESSES=4 puzzles`
PROCESSES ?= 1

.PHONY: puzzles
puzzles: setup ## make the collection of puzzles that ships with the library; goes on where it was stopped
	@mkdir -p build
	$(BIN)/python -m tetrasolve.tetrarchia.puzzle.shipping --out tetrasolve/tetrarchia/data/puzzles/shipped.jsonl.xz \
		--checkpoint build/puzzles.checkpoint --jobs $(PROCESSES)

## -- scenarios

.PHONY: scenarios
scenarios: setup ## make scenarios of wanted win rates by the recipe; takes many hours, goes on where it was stopped
	@mkdir -p build
	$(BIN)/python -m tetrasolve.tetrarchia.scenario.shipping --out build/scenarios.jsonl --work build/scenarios \
		--jobs $(PROCESSES)

.PHONY: measured-scenarios
measured-scenarios: setup ## measure the scenarios that ship with the library; goes on where it was stopped
	@mkdir -p build
	$(BIN)/python -m tetrasolve.tetrarchia.scenario.survey --out tetrasolve/tetrarchia/data/measured-scenarios.jsonl.xz \
		--checkpoint build/measured-scenarios.checkpoint --jobs $(PROCESSES)

## -- other builds of the kernel

# The same tests on kernels built with other flags, each in a folder of its own below build/. PYTHONPATH goes before an
# editable install, so they are found first; `pytest` rather than `python -m pytest`, and `-P`, keep the working directory
# with the ordinary kernel out of the way. Python compiles with -fwrapv, which would hide signed overflow from a sanitizer.
# The short form takes one level in three, those that give an Emperor four garrisons, and fewer examples of each law.
# -g1 names lines and functions, which is all that a report needs, and takes less time to compile than where variables are. The
# sanitizers run on a checked build, so that continuous integration compiles and tests once for both.
FLAGS_checked := CFLAGS='-g1 -DTETRASOLVE_CHECKED'
SANITIZERS    := -fsanitize=address,undefined
FLAGS_asan    := CC=$(CC) LDFLAGS='$(SANITIZERS)' \
	CFLAGS='-g1 -DTETRASOLVE_CHECKED -fno-omit-frame-pointer -fno-wrapv $(SANITIZERS) -fno-sanitize-recover=all'
FLAGS_tsan    := CC=$(CC) LDFLAGS='-fsanitize=thread' CFLAGS='-g1 -fno-omit-frame-pointer -fsanitize=thread'
FLAVOUR_TESTS := tests/kernel tests/differential tests/threads
FLAVOUR_SHORT := $(if $(SHORT),--hypothesis-profile=short -k 'not [3 and not [5 and not two_thousand')
FLAVOUR_ARGS  := $(SIDE_BY_SIDE) -m "not slow" $(FLAVOUR_SHORT) $(SAMPLE) $(ARGS) $(FLAVOUR_TESTS)
WHICH_LIBRARY := from importlib.util import find_spec; print(find_spec("tetrasolve").origin)

# PYTHONWARNINGS: setuptools repeats at each build that its table ext-modules is experimental. Each build lists its files in a
# folder of its own, so that several can run side by side.
build/%/.built: $(VENV)/.installed $(KERNEL) $(LIBRARY)
	@rm -rf $(@D)
	@mkdir -p $(@D)/list
	$(FLAGS_$*) PYTHONWARNINGS=ignore $(BIN)/python -c 'import setuptools; setuptools.setup()' --quiet \
		egg_info --egg-base $(@D)/list build --build-base $(@D)/objects --build-lib $(@D)/lib
	@PYTHONPATH=$(@D)/lib $(BIN)/python -P -c '$(WHICH_LIBRARY)' | grep $(@D)/lib # no other takes its place
	@touch $@

.PHONY: checked
checked: build/checked/.built ## run kernel and differential tests on a kernel with index checks and assertions
	PYTHONPATH=$(<D)/lib $(PYTEST) $(FLAVOUR_ARGS)

# Leaks are not looked for: the interpreter leaves its own behind. Memory is the system's rather than Python's, so that each
# object has the sanitizer's guards around it. pytest would keep what a sanitizer says, had it more than sys.stderr.
.PHONY: sanitize
sanitize: build/asan/.built ## run the same tests on a checked build with the address and undefined-behaviour sanitizers
	LD_PRELOAD=$$($(CC) -print-file-name=libasan.so) ASAN_OPTIONS=detect_leaks=0 UBSAN_OPTIONS=print_stacktrace=1 \
	PYTHONMALLOC=malloc PYTHONPATH=$(<D)/lib $(PYTEST) --capture=sys $(FLAVOUR_ARGS)

# A report ends the process with exit code 66. The interpreter is not instrumented, but the sanitizer sees its locks: nothing has
# to be suppressed. Addresses drawn at random do not fit into its shadow memory on some systems. The short form leaves out what
# only one thread does.
FIXED_ADDRESSES = $(shell setarch -R true 2>/dev/null && echo setarch -R)

.PHONY: tsan
tsan: build/tsan/.built ## the tests of threads under the thread sanitizer
	$(FIXED_ADDRESSES) env LD_PRELOAD=$$($(CC) -print-file-name=libtsan.so) TSAN_OPTIONS='halt_on_error=1 exitcode=66' \
	PYTHONPATH=$(<D)/lib $(PYTEST) --capture=sys $(SIDE_BY_SIDE) $(if $(SHORT),-m 'not slow' -k 'not cache and not two_thousand') $(ARGS) tests/threads

## -- release

.PHONY: dist
dist: setup ## sdist, and the wheel built from it, into dist/
	@rm -rf dist
	$(RELEASE) $(BIN)/python -m build --quiet --outdir dist .

# The tests and their configuration move to a folder of their own: beside the source tree they could import it unseen.
# The wheel has to hold every file of the package. The short form takes what can fail on a wheel alone, because a file of the package
# is read, a command started or an extra asked for, and the doctests of all modules. `make test` has run the other tests, which
# compute alike wherever the modules are.
WHEEL_TESTS := $(if $(SHORT),$(addprefix tests/,adapters analysis board cli/test_transcripts.py cli/test_cli_robust.py examples \
	facts/test_index.py proofs/test_fact_index.py puzzles/test_shipped.py scenario/test_measured.py serve/test_calls.py \
	serve/test_limits.py serve/test_page.py),tests)

.PHONY: test-wheel
test-wheel: dist ## the tests on the installed wheel, with the source tree absent
	set -e; away=$$(mktemp -d); trap 'rm -rf "$$away"' EXIT; \
	cp -R tests pyproject.toml "$$away"; \
	$(BIN)/python -m venv "$$away/venv"; \
	"$$away/venv/bin/python" -m pip install --quiet --upgrade 'pip>=25.1'; \
	"$$away/venv/bin/python" -m pip install --quiet dist/*.whl --group tests; \
	find tetrasolve -type f ! -name '*.so' ! -path '*/__pycache__/*' | ( \
		cd "$$("$$away/venv/bin/python" -c 'import sysconfig; print(sysconfig.get_path("platlib"))')"; xargs ls > /dev/null); \
	$(call install_peers,"$$away/venv/bin/python" -m pip install --quiet); \
	cd "$$away"; \
	venv/bin/pytest $(SIDE_BY_SIDE) -m "not slow and not browser" $(SAMPLE) $(ARGS) $(WHEEL_TESTS) --pyargs tetrasolve

.PHONY: clean
clean: ## takes away all that was made, the environment too
	rm -rf $(VENV) build dist *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache
	find tetrasolve tests docs examples bench -name __pycache__ -prune -exec rm -rf {} + 2>/dev/null || true
	rm -f $(COMPILED)

# -- the environment, in three steps so that each is repeated only when its reason changes

$(VENV)/.created:
	@test -n "$(PYTHON)" || { echo "make: tetrasolve needs Python 3.11 or newer" >&2; exit 1; }
	@$(PYTHON) -m venv $(VENV) || { rm -rf $(VENV); \
		echo "make: $(PYTHON) cannot make a virtual environment (on Debian: apt install python3-venv)" >&2; exit 1; }
	@touch $@

# The library alone, which is all that `make demo` needs. The kernel is compiled beside the Python sources, and again when it
# is missing: with the tools of the environment once these are installed, before that in a temporary one that pip makes.
# setuptools would warn at length that ext-modules is experimental.
$(VENV)/.installed: $(VENV)/.created setup.cfg $(KERNEL) $(if $(filter 4,$(words $(COMPILED))),,always)
	@$(RELEASE) PYTHONWARNINGS=ignore $(PIP) $(if $(wildcard $(VENV)/.tools),--no-build-isolation) --editable . || { \
		echo "make: the kernel did not compile; it needs a C compiler and Python.h (on Debian: apt install gcc python3-dev)" >&2; \
		exit 1; }
	@touch $@

# What the service needs beside the library
$(VENV)/.served: $(VENV)/.installed pyproject.toml
	$(RELEASE) PYTHONWARNINGS=ignore $(PIP) $(if $(wildcard $(VENV)/.tools),--no-build-isolation) --editable '.[serve,campaign,solvers]'
	@touch $@

# What drives a browser; the browser itself is a program of the system
$(VENV)/.browsed: $(VENV)/.tools $(VENV)/.served
	$(PIP) --group page
	@touch $@

# 25.1 is the first pip that reads dependency groups
$(VENV)/.tools: $(VENV)/.created pyproject.toml | $(VENV)/.installed
	$(PIP) --upgrade 'pip>=25.1'
	$(PIP) --group dev
	$(call install_peers,$(PIP))
	@touch $@

# Programs that the tests compare with and that have no wheel for every platform: their tests are skipped where there is none
define install_peers
for peer in stormpy open-spiel; do \
	$(1) --only-binary :all: --group "$$peer" || echo "make: no wheel of $$peer for this platform: its tests are skipped" >&2; done
endef

.PHONY: always
always:
