"""The link against a virtual board on a real pseudo-terminal: nothing lost, nothing twice."""

from dataclasses import replace

import pytest

from firmware_bridge.events import Key, KeyPressed
from firmware_bridge.faults import LineFault
from firmware_bridge.link import Ages, LinkDown, LinkStatus, LinkUp
from firmware_bridge.messages import BoardSnapshot, Hello
from firmware_bridge.receiver import Reading
from firmware_bridge.simulator import VirtualBoard
from tests.stages.linked_board import PATIENCE_S, QUICK, linked, press_all, wait_until
from tests.stages.linked_board import board as board


@pytest.mark.parametrize("fault", LineFault)
def test_every_event_arrives_once_in_order_under(fault: LineFault, board: VirtualBoard) -> None:
    with linked(board.port) as host:
        host.next(LinkUp)
        board.harm(fault, 6)
        board.harm_orders(fault, 3)
        pressed = press_all(board, 9)
        assert host.next_events(9) == pressed
        wait_until(lambda: board.line.is_clean)
        assert host.no_more_events()


def test_a_restarted_board_is_noticed_and_heard(board: VirtualBoard) -> None:
    with linked(board.port) as host:
        host.next(LinkUp)
        first = board.boot_id
        board.press(0, Key.WIN)
        assert host.next_events(1) == [KeyPressed(0, Key.WIN)]
        board.reset()
        assert board.boot_id != first
        while not is_greeting(host.next(Reading), board.boot_id):
            pass  # the first start's may come twice
        board.press(1, Key.PASS)
        assert host.next_events(1) == [KeyPressed(1, Key.PASS)]
        assert host.link.health.counters.restarts == 1


def is_greeting(reading: Reading, boot_id: str) -> bool:
    return isinstance(reading.content, Hello) and reading.boot_id == boot_id


@pytest.mark.parametrize("is_restarted", [True, False])
def test_unplugged_and_plugged_in_again(is_restarted: bool, board: VirtualBoard) -> None:
    with linked(board.port) as host:
        host.next(LinkUp)
        for _ in range(3):
            board.unplug()
            down = host.next(LinkDown)
            assert down.reason == f"The board on {board.port} was unplugged."
            assert host.link.health.status is LinkStatus.LOST
            board.replug(is_restarted=is_restarted)
            host.next(LinkUp)
            board.press(3, Key.READY)
            assert host.next_events(1) == [KeyPressed(3, Key.READY)]
        assert host.no_more_events()


def test_what_happened_while_unplugged_arrives_from_a_board_with_its_own_supply(
    board: VirtualBoard,
) -> None:
    with linked(board.port) as host:
        host.next(LinkUp)
        board.unplug()
        host.next(LinkDown)
        pressed = press_all(board, 5)
        board.replug(is_restarted=False)
        assert host.next_events(5) == pressed
        assert host.no_more_events()


def test_health_tells_how_old_everything_is(board: VirtualBoard) -> None:
    with linked(board.port) as host:
        host.next(LinkUp)
        assert host.link.health.ages.event_s is None
        board.press(0, Key.WIN)
        host.next_event()
        while not isinstance(host.next(Reading).content, BoardSnapshot):
            pass
        ages = host.link.health.ages
        assert ages.event_s is not None
        assert ages.snapshot_s is not None
        assert ages.line_s is not None
        assert ages.byte_s is not None
        assert 0 <= ages.byte_s <= ages.line_s <= ages.snapshot_s <= ages.event_s < PATIENCE_S
        board.harm(LineFault.HALF, 1000)
        wait_until(lambda: is_of_bytes_alone(host.link.health.ages))
        assert host.link.health.connects == 1


def is_of_bytes_alone(ages: Ages) -> bool:
    """Bytes have come lately, and no whole line."""
    return (ages.line_s or 0) > 0.3 > (ages.byte_s or 0)


def test_a_silent_board_is_lost_and_found(board: VirtualBoard) -> None:
    with linked(board.port, timing=replace(QUICK, silent_s=0.8)) as host:
        host.next(LinkUp)
        board.go_silent()
        assert host.next(LinkDown) == LinkDown(
            f"The board on {board.port} has been silent for 0.8 s."
        )
        assert (host.link.health.age_s or 0) > 0.5
        board.press(2, Key.WIN)
        board.go_silent(is_silent=False)
        host.next(LinkUp)
        assert host.next_events(1) == [KeyPressed(2, Key.WIN)]
        assert host.link.health.status is LinkStatus.CONNECTED
