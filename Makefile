# Every target sets up what it needs. Another interpreter: make test PYTHON=python3.12

# Processes that tests start must not compile all modules again.
unexport PYTHONDONTWRITEBYTECODE

# On Windows, make runs in Git Bash, which has grep, sed and the other programs used here.
ifeq ($(OS),Windows_NT)
PYTHON ?= python
SCRIPTS := Scripts
else
PYTHON ?= python3
SCRIPTS := bin
endif
VENV := .venv
BIN := $(VENV)/$(SCRIPTS)
CORE := .venv-core
BRIDGES := .venv-bridges
OLDEST := .venv-jax-oldest
DOCS := .venv-docs
LOWEST := .venv-lowest
NEWEST := .venv-newest
SBOM := .venv-sbom
WORKFLOWS := .venv-workflows
# All that may be installed beside the core, except the frameworks, which `make test-bridges` has.
EXTRAS := audit casadi control dask draw mjcf pandas paper sympy xacro
comma := ,
empty :=
TOOLS := hypothesis pytest pytest-xdist
# Neighbouring tests share robots, pages and machine code: each worker starts with one half of the list, and
# steals from the other when it has none left. OpenBLAS would start a thread per core in each worker.
PYTEST := OPENBLAS_NUM_THREADS=1 $(BIN)/python -m pytest -n 2 --dist worksteal --durations=20

.DEFAULT_GOAL := help
.PHONY: help demo test test-ci test-rest test-profiles test-all test-core test-lowest test-newest
.PHONY: test-bridges test-pages test-studio studio-site docs site wheel sbom mutate fuzz lint verify-types
.PHONY: lint-workflows format bench lock check-tag system clean
.DELETE_ON_ERROR:

help:  # the targets with `##`, in the order of this file, under their headings
	@sed -nE -e 's/^## (.*)/\n\1/p' -e 's/^([a-z-]+):[^#]*## (.*)/  \1\t\2/p' $(MAKEFILE_LIST) | expand -t 18

## run
demo: $(VENV)/.stamp-run  ## install equamo into .venv, derive, prove and simulate a humanoid: 1 minute
	@mkdir -p build
	$(BIN)/equamo demo --out build/krang.html
	@echo "(first: source $(BIN)/activate)"

## test: minutes on two cores, after the first run has installed what is needed
test: $(VENV)/.stamp-test  ## identities, proofs, other programs, messages, README, doctests: 5 minutes
	$(PYTEST) -m "not ci"
	@echo "make test passed; make test-ci adds the other tests, processor profiles, bridges, pages, studio and docs."

test-ci: test-rest  ## all the rest that continuous integration runs: 35 minutes
	$(MAKE) test-profiles PROFILES=--others PROFILE_TESTS='-m "not ci" $(SAMPLE_TESTS)'
	$(MAKE) test-bridges
	$(MAKE) test-pages
	$(MAKE) test-studio
	$(MAKE) docs
	@echo "make test-ci passed; make test-all runs all sweeps whole, and every float test under every profile."

test-rest: $(VENV)/.stamp-ci  ## of test-ci: the tests that need only .venv, without a browser: 6 minutes
	$(PYTEST) -m ci

PROFILES ?=
PROFILE_TESTS ?= $(FLOAT_TESTS)
SAMPLE_TESTS := $(foreach x,motion/simulation motion/control code/jit mechanics/equations oracles,tests/$(x))
FLOATS := motion/simulation motion/control code mechanics/equations
FLOAT_TESTS := $(foreach x,$(FLOATS) oracles,tests/$(x)) $(addprefix src/equamo/,$(FLOATS))
test-profiles: $(VENV)/.stamp-ci  ## tests that compute with floats, as on other processors: 10 minutes each
	OPENBLAS_NUM_THREADS=1 $(BIN)/python scripts/profiles.py $(PROFILES) -- -n 2 --dist worksteal -q $(PROFILE_TESTS)
	$(if $(PROFILES),,$(if $(wildcard $(BRIDGES)/.stamp),OPENBLAS_NUM_THREADS=1 $(BRIDGES)/$(SCRIPTS)/python scripts/profiles.py -- \
		-n 2 --dist worksteal -q tests/motion/frameworks))

# What runs on every platform. PYTHONUTF8: the texts in tests are UTF-8, also on Windows.
test-core: $(CORE)/.stamp  ## a sample of the tests that need no other library and no program: 3 minutes
	EQUAMO_CORE=1 PYTHONUTF8=1 $(CORE)/$(SCRIPTS)/python -m pytest -n 2 --dist worksteal --durations=10

# faulthandler_timeout=0: the traceback that pytest prints after 300 s has crashed a worker.
test-all: $(VENV)/.stamp-ci  ## all tests with whole sweeps, and the profiles whole: 3 hours
	@scripts/system-packages $(PYTHON) all
	EQUAMO_TEST_ALL=1 EQUAMO_PAGES=1 $(PYTEST) -o faulthandler_timeout=0
	$(MAKE) test-profiles
	@echo "make test-all passed; make mutate plants random errors, make fuzz reads random documents."

