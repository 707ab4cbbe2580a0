"""The firmware's boot id: no start may have that of another, whatever the EEPROM holds."""

import binascii
import random

import pytest

from tests.stages.native_board import NativeBoard
from tests.stages.native_board import board as board

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
