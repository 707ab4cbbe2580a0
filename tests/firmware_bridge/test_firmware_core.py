"""The firmware's half of the protocol: events, orders, times and the wrap of every counter."""

import binascii
import json
import random
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import firmware_bridge
from bench.board import DEVICE, KEPT_EVENTS, RECEIVE_BUFFER
from firmware_bridge.events import Key
from firmware_bridge.frames import MAX_LINE, BadFrame, Frame, FrameDecoder, encode
from firmware_bridge.messages import (
    MS_MODULUS,
    ORDER_LINE,
    BoardSnapshot,
    Event,
    Hello,
    dice_key_bit,
    key_bit,
)
from tests.stages.simavr import DICE_KEY, PRESSED, RELEASED, NativeBoard
from tests.stages.simavr import board as board


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
    assert "+".join(hello.capabilities) == "DICE+WALL+DOME+KEY+LIFT+LIFTKEY+TRAY+FAULT"
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
    held = board.snapshot().inputs
    assert held.has(dice_key_bit(3))
    assert held.has(key_bit(1, Key.KONG))


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


@pytest.fixture(scope="module")
def build(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A build from nothing, in a folder that has never been built in."""
    folder = tmp_path_factory.mktemp("firmware")
    assert make(f"BUILD={folder}", "-j2", "all").returncode == 0
    return folder


def make(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = ["make", "-s", "-C", str(DEVICE), *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_the_committed_hex_is_what_the_sources_make(build: Path) -> None:
    assert (build / "uno_retrofit.hex").read_bytes() == (DEVICE / "uno_retrofit.hex").read_bytes()
    assert make(f"BUILD={build}", "check").returncode == 0


def test_a_hex_that_is_not_what_the_sources_make_is_refused(tmp_path: Path, build: Path) -> None:
    other = tmp_path / "other.hex"
    other.write_bytes((DEVICE / "uno_retrofit.hex").read_bytes()[:-2])
    refused = make(f"BUILD={build}", f"COMMITTED={other}", "check")
    assert refused.returncode != 0
    assert "is not what the sources make" in refused.stderr


def test_the_firmware_takes_at_most_60_per_cent_of_flash_and_ram(build: Path) -> None:
    done = make(f"BUILD={build}", "size")
    assert done.returncode == 0
    figures = re.search(r"flash \d+ bytes, ([\d.]+) %.*RAM \d+ bytes, ([\d.]+) %", done.stdout)
    assert figures is not None
    assert all(0 < float(per_cent) <= 60 for per_cent in figures.groups())


def test_the_figures_in_the_documentation_are_those_of_the_build(build: Path) -> None:
    figures = re.findall(r"[\d.]+", make(f"BUILD={build}", "size").stdout)
    flash, flash_share, _, ram, ram_share, _ = figures
    page = (DEVICE.parent.parent / "docs" / "BOARD.md").read_text()
    assert f"| flash | {int(flash):,} | {flash_share} % of 32768 |" in page
    assert f"| RAM | {int(ram):,} | {ram_share} % of 2048 |" in page


def test_a_firmware_that_is_too_large_is_refused(build: Path) -> None:
    assert make(f"BUILD={build}", "LIMIT=20", "size").returncode != 0


def test_the_folder_for_the_arduino_ide_has_every_file_of_the_sketch(tmp_path: Path) -> None:
    assert make(f"BUILD={tmp_path}", "sketch").returncode == 0
    names = {path.name for path in (tmp_path / "sketch" / "uno_retrofit").iterdir()}
    sources = [*(DEVICE / "core").iterdir(), *(DEVICE / "uno_retrofit").iterdir()]
    assert names == {path.name for path in sources}


def test_the_core_calls_nothing_of_arduino() -> None:
    for path in (DEVICE / "core").iterdir():
        includes = re.findall(r'#include [<"](.*)[>"]', path.read_text())
        foreign = {name for name in includes if not (DEVICE / "core" / name).exists()}
        assert foreign <= {"stdbool.h", "stdint.h", "avr/pgmspace.h"}


RECORDS, RECORD = 16, 8


def record(starts: int, board: int) -> bytes:
    body = starts.to_bytes(4, "little") + board.to_bytes(2, "little")
    return body + binascii.crc_hqx(body, 0xFFFF).to_bytes(2, "little")


def record_of(boot_id: str) -> bytes:
    return record(int(boot_id[4:], 16), int(boot_id[:4], 16))


def eeprom(board: NativeBoard) -> bytes:
    (answer,) = board.do("dump")
    return bytes.fromhex(answer.removeprefix("eeprom "))


def test_a_new_board_draws_four_digits_and_counts_from_there(board: NativeBoard) -> None:
    board.do(f"random {0x12345EED}")
    assert [board.start().boot_id for _ in range(3)] == ["5EED0000", "5EED0001", "5EED0002"]


def test_no_boot_id_comes_twice_in_more_starts_than_the_counter_has_numbers(
    board: NativeBoard,
) -> None:
    board.do(f"eeprom 0 {record(65_000, 0xAAAA).hex()}")
    board.do(f"random {0xBBBB}")
    seen = [board.start().boot_id for _ in range(1200)]
    assert seen[:535] == [f"AAAA{start:04X}" for start in range(65_001, 65_536)]
    assert seen[535:] == [f"BBBB{start:04X}" for start in range(0, 665)]


def test_the_writes_go_around_all_records(board: NativeBoard) -> None:
    board.start()
    written = [0] * RECORDS
    for _ in range(160):
        before = eeprom(board)
        board.start()
        after = eeprom(board)
        for slot in range(RECORDS):
            place = slice(slot * RECORD, slot * RECORD + RECORD)
            written[slot] += before[place] != after[place]
    assert written == [10] * RECORDS
    assert after[RECORDS * RECORD :] == b"\xff" * (256 - RECORDS * RECORD)


@pytest.mark.parametrize("cut", range(RECORD))
def test_a_start_that_loses_power_while_it_writes_takes_no_number_from_another(
    board: NativeBoard, cut: int
) -> None:
    ids = [board.start().boot_id for _ in range(20)]
    before = eeprom(board)
    ids.append(board.start().boot_id)
    half = bytearray(before)
    slot = 20 % RECORDS * RECORD
    half[slot : slot + cut] = eeprom(board)[slot : slot + cut]
    board.do(f"eeprom 0 {half.hex()}")
    # The power went before this start's greeting: its number may be used, or passed over.
    ids[20:] = [board.start().boot_id for _ in range(3)]
    assert len(set(ids)) == len(ids)
    assert ids == sorted(ids)


def test_a_damaged_record_never_gives_a_number_again() -> None:
    noise = random.Random(3)
    with NativeBoard() as board:
        seen: list[str] = []
        for _ in range(300):
            board.do(f"random {noise.randrange(1 << 32)}")
            seen.append(board.start().boot_id)
            if noise.random() < 0.3:
                newest = eeprom(board).find(record_of(seen[-1]))
                cell = newest + noise.randrange(RECORD)
                board.do(f"eeprom {cell} {eeprom(board)[cell] ^ 1 << noise.randrange(8):02x}")
    assert len(set(seen)) == len(seen)


@pytest.mark.parametrize("fill", ["00", "ff", "5a"])
def test_an_eeprom_full_of_anything_starts_a_new_count(board: NativeBoard, fill: str) -> None:
    board.do(f"eeprom 0 {fill * 256}")
    board.do(f"random {0x77}")
    assert [board.start().boot_id for _ in range(2)] == ["00770000", "00770001"]


def test_a_worn_cell_is_passed_over(board: NativeBoard) -> None:
    board.start()
    for cell in (8, 17, 127):
        board.do(f"worn {cell}")
    ids = [board.start().boot_id for _ in range(100)]
    assert len(set(ids)) == 100
    assert board.events(300) == []


def test_an_eeprom_that_keeps_nothing_is_a_fault_and_all_digits_are_drawn(
    board: NativeBoard,
) -> None:
    for cell in range(256):
        board.do(f"worn {cell}")
    board.do(f"random {0xCAFE0001}")
    board.do("start 0")
    board.frames()
    # One draw for the record that could not be written, one for the boot id.
    board.do("run 500")
    events = [frame.fields for frame in board.frames() if frame.type == "EV"]
    assert events[0] == ("CAFE0002", "0", "FAULT", "EEPROM")


VECTORS = json.loads((Path(firmware_bridge.__path__[0]) / "vectors.json").read_text())


def vectors(name: str) -> list[Any]:
    entries = VECTORS[name]
    return [pytest.param(entry, id=entry.get("says") or entry.get("name")) for entry in entries]


def decode(board: NativeBoard, data: bytes) -> list[str]:
    return board.do(f"decode {data.hex()}")


def as_answered(found: list[Frame | BadFrame]) -> list[str]:
    """What the native program answers for these."""
    return [
        "bad" if isinstance(one, BadFrame) else f"frame {one.type} {one.seq} {fields_of(one)}"
        for one in found
    ]


def fields_of(frame: Frame) -> str:
    return "".join(f",{field}" for field in frame.fields)


def test_the_firmware_writes_every_line_of_the_vectors() -> None:
    lines = [entry["line"] for name in ("from_board", "to_board") for entry in VECTORS[name]]
    with NativeBoard() as board:
        for line in lines:
            type_, seq, *fields = line[1:-5].split(",")
            command = f"encode {type_} {seq}" + (f" {','.join(fields)}" if fields else "")
            (answer,) = board.do(command)
            assert bytes.fromhex(answer.removeprefix("line ")).decode() == f"{line}\r\n"


@pytest.mark.parametrize("stream", vectors("streams"))
def test_the_firmware_finds_the_frames_of_the_published_streams(stream: dict[str, Any]) -> None:
    expected = [
        "bad" if one == "bad" else f"frame {one['type']} {one['seq']} {fields_of(Frame(**one))}"
        for one in stream["found"]
    ]
    with NativeBoard("board_long_lines") as board:
        assert decode(board, bytes.fromhex(stream["hex"])) == expected


@pytest.mark.parametrize("order", vectors("to_board"))
def test_the_firmware_knows_every_order_of_the_vectors(order: dict[str, Any]) -> None:
    with NativeBoard() as board:
        board.start()
        answers = board.receive(f"{order['line']}\r\n".encode())
        refused = [frame for frame in answers if frame.type == "NO"]
        assert refused == []
        assert board.snapshot().bad_lines == 0


@pytest.fixture(scope="module")
def decoding_board() -> Iterator[NativeBoard]:
    """One program for all examples of a property: the decoder starts anew at each command."""
    with NativeBoard() as board:
        yield board


PIECES = st.sampled_from(
    [b"$", b"$$", b"#", b"\r", b"\n", b"\r\n", b"*", b",", b"$PI,7*77F8", b"$PI,7*77F9\r\n"]
    + [f"{entry['line']}\r\n".encode() for entry in VECTORS["to_board"]]
    + [b"$AK,6,A1B2C3D4", b"$PI,07*0000", b"x" * 31, b"x" * 32, b"$" + b"A" * 31]
)


@settings(max_examples=300)
@given(st.lists(PIECES | st.binary(max_size=4), max_size=12).map(b"".join))
def test_the_firmware_and_the_host_agree_about_any_bytes(
    decoding_board: NativeBoard, data: bytes
) -> None:
    # Both agree once the line has ended; before, the firmware may know more: it takes a frame for
    # ended at the next $, the host at the line end.
    data += b"\n"
    assert decode(decoding_board, data) == as_answered(FrameDecoder(ORDER_LINE).feed(data))


def test_two_orders_whose_line_end_was_lost_are_both_obeyed() -> None:
    first, second = encode(Frame("PI", 1)), encode(Frame("PI", 2))
    with NativeBoard() as board:
        board.start()
        assert board.receive(first[:-2] + second) == [Frame("OK", 1), Frame("OK", 2)]


def test_a_million_bytes_of_noise_are_counted_as_the_host_counts_them() -> None:
    noise = random.Random(5)
    orders = [f"{entry['line']}\r\n".encode() for entry in VECTORS["to_board"]]
    orders = [order for order in orders if not order.startswith((b"$RS", b"$AK"))]
    decoder = FrameDecoder(ORDER_LINE)
    expected, answered, sent = 0, 0, 0
    with NativeBoard() as board:
        boot_id = board.start().boot_id
        while sent < 1_000_000:
            data = b"".join(_noisy(noise, orders) for _ in range(400)) + b"\n"
            sent += len(data)
            for one in decoder.feed(data):
                is_order = isinstance(one, Frame) and one.type in ("PI", "RQ")
                expected += not is_order
                answered += is_order
            board.do(f"trickle {data.hex()}")
        # Whether the board still obeys, and whether it has counted right.
        answers = [frame for frame in board.frames() if frame.type in ("OK", "NO")]
        snapshot = board.snapshot()
        assert len(answers) == answered > 1000
        assert 10_000 < snapshot.bad_lines < 65_535
        assert snapshot.bad_lines == expected
        assert snapshot.boot_id == boot_id


def test_the_longest_greeting_fits_into_a_line() -> None:
    # 96 bytes less what the numbers of this one can still grow.
    with NativeBoard() as board:
        hello = board.start()
        board.receive(encode(Frame("RQ", 1)))
        capabilities = "+".join(hello.capabilities)
        fields = (hello.boot_id, str(hello.board_ms), "0", "1", hello.firmware, capabilities)
        line = encode(Frame("HI", 0, fields))
    growth = len("65535") - len("0") + len("4294967295") - len("0") + len("32") - len("0")
    assert len(line) + growth <= MAX_LINE


def _noisy(noise: random.Random, orders: list[bytes]) -> bytes:
    """An order, damaged or not, or bytes of any kind."""
    order = bytearray(noise.choice(orders))
    match noise.randrange(6):
        case 0:
            order[noise.randrange(len(order))] ^= 1 << noise.randrange(8)
        case 1:
            del order[noise.randrange(len(order))]
        case 2 | 3:
            return noise.randbytes(noise.randrange(60))
        case 4:
            return b"#" + noise.randbytes(8) + b"\r\n"
    return bytes(order)
