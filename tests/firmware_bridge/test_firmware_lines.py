"""The firmware's lines: the published test vectors, and the host's word on any other bytes."""

import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import firmware_bridge
from firmware_bridge.frames import MAX_LINE, BadFrame, Frame, FrameDecoder, encode
from firmware_bridge.messages import UnknownMessage
from firmware_bridge.orders import ORDER_LINE, Acknowledge, parse_order
from tests.stages.native_board import NativeBoard

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


@settings(max_examples=300, deadline=None)
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
                order = parse_order(one) if isinstance(one, Frame) else None
                expected += order is None or isinstance(order, UnknownMessage)
                answered += order is not None and not isinstance(order, Acknowledge)
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