# Old libraries warn about the new ones below them.
test-lowest: $(LOWEST)/.stamp  ## the core tests, with the lowest versions of libraries: 3 minutes
	EQUAMO_CORE=1 PYTHONUTF8=1 $(LOWEST)/$(SCRIPTS)/python -m pytest -n 2 --dist worksteal -W ignore::DeprecationWarning

test-newest:  ## the core tests, with the newest versions of libraries: 3 minutes
	$(PYTHON) -m venv --clear $(NEWEST)
	$(NEWEST)/$(SCRIPTS)/python -m pip install --quiet $(TOOLS) \
		--editable ".[$(subst $(empty) $(empty),$(comma),$(EXTRAS))]"
	EQUAMO_CORE=1 PYTHONUTF8=1 $(NEWEST)/$(SCRIPTS)/python -m pytest -n 2 --dist worksteal

# With EQUAMO_BRIDGES the run must reach every `raise` of the bridges, which `make test` does not count.
# EQUAMO_TEST_ALL=1 make test-bridges runs what is sampled here.
test-bridges: $(BRIDGES)/.stamp $(OLDEST)/.stamp  ## PyTorch, JAX, CasADi, C++, in environments of their own: 4 minutes
	EQUAMO_BRIDGES=1 $(BRIDGES)/$(SCRIPTS)/python -m pytest -n 2 --dist worksteal --durations=20 \
		tests/motion/frameworks src/equamo/motion/frameworks
	$(OLDEST)/$(SCRIPTS)/python -m pytest -n 2 --dist worksteal tests/motion/frameworks/test_jax.py \
		tests/motion/frameworks/test_jax_handler.py

test-pages: $(VENV)/.stamp-ci  ## the pages of robots in Chromium: 3 minutes
	EQUAMO_PAGES=1 $(PYTEST) -m browser tests/publish/page

# The studio in Chromium, with the local kernel and as a static site; the kernel under Node. `make test` has
# what needs neither a browser nor Pyodide.
test-studio: $(VENV)/.stamp-ci studio-site  ## the studio in Chromium, and under Pyodide: 5 minutes
	EQUAMO_STUDIO=1 $(BIN)/python -m pytest -n 0 -m studio --durations=20 tests/publish/studio

COUNT ?= 150
SEED ?= 1
JUDGE ?= test-ci
mutate: $(VENV)/.stamp-test  ## random errors in a copy of src: does a test fail? COUNT=150 SEED=1 JUDGE=test-ci
	$(BIN)/python scripts/mutate --count $(COUNT) --seed $(SEED) --judge $(JUDGE) $(MUTATE_OPTIONS)

MINUTES ?= 10
fuzz: SEED = random
fuzz: $(VENV)/.stamp-test  ## every reader on random documents: MINUTES=10 SEED=random READER=urdf
	$(BIN)/python scripts/fuzz.py --minutes $(MINUTES) --seed $(SEED) --reader "$(READER)" $(FUZZ_OPTIONS)

lint: $(VENV)/.stamp-test verify-types  ## style and types: 2 minutes
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/pyright --pythonpath $(BIN)/python

verify-types: $(VENV)/.stamp-test  ## every symbol of the package has a complete type: 1 minute
	$(BIN)/python scripts/verify_types.py

