"""The firmware's sensors: how long each must be steady, what a voltage means, which faults."""

import pytest

from firmware_bridge.events import Key
from firmware_bridge.messages import key_bit
from tests.stages.simavr import (
    DICE_KEY,
    DOME,
    LIFT,
    LIFT_KEY,
    LIMIT_SWITCH,
    NO_KEY,
    PRESSED,
    RELEASED,
    WALL,
    WALL_GONE,
    WALL_READY,
    NativeBoard,
)
from tests.stages.simavr import board as board

STUCK = 30_000
SWITCHES = [
    (DICE_KEY + 2, PRESSED, ["DICE,2"], RELEASED, []),
    (LIFT_KEY + 1, PRESSED, ["LIFTKEY,1"], RELEASED, []),
    (LIFT + 3, LIMIT_SWITCH, ["LIFT,3,1"], LIMIT_SWITCH, ["LIFT,3,0"]),
    (WALL, WALL_READY, ["WALL"], WALL_GONE, []),
    (DOME, LIMIT_SWITCH, ["DOME,1"], LIMIT_SWITCH, ["DOME,0"]),
]
IDS = ["dice key", "lift key", "lift", "wall", "dome"]


@pytest.mark.parametrize(("pin", "closes", "says", "opens", "says_then"), SWITCHES, ids=IDS)
def test_a_switch_counts_when_it_has_been_steady_for_its_own_time(
    board: NativeBoard, pin: int, closes: int, says: list[str], opens: int, says_then: list[str]
) -> None:
    board.start()
    board.do(f"switch {pin} 1")
    # The first millisecond shows it; it has lasted so long after as many more.
    assert board.events(closes) == []
    assert board.events(1) == says
    board.do(f"switch {pin} 0")
    assert board.events(opens) == []
    assert board.events(1) == says_then


@pytest.mark.parametrize(("pin", "closes", "says", "opens", "says_then"), SWITCHES, ids=IDS)
def test_a_chattering_switch_is_one_event(
    board: NativeBoard, pin: int, closes: int, says: list[str], opens: int, says_then: list[str]
) -> None:
    board.start()
    for closed, lasts, expected in ((1, closes, says), (0, opens, says_then)):
        for _ in range(20):
            board.do(f"switch {pin} {closed}")
            assert board.events(lasts - 1) == []
            board.do(f"switch {pin} {1 - closed}")
            assert board.events(1) == []
        board.do(f"switch {pin} {closed}")
        assert board.events(lasts + 1) == expected
    assert board.events(1000) == []


@pytest.mark.parametrize(
    ("pin", "closes", "says", "opens", "says_then"),
    SWITCHES[:2] + SWITCHES[3:4],
    ids=IDS[:2] + IDS[3:4],
)
def test_what_is_away_for_less_than_its_time_does_not_come_again(
    board: NativeBoard, pin: int, closes: int, says: list[str], opens: int, says_then: list[str]
) -> None:
    board.start()
    for away, expected in ((opens + 1, says), (opens, []), (opens + 1, says)):
        board.do(f"switch {pin} 0")
        assert board.events(away) == says_then
        board.do(f"switch {pin} 1")
        assert board.events(closes + 1) == expected


def test_reserved_inputs_are_not_looked_at(board: NativeBoard) -> None:
    board.start()
    for pin in range(12, 16):
        board.do(f"switch {pin} 1")
    assert board.events(1000) == []
    assert board.snapshot().inputs.bits == 0


def test_every_input_has_its_bit_in_the_snapshot(board: NativeBoard) -> None:
    board.start()
    bits = {}
    for pin in range(12):
        board.do(f"switches {1 << pin}")
        board.do(f"run {WALL_GONE + 1}")
        bits[pin] = board.snapshot().inputs.bits
    dice, lift_keys = {0: 16, 1: 17, 2: 18, 3: 19}, {4: 26, 5: 27}
    lifts, wall_and_dome = {6: 22, 7: 23, 8: 24, 9: 25}, {10: 20, 11: 21}
    expected = dice | lift_keys | lifts | wall_and_dome
    assert bits == {pin: 1 << bit for pin, bit in expected.items()}


# The edges of the keypads' windows (core/profile.h).
WINDOWS = {
    Key.READY: (0, 60),
    Key.WIN: (248, 300),
    Key.KONG: (470, 555),
    Key.PASS: (725, 830),
    None: (960, 1023),
}


