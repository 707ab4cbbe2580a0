"""The firmware that a user flashes, on a simulated chip, and the virtual board: the same words."""

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.stages import stepped_board
from tests.stages.board_scenarios import SCENARIOS, Line, Table
from tests.stages.simavr import SteppedBoard, build
from tests.stages.stepped_board import SteppedVirtualBoard

# simavr sends eleven bits a byte, a wire ten.
SIMAVR_BYTES_PER_MS = 10.7
# The chip composes a line while it still sends the one before; a tray's converter has a clock too.
TOLERANCE_MS = 12
TRAY_TOLERANCE_MS = 450


@pytest.fixture(scope="module", autouse=True)
def _built() -> None:
    build()


def differences(virtual: list[Line], real: list[Line]) -> list[str]:
    """What is said otherwise, or at another time; short enough to be read."""
    found = []
    for number, (ours, theirs) in enumerate(zip(virtual, real, strict=False)):
        if ours.text != theirs.text:
            found.append(f"line {number}: {ours} <> {theirs}")
        elif ours.board_ms is not None and theirs.board_ms is not None:
            allowed_ms = TRAY_TOLERANCE_MS if "TRAY" in ours.text else TOLERANCE_MS
            if abs(ours.board_ms - theirs.board_ms) > allowed_ms:
                found.append(f"line {number}: {ours.text} at {ours.board_ms}, {theirs.board_ms}")
    if len(virtual) != len(real):
        found.append(f"{len(virtual)} lines <> {len(real)} lines")
    return found


@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda scenario: scenario.__name__)
def test_firmware_and_virtual_board_say_the_same(
    scenario: Callable[[Table], None], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(stepped_board, "WIRE_BYTES_PER_MS", SIMAVR_BYTES_PER_MS)
    virtual = Table(SteppedVirtualBoard())
    scenario(virtual)
    with SteppedBoard(eeprom=tmp_path / "eeprom") as board:
        real = Table(board)
        scenario(real)
    assert differences(virtual.transcript, real.transcript)[:5] == []
