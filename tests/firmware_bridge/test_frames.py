"""Frames: the same frames from the same bytes, however they come, and nothing from noise."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import firmware_bridge.frames
from firmware_bridge.frames import MAX_LINE, BadFrame, Frame, FrameDecoder, encode

VECTORS: dict[str, list[dict[str, Any]]] = json.loads(
    (Path(firmware_bridge.frames.__file__).parent / "vectors.json").read_text()
)
STREAMS = VECTORS["streams"]

field_text = st.text("ABCZabcz0189._+-", max_size=8)
frames = st.builds(
    Frame,
    st.text("ABCDEFGHIJKLMNOPQRSTUVWXYZ", min_size=2, max_size=2),
    st.integers(0, 65535),
    st.lists(field_text, max_size=7).map(tuple),
)
# Bytes that mean something to the decoder come up often.
noise = st.lists(
    st.one_of(
        st.binary(max_size=20),
        st.sampled_from([b"$", b"*", b"\n", b"\r", b"#", b"\r\n", b"$EV,1*", b"x" * 90]),
        frames.map(encode),
    ),
    max_size=12,
).map(b"".join)


def decode(*chunks: bytes) -> list[Frame | BadFrame]:
    decoder = FrameDecoder()
    return [frame for chunk in chunks for frame in decoder.feed(chunk)]


def bitwise_checksum(body: bytes) -> int:
    """CRC-16/IBM-3740 bit by bit, as its definition says."""
    register = 0xFFFF
    for byte in body:
        register ^= byte << 8
        for _ in range(8):
            carry = register & 0x8000
            register = (register << 1) & 0xFFFF
            register ^= 0x1021 if carry else 0
    return register


@pytest.mark.parametrize("case", STREAMS, ids=lambda case: case["name"])
def test_stream_vectors_whole_and_byte_by_byte(case: dict[str, Any]) -> None:
    data = bytes.fromhex(case["hex"])
    expected = [
        found if found == "bad" else Frame(found["type"], found["seq"], tuple(found["fields"]))
        for found in case["found"]
    ]
    for chunks in ([data], [data[at : at + 1] for at in range(len(data))]):
        found = decode(*chunks)
        assert ["bad" if isinstance(frame, BadFrame) else frame for frame in found] == expected


@given(st.lists(frames, max_size=6), noise)
def test_frames_after_a_line_end_are_read_whatever_came_before(
    sent: list[Frame], before: bytes
) -> None:
    found = decode(before, b"\n", *(encode(frame) for frame in sent))
    assert found[len(found) - len(sent) :] == sent


def test_memory_stays_small_without_a_line_end() -> None:
    for byte in (b"x", b"$", b"#", b"\r", b"*"):
        decoder = FrameDecoder()
        for _ in range(100):
            decoder.feed(byte * 50)
        assert len(decoder._rest) < MAX_LINE, byte


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (b"hello", "noise outside a frame"),
        (b"$PI,17", "no checksum at the end"),
        (b"$PI,17*0000", "the checksum should be"),
        (b"x" * 200, "longer than 96 bytes"),
        (b"$PI,99999*%04X" % bitwise_checksum(b"PI,99999"), "99999 is above 65535"),
        (b"$pi,1*%04X" % bitwise_checksum(b"pi,1"), "not TYPE,seq,field"),
    ],
)
def test_a_bad_frame_says_why(line: bytes, reason: str) -> None:
    (bad,) = decode(line + b"\r\n")
    assert isinstance(bad, BadFrame)
    assert reason in bad.reason
    assert bad.raw == line[:MAX_LINE]


@pytest.mark.parametrize(
    "frame",
    [
        Frame("E", 1),
        Frame("EVE", 1),
        Frame("ev", 1),
        Frame("EV", -1),
        Frame("EV", 65536),
        Frame("EV", 1, ("a,b",)),
        Frame("EV", 1, ("a*b",)),
        Frame("EV", 1, ("$",)),
        Frame("EV", 1, ("é",)),
        Frame("EV", 1, ("a\n",)),
        Frame("EV", 1, ("A" * 90,)),
    ],
)
def test_what_a_line_cannot_hold_is_not_written(frame: Frame) -> None:
    with pytest.raises(ValueError, match=r"line"):
        encode(frame)
