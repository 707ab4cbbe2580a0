"""The admin's password, chosen at the machine itself; a running table takes it at once."""

import argparse
import getpass
import sys

from web.access.pairing_sessions import PASSWORD_LIMITS, PairingSessions


def command(options: argparse.Namespace) -> int:
    """As ``table-assist password``; returns the exit code."""
    if sys.stdin.isatty():
        password = getpass.getpass("New password: ")
        again = getpass.getpass("Again: ")
    else:
        password = again = sys.stdin.readline().rstrip("\r\n")
    least, most = PASSWORD_LIMITS
    if password != again:
        print("table-assist: the two are not the same", file=sys.stderr)
        return 2
    if not least <= len(password) <= most:
        print(f"table-assist: a password has {least} to {most} letters", file=sys.stderr)
        return 2
    PairingSessions(options.config.with_suffix(".devices.json")).set_password(password)
    print("The password is chosen; who came in by the old one is out.")
    return 0
