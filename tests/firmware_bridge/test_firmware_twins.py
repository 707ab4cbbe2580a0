"""The firmware and the virtual board are two programs for one job: what moves both, both say alike.

The pins of both are moved at random, bounces, stuck keys and two keys at once included, while a
host gives them orders and noise; then every byte and its millisecond must be equal.
"""

from collections.abc import Callable

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from firmware_bridge import board as virtual
from firmware_bridge.board import Board
from firmware_bridge.events import Key
from firmware_bridge.frames import Frame, encode
from firmware_bridge.orders import Acknowledge, acknowledge_frame
from firmware_bridge.sensors import SWITCHES
from tests.stages.native_board import DICE_KEY, DOME, LIFT, LIFT_KEY, WALL, NativeBoard

FIRMWARE = "uno-0.1.0"
INPUTS = {
    **{f"dice{side}": DICE_KEY + side for side in range(4)},
    **{f"liftkey{key}": LIFT_KEY + key for key in range(2)},
    **{f"lift{side}": LIFT + side for side in range(4)},
    "wall": WALL,
    "dome": DOME,
}
# Ohms of the keys' resistors and of the pull-up, as in docs/BOARD.md.
RESISTORS = {Key.READY: 0, Key.WIN: 1600, Key.KONG: 4700, Key.PASS: 15_000}
PULL_UP = 4700

Action = tuple[str, int, frozenset[Key] | bool] | int  # a pin that moves, or an order


def voltage(keys: frozenset[Key]) -> int:
    """What the converter of the chip makes of these keys, held together."""
    if not keys:
        return 1023
    if Key.READY in keys:
        return 0
    ohms = 1 / sum(1 / RESISTORS[key] for key in keys)
    return round(1023 * ohms / (ohms + PULL_UP))


ORDERS: list[Callable[[str], bytes]] = [
    lambda _: encode(Frame("PI", 3)),
    lambda _: encode(Frame("RQ", 4)),
    lambda _: encode(Frame("ZZ", 5, ("A", "B"))),
    lambda _: encode(Frame("PI", 6)) + encode(Frame("RQ", 7)),
    lambda boot_id: encode(acknowledge_frame(Acknowledge(1, boot_id))),
    lambda boot_id: encode(acknowledge_frame(Acknowledge(3, boot_id))),
    lambda boot_id: encode(acknowledge_frame(Acknowledge(8, boot_id))),
    lambda boot_id: encode(acknowledge_frame(Acknowledge(500, boot_id))),
    lambda _: b"noise\r\n$half$PI,1*0000\r\n",
    lambda _: encode(Frame("RQ", 8))[:7] + b"\n",
    lambda _: b"#" + b"x" * 80 + b"\n",
    lambda _: b"\n" + b"$" * 40 + b"\r\n",
    lambda _: b"x" * 100 + b"\n\n",
]


def virtual_transcript(
    boot_id: str, actions: list[tuple[int, Action]], end_ms: int
) -> dict[int, bytes]:
    board = Board(boot_id, 0)
    said: dict[int, bytes] = {}

    def speak(now_ms: int) -> None:
        while (line := board.step(now_ms)) is not None:
            said[now_ms] = said.get(now_ms, b"") + line

    waiting = list(actions)
    now_ms = 0
    while now_ms <= end_ms:
        speak(now_ms)
        for action in [action for at_ms, action in waiting if at_ms == now_ms]:
            if isinstance(action, int):
                board.receive(ORDERS[action](boot_id))
                speak(now_ms)
            else:
                move_virtual(board, action, now_ms + 1)
        waiting = [one for one in waiting if one[0] > now_ms]
        now_ms = min([max(board.next_step_ms(now_ms), now_ms + 1)] + [at for at, _ in waiting])
    return said


def move_virtual(board: Board, action: tuple[str, int, frozenset[Key] | bool], now_ms: int) -> None:
    name, place, state = action
    if isinstance(state, bool):
        board.sensors.set(name, now_ms, is_active=state)
    else:
        board.sensors.hold(place, state, now_ms)


def native_transcript(
    actions: list[tuple[int, Action]], end_ms: int
) -> tuple[str, dict[int, bytes]]:
    with NativeBoard() as board:
        board.do("start 0")
        boot_id = board.sent[0][1].split(b",")[2].decode()
        now_ms = 0
        for at_ms, action in actions:
            board.do(f"run {at_ms - now_ms}")
            now_ms = at_ms
            if isinstance(action, int):
                board.do(f"receive {ORDERS[action](boot_id).hex()}")
            elif isinstance(action[2], bool):
                board.do(f"switch {INPUTS[action[0]]} {int(action[2])}")
            else:
                board.do(f"keypad {action[1]} {voltage(action[2])}")
        board.do(f"run {end_ms - now_ms}")
    said: dict[int, bytes] = {}
    for at_ms, data in board.sent:
        said[at_ms] = said.get(at_ms, b"") + data
    return boot_id, said


def gaps() -> st.SearchStrategy[int]:
    """Milliseconds from one action to the next, about the times that decide."""
    return st.sampled_from([0, 1, 2, 7, 8, 9, 39, 40, 41, 49, 50, 51, 100, 101, 149, 150, 151]) | (
        st.integers(0, 1500)
    )


def movements() -> st.SearchStrategy[Action]:
    switches = st.tuples(st.sampled_from(SWITCHES), st.just(0), st.booleans())
    held = st.frozensets(st.sampled_from(Key), max_size=2)
    return switches | st.tuples(st.just("keypad"), st.integers(0, 3), held)


def timed(actions: list[tuple[int, Action]]) -> list[tuple[int, Action]]:
    """Gaps to times."""
    now_ms = 0
    scenario = []
    for gap, action in actions:
        now_ms += gap
        scenario.append((now_ms, action))
    return scenario


ALL_STUCK: list[tuple[int, Action]] = [
    (10, ("dice2", 0, True)),
    (0, ("liftkey1", 0, True)),
    (5, ("keypad", 3, frozenset({Key.PASS}))),
    (200, ("keypad", 1, frozenset({Key.WIN, Key.KONG}))),
    (31_000, ("dice2", 0, False)),
    (0, ("keypad", 1, frozenset())),
    (50, ("dice2", 0, True)),
    (1500, ("keypad", 1, frozenset({Key.WIN, Key.KONG}))),
    (30_000, ("keypad", 3, frozenset())),
]


@settings(max_examples=40, deadline=None)
@given(st.lists(st.tuples(gaps(), movements() | st.integers(0, len(ORDERS) - 1)), max_size=60))
@example(ALL_STUCK)
def test_the_firmware_says_byte_for_byte_what_the_virtual_board_says(
    actions: list[tuple[int, Action]],
) -> None:
    scenario = timed(actions)
    end_ms = (scenario[-1][0] if scenario else 0) + 1500
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(virtual, "FIRMWARE", FIRMWARE)
        boot_id, native = native_transcript(scenario, end_ms)
        assert native == virtual_transcript(boot_id, scenario, end_ms)
