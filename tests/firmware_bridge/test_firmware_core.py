"""The firmware's half of the protocol: events, orders, times and the wrap of every counter."""

import pytest

from firmware_bridge import simulator as virtual
from firmware_bridge.events import Key
from firmware_bridge.frames import Frame, encode
from firmware_bridge.messages import MS_MODULUS, BoardSnapshot, Event, Hello
from firmware_bridge.simulator import RECEIVE_BUFFER
from tests.stages.native_board import DICE_KEY, PRESSED, RELEASED, NativeBoard
from tests.stages.native_board import board as board

KEPT_EVENTS = 32


def press(board: NativeBoard, times: int = 1) -> None:
    """Press and let go dice key 0."""
    for _ in range(times):
        board.do("switch 0 1")
        board.do(f"run {PRESSED + 1}")
        board.do("switch 0 0")
        board.do(f"run {RELEASED + 1}")


def numbers(board: NativeBoard) -> list[int]:
    return [frame.seq for frame in board.frames() if frame.type == "EV"]


def test_a_board_greets_at_its_start_with_what_it_can_send(board: NativeBoard) -> None:
    hello = board.start(77)
    assert hello.protocol == 1
    assert hello.firmware == "uno-0.1.0"
    assert hello.capabilities == virtual.CAPABILITIES
    assert (hello.seq, hello.board_ms, hello.pending) == (0, 0, 0)


def test_an_event_is_sent_at_once_and_every_quarter_second_until_acknowledged(
    board: NativeBoard,
) -> None:
    boot_id = board.start().boot_id
    board.do("switch 0 1")
    board.do("run 700")
    times = [ms for ms, data in board.sent if data.startswith(b"$EV")]
    # Pressed for 8 ms from the first millisecond that shows it.
    assert times == [9, 259, 509]
    board.frames()
    board.acknowledge(1, boot_id)
    board.do("run 1000")
    assert numbers(board) == []


def test_one_acknowledgement_speaks_for_all_before_it(board: NativeBoard) -> None:
    boot_id = board.start().boot_id
    press(board, 3)
    board.frames()
    board.acknowledge(2, boot_id)
    board.do("run 300")
    assert set(numbers(board)) == {3}


@pytest.mark.parametrize(
    ("seq", "boot_id"),
    [(2, None), (0, None), (65535, None), (1, "FFFFFFFF")],
    ids=["not yet sent", "before the first", "of another time", "of another boot"],
)
def test_an_acknowledgement_of_what_is_not_kept_is_ignored(
    board: NativeBoard, seq: int, boot_id: str | None
) -> None:
    own = board.start().boot_id
    press(board)
    board.frames()
    assert board.acknowledge(seq, boot_id or own) == []
    assert board.snapshot().pending == 1


def test_a_full_ring_throws_the_oldest_away_and_says_so(board: NativeBoard) -> None:
    board.start()
    press(board, KEPT_EVENTS + 3)
    board.frames()
    assert board.snapshot().pending == KEPT_EVENTS
    board.do("run 300")
    said = numbers(board)
    assert set(said) == set(range(4, KEPT_EVENTS + 4))
    assert said[:KEPT_EVENTS] == sorted(said[:KEPT_EVENTS])


def test_event_numbers_go_on_after_65535_with_0(board: NativeBoard) -> None:
    # Four dice keys, two lift keys and four lifts: ten events when they close, four when they open.
    boot_id = board.start().boot_id
    for last in range(14, 65_535, 14):
        for bits in (0x3FF, 0):
            board.do(f"switches {bits}")
            board.do("run 51")
        board.acknowledge(last, boot_id)
    assert (last, board.snapshot().pending) == (65_534, 0)
    press(board, 4)
    board.frames()
    board.do("run 260")
    assert set(numbers(board)) == {65_535, 0, 1, 2}
    board.acknowledge(0, boot_id)
    board.do("run 260")
    assert set(numbers(board)) == {1, 2}
    snapshot = board.snapshot()
    assert (snapshot.seq, snapshot.pending) == (2, 2)


def test_the_clock_goes_on_after_49_days(board: NativeBoard) -> None:
    # The chip's counter wraps while a key is held and an event waits; board time starts at 0.
    board.start(MS_MODULUS - 1000)
    board.do("run 900")
    board.do("switch 0 1")
    board.do("run 700")
    said = board.messages()
    snapshots = [message.board_ms for message in said if isinstance(message, BoardSnapshot)]
    events = [message for message in said if isinstance(message, Event)]
    assert snapshots == [500, 1000, 1500]
    assert [event.board_ms for event in events] == [909, 909, 909]