def test_a_voltage_in_a_window_is_its_key_and_between_two_is_none(board: NativeBoard) -> None:
    board.start()
    for voltage in range(1024):
        keys = [key for key, (low, high) in WINDOWS.items() if low <= voltage <= high]
        expected = [f"KEY,2,{key.upper()}" for key in keys if key is not None]
        board.do(f"keypad 2 {voltage}")
        assert board.events(PRESSED + 2) == expected
        board.do(f"keypad 2 {NO_KEY}")
        board.do(f"run {RELEASED + 1}")


def test_the_bits_of_a_keypad_follow_the_key_that_is_held(board: NativeBoard) -> None:
    board.start()
    for seat in range(4):
        for key, (low, high) in WINDOWS.items():
            board.do(f"keypad {seat} {(low + high) // 2}")
            board.do(f"run {RELEASED + 1}")
            assert board.snapshot().inputs.bits == (0 if key is None else 1 << key_bit(seat, key))


@pytest.mark.parametrize("ohms", [(1600, 4700), (1600, 15_000), (4700, 15_000)])
@pytest.mark.parametrize("error", [-0.01, 0.01])
def test_two_keys_together_are_no_key_with_resistors_of_one_per_cent(
    ohms: tuple[int, int], error: float
) -> None:
    parallel = 1 / sum(1 / (each * (1 + error)) for each in ohms)
    voltage = round(1023 * parallel / (parallel + 4700 * (1 - error)))
    with NativeBoard() as board:
        board.start()
        board.do(f"keypad 0 {voltage}")
        assert board.events(LIMIT_SWITCH) == []


@pytest.mark.parametrize(("key", "ohms"), [(Key.WIN, 1600), (Key.KONG, 4700), (Key.PASS, 15_000)])
@pytest.mark.parametrize("error", [-0.01, 0.01])
@pytest.mark.parametrize("contact", [0, 100])
def test_one_key_is_read_with_resistors_of_one_per_cent_and_a_worn_contact(
    key: Key, ohms: int, error: float, contact: int
) -> None:
    through = ohms * (1 + error) + contact
    voltage = round(1023 * through / (through + 4700 * (1 - error)))
    with NativeBoard() as board:
        board.start()
        board.do(f"keypad 0 {voltage}")
        assert board.events(LIMIT_SWITCH) == [f"KEY,0,{key.upper()}"]


def test_a_voltage_between_two_windows_is_a_fault_after_a_tenth_of_a_second(
    board: NativeBoard,
) -> None:
    board.start()
    board.do("keypad 2 400")
    assert board.events(101) == []
    assert board.events(1) == ["FAULT,LADDER-2"]
    # Once, while it stands; a moment's good voltage does not end it.
    assert board.events(5000) == []
    board.do(f"keypad 2 {NO_KEY}")
    board.events(500)
    board.do("keypad 2 400")
    assert board.events(5000) == []
    board.do(f"keypad 2 {NO_KEY}")
    board.events(1002)
    board.do("keypad 2 400")
    assert board.events(102) == ["FAULT,LADDER-2"]


def test_a_second_key_while_one_is_held_does_not_press_the_first_again(board: NativeBoard) -> None:
    board.start()
    board.do("keypad 1 260")
    assert board.events(60) == ["KEY,1,WIN"]
    board.do("keypad 1 241")
    assert board.events(60) == []
    board.do("keypad 1 260")
    assert board.events(60) == []


def test_while_a_ladder_is_bad_no_key_of_it_is_shown_as_held(board: NativeBoard) -> None:
    board.start()
    board.do("keypad 1 260")
    assert board.events(60) == ["KEY,1,WIN"]
    assert board.snapshot().inputs.has(key_bit(1, Key.WIN))
    board.do("keypad 1 241")
    assert board.events(200) == ["FAULT,LADDER-1"]
    assert board.snapshot().inputs.bits == 0


