"""What the house weighs, by package, and the ceiling that only falls.

    python tools/size.py                   # the table, and how far each count is below its ceiling
    python tools/size.py --keep            # lowers the ceilings to what is there; raises none
    python tools/size.py --keep --room N   # leaves N lines of room in the product and in the tests

Counted are the files that git tracks or would track. `tests/test_size.py` refuses what is above a
ceiling of `docs/figures/size.json`. Tokens are counted without comments, strings and layout, so
that longer lines save nothing.
"""

import argparse
import json
import subprocess
import tokenize
from collections import Counter
from io import StringIO
from pathlib import Path

ROOT = Path(__file__).parents[1]
CEILINGS = ROOT / "docs" / "figures" / "size.json"
ENDINGS = {
    "python": (".py",),
    "js": (".js", ".mjs"),
    "css": (".css",),
    "html": (".html",),
    "c": (".c", ".h", ".ino"),
    "toml": (".toml",),
    "po": (".po",),
}
PRODUCT = ("python", "js", "css", "html", "c", "toml")  # what moves into data is still there
THREE = ("table_assist", "web", "firmware_bridge")
SIZE_COLUMNS = (*ENDINGS, "functions", "files", "tokens")
NO_CODE = (
    tokenize.COMMENT,
    tokenize.STRING,
    tokenize.NL,
    tokenize.NEWLINE,
    tokenize.INDENT,
    tokenize.DEDENT,
    tokenize.ENDMARKER,
)


def sizes(root: Path = ROOT) -> dict[str, Counter[str]]:
    """By first folder: lines of each kind, Python's functions, files and tokens."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=root,
        check=True,
        capture_output=True,
        text=True,
    ).stdout
    weighed: dict[str, Counter[str]] = {}
    for name in sorted(set(listed.split("\0"))):
        kind = next((kind for kind, ends in ENDINGS.items() if name.endswith(ends)), None)
        if kind is not None and (root / name).is_file():
            package = name.split("/")[0] if "/" in name else "(root)"
            weighed.setdefault(package, Counter()).update(weight(root / name, kind))
    return weighed


def weight(path: Path, kind: str) -> Counter[str]:
    """One file's lines, and its functions and tokens where it is Python."""
    text = path.read_text(encoding="utf-8")
    counts = Counter({kind: text.count("\n"), "files": kind == "python"})
    if kind == "python":
        for each in tokenize.generate_tokens(StringIO(text).readline):
            counts["tokens"] += each.type not in NO_CODE
            counts["functions"] += each.string == "def"
    return counts


def totals(weighed: dict[str, Counter[str]]) -> dict[str, int]:
    """The counts that have a ceiling: functions and files are those of the three packages."""
    product = [counts for package, counts in weighed.items() if package != "tests"]
    three = [weighed.get(package, Counter()) for package in THREE]
    tests = weighed.get("tests", Counter())
    return {
        "product lines": sum(counts[kind] for counts in product for kind in PRODUCT),
        "functions": sum(counts["functions"] for counts in three),
        "files": sum(counts["files"] for counts in three),
        "test lines": tests["python"],
        "tokens": sum(counts["tokens"] for counts in product),
        "test tokens": tests["tokens"],
    }


def lowered(ceiling: dict[str, int], now: dict[str, int], room: int) -> dict[str, int]:
    """Ceilings that are no higher than before; `room` is for lines of the product and of tests."""
    spare = {"product lines": room, "test lines": room}
    return {name: min(ceiling[name], now[name] + spare.get(name, 0)) for name in now}


def above(ceiling: dict[str, int], now: dict[str, int]) -> list[str]:
    """A sentence for each count that is above its ceiling."""
    return [
        f"{name}: {now[name]:,} are {now[name] - most:,} above the ceiling of {most:,}"
        for name, most in ceiling.items()
        if now[name] > most
    ]


def main() -> None:
    """Print the sizes; with --keep, lower the ceilings."""
    parser = argparse.ArgumentParser(description="What the house weighs.")
    parser.add_argument("--keep", action="store_true", help="lower the ceilings to what is there")
    parser.add_argument("--room", type=int, default=0, help="lines that may be added above that")
    options = parser.parse_args()
    weighed = sizes()
    now = totals(weighed)
    kept = json.loads(CEILINGS.read_text(encoding="utf-8"))
    print(f"{'':16}" + "".join(f"{column:>11}" for column in SIZE_COLUMNS))
    for package, counts in weighed.items():
        print(f"{package:16}" + "".join(f"{counts[column]:11,}" for column in SIZE_COLUMNS))
    for name, most in kept["ceiling"].items():
        print(f"{name:16}{now[name]:11,}{most - now[name]:11,} below its ceiling")
    if options.keep:
        kept["ceiling"] = lowered(kept["ceiling"], now, options.room)
        kept["packages"] = {package: dict(counts) for package, counts in weighed.items()}
        CEILINGS.write_text(json.dumps(kept, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
