"""Messages and orders: every field in its range, and doubt as a value."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import firmware_bridge.messages
from firmware_bridge.events import (
    DiceReport,
    Dome,
    EventContent,
    Fault,
    Key,
    KeyPressed,
    LiftKeyPressed,
    LiftMoved,
    TrayWeighed,
    UnreadableEvent,
    WallReady,
    read_event,
)
from firmware_bridge.frames import MAX_LINE, Frame, FrameDecoder, encode
from firmware_bridge.messages import (
    DOME_BIT,
    LIFT_BIT,
    LIFT_KEY_BIT,
    ORDER_LINE,
    PROTOCOL,
    TRAY_BIT,
    WALL_BIT,
    Accepted,
    Acknowledge,
    BadMessage,
    BoardSnapshot,
    Event,
    Hello,
    Inputs,
    Ping,
    Refused,
    Reset,
    StatusRequest,
    UnknownMessage,
    acknowledge_frame,
    dice_key_bit,
    key_bit,
    order_frame,
    parse,
    parse_answer,
    to_frame,
)

VECTORS: dict[str, list[dict[str, Any]]] = json.loads(
    (Path(firmware_bridge.messages.__file__).parent / "vectors.json").read_text()
)

seqs = st.integers(0, 65535)
boot_ids = st.text("0123456789ABCDEF", min_size=8, max_size=8)
board_times = st.integers(0, 2**32 - 1)
KINDS = ("DICE", "WALL", "DOME", "KEY", "LIFT", "LIFTKEY", "TRAY", "FAULT")
names = st.text("ABCabc019._-", min_size=1, max_size=16)
contents = st.one_of(
    st.builds(DiceReport, st.integers(0, 3), st.lists(st.integers(1, 6), max_size=4).map(tuple)),
    st.just(WallReady()),
    st.builds(Dome, st.booleans()),
    st.builds(KeyPressed, st.integers(0, 3), st.sampled_from(Key)),
    st.builds(LiftMoved, st.integers(0, 3), st.booleans()),
    st.builds(LiftKeyPressed, st.integers(0, 1)),
    st.builds(TrayWeighed, st.integers(0, 3), st.integers(-(2**23), 2**23 - 1)),
    st.builds(Fault, names),
)
kinds = st.lists(st.text("ABCDEFGH", min_size=1, max_size=4), max_size=5).map(tuple)
pendings = st.integers(0, 255)
messages = st.one_of(
    st.builds(Hello, seqs, boot_ids, board_times, pendings, st.integers(1, 255), names, kinds),
    st.builds(Event, seqs, boot_ids, board_times, contents),
    st.builds(
        BoardSnapshot,
        seqs,
        boot_ids,
        board_times,
        pendings,
        st.builds(Inputs, st.integers(0, 2**32 - 1)),
        seqs,
        seqs,
    ),
)


def frame_of(line: str) -> Frame:
    (frame,) = FrameDecoder().feed(line.encode() + b"\r\n")
    assert isinstance(frame, Frame)
    return frame


def content_of(case: dict[str, Any]) -> EventContent:
    match case["event"]:
        case "dice_rolled":
            return DiceReport(case["side"], tuple(case["values"]))
        case "wall_ready":
            return WallReady()
        case "dome":
            return Dome(case["open"])
        case "key_pressed":
            return KeyPressed(case["seat"], Key(case["key"]))
        case "lift_moved":
            return LiftMoved(case["side"], case["up"])
        case "lift_key_pressed":
            return LiftKeyPressed(case["key"])
        case "tray_weighed":
            return TrayWeighed(case["seat"], case["raw"])
        case "fault":
            return Fault(case["kind"])
        case _:
            reading = read_event(case["kind"], tuple(case["fields"]))
            assert isinstance(reading, UnreadableEvent)
            return reading


def message_of(case: dict[str, Any]) -> Hello | Event | BoardSnapshot:
    head = case["seq"], case["boot_id"], case["board_ms"]
    match case["message"]:
        case "hello":
            capabilities = tuple(case["capabilities"])
            return Hello(*head, case["pending"], case["protocol"], case["firmware"], capabilities)
        case "event":
            return Event(*head, content_of(case))
        case _:
            inputs = Inputs(sum(1 << bit for bit in case["bits"]))
            return BoardSnapshot(
                *head, case["pending"], inputs, case["bad_lines"], case["overruns"]
            )


@pytest.mark.parametrize("case", VECTORS["from_board"], ids=lambda case: case["says"])
def test_vectors_from_the_board(case: dict[str, Any]) -> None:
    frame = frame_of(case["line"])
    match case["message"]:
        case "bad":
            assert isinstance(parse(frame), BadMessage)
        case "unknown":
            assert isinstance(parse(frame), UnknownMessage)
            assert isinstance(parse_answer(frame), UnknownMessage)
        case "accepted":
            assert parse_answer(frame) == Accepted(case["seq"])
        case "refused":
            assert parse_answer(frame) == Refused(case["seq"], case["reason"])
        case _:
            assert parse(frame) == message_of(case)


@pytest.mark.parametrize("case", VECTORS["to_board"], ids=lambda case: case["order"])
def test_vectors_to_the_board(case: dict[str, Any]) -> None:
    orders = {"ping": Ping(), "status_request": StatusRequest(), "reset": Reset()}
    if case["order"] == "acknowledge":
        order: Any = Acknowledge(case["seq"], case["boot_id"])
        frame = acknowledge_frame(order)
    else:
        order = orders[case["order"]]
        frame = order_frame(order, case["seq"])
    assert encode(frame) == case["line"].encode() + b"\r\n"
    assert frame.seq == case["seq"]


@given(
    st.builds(
        Frame,
        st.sampled_from(["HI", "EV", "ST", "OK", "NO", "AK", "PI", "RQ", "RS", "XX"]),
        seqs,
        st.lists(
            st.one_of(
                st.sampled_from(["A1B2C3D4", "0", "7", "-5", *KINDS]),
                st.text(max_size=4),
            ),
            max_size=8,
        ).map(tuple),
    )
)
def test_no_frame_raises(frame: Frame) -> None:
    message = parse(frame)
    if isinstance(message, Event) and not isinstance(message.content, UnreadableEvent):
        assert parse(to_frame(message)) == message
    parse_answer(frame)


@pytest.mark.parametrize(
    ("kind", "fields", "reason"),
    [
        ("DICE", (), "0 fields"),
        ("DICE", ("4",), "side is '4'"),
        ("DICE", ("0", "0"), "a die is '0'"),
        ("DICE", ("0", "7"), "a die is '7'"),
        ("DICE", ("0", "1", "2", "3", "4", "5"), "6 fields"),
        ("WALL", ("1",), "1 fields"),
        ("DOME", ("2",), "dome is '2'"),
        ("DOME", (), "0 fields"),
        ("KEY", ("4", "WIN"), "seat is '4'"),
        ("KEY", ("-1", "WIN"), "seat is '-1'"),
        ("KEY", ("+1", "WIN"), "seat is '+1'"),
        ("KEY", ("01", "WIN"), "seat is '01'"),
        ("KEY", ("0", "win"), "key is 'win'"),
        ("KEY", ("0", "CHOW"), "key is 'CHOW'"),
        ("FAULT", ("",), "0 characters"),
        ("LIFT", ("4", "0"), "side is '4'"),
        ("LIFT", ("1", "2"), "lift is '2'"),
        ("LIFT", ("1",), "1 fields"),
        ("LIFTKEY", ("2",), "lift key is '2'"),
        ("LIFTKEY", (), "0 fields"),
        ("TRAY", ("4", "0"), "seat is '4'"),
        ("TRAY", ("0", "8388608"), "weight is '8388608'"),
        ("TRAY", ("0", "-8388609"), "weight is '-8388609'"),
        ("TRAY", ("0", "-0"), "weight is '-0'"),
        ("TRAY", ("0", "+1"), "weight is '+1'"),
        ("TRAY", ("0", "01"), "weight is '01'"),
        ("TRAY", ("0",), "1 fields"),
        ("LAMP", ("1", "0"), "unknown kind of event 'LAMP'"),
        ("", (), "unknown kind of event ''"),
    ],
)
def test_a_wrong_event_says_why(kind: str, fields: tuple[str, ...], reason: str) -> None:
    content = read_event(kind, fields)
    assert isinstance(content, UnreadableEvent)
    assert (content.kind, content.fields) == (kind, fields)
    assert reason in content.reason


@pytest.mark.parametrize(
    ("frame", "reason"),
    [
        (Frame("HI", 0), "HI has 0 fields, not 6"),
        (Frame("ST", 0, ("A1B2C3D4", "5")), "ST has 2 fields, not 6"),
        (Frame("EV", 0, ("A1B2C3D4", "5")), "EV has 2 fields, not 3"),
        (Frame("EV", 0, ("A1B2C3D", "5", "WALL")), "boot id is 'A1B2C3D'"),
        (Frame("EV", 0, ("A1B2C3D4", "x", "WALL")), "board time is 'x'"),
        (Frame("HI", 0, ("A1B2C3D4", "5", "0", "1", "", "KEY")), "0 characters"),
        (Frame("HI", 0, ("A1B2C3D4", "5", "0", "256", "x", "KEY")), "protocol is '256'"),
        (Frame("ST", 0, ("A1B2C3D4", "5", "256", "00000000", "0", "0")), "pending is '256'"),
        (Frame("ST", 0, ("A1B2C3D4", "5", "0", "0", "0", "0")), "inputs are '0'"),
        (Frame("ST", 0, ("A1B2C3D4", "5", "0", "00000000", "65536", "0")), "bad lines is '65536'"),
    ],
)
def test_a_wrong_message_says_why(frame: Frame, reason: str) -> None:
    message = parse(frame)
    assert isinstance(message, BadMessage)
    assert reason in message.reason
    assert message.frame == frame


def test_every_input_has_its_own_bit() -> None:
    bits = [key_bit(seat, key) for seat in range(4) for key in Key]
    bits += [dice_key_bit(side) for side in range(4)]
    bits += [WALL_BIT, DOME_BIT, *range(LIFT_BIT, LIFT_BIT + 4)]
    bits += [LIFT_KEY_BIT, LIFT_KEY_BIT + 1, *range(TRAY_BIT, TRAY_BIT + 4)]
    assert bits == list(range(32))
    for bit in bits:
        assert Inputs(1 << bit).has(bit)
        assert not Inputs(~(1 << bit) & 0xFFFFFFFF).has(bit)


def test_the_longest_greeting_of_a_board_with_every_sensor_fits_a_line() -> None:
    longest = Hello(65535, "FFFFFFFF", 2**32 - 1, 255, PROTOCOL, "uno-0.12.3", KINDS)
    assert len(encode(to_frame(longest))) <= MAX_LINE


@given(seqs, boot_ids)
def test_every_order_fits_a_small_boards_line(seq: int, boot_id: str) -> None:
    lines = [order_frame(order, seq) for order in (Ping(), StatusRequest(), Reset())]
    lines.append(acknowledge_frame(Acknowledge(seq, boot_id)))
    assert all(len(encode(frame)) <= ORDER_LINE for frame in lines)


def test_every_line_in_the_protocols_description_is_right() -> None:
    text = (Path(__file__).parents[2] / "docs" / "PROTOCOL.md").read_text()
    lines = re.findall(r"^([<>]) (\$\S+)", text, flags=re.MULTILINE)
    assert len(lines) == 13
    for direction, line in lines:
        frame = frame_of(line)
        if direction == "<":
            answer = parse_answer(frame)
            message = parse(frame) if isinstance(answer, UnknownMessage) else answer
            assert isinstance(message, Hello | Event | BoardSnapshot | Accepted | Refused)
        else:
            assert frame.type in ("PI", "RQ", "RS", "AK", "ZZ")