lint-workflows: $(WORKFLOWS)/.stamp  ## the workflows of GitHub: actionlint, zizmor and their schemas: 1 minute
	$(WORKFLOWS)/$(SCRIPTS)/python scripts/actionlint.py $(wildcard .github/workflows/*.yml)
	$(WORKFLOWS)/$(SCRIPTS)/zizmor --offline --quiet .github
	$(WORKFLOWS)/$(SCRIPTS)/check-jsonschema --builtin-schema vendor.github-workflows \
		$(wildcard .github/workflows/*.yml)
	$(WORKFLOWS)/$(SCRIPTS)/check-jsonschema --builtin-schema vendor.dependabot .github/dependabot.yml

## look
bench: $(VENV)/.stamp-test  ## every benchmark, one after the other: hours
	@scripts/system-packages $(PYTHON) bench
	@set -e; for script in $(sort $(wildcard benchmarks/*.py)); do \
		echo "== $$script"; $(BIN)/python $$script; done
	@echo "== changes since the last commit"; $(BIN)/python scripts/compare_benchmarks.py

docs: $(DOCS)/.stamp  ## the documentation as a site, build/docs/index.html: 6 minutes
	$(DOCS)/$(SCRIPTS)/python scripts/docs_site build/docs

studio-site: $(VENV)/.stamp-test  ## the studio as a static site, in build/studio: 1 minute
	$(BIN)/python scripts/studio_site.py build/studio

site: docs studio-site  ## the documentation and the studio, for GitHub Pages, in build/site: 7 minutes
	rm -rf build/site
	cp -R build/docs build/site
	cp -R build/studio build/site/studio

## build
format: $(VENV)/.stamp-test  ## rewrite the files in our style: seconds
	$(BIN)/ruff check --fix
	$(BIN)/ruff format

wheel: $(VENV)/.stamp-test  ## sdist and wheel in dist/, used in an empty environment: 1 minute
	$(BIN)/python scripts/try_wheel dist

sbom: $(VENV)/.stamp-test $(SBOM)/.stamp  ## licences and bill of materials (CycloneDX) in build/sbom: 1 minute
	$(SBOM)/$(SCRIPTS)/python scripts/sbom $(BIN)/python build/sbom

COMPILE := $(BIN)/uv pip compile --quiet --upgrade --universal --python-version 3.11 --no-annotate \
	--no-emit-index-url --no-emit-find-links --custom-compile-command "make lock"
RESOLVE := $(COMPILE) pyproject.toml
# With the extras that README, docs and examples use.
LOCK := $(RESOLVE) --extra draw --extra control --extra sympy

# What torch needs only in its build for CUDA: pip adds it where it finds no other build.
CUDA := cuda-bindings cuda-pathfinder cuda-toolkit triton nvidia-cublas nvidia-cuda-cupti nvidia-cuda-nvrtc \
	nvidia-cuda-runtime nvidia-cudnn-cu13 nvidia-cufft nvidia-cufile nvidia-curand nvidia-cusolver \
	nvidia-cusparse nvidia-cusparselt-cu13 nvidia-nccl-cu13 nvidia-nvjitlink nvidia-nvshmem-cu13 nvidia-nvtx

lock: $(VENV)/.stamp-venv  ## resolve the dependencies again: 1 minute
	$(BIN)/python -m pip install --quiet uv
	$(LOCK) --output-file requirements/run.txt
	$(LOCK) --output-file requirements/test.txt --constraints requirements/run.txt \
		--group test --group oracle
	$(COMPILE) pyproject.toml --output-file requirements/core.txt --constraints requirements/test.txt --group core
	$(LOCK) --output-file requirements/docs.txt --constraints requirements/run.txt --group docs
	$(LOCK) --output-file requirements/bridges.txt --constraints requirements/test.txt \
		--group bridges $(foreach x,$(CUDA),--no-emit-package $(x))
	$(LOCK) --output-file requirements/jax-oldest.txt --constraints requirements/run.txt \
		--group jax-oldest
	$(COMPILE) --group sbom --output-file requirements/sbom.txt
	$(LOCK) --output-file requirements/lowest.txt --resolution lowest-direct \
		$(foreach x,$(EXTRAS),--extra $(x))
	$(COMPILE) --group workflows --output-file requirements/workflows.txt

check-tag:  ## whether TAG=v0.2.0 is the tag of this version
	$(PYTHON) scripts/check_tag.py "$(TAG)"

system:  ## system packages: installed when root, otherwise named
	@scripts/system-packages $(PYTHON)

clean:  ## remove everything that was made here
	rm -rf .venv .venv-* build dist .pytest_cache .ruff_cache .hypothesis
	find src tests -name __pycache__ -type d -prune -exec rm -rf {} +

# A stamp is newer than the files it was made from: the second run starts at once.
$(VENV)/.stamp-venv:
	@scripts/system-packages $(PYTHON)
	$(PYTHON) -m venv --clear $(VENV)
	@touch $@

$(VENV)/.stamp-run: $(VENV)/.stamp-venv requirements/run.txt pyproject.toml
	$(BIN)/python -m pip install --quiet --requirement requirements/run.txt
	$(BIN)/python -m pip install --quiet --no-deps --editable .
	@touch $@

$(VENV)/.stamp-test: $(VENV)/.stamp-run requirements/test.txt requirements/ptxas.txt scripts/system-packages
	@scripts/system-packages $(PYTHON) test
	$(BIN)/python -m pip install --quiet --requirement requirements/test.txt
	$(BIN)/python -m pip install --quiet --no-deps --requirement requirements/ptxas.txt
	@touch $@

$(VENV)/.stamp-ci: $(VENV)/.stamp-test scripts/system-packages
	@scripts/system-packages $(PYTHON) ci
	@touch $@

# Environments of their own: .venv-bridges from bridges.txt, .venv-docs from docs.txt, and so on.
.venv-%/.stamp: requirements/%.txt pyproject.toml scripts/system-packages
	@scripts/system-packages $(PYTHON) $(if $(filter core docs lowest sbom workflows,$*),,bridges)
	$(PYTHON) -m venv --clear .venv-$*
	.venv-$*/$(SCRIPTS)/python -m pip install --quiet --requirement requirements/$*.txt
	$(if $(filter lowest,$*),.venv-$*/$(SCRIPTS)/python -m pip install --quiet \
		--constraint requirements/test.txt $(TOOLS))
	.venv-$*/$(SCRIPTS)/python -m pip install --quiet --no-deps --editable .
	@touch $@
