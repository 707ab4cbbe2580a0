"""Bought sensors on a Modbus line: their bits are the table's inputs, by a map that is checked."""

import queue
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from firmware_bridge.events import (
    DiceReport,
    EventContent,
    Fault,
    Key,
    KeyPressed,
    LiftMoved,
    WallReady,
)
from firmware_bridge.receiver import Reading
from firmware_bridge.sources.modbus import Block, ModbusInputs, ModbusSource, blocks, open_client
from firmware_bridge.sources.modbus_map import (
    InputTable,
    MapError,
    MappedInput,
    SeatKey,
    load_map,
    read_map,
)
from tests.stages.fake_sensors import sensors

PATIENCE_S = 20.0

MAP = """
port = "/dev/ttyUSB0"

[[input]]
unit = 1
table = "discrete"
address = 0
sensor = "wall"

[[input]]
unit = 1
table = "discrete"
address = 3
sensor = "dice2"
inverted = true

[[input]]
unit = 7
table = "coils"
address = 16
sensor = "key 2 win"
"""


def test_a_map_is_read() -> None:
    mapped = read_map(MAP)
    assert (mapped.port, mapped.baud, mapped.parity) == ("/dev/ttyUSB0", 19200, "N")
    assert mapped.inputs == (
        MappedInput(1, InputTable.DISCRETE, 0, "wall"),
        MappedInput(1, InputTable.DISCRETE, 3, "dice2", inverted=True),
        MappedInput(7, InputTable.COILS, 16, SeatKey(2, Key.WIN)),
    )


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        ("port =", "porte =", "has no port"),
        ('"wall"', '"walls"', "sensor is 'walls', not one of dice0"),
        ("key 2 win", "key 4 win", "sensor is 'key 4 win'"),
        ("key 2 win", "wall", "Two inputs are wall"),
        ("address = 3", "address = 0", "Unit 1 has discrete 0 twice"),
        ("address = 3", "address = 65536", "address is 65536, not from 0 to 65535"),
        ("address = 3", "address = true", "address is True, not of the kind int"),
        ("unit = 7", "unit = 0", "unit is 0, not from 1 to 247"),
        ('"coils"', '"coil"', "table is 'coil', not discrete or coils"),
        ("inverted", "flipped", "has a flipped, which is not known"),
        ("inverted = true", "inverted = 1", "inverted is 1, not of the kind bool"),
        ("/dev/ttyUSB0", "tcp://host", "port is 'tcp://host', not such as"),
        ("\n[[input]]", "\nparity = 'X'\n[[input]]", "parity is 'X'"),
        ("[[input]]", "[input]", "It is no TOML"),
    ],
)
def test_a_wrong_map_says_why(old: str, new: str, why: str) -> None:
    with pytest.raises(MapError) as raised:
        read_map(MAP.replace(old, new, 1))
    assert why.lower() in str(raised.value).lower()


def test_a_map_file_is_named_in_what_is_wrong(tmp_path: Path) -> None:
    path = tmp_path / "map.toml"
    with pytest.raises(MapError, match="cannot be read: No such file"):
        load_map(path)
    path.write_text('port = "x"\ninput = []')
    with pytest.raises(MapError, match=r"map\.toml: There is no input"):
        load_map(path)
    path.write_text('port = "x"\ninput = [3]')
    with pytest.raises(MapError, match="An input is no table"):
        load_map(path)


def test_neighbouring_inputs_are_asked_for_together() -> None:
    far = MappedInput(1, InputTable.DISCRETE, 5000, "dome")
    assert blocks((*read_map(MAP).inputs, far)) == (
        Block(1, InputTable.DISCRETE, 0, 4),
        Block(1, InputTable.DISCRETE, 5000, 1),
        Block(7, InputTable.COILS, 16, 1),
    )


