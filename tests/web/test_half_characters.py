"""Half a character, which JSON can say and no file can hold, stops nothing that comes after it."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from table_assist.languages.words import Words
from table_assist.live.live_table import LiveTable
from table_assist.record.commands import EndHand, Rule, StartHand
from table_assist.record.export import read_log
from table_assist.settings.config import Config, LogConfig
from tests.stages.visitor import Visitor
from web import create_app

HALF = "\ud800"


@pytest.fixture
def table(tmp_path: Path) -> Iterator[LiveTable]:
    made = LiveTable(Config(log=LogConfig(str(tmp_path / "log.sqlite"))), camera=None, reader=None)
    made.start()
    yield made
    made.stop()


def post(client: Visitor, path: str, body: object) -> tuple[int, str]:
    answer = client.post(path, body)
    return answer.status_code, answer.text


def ruling(reason: str) -> dict[str, object]:
    words = {"en": reason, "zh": reason}
    return {"seat": 0, "irregularity": "", "transfers": [1, -1, 0, 0], "reason": words}


def test_a_ruling_with_half_a_character_does_not_stop_the_table(
    table: LiveTable, tmp_path: Path
) -> None:
    """The attack: one such reason, and nothing was ever saved or answered again."""
    client = Visitor(create_app(table))
    assert table.submit(StartHand(0)) is None
    assert post(client, "/api/rule", ruling(f"so {HALF}"))[0] == 400
    assert post(client, "/api/rule", ruling("so 😀"))[0] == 200
    assert post(client, "/api/end", {})[0] == 200
    assert table.session.unsaved is None
    kept = [str(entry.event) for entry in read_log_of(table, tmp_path)]
    assert any("so 😀" in each for each in kept)


def test_no_phone_has_half_a_character_in_its_name(table: LiveTable) -> None:
    client = Visitor(create_app(table, "0.0.0.0"))
    _, offered = post(client, "/api/pair/offer", {"role": "seat", "seat": 1})
    code = re.search(r"/pair/([\w-]+)", offered) or re.search(r'"code":"([^"]+)"', offered)
    assert code is not None
    phone = Visitor(create_app(table, "0.0.0.0"), "192.0.2.7")
    asked = post(phone, "/api/pair/ask", {"code": code[1], "name": HALF})
    assert asked[0] == 400


def test_what_cannot_be_written_is_refused_before_it_is_on_record(
    table: LiveTable, tmp_path: Path
) -> None:
    """However it came in: the record takes no entry that would hold up all after it."""
    assert table.submit(StartHand(0)) is None
    words = Words(HALF, HALF)
    assert table.submit(Rule(0, "", (1, -1, 0, 0), words)) is not None
    assert (
        table.submit(Rule(0, "", (1, -1, 0, 0), Words("so", "so")), f"{HALF} (seat 1)") is not None
    )
    assert table.submit(EndHand()) is None
    assert table.session.unsaved is None
    assert table.snapshot.state.scores == (0, 0, 0, 0)
    assert not [each for each in read_log_of(table, tmp_path) if HALF in str(each)]


def read_log_of(table: LiveTable, folder: Path) -> list[object]:
    copy = folder / "copy.sqlite"
    table.copy_log(folder / "log.sqlite", copy)
    return list(read_log(copy))
