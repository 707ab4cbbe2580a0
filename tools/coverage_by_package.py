"""Sums up what `coverage json` wrote: the share of lines that tests run, by package.

Usage: python tools/coverage_by_package.py COVERAGE.json [LEAST]

With LEAST, the files of which a smaller percentage is run are named, too.
"""

import json
import sys
from collections import Counter
from pathlib import Path, PurePosixPath


def main(arguments: list[str]) -> int:
    """Print a row a package and, if wanted, the files that fall short; 0."""
    files = json.loads(Path(arguments[0]).read_text(encoding="utf-8"))["files"]
    least = float(arguments[1]) if len(arguments) > 1 else 0.0
    run: Counter[str] = Counter()
    there: Counter[str] = Counter()
    for file, told in files.items():
        # ``table_assist.rules`` of ``table_assist/rules/win.py``; others by their first folder
        parts = PurePosixPath(file).parts
        deep = parts[0] in ("table_assist", "web") and len(parts) > 2
        for name in (".".join(parts[: 2 if deep else 1]), "all"):
            run[name] += told["summary"]["covered_lines"]
            there[name] += told["summary"]["num_statements"]
    for name in sorted(there):
        if there[name]:
            print(f"{name:<28}{100 * run[name] / there[name]:6.1f} % of {there[name]:6}")
    for file, told in sorted(files.items(), key=lambda each: each[1]["summary"]["percent_covered"]):
        if told["summary"]["percent_covered"] < least:
            print(f"{told['summary']['percent_covered']:5.1f} % {file} {told['missing_lines']}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