def test_board_time_wraps_modulo_two_to_the_32(board: NativeBoard) -> None:
    board.start(5)
    board.do(f"jump {MS_MODULUS - 700}")
    times = [message.board_ms for message in board.run(1500)]
    assert times == sorted(times, key=lambda ms: (ms + 1000) % MS_MODULUS)
    assert times[0] > MS_MODULUS - 701
    assert times[-1] < 1000
    press(board)
    event = next(message for message in board.messages() if isinstance(message, Event))
    assert event.board_ms == 1500 - 700 + PRESSED + 1


def test_bytes_without_room_are_counted_as_overruns(board: NativeBoard) -> None:
    board.start()
    board.receive(b"x" * (RECEIVE_BUFFER + 10))
    assert board.snapshot().overruns == 10


def test_the_counters_stay_at_their_highest_number(board: NativeBoard) -> None:
    board.start()
    for _ in range(5):
        board.do(f"receive {b'x'.hex() * 20_000}")
    # The first 64 bytes of each are read.
    assert board.snapshot().overruns == 65_535
    for _ in range(10):
        board.do(f"trickle {(b'$' * 8_000).hex()}")
    assert board.snapshot().bad_lines == 65_535


def test_an_unknown_order_is_refused_and_counted(board: NativeBoard) -> None:
    board.start()
    assert board.receive(encode(Frame("ZZ", 4))) == [Frame("NO", 4, ("TYPE",))]
    assert board.receive(encode(Frame("AK", 5, ("A1B2",)))) == [Frame("NO", 5, ("TYPE",))]
    assert board.receive(encode(Frame("AK", 6))) == [Frame("NO", 6, ("TYPE",))]
    assert board.snapshot().bad_lines == 3


def test_a_restart_has_the_next_boot_id_and_has_forgotten_everything(board: NativeBoard) -> None:
    first = board.start()
    press(board)
    board.receive(b"\xff\n", b"x" * 100)
    board.frames()
    answer, hello, snapshot = board.receive(encode(Frame("RS", 9)))
    assert answer == Frame("OK", 9)
    assert hello.fields[0] == f"{int(first.boot_id, 16) + 1:08X}"
    assert (hello.seq, *hello.fields[1:3]) == (0, "0", "0")
    assert snapshot.fields[-2:] == ("0", "0")


def test_what_arrives_behind_a_restart_is_lost_with_it(board: NativeBoard) -> None:
    board.start()
    said = board.receive(encode(Frame("RS", 1)), encode(Frame("PI", 2)))
    assert [frame.type for frame in said] == ["OK", "HI", "ST"]
    assert board.snapshot().bad_lines == 0


def test_a_key_that_is_held_during_a_restart_is_not_pressed_again(board: NativeBoard) -> None:
    board.start()
    board.do("switch 3 1")
    board.do("keypad 1 512")
    assert board.events(100) == ["DICE,3", "KEY,1,KONG"]
    board.receive(encode(Frame("RS", 1)))
    assert board.events(300) == []
    assert board.snapshot().inputs.dice_key(3)
    assert board.snapshot().inputs.key(1, Key.KONG)


def test_on_a_slow_line_nothing_is_lost_and_inputs_are_still_watched(board: NativeBoard) -> None:
    board.start()
    board.do("wire 1")  # a tenth of the true speed: a line takes 40 ms
    for side in range(4):
        board.do(f"switch {DICE_KEY + side} 1")
        board.do("run 12")
        board.do(f"switch {DICE_KEY + side} 0")
        board.do("run 3")
    assert board.events(1000) == ["DICE,0", "DICE,1", "DICE,2", "DICE,3"]


def test_why_the_board_started_is_an_event(board: NativeBoard) -> None:
    board.do("start 0 watchdog")
    hello = board.messages()[0]
    assert isinstance(hello, Hello)
    assert (hello.seq, hello.pending) == (1, 1)
    assert board.events(300) == ["FAULT,WATCHDOG"]
    board.do("start 0 brownout")
    assert board.events(300) == ["FAULT,BROWNOUT"]