class Bench:
    """The inputs of the map, polled every 20 ms in stepped time."""

    def __init__(self) -> None:
        self.inputs = ModbusInputs(read_map(MAP).inputs)
        self.bits = {"wall": False, "dice2": True, "key": False}
        self.answers = {1: True, 7: True}
        self.now_ms = 0

    def run(self, milliseconds: int) -> list[EventContent]:
        said: list[EventContent] = []
        for _ in range(0, milliseconds, 20):
            self.now_ms += 20
            bits = self.bits
            if self.answers[1]:
                row = [bits["wall"], True, True, bits["dice2"]]
                self.inputs.take(Block(1, InputTable.DISCRETE, 0, 4), row, self.now_ms)
            if self.answers[7]:
                self.inputs.take(Block(7, InputTable.COILS, 16, 1), [bits["key"]], self.now_ms)
            said += self.inputs.step(self.now_ms)
        return said


def test_bits_are_the_tables_inputs() -> None:
    bench = Bench()
    assert bench.run(1000) == []
    bench.bits["wall"] = True
    assert bench.run(1000) == [WallReady()]
    bench.bits["dice2"] = False  # inverted
    bench.bits["key"] = True
    assert bench.run(1000) == [DiceReport(2), KeyPressed(2, Key.WIN)]
    assert bench.run(31_000) == [Fault("STUCK-D2"), Fault("STUCK-K2")]
    bench.bits.update(wall=False, dice2=True, key=False)
    assert bench.run(1000) == []


def test_what_the_devices_show_first_is_no_event_even_if_one_is_late() -> None:
    bench = Bench()
    bench.bits.update(wall=True, key=True)
    bench.answers[7] = False
    assert bench.run(5000) == []
    assert bench.inputs.silent == {7}
    bench.answers[7] = True
    assert bench.run(1000) == []
    assert bench.inputs.silent == set()


def test_a_silent_unit_is_a_fault_and_what_changed_meanwhile_is_told() -> None:
    bench = Bench()
    bench.run(500)
    bench.answers[1] = False
    bench.bits["wall"] = True
    assert bench.run(1900) == []
    assert bench.run(5000) == [Fault("MODBUS-1")]
    assert bench.inputs.silent == {1}
    bench.answers[1] = True
    assert bench.run(1000) == [WallReady()]
    bench.answers[1] = False
    assert bench.run(3000) == [Fault("MODBUS-1")]


def test_while_the_machine_stands_still_no_unit_is_silent() -> None:
    bench = Bench()
    bench.run(500)
    asked_ms = bench.now_ms
    bench.now_ms += 5000
    assert list(bench.inputs.step(bench.now_ms, asked_ms)) == []
    assert bench.run(500) == []


def until(is_true: Callable[[], bool]) -> None:
    ends_s = time.monotonic() + PATIENCE_S
    while not is_true():
        assert time.monotonic() < ends_s, "it never became true"
        time.sleep(0.005)


LINE = """
port = "{}"

[[input]]
unit = 1
table = "discrete"
address = 0
sensor = "wall"

[[input]]
unit = 1
table = "discrete"
address = 5
sensor = "lift3"
"""


def test_a_device_is_heard_over_a_real_serial_line(tmp_path: Path) -> None:
    readings: queue.SimpleQueue[Reading] = queue.SimpleQueue()
    with sensors(tmp_path) as device:
        source = ModbusSource(read_map(LINE.format(device.port)), readings.put)
        source.start()
        until(lambda: not source.silent)
        device.bits[0] = True
        first = readings.get(timeout=PATIENCE_S)
        device.bits[5] = True
        second = readings.get(timeout=PATIENCE_S)
        assert [first.content, second.content] == [WallReady(), LiftMoved(3, up=True)]
        assert (first.seq, second.seq) == (1, 2)
        assert first.boot_id == second.boot_id
        device.cut(is_cut=True)
        assert readings.get(timeout=PATIENCE_S).content == Fault("MODBUS-1")
        assert source.silent == {1}
        device.cut(is_cut=False)
        until(lambda: not source.silent)
        source.stop()


def test_a_missing_line_is_told_and_ends(tmp_path: Path) -> None:
    source = ModbusSource(read_map(LINE.format(tmp_path / "none")), lambda reading: None)
    source.start()
    assert source.silent == {1}
    source.stop()


def test_a_map_may_name_a_device_on_the_network() -> None:
    client = open_client(read_map(LINE.format("tcp://127.0.0.1:1502")))
    assert client.comm_params.host == "127.0.0.1"
    assert client.comm_params.port == 1502
