"""The published log holds what the log holds; its schema is the events'; no change passes."""

import hashlib
import json
from pathlib import Path

import jsonschema_rs
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from table_assist.cli.main import main
from table_assist.game.events import Discarded, HandStarted, Settled
from table_assist.record.log import Source
from table_assist.record.record import Record
from table_assist.record.seal import PublishedError, published_lines, read_published
from table_assist.record.store import Store
from table_assist.tiles.tile import Tile
from tools.log_schema import OUT, schema, text

TESTS = Path(__file__).parents[1]
GOLDEN = TESTS / "golden" / "log" / "evening.jsonl"
EVENING = TESTS / "fixtures" / "before_the_move" / "evening.sqlite"
NAMES = ("Seat A", "Seat B", "座位丙", "Seat D")
LINES = GOLDEN.read_text(encoding="utf-8").splitlines()
VALIDATOR = jsonschema_rs.validator_for(schema())


def chain(path: Path) -> list[tuple[str, str]]:
    with Store(path, reads_only=True) as store:
        return store.chain()


def test_the_golden_file_is_what_an_old_evening_exports_to() -> None:
    assert list(published_lines(chain(EVENING), NAMES))[1:] == LINES[1:]
    found = read_published(LINES)
    with Store(EVENING, reads_only=True) as store:
        assert found.entries == store.load(), "corrections after the hand are in it"
    assert found.names == NAMES


def test_the_schema_is_made_of_the_events_of_today() -> None:
    assert OUT.read_text(encoding="utf-8") == text(), "python tools/log_schema.py"


def test_every_line_is_as_the_schema_says() -> None:
    for line in LINES:
        VALIDATOR.validate(json.loads(line))


@pytest.mark.parametrize(
    "event",
    [
        {"type": "Discarded", "seat": 1, "tile": "10m"},
        {"type": "Discarded", "seat": 1},
        {"type": "Discarded", "seat": 1, "tile": "1m", "colour": "red"},
        {"type": "Juggled"},
    ],
)
def test_the_schema_refuses_what_is_no_event(event: dict[str, object]) -> None:
    row = json.loads(LINES[1])
    row["entry"]["event"] = event
    assert not VALIDATOR.is_valid(row)


def test_an_unread_tile_is_said_to_be_one(tmp_path: Path) -> None:
    with Store(tmp_path / "log.sqlite") as store:
        record = Record(store, lambda: 0.0)
        record.append(HandStarted(1, "changsha", 2, 55), Source.BOARD)
        record.append(Discarded(2, Tile.UNKNOWN), Source.CAMERA)
        record.append(Settled((), (0, 0, 0, 0), 2), Source.PERSON)
        record.append(HandStarted(2, "changsha", 2, 55), Source.BOARD)
        record.append(Discarded(2, Tile.S7), Source.CAMERA)
        record.save()
        lines = list(published_lines(store.chain(), NAMES))
    assert '"tile":"?"' in lines[2]
    VALIDATOR.validate(json.loads(lines[2]))
    assert len(lines) == 4, "the second hand is not over, and is not told"
    assert len(read_published(lines).seals) == 1


def test_a_seal_can_be_checked_without_our_program() -> None:
    before = ""
    for line in LINES[1:]:
        seal, entry = line[9:73], line.partition('"entry":')[2][:-1]
        assert hashlib.sha256((before + entry).encode()).hexdigest() == seal
        before = seal


@settings(max_examples=200, deadline=None)
@given(st.data())
def test_no_changed_letter_passes(data: st.DataObject) -> None:
    number = data.draw(st.integers(1, len(LINES) - 1))
    line = LINES[number]
    at = data.draw(st.integers(0, len(line) - 1))
    letter = data.draw(st.sampled_from('0123456789abcdefmpsE"{}:, '))
    changed = line[:at] + letter + line[at + 1 :]
    if changed == line:
        return
    with pytest.raises(PublishedError):
        read_published([*LINES[:number], changed, *LINES[number + 1 :]])


@pytest.mark.parametrize(
    ("lines", "says"),
    [
        ([], "line 1: this is no file"),
        (["{}"], "line 1: this is no file"),
        ([LINES[0].replace('"version":1', '"version":2'), *LINES[1:]], "version is 2"),
        ([LINES[0].replace(',"Seat D"', ""), *LINES[1:]], "four names"),
        ([*LINES[:3], *LINES[4:]], "line 4"),
        ([*LINES[:2], LINES[3], LINES[2], *LINES[4:]], "line 3"),
        (LINES[:8], "within a hand"),
        ([LINES[0], "nonsense"], "line 2"),
        ([*LINES, LINES[-1]], f"line {len(LINES) + 1}"),
    ],
)
def test_what_is_wrong_is_named_with_its_line(lines: list[str], says: str) -> None:
    with pytest.raises(PublishedError, match=says):
        read_published(lines)


def test_the_command_checks_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["export", str(GOLDEN), "--check"]) == 0
    assert "every seal fits" in capsys.readouterr().out
    bad = tmp_path / "bad.jsonl"
    bad.write_text("\n".join([*LINES[:2], LINES[3]]), encoding="utf-8")
    assert main(["export", str(bad), "--check"]) == 1
    assert "line 3" in capsys.readouterr().out
    assert main(["export", str(tmp_path / "none.jsonl"), "--check"]) == 2
