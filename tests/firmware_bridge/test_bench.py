"""A short share of the bridge's own measurements; ``python -m firmware_bridge bench`` is all."""

import pytest

from firmware_bridge import bench_report
from firmware_bridge.__main__ import main
from firmware_bridge.bench_report import (
    BLOCK,
    DAMAGES,
    Clocks,
    Damaged,
    DecoderSpeed,
    clocks,
    damage,
    fuzz,
    speed,
)
from firmware_bridge.frames import FrameDecoder


def test_no_nonsense_raises_or_depends_on_its_chunking() -> None:
    fuzzed = fuzz(20_000)
    assert fuzzed.inputs == 20_000
    assert fuzzed.frames > 1000  # some lines stay whole: the nonsense is near enough to sense
    assert fuzzed.bad > 1000


@pytest.mark.parametrize("kind", DAMAGES)
def test_damage_costs_little_and_is_never_accepted(kind: str) -> None:
    damaged = damage(kind, 10_000)
    assert damaged.damages == 10_000 // BLOCK
    assert damaged.wrong == 0
    assert 0.9 <= damaged.lost_per_damage <= 1.3


def test_an_undamaged_line_loses_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(DAMAGES, "nothing", lambda source, data, at: data)
    assert damage("nothing", 999) == Damaged("nothing", 999, 50, 0, 0)


def test_what_is_wrongly_accepted_is_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    forged = bench_report.messages(9000, 1)[0]
    monkeypatch.setitem(DAMAGES, "forged", lambda source, data, at: forged + data)
    assert damage("forged", 100).wrong == 5


def test_decoding_is_faster_than_any_wire() -> None:
    """A tenth of what is promised: other programs share the machine that tests run on."""
    measured = speed(5000, rounds=2)
    assert measured.decoded > 40_000
    assert measured.parsed > 20_000


@pytest.mark.parametrize("ppm", [100.0, -100.0])
def test_an_hour_of_clocks_agree(ppm: float) -> None:
    measured = clocks(ppm, 1, seed=int(ppm) + 500)
    assert measured.worst_s < 0.005
    assert measured.stated_s < 0.05
    assert measured.broken == 0


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("firmware_bridge.bench_report.speed", lambda: DecoderSpeed(400_000.0, 1.0))


@pytest.mark.usefixtures("quick")
def test_the_command_tells_every_figure(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "--inputs", "100", "--messages", "600", "--hours", "0.1"]) == 0
    shown = capsys.readouterr().out
    for words in ("decode and read", "clock +100 ppm", "8 bytes lost", "nothing raised"):
        assert words in shown


@pytest.mark.usefixtures("quick")
def test_a_broken_limit_is_said_and_ends_with_an_error(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        "firmware_bridge.bench_report.clocks",
        lambda ppm, hours, seed: Clocks(ppm, hours, 0.006, 0.01, 0),
    )
    assert main(["bench", "--inputs", "10", "--messages", "600", "--hours", "0.1"]) == 1
    assert "BROKEN  clock +100 ppm" in capsys.readouterr().out


def test_messages_are_lines_that_a_decoder_takes() -> None:
    lines = bench_report.messages(65_530, 12)
    assert len(FrameDecoder().feed(b"".join(lines))) == 12
