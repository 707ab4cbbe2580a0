"""`python -m tests.corners`: rare hands, sought, and each settled a second time by the account."""

import sys

from tests.corners.report import Reached, reached, search, together
from tests.stages.evenings import arguments, ids_of, pool_of


def main() -> int:
    options = arguments("tests.corners", __doc__, hands=2000).parse_args()
    ids = ids_of(options)
    parts, faults = [], 0
    with pool_of(options) as pool:
        hands, seeds = [options.hands] * len(ids), [options.seed] * len(ids)
        for id, found in zip(ids, pool.map(search, ids, hands, seeds), strict=True):
            faults += len(found.faults)
            parts.append(found.functions)
            print(f"{id}: {found.line}", flush=True)
            for fault in found.faults[:10]:
                print("   differs:", fault)
            _tell(f"rules/sets/{id}", reached(found.functions, f"rules/sets/{id}"))
            print("   never:", ", ".join(found.unmet) or "nothing")
    _tell("game, all rule sets together", reached(together(parts), "game"))
    return min(faults, 1)


def _tell(what: str, whole: Reached) -> None:
    print(f"   {what}: {whole.line}")
    for reason, count in whole.explained.items():
        print(f"      {count}: {reason}")
    for place in whole.missed:
        print(f"      not reached: {place}")


if __name__ == "__main__":
    sys.exit(main())
