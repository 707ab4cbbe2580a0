"""A program of `tools/`, which is no package, as a module."""

import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

TOOLS = Path(__file__).parents[2] / "tools"


def tool_named(name: str) -> ModuleType:
    """`tools/NAME.py`, loaded; it finds the others beside it."""
    if str(TOOLS) not in sys.path:
        sys.path.append(str(TOOLS))
    spec = spec_from_file_location(name, TOOLS / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module
