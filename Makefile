# Every target sets up what it needs. Another interpreter: make test PYTHON=python3.12

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
SBOM := .venv-sbom
# Neighbouring tests share robots, pages and machine code: each worker starts with one half of the list, and
# steals from the other when it has none left.
PYTEST := $(BIN)/python -m pytest -n 2 --dist worksteal --durations=20

.DEFAULT_GOAL := help
.PHONY: help demo test test-all test-bridges test-core test-pages test-studio studio-site docs wheel sbom mutate lint format bench lock system clean
.DELETE_ON_ERROR:

help:  ## this list
	@grep -E '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 12

demo: $(VENV)/.stamp-run  ## set up what the product needs, and show it
	@mkdir -p build
	$(BIN)/equamo demo --out build/krang.html

test: $(VENV)/.stamp-test  ## the tests without a browser; long sweeps are sampled
	$(PYTEST)

# What runs on every platform. PYTHONUTF8: the texts in tests are UTF-8, also on Windows.
test-core: $(CORE)/.stamp  ## a sample of the tests that need no other library and no program
	EQUAMO_CORE=1 PYTHONUTF8=1 $(CORE)/$(SCRIPTS)/python -m pytest -n 2 --dist worksteal --durations=10

test-all: $(VENV)/.stamp-test  ## the tests with whole sweeps
	@scripts/system-packages $(PYTHON) all
	EQUAMO_TEST_ALL=1 EQUAMO_PAGES=1 $(PYTEST)

# With EQUAMO_BRIDGES the run must reach every `raise` of the bridges, which `make test` does not count.
# EQUAMO_TEST_ALL=1 make test-bridges runs what is sampled here.
test-bridges: $(BRIDGES)/.stamp $(OLDEST)/.stamp  ## PyTorch, JAX, CasADi, C++, in environments of their own
	EQUAMO_BRIDGES=1 $(BRIDGES)/$(SCRIPTS)/python -m pytest -n 2 --dist worksteal --durations=20 \
		tests/bridges src/equamo/bridges
	$(OLDEST)/$(SCRIPTS)/python -m pytest -n 2 --dist worksteal tests/bridges/test_jax.py \
		tests/bridges/test_jax_handler.py

test-pages: $(VENV)/.stamp-test  ## the pages of robots in Chromium
	EQUAMO_PAGES=1 $(PYTEST) -m browser tests/page

# The studio in Chromium, with the local kernel and as a static site; the kernel under Node. `make test` has
# what needs neither a browser nor Pyodide.
test-studio: $(VENV)/.stamp-test studio-site  ## the studio in Chromium, and under Pyodide
	EQUAMO_STUDIO=1 $(BIN)/python -m pytest -n 0 -m studio --durations=20 tests/studio

studio-site: $(VENV)/.stamp-test  ## the studio as a static site, in build/studio
	$(BIN)/python scripts/studio_site.py build/studio

docs: $(DOCS)/.stamp  ## the documentation as a site: build/docs/index.html
	$(DOCS)/$(SCRIPTS)/python scripts/docs_site build/docs

wheel: $(VENV)/.stamp-test  ## sdist and wheel in dist/, used in an empty environment; size and time
	$(BIN)/python scripts/try_wheel dist

sbom: $(VENV)/.stamp-test $(SBOM)/.stamp  ## licences and bill of materials (CycloneDX) in build/sbom
	$(SBOM)/$(SCRIPTS)/python scripts/sbom $(BIN)/python build/sbom

COUNT ?= 150
SEED ?= 1
mutate: $(VENV)/.stamp-test  ## random errors in a copy of src: does a test fail? COUNT=150 SEED=1
	$(BIN)/python scripts/mutate --count $(COUNT) --seed $(SEED) $(MUTATE_OPTIONS)

lint: $(VENV)/.stamp-test  ## style and types
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/pyright --pythonpath $(BIN)/python

format: $(VENV)/.stamp-test  ## rewrite the files in our style
	$(BIN)/ruff check --fix
	$(BIN)/ruff format

bench: $(VENV)/.stamp-test  ## every benchmark, one after the other
	@scripts/system-packages $(PYTHON) bench
	@set -e; for script in $(sort $(wildcard benchmarks/*.py)); do \
		echo "== $$script"; $(BIN)/python $$script; done
	@echo "== changes since the last commit"; $(BIN)/python scripts/compare_benchmarks.py

COMPILE := $(BIN)/uv pip compile --quiet --upgrade --universal --python-version 3.11 --no-annotate \
	--no-emit-index-url --no-emit-find-links --custom-compile-command "make lock"
# With the extras that README, docs and examples use.
LOCK := $(COMPILE) pyproject.toml --extra draw --extra control --extra sympy

# What torch needs only in its build for CUDA: pip adds it where it finds no other build.
CUDA := cuda-bindings cuda-pathfinder cuda-toolkit triton nvidia-cublas nvidia-cuda-cupti nvidia-cuda-nvrtc \
	nvidia-cuda-runtime nvidia-cudnn-cu13 nvidia-cufft nvidia-cufile nvidia-curand nvidia-cusolver \
	nvidia-cusparse nvidia-cusparselt-cu13 nvidia-nccl-cu13 nvidia-nvjitlink nvidia-nvshmem-cu13 nvidia-nvtx

lock: $(VENV)/.stamp-venv  ## resolve the dependencies again
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

system:  ## system packages: installed when root, otherwise named
	@scripts/system-packages $(PYTHON)

clean:  ## remove everything that was made here
	rm -rf $(VENV) $(CORE) $(BRIDGES) $(OLDEST) $(DOCS) $(SBOM) build dist .pytest_cache .ruff_cache .hypothesis
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

# Environments of their own: .venv-bridges from bridges.txt, .venv-docs from docs.txt, and so on.
.venv-%/.stamp: requirements/%.txt pyproject.toml scripts/system-packages
	@scripts/system-packages $(PYTHON) $(if $(filter core docs sbom,$*),,bridges)
	$(PYTHON) -m venv --clear .venv-$*
	.venv-$*/$(SCRIPTS)/python -m pip install --quiet --requirement requirements/$*.txt
	.venv-$*/$(SCRIPTS)/python -m pip install --quiet --no-deps --editable .
	@touch $@
