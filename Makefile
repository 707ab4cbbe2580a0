# `make demo` shows it, `make check` is for all day, `make test` is the whole truth.
PYTHON ?= python3
# Tests start many processes: what Python has compiled is kept for the next one.
unexport PYTHONDONTWRITEBYTECODE
VENV := .venv
TEST_VENV := .venv-test
# Three files at a time, the slow ones first (tests/conftest.py): of two, tests in browsers waited half of the time.
BESIDE ?= -n 3 --dist loadfile --no-loadscope-reorder

.PHONY: demo setup check lint test packages figures coverage release lock clean
# What `make check` runs: tests without browsers, simulated evenings or chips.
QUICK := tests/test_*.py $(addprefix tests/,capture cli docs evidence game tiles \
  health record rules session settings tools upkeep/doctor upkeep/backup web) \
  $(addprefix tests/firmware_bridge/test_,frames.py messages.py receiver.py) \
  table_assist firmware_bridge

demo: setup
	$(VENV)/bin/table-assist demo

setup: $(VENV)/ready
	@$(VENV)/bin/python tools/traditional.py

$(VENV)/ready: pyproject.toml requirements/light.txt
	@echo "Setting up the light environment in $(VENV) (no torch) ..."
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
	  || { echo "table-assist needs Python 3.11 or newer; $(PYTHON) is older."; exit 1; }
	$(PYTHON) -m venv $(VENV)
	$(VENV)/bin/python -m pip install --disable-pip-version-check --progress-bar on \
	  --require-hashes -r requirements/light.txt
	$(VENV)/bin/python -m pip install --disable-pip-version-check -q --no-build-isolation --no-deps -e .
	@touch $@

check: lint
	YOLO_OFFLINE=true $(TEST_VENV)/bin/python -m pytest -q -m "not slow and not alone" $(BESIDE) $(QUICK)

lint: $(TEST_VENV)/ready
	$(TEST_VENV)/bin/ruff check .
	$(TEST_VENV)/bin/ruff format --check .
	$(TEST_VENV)/bin/mypy
	cd tools && MYPYPATH=.. ../$(TEST_VENV)/bin/mypy --config-file ../pyproject.toml \
	  --cache-dir ../.mypy_cache/tools *.py

test: lint
	tests/system-packages.sh
	$(MAKE) -s -C firmware_bridge/device all native
	$(MAKE) -s -C tests/firmware_bridge/simavr
	YOLO_OFFLINE=true $(TEST_VENV)/bin/python -m pytest -m "not alone" $(BESIDE)
	YOLO_OFFLINE=true $(TEST_VENV)/bin/python -m pytest -m alone $$(grep -rl mark.alone tests --include="test_*.py")

# The wheel on every Python here with the oldest and the locked libraries, by pipx and by uvx, and in a
# container. Needs root, the index, mmdebstrap, podman, buildah, runc; takes half an hour.
packages: $(TEST_VENV)/ready
	$(TEST_VENV)/bin/python -m tests.packages.everywhere
	$(TEST_VENV)/bin/python -m tests.packages.container

# README's figures that are not of this program: 40 minutes on two cores; goes on where it was stopped.
figures: $(TEST_VENV)/ready
	$(TEST_VENV)/bin/python tools/figures.py readme

# sdist, wheel, SBOM, notes and sums in dist/, built twice with the same bytes.
release: $(TEST_VENV)/ready
	$(TEST_VENV)/bin/python tools/release.py --out dist/release

# Which lines no test runs; twice as slow as the tests alone.
coverage: $(TEST_VENV)/ready
	mkdir -p build && rm -f build/coverage*
	-YOLO_OFFLINE=true $(TEST_VENV)/bin/python -m pytest -q -m "not alone" --cov --cov-report= $(BESIDE)
	-$(TEST_VENV)/bin/coverage combine -q --append
	$(TEST_VENV)/bin/coverage report --sort=cover

# torch is not in the lock (tools/lock.sh says why): what it needs comes in the second step.
$(TEST_VENV)/ready: pyproject.toml requirements/test.txt
	@echo "Setting up the test environment in $(TEST_VENV) (with torch: several GB) ..."
	$(PYTHON) -m venv $(TEST_VENV)
	$(TEST_VENV)/bin/python -m pip install --disable-pip-version-check --progress-bar off -q \
	  --require-hashes -r requirements/test.txt
	$(TEST_VENV)/bin/python -m pip install --disable-pip-version-check --progress-bar off -q \
	  --no-build-isolation -e '.[train,test]'
	@touch $@

# Renews requirements/ from pyproject.toml: newest versions within its bounds.
lock:
	PYTHON=$(PYTHON) tools/lock.sh

clean:
	rm -rf $(VENV) $(TEST_VENV) build .pytest_cache .mypy_cache .ruff_cache
