"""A short share of the bridge's own measurements; ``python -m firmware_bridge bench`` is all."""

import pytest

from firmware_bridge.__main__ import main
from firmware_bridge.bench_report import BLOCK, DAMAGES, Clocks, DecoderSpeed, damage


@pytest.mark.parametrize("kind", DAMAGES)
def test_damage_costs_little_and_is_never_accepted(kind: str) -> None:
    damaged = damage(kind, 10_000)
    assert damaged.damages == 10_000 // BLOCK
    assert damaged.wrong == 0
    assert 0.9 <= damaged.lost_per_damage <= 1.3


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
