# Two commands do everything: `make demo` and `make test`.
PYTHON ?= python3
VENV := .venv
TEST_VENV := .venv-test
# Two files at a time; the slow ones first (tests/conftest.py).
BESIDE ?= -n 2 --dist loadfile --no-loadscope-reorder

.PHONY: demo setup test clean

demo: setup
	$(VENV)/bin/table-assist demo

setup: $(VENV)/ready

$(VENV)/ready: pyproject.toml
	@echo "Setting up the light environment in $(VENV) (no torch) ..."
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
	  || { echo "table-assist needs Python 3.11 or newer; $(PYTHON) is older."; exit 1; }
	$(PYTHON) -m venv $(VENV)
	$(VENV)/bin/python -m pip install --disable-pip-version-check --progress-bar on -e .
	@touch $@

test: $(TEST_VENV)/ready
	tests/system-packages.sh
	$(TEST_VENV)/bin/ruff check .
	$(TEST_VENV)/bin/ruff format --check .
	$(TEST_VENV)/bin/mypy
	$(MAKE) -s -C firmware_bridge/device all native
	$(MAKE) -s -C firmware_bridge/device/simavr
	YOLO_OFFLINE=true $(TEST_VENV)/bin/python -m pytest -m "not alone" $(BESIDE)
	YOLO_OFFLINE=true $(TEST_VENV)/bin/python -m pytest -m alone $$(grep -rl mark.alone tests --include="test_*.py")

$(TEST_VENV)/ready: pyproject.toml
	@echo "Setting up the test environment in $(TEST_VENV) (with torch: several GB) ..."
	$(PYTHON) -m venv $(TEST_VENV)
	$(TEST_VENV)/bin/python -m pip install --disable-pip-version-check --progress-bar off -q -e '.[train,test]'
	@touch $@

clean:
	rm -rf $(VENV) $(TEST_VENV) build .pytest_cache .mypy_cache .ruff_cache
