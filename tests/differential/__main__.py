"""`python -m tests.differential`: what bots are refused is flagged, what they may do is not."""

import sys
from functools import partial

from tests.differential.compare import Compared, many
from tests.stages.evenings import arguments, in_chunks

CHUNK = 50


def main() -> int:
    parser = arguments("tests.differential", __doc__, hands=10_000)
    parser.add_argument("--states", type=int, default=3, help="of each hand")
    options = parser.parse_args()
    play, faults = partial(many, states=options.states), 0
    for id, whole, seconds in in_chunks(options, CHUNK, play, Compared):
        faults += whole.faults.total()
        print(
            f"{id}: {whole.hands} hands, {whole.states} states, {whole.allowed.total()} deeds "
            f"allowed, {whole.refused.total()} refused, {whole.faults.total()} differ; "
            f"{seconds:.0f} s",
            flush=True,
        )
        for fault, count in whole.faults.most_common(20):
            print(f"   {count} times {fault}; first {whole.examples[fault]}")
    return min(faults, 1)


if __name__ == "__main__":
    sys.exit(main())