@pytest.mark.parametrize(
    ("press", "release", "name"),
    [
        ("switch 3 1", "switch 3 0", "STUCK-D3"),
        ("switch 5 1", "switch 5 0", "STUCK-L1"),
        ("keypad 2 779", "keypad 2 1023", "STUCK-K2"),
    ],
)
def test_a_key_that_stays_pressed_is_a_fault_once(
    board: NativeBoard, press: str, release: str, name: str
) -> None:
    board.start()
    for _ in range(2):
        board.do(press)
        board.events(PRESSED + 1)
        assert board.events(STUCK - 1) == []
        assert board.events(1) == [f"FAULT,{name}"]
        # For longer than the 16 bits of a short time hold.
        assert board.events(140_000) == []
        board.do(release)
        assert board.events(RELEASED + 1) == []


def test_a_lift_that_stays_up_is_no_fault(board: NativeBoard) -> None:
    board.start()
    board.do(f"switch {LIFT} 1")
    board.do(f"switch {WALL} 1")
    board.do(f"switch {DOME} 1")
    assert board.events(200) == ["LIFT,0,1", "DOME,1", "WALL"]
    assert board.events(100_000) == []


def test_a_level_at_the_start_is_no_event(board: NativeBoard) -> None:
    board.do(f"switches {0b111111111111}")
    board.do("keypad 0 0")
    board.start(40_000)  # a chip whose clock is past the time of a stuck key
    assert board.events(1000) == []
    assert board.snapshot().inputs.bits == 0x0FFF_0001


def test_a_tray_reports_a_settled_new_weight(board: NativeBoard) -> None:
    board.start()
    board.do("tray 1 -8388608")
    assert board.events(1000) == ["TRAY,1,-8388608"]
    assert board.snapshot().inputs.bits == 1 << 29
    board.do("tray 1 8388607")
    assert board.events(1000) == ["TRAY,1,8388607"]
    # Fewer counts than a new weight has, and back: nothing to say.
    board.do("tray 1 8387608")
    assert board.events(1000) == []
    board.do("tray 1 8387607")
    assert board.events(1000) == ["TRAY,1,8387607"]


def test_a_weight_that_swings_is_reported_when_it_has_come_to_rest(board: NativeBoard) -> None:
    board.start()
    for swing in range(30):
        board.do(f"tray 0 {5000 + 500 * (swing % 2)}")
        assert board.events(100) == []
    board.do("tray 0 5000")
    assert board.events(500) == ["TRAY,0,5000"]


def transfers(board: NativeBoard) -> int:
    (answer,) = board.do("transfers")
    return int(answer.split()[1])


def test_four_trays_are_read_together(board: NativeBoard) -> None:
    board.start()
    for seat in range(4):
        board.do(f"tray {seat} {1000 * seat - 1500}")
        board.do("run 23")  # each has a clock of its own
    assert sorted(board.events(1500)) == [
        f"TRAY,{seat},{1000 * seat - 1500}" for seat in (0, 1, 2, 3)
    ]
    assert board.snapshot().inputs.bits == 0xF << 28
    # Ten weights a second and tray, though each comes at a time of its own.
    before = transfers(board)
    board.run(10_000)
    assert 90 <= transfers(board) - before <= 100


def test_a_tray_that_falls_silent_is_a_fault_and_the_others_go_on(board: NativeBoard) -> None:
    board.start()
    board.do("tray 0 100")
    board.do("tray 3 200")
    assert sorted(board.events(1000)) == ["TRAY,0,100", "TRAY,3,200"]
    board.do("tray 3 none")
    board.do("tray 0 7000")
    assert board.events(1800) == ["TRAY,0,7000"]
    assert board.events(400) == ["FAULT,TRAY-3"]
    assert board.snapshot().inputs.bits == 1 << 28
    assert board.events(10_000) == []
    board.do("tray 3 200")
    assert board.events(1000) == ["TRAY,3,200"]
    board.do("tray 3 none")
    assert board.events(3000) == ["FAULT,TRAY-3"]


def test_a_data_line_that_is_short_to_ground_is_no_tray(board: NativeBoard) -> None:
    board.start()
    board.do("tray 2 short")
    board.do("tray 1 300")
    assert board.events(3000) == ["TRAY,1,300"]
    assert board.snapshot().inputs.bits == 1 << 29
    board.do("tray 1 short")
    assert board.events(3000) == ["FAULT,TRAY-1"]
    # It would look ready for ever: it is not asked again.
    before = transfers(board)
    board.run(10_000)
    assert transfers(board) == before
