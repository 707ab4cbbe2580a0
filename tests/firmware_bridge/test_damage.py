"""Lines that wires and strangers have spoilt: nothing raises, and nothing is guessed."""

from random import Random

import pytest

from firmware_bridge.damage import bench_damage, lines, spoilt
from firmware_bridge.frames import BadFrame, Frame, FrameDecoder


def test_five_thousand_damaged_inputs_raise_nothing_and_read_nothing_else() -> None:
    found = bench_damage(5_000, seed=7)
    assert found.inputs == 5_000
    assert found.good > 1_000
    assert found.bad > 1_000
    assert found.changed <= 5  # one spoilt line in 65,536 passes sixteen bits


def test_the_inputs_are_those_of_the_seed_and_really_damaged() -> None:
    first, second = (spoilt(Random(3), lines()[1]) for _ in range(2))
    assert first == second != lines()[1]


def test_a_decoder_that_depends_on_chunks_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = FrameDecoder.feed

    def forgetful(self: FrameDecoder, data: bytes) -> list[Frame | BadFrame]:
        found = whole(self, data)
        self._rest = b""
        return found

    monkeypatch.setattr(FrameDecoder, "feed", forgetful)
    with pytest.raises(AssertionError):
        bench_damage(200, seed=1)
