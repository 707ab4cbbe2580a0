"""`python -m tests.told`: hands of bots, told again by phone; both must settle alike."""

import sys

from tests.stages.evenings import arguments, in_chunks
from tests.told.compare import Compared, compare

CHUNK = 48


def main() -> int:
    options = arguments("tests.told", __doc__, hands=2000).parse_args()
    faults = 0
    for id, whole, seconds in in_chunks(options, CHUNK, compare, Compared):
        faults += len(whole.faults)
        asked = ", ".join(f"{count} {what}" for what, count in whole.asked.most_common())
        print(
            f"{id}: {whole.hands} hands, {whole.won} won, {len(whole.faults)} differ, "
            f"{whole.ticked} ticked wrongly, {whole.supposed[True]} answered otherwise "
            f"and followed so ({whole.supposed[False]} cannot be); asked: {asked}; {seconds:.0f} s",
            flush=True,
        )
        for fault in whole.faults[:20]:
            print("  ", fault)
    return min(faults, 1)


if __name__ == "__main__":
    sys.exit(main())
