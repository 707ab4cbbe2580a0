"""One name for one thing: of classes, and of modules that lie in one folder."""

import ast
from collections import defaultdict
from itertools import combinations
from pathlib import Path

ROOT = Path(__file__).parents[1]
PACKAGES = ("table_assist", "web", "firmware_bridge", "bench", "models", "tools")


def modules() -> list[Path]:
    return [path for package in PACKAGES for path in sorted((ROOT / package).rglob("*.py"))]


def test_no_two_public_classes_have_one_name() -> None:
    places = defaultdict(list)
    for path in modules():
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                places[node.name].append(path.relative_to(ROOT).as_posix())
    assert len(places) > 800
    assert {name: where for name, where in places.items() if len(where) > 1} == {}


def differ_by_a_letter(one: str, other: str) -> bool:
    short, long = sorted((one, other), key=len)
    if len(short) == len(long):
        return sum(a != b for a, b in zip(one, other, strict=True)) == 1
    return any(long[:at] + long[at + 1 :] == short for at in range(len(long)))


def test_no_two_modules_of_a_folder_differ_by_a_letter() -> None:
    folders = defaultdict(set)
    for path in modules():
        folders[path.parent].add(path.stem)
    pairs = [pair for names in folders.values() for pair in combinations(sorted(names), 2)]
    assert [pair for pair in pairs if differ_by_a_letter(*pair)] == []


def test_the_measure_of_names_finds_what_it_is_for() -> None:
    assert differ_by_a_letter("observe", "observer")
    assert differ_by_a_letter("wall", "well")
    assert not differ_by_a_letter("observe", "observed_by")


def test_a_public_constant_of_one_name_has_one_value() -> None:
    """But `RULES`: each rule book has its own."""
    values = defaultdict(set)
    for path in modules():
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            match node:
                case ast.Assign([ast.Name(name)], value) | ast.AnnAssign(ast.Name(name), _, value):
                    values[name].add(ast.unparse(value or node))
                case ast.Assign([ast.Tuple(names)], ast.Tuple(each)):
                    for name, value in zip(names, each, strict=True):
                        values[ast.unparse(name)].add(ast.unparse(value))
    public = {name: len(of) for name, of in values.items() if name.isupper() and name[0] != "_"}
    assert len(public) > 1500
    assert {name for name, count in public.items() if count > 1} == {"RULES"}
