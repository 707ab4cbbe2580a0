"""The firmware under damage, resets and unplugging.

A share of what ``python -m tests.firmware_bridge.soak`` runs for long (docs/BOARD.md).
"""

import pytest

from firmware_bridge.events import Key, KeyPressed, WallReady
from tests.firmware_bridge.soak.__main__ import main
from tests.firmware_bridge.soak.events import run_events
from tests.firmware_bridge.soak.ledger import EventLedger, SoakError
from tests.firmware_bridge.soak.players import Expected
from tests.stages.simavr import build


@pytest.fixture(scope="module", autouse=True)
def _built() -> None:
    build()


def test_every_event_comes_once_and_in_order_or_is_reported_lost() -> None:
    report = run_events(300, seed=1)
    totals = report.totals
    assert totals.caused >= 300
    known = totals.received + totals.overwritten + totals.declared
    assert totals.said == known + totals.unheard
    assert sum(report.damaged.values()) > 20
    assert sum(report.troubles.values()) >= 1
    assert report.counters.lost == totals.overwritten + totals.declared


def test_the_command_says_what_it_found(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--count", "20", "--seed", "3"]) == 0
    said = capsys.readouterr().out
    assert "received" in said
    assert "lines damaged: " in said


HELLO = b"$HI,0,5EED0001,12,0,1,uno-0.1.0,DICE+WALL+DOME+KEY+FAULT*F2F0\r\n"


def test_the_ledger_notices_what_is_invented_and_what_is_missing() -> None:
    """The judge must be able to find guilty."""
    ledger = EventLedger()
    ledger.board_says(HELLO, 20_000)
    with pytest.raises(SoakError, match="Nothing has happened that would be"):
        ledger.board_says(b"$EV,1,5EED0001,5210,KEY,2,WIN*62D4\r\n", 5_220_000)
    ledger.expect(Expected(WallReady(), 6_000_000, 6_500_000))
    with pytest.raises(SoakError, match="had not said"):
        ledger.board_says(b"", 6_600_000)


def test_the_ledger_notices_what_never_came() -> None:
    ledger = EventLedger()
    ledger.board_says(HELLO, 20_000)
    ledger.expect(Expected(KeyPressed(2, Key.WIN), 5_200_000, 5_500_000))
    ledger.board_says(b"$EV,1,5EED0001,5210,KEY,2,WIN*62D4\r\n", 5_220_000)
    with pytest.raises(SoakError, match="1 events of 5EED0001 never came"):
        ledger.close()
