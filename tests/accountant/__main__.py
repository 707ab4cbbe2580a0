"""`python -m tests.accountant`: many hands of bots, each accounted for a second time."""

import sys

from tests.accountant.audit import Audited, audit, without_effect
from tests.stages.evenings import arguments, in_chunks

CHUNK = 100


def main() -> int:
    options = arguments("tests.accountant", __doc__, hands=5000).parse_args()
    faults = 0
    for id, whole, seconds in in_chunks(options, CHUNK, audit, Audited):
        faults += len(whole.faults)
        print(_line(id, whole, seconds), flush=True)
        for fault in whole.faults[:10]:
            print("  ", fault)
    return min(faults, 1)


def _line(id: str, whole: Audited, seconds: float) -> str:
    kinds = whole.kinds
    special = ("KongDeclared", "EggLaid", "EggAppended", "ReadyDeclared", "BirdTurned", "Penalised")
    met = ", ".join(f"{kinds[kind]} {kind}" for kind in special if kinds[kind])
    never = without_effect(id, whole)
    return (
        f"{id}: {whole.hands} hands, {len(whole.faults)} differ, {kinds['Settled']} won; {met}; "
        f"{len(whole.moved)} option values changed a hand, {len(never)} none"
        f"{': ' if never else ''}{', '.join(never)}; {seconds:.0f} s"
    )


if __name__ == "__main__":
    sys.exit(main())
