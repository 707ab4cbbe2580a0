"""Hands with the verdicts that a rule book gives them."""

import argparse
import json
import sys

from table_assist.rules.examples.run import run_file
from table_assist.settings.config import ConfigError
from table_assist.twin.play.course_cases import COURSES


def command(options: argparse.Namespace) -> int:
    """As ``table-assist cases``; returns the exit code."""
    passed = failed = 0
    for path in options.files:
        try:
            results = run_file(path, COURSES)
        except OSError as error:
            raise ConfigError(f"the cases {path} cannot be read: {error.strerror}") from error
        for result in results:
            passed, failed = passed + result.ok, failed + (not result.ok)
            row = {
                "id": result.id,
                "ok": result.ok,
                "expected": result.expected,
                "got": result.got,
            }
            if options.json:
                print(json.dumps(row, ensure_ascii=False))
            elif result.ok:
                print(f"ok      {result.id}")
            else:
                print(f"FAILED  {result.id}: expected {result.expected}, got {result.got}")
    stream = sys.stderr if options.json else sys.stdout
    print(f"{passed} passed, {failed} failed", file=stream)
    return 1 if failed or not passed else 0
