"""Imports go down: no module imports from a room above its own, nor from one beside it."""

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
# Lowest first: a line is a floor, and rooms of one floor do not know each other. What
# stands in none of the lists has no place yet, and the test says so.
FLOORS = {
    "table_assist": """
        languages parts
        tiles trust
        rules vision
        game
        record following
        settings
        health
        club session
        live
        web
        twin
        upkeep
        web.setup
        cli
        __main__
    """,
    "table_assist.vision": """
        pictures
        reading
        enrolment
        table
        photos
    """,
    "table_assist.upkeep": """
        backup
        demo doctor running
        shelf
        table_service
        setup
        trial
    """,
    "table_assist.rules": """
        shown verdict
        options
        settlement win
        play_rules
        ruleset
        shown_hand_validity wall
        judge
        reckoning waiting
        calls
        sets
        registry
        profile
        sheet
        by_hand
        house
    """,
    "web": """
        language refusal
        access answers
        authority sockets
        bridge
        view
        api
        pages serve
        setup club
        __init__
    """,
}
# The pages that hold what upkeep makes; the others of web/setup are opened by upkeep itself.
KEEPING = {f"web.setup.{name}" for name in ("admin", "metrics", "setup", "setup_app", "trial")}
PICTURES = (
    "table_assist.vision",
    "table_assist.twin",
    "table_assist.record.crop",
)
# Packages that the wheel does not have.
DEVELOPERS = ("bench", "models", "tests", "tools")
# The libraries that may not spread: each is imported under these prefixes only.
CONFINED = {
    "cv2": PICTURES,
    "numpy": PICTURES,
    "cv2_enumerate_cameras": ("table_assist.vision.pictures.camera_names",),
    "onnxruntime": ("table_assist.vision",),
    "cryptography": ("table_assist.trust", "web.authority"),
    "serial": ("firmware_bridge.link", "firmware_bridge.ports"),
    "flask": ("web", "table_assist.cli.modes", "table_assist.cli.reach"),
    "sqlalchemy": ("table_assist.club.hub", "table_assist.cli.club", "web.club"),
    "websockets": ("table_assist.club",),
    "openskill": ("table_assist.record.ratings",),
    "psycopg": ("table_assist.club.hub",),
    "tomlkit": ("table_assist.settings.edit",),
    "paho": ("web.api.outlets",),
    "prometheus_client": ("web.setup.metrics",),
    "torch": ("models",),
    "ultralytics": ("models",),
}


def floors_of(house: str) -> dict[str, int]:
    lines = FLOORS[house].split("\n")
    return {room: level for level, line in enumerate(lines) for room in line.split()}


def modules() -> list[tuple[str, Path]]:
    found = []
    for package in ("table_assist", "firmware_bridge", "web"):
        for path in sorted((ROOT / package).rglob("*.py")):
            parts = path.relative_to(ROOT).with_suffix("").parts
            found.append((".".join(parts).removesuffix(".__init__"), path))
    return found


MODULES = dict(modules())


def imports(path: Path) -> set[str]:
    """What a file imports, as modules or as names of modules."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path} imports relatively in line {node.lineno}"
            names |= {f"{node.module}.{alias.name}" for alias in node.names}
    return names


def room_of(module: str, house: str) -> str | None:
    """The room of that house in which a module stands; the web's two are in the big house."""
    if house == "table_assist" and module.split(".")[0] == "web":
        return "web.setup" if module in KEEPING else "web"
    if module == house:
        return "__init__"
    return module[len(house) + 1 :].split(".")[0] if module.startswith(f"{house}.") else None


@pytest.mark.parametrize("house", FLOORS)
def test_every_room_has_its_floor(house: str) -> None:
    rooms = {room_of(module, house) for module in MODULES} - {None, "__init__"}
    assert rooms == set(floors_of(house)) - {"__init__"}


@pytest.mark.parametrize("house", FLOORS)
def test_imports_go_down(house: str) -> None:
    floors = floors_of(house)
    for module, path in MODULES.items():
        own = room_of(module, house)
        if own not in floors:
            continue
        for name in imports(path):
            target = name if name in MODULES else name.rpartition(".")[0]
            other = room_of(target, house)
            if other in floors and other != own:
                assert floors[other] < floors[own], f"{module} must not import {name}"


def test_the_bridge_knows_no_mahjong() -> None:
    for module, path in MODULES.items():
        if module.split(".")[0] == "firmware_bridge":
            ours = {name for name in imports(path) if name.split(".")[0] in ("table_assist", "web")}
            assert not ours, f"{module} must not import {ours}"


def test_the_program_needs_nothing_that_only_developers_have() -> None:
    for module, path in MODULES.items():
        ours = {each for each in imports(path) if each.split(".")[0] in DEVELOPERS}
        assert not ours, f"{module} must not import {ours}"


def test_libraries_stay_where_they_belong() -> None:
    for module, path in MODULES.items():
        for name in imports(path):
            allowed = CONFINED.get(name.split(".")[0])
            assert allowed is None or module.startswith(allowed), f"{module} must not import {name}"


def test_importing_a_package_has_no_effect() -> None:
    for module, path in MODULES.items():
        if path.name == "__init__.py" and module not in ("web", "firmware_bridge"):
            body = ast.parse(path.read_text(encoding="utf-8")).body
            assert all(isinstance(node, ast.Expr) for node in body), f"{module} must be empty"
