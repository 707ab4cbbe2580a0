"""The rule sets, and one of them as a sheet."""

import argparse

from table_assist.rules.profile import choose_profile
from table_assist.rules.registry import rule_sets
from table_assist.rules.sheet.printed import Form, print_list, print_sheet
from table_assist.rules.sheet.sheet import make_sheet


def command(options: argparse.Namespace) -> int:
    """As ``table-assist rules``; returns the exit code."""
    if options.id is None and options.profile is None:
        print(print_list(rule_sets()))
        return 0
    sheet = make_sheet(choose_profile(options.id, options.profile))
    print(print_sheet(sheet, Form(options.format)))
    return 0
