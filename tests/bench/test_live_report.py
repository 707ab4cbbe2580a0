"""What `bench live --json` says of many hands can be written, causes and all."""

import json

from bench.live.report import LiveTally


def test_a_tally_with_causes_is_written() -> None:
    tally = LiveTally("changsha", "real", "default")
    tally.causes.update(["the reader", "the reader", "memory"])
    told = json.loads(json.dumps(tally.to_json()))
    assert told["causes"] == {"the reader": 2, "memory": 1}
    assert (told["rules"], told["silent"]) == ("changsha", [])
