"""What the program is made of is locked: every file by its hash, and nothing names where from."""

import importlib.metadata
import json
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
LOCKED = ROOT / "requirements"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
UNLOCKED = {"torch", "torchvision", "ultralytics-opencv-headless", "onnx", "onnxscript"}


def locked(name: str) -> dict[str, str]:
    """Each package's version and what follows it; two versions where systems differ."""
    text = (LOCKED / name).read_text(encoding="utf-8").replace("\\\n", " ")
    rows = [row for row in text.splitlines() if row.strip()]
    found = {}
    for row in rows:
        bare = re.sub(r"^([a-z0-9._-]+)\[[a-z0-9,_-]+\]", r"\1", row)  # without its extras
        said = re.match(r"([a-z0-9._-]+)==(\S+)( ; [^-]+)? +(--hash=sha256:[0-9a-f]{64} *)+$", bare)
        assert said, f"{name} has a line without a hash: {row[:80]}"
        found[said[1]] = said[2]
    return found


def wanted(*extras: str) -> list[tuple[str, str]]:
    rows = list(PROJECT["dependencies"])
    for extra in extras:
        rows += PROJECT["optional-dependencies"][extra]
    found = []
    for row in rows:
        name, bounds = re.match(r"([A-Za-z0-9-]+)(?:\[[^]]*\])?(.*)", row).groups()
        found.append((name.lower(), bounds))
    return found


def fits(version: str, bounds: str) -> bool:
    def number(text: str) -> tuple[int, ...]:
        return tuple(int(part) for part in re.findall(r"\d+", text))

    least, below = (re.search(sign + r"([\d.]+)", bounds) for sign in (">=", "<"))
    assert least, bounds
    assert below, f"no upper bound: {bounds}"
    return number(least[1]) <= number(version) < number(below[1])


@pytest.mark.parametrize(("name", "extras"), [("light.txt", ()), ("test.txt", ("test",))])
def test_every_dependency_is_locked_within_its_bounds(name: str, extras: tuple[str, ...]) -> None:
    versions = locked(name)
    for package, bounds in wanted(*extras):
        assert package in versions, f"{package} is not in {name}: make lock"
        assert fits(versions[package], bounds), f"{package} {versions[package]} is not {bounds}"
    assert not UNLOCKED & versions.keys()


def test_the_tests_run_with_what_the_program_runs_with() -> None:
    test = locked("test.txt")
    assert all(test[package] == version for package, version in locked("light.txt").items())


def test_a_package_that_another_wants_with_an_extra_is_locked_with_it() -> None:
    """The pip of Python 3.11 takes the newest version otherwise, and refuses it for its hash."""
    rows = (LOCKED / "test.txt").read_text(encoding="utf-8").splitlines()
    names = {re.split(r"[\[=]", row)[0]: row.split("==")[0] for row in rows if "==" in row}
    wants = []
    for package in importlib.metadata.distributions():
        if package.name.lower().replace("_", "-") not in names:
            continue  # torch's
        for want in package.requires or ():
            said = re.match(r"([A-Za-z0-9._-]+)(\[[^]]+\])", want)
            if said and "extra ==" not in want:
                wants.append((package.name, said[1].lower(), said[2]))
    assert wants, "nothing that is installed wants an extra: this test has no case"
    for name, wanted_name, extra in wants:
        assert names[wanted_name] == wanted_name + extra, f"{name} wants {wanted_name}{extra}"


@pytest.mark.parametrize("extra", sorted(PROJECT["optional-dependencies"]))
def test_every_dependency_has_an_upper_bound(extra: str) -> None:
    for package, bounds in wanted(extra):
        assert "<" in bounds or "==" in bounds, f"{package} has no upper bound"


def test_a_table_runs_with_what_everybody_installs() -> None:
    """`run` ended with an ImportError where the package for a broker was not installed."""
    extras = {name for name, _ in wanted("mqtt", "club")} - {name for name, _ in wanted()}
    modules = [name.removesuffix("-mqtt") for name in extras]
    assert {"paho", "sqlalchemy"} <= set(modules)
    program = f"import sys; sys.modules.update(dict.fromkeys({modules}))"
    run = [sys.executable, "-c", f"{program}; import table_assist.cli.modes"]
    subprocess.run(run, check=True, cwd=ROOT)


def test_nothing_says_where_from() -> None:
    for path in LOCKED.iterdir():
        assert "://" not in path.read_text(encoding="utf-8").replace("http://cyclonedx.org", "")


def test_the_list_of_parts_is_that_of_the_lock() -> None:
    bom = json.loads((LOCKED / "sbom.cdx.json").read_text(encoding="utf-8"))
    assert bom["bomFormat"] == "CycloneDX"
    parts = {each["name"].lower(): each["version"] for each in bom["components"]}
    assert parts == locked("light.txt")
    assert bom["metadata"]["component"]["name"] == PROJECT["name"]
