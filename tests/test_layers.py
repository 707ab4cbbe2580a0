"""Imports go down: no module imports from a layer above its own."""

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
# Lowest first. Modules of one layer do not import each other's groups.
LAYERS = [
    {"table_assist.tiles", "table_assist.config"},
    {"table_assist.melds", "table_assist.arguments"},
    {"table_assist.hand"},
    {"table_assist.rules.words", "table_assist.rules.indicator"},
    {"table_assist.rules.options", "table_assist.rules.shown", "table_assist.rules.verdict"},
    {"table_assist.rules.laws", "table_assist.rules.payment", "table_assist.rules.win"},
    {
        "table_assist.rules.offer",
        "table_assist.rules.laid",
        "table_assist.rules.eggs",
        "table_assist.rules.rounds",
        "table_assist.rules.treasure",
    },
    {"table_assist.rules.play_rules"},
    {"table_assist.rules.ruleset"},
    {"table_assist.rules.unread", "table_assist.rules.sound"},
    {"table_assist.rules.desk"},
    {
        "table_assist.rules.patterns",
        "table_assist.rules.settlement",
        "table_assist.rules.judge",
        "table_assist.rules.wall",
    },
    {"table_assist.rules.waiting"},
    {
        "table_assist.rules.reckoning",
        "table_assist.rules.calls",
        "table_assist.rules.given",
        "table_assist.rules.before_play",
        "table_assist.rules.ready_help",
    },
    {"table_assist.rules.typed"},
    {"table_assist.rules.sets"},
    {"table_assist.rules.registry"},
    {"table_assist.rules.profile", "table_assist.rules.sheet_words"},
    {"table_assist.rules.sheet_rows", "table_assist.rules.telling"},
    {"table_assist.rules.sheet_set"},
    {"table_assist.rules.sheet"},
    {"table_assist.rules.sheet_print"},
    {
        "table_assist.rules.cases_east",
        "table_assist.rules.cases_eggs",
        "table_assist.rules.cases_table",
    },
    {"table_assist.rules.cases"},
    {"table_assist.game"},
    {"table_assist.play"},
    {
        "table_assist.exporting",
        "table_assist.bench_hands",
        "table_assist.bench_others",
        "table_assist.bench_perft",
    },
    {"table_assist.bench_rules"},
    {"table_assist.vision", "firmware_bridge"},
    {"table_assist.sight", "table_assist.snapshot", "table_assist.enrol_review"},
    {"table_assist.keeping.figures"},
    {"table_assist.doubts"},
    {"table_assist.following", "table_assist.rolling"},
    {"table_assist.infer"},
    {"table_assist.signals", "table_assist.questions"},
    {"table_assist.settling", "table_assist.pen"},
    {"table_assist.redoing", "table_assist.changing", "table_assist.spoken"},
    {"table_assist.clerk"},
    {"table_assist.rereading", "table_assist.withdrawing"},
    {"table_assist.onlooker"},
    {"table_assist.previewing", "table_assist.evidence"},
    {"table_assist.photographer"},
    {"table_assist.occasions", "table_assist.recent", "table_assist.settle_clock"},
    {"table_assist.album"},
    {"table_assist.session"},
    {"table_assist.recording.manifest", "table_assist.recording.moments"},
    {"table_assist.recording.recorder"},
    {"table_assist.dispute"},
    {"web", "table_assist.twin"},
    {"table_assist.configured"},
    {"table_assist.trial", "table_assist.live"},
    {"table_assist.doctor"},
    {"table_assist.recording"},
    {"table_assist.demo", "table_assist.look", "table_assist.evaluate", "table_assist.enrolling"},
    {"table_assist.calibrating", "table_assist.bench_calibration"},
    {"table_assist.keeping"},
    {"table_assist.check", "table_assist.bench_eyes"},
    {"table_assist.bench_live"},
    {"table_assist.commands"},
    {"table_assist.app"},
    {"table_assist.__main__"},
]
# The libraries that may not spread: each is imported under these prefixes only.
CONFINED = {
    "cv2": (
        "table_assist.vision",
        "table_assist.twin",
        "table_assist.evaluate",
        "table_assist.bench_live",
    ),
    "numpy": (
        "table_assist.vision",
        "table_assist.twin",
        "table_assist.evaluate",
        "table_assist.bench_live",
    ),
    "onnxruntime": ("table_assist.vision",),
    "serial": ("firmware_bridge.link", "firmware_bridge.ports"),
    "flask": ("web", "table_assist.keeping.modes"),
    "tomlkit": ("table_assist.keeping.editing",),
    "prometheus_client": ("web.metrics",),
    "torch": ("models",),
    "ultralytics": ("models",),
}


def modules() -> list[tuple[str, Path]]:
    found = []
    for package in ("table_assist", "firmware_bridge", "web"):
        for path in sorted((ROOT / package).rglob("*.py")):
            parts = path.relative_to(ROOT).with_suffix("").parts
            found.append((".".join(parts).removesuffix(".__init__"), path))
    return found


def layer_of(module: str) -> tuple[int, str] | None:
    for level, groups in enumerate(LAYERS):
        for group in groups:
            if module == group or module.startswith(group + "."):
                return level, group
    return None


def imports(path: Path) -> set[str]:
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path} imports relatively in line {node.lineno}"
            names |= {f"{node.module}.{alias.name}" for alias in node.names}
    return names


@pytest.mark.parametrize(("module", "path"), modules(), ids=lambda value: str(value))
def test_imports_go_down(module: str, path: Path) -> None:
    if module in ("table_assist", "table_assist.rules"):
        assert not imports(path), f"{module} must be empty"
        return
    own = layer_of(module)
    assert own is not None, f"{module} stands in no layer: list it in tests/test_layers.py"
    for name in imports(path):
        other = layer_of(name)
        assert other is None or other[1] == own[1] or other[0] < own[0], (
            f"{module} must not import {name}"
        )
        library = name.split(".")[0]
        allowed = CONFINED.get(library)
        assert allowed is None or module.startswith(allowed), f"{module} must not import {library}"
