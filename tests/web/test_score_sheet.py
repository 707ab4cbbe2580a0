"""The score sheet to print."""

import base64
import re
import zlib
from datetime import datetime

import pytest

from table_assist.game.events import GameBegun, Penalised
from table_assist.languages.words import Words
from table_assist.record.history import played_hands
from table_assist.record.log import Source
from table_assist.record.record import Record
from table_assist.record.seal import sealed
from table_assist.rules.registry import find_rules
from tests.evidence.dispute.test_dispute import evening
from tests.game.test_begun import hand as moving
from tests.stages.web_fakes import FakeTable
from web import create_app
from web.pages.score_sheet import score_sheet

NAMES = ("Ana", "Ben <i>", "陈德", "Dai")


def text_of(pdf: bytes) -> str:
    """What is written on the pages: the strings of every content stream, in their fonts."""
    found, chinese = [], _chinese_fonts(pdf)
    for match in re.finditer(rb"stream\r?\n(.*?)endstream", pdf, re.DOTALL):
        data, font = zlib.decompress(base64.a85decode(match[1].strip().removesuffix(b"~>"))), b""
        shown = rb"/(F\d+) [\d.]+ Tf|\((.*?)(?<!\\)\) Tj"
        for part in re.finditer(shown, data, re.DOTALL):
            font = part[1] or font
            if part[2] is None:
                continue
            raw = re.sub(
                rb"\\([0-7]{3}|.)",
                lambda m: bytes([int(m[1], 8)]) if len(m[1]) == 3 else m[1],
                part[2],
                flags=re.DOTALL,
            )
            found.append(
                raw.decode(*(("utf-16-be",) if font in chinese else ("cp1252", "replace")))
            )
    return "".join(found)


def _chinese_fonts(pdf: bytes) -> set[bytes]:
    objects = re.findall(rb"obj\s(.*?)endobj", pdf, re.DOTALL)
    return {
        name
        for each in objects
        if b"/STSong-Light" in each
        for name in re.findall(rb"/Name /(F\d+)", each)
    }


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("rules_id", ["changchun", "classical"])
def test_every_hand_its_points_and_its_seal_are_on_the_sheet(rules_id: str, language: str) -> None:
    entries = evening(rules_id, hands=4)
    pdf = score_sheet(entries, NAMES, find_rules(rules_id).names, language)
    assert pdf.startswith(b"%PDF-")
    said = text_of(pdf)
    seals = [seal for seal, _ in sealed(entries)]
    for hand in played_hands(entries):
        assert seals[hand.seq - 1][:8] in said
        for points, score in zip(hand.transfers, hand.scores, strict=True):
            assert f"({score})" in said
            assert not points or f"{points:+d}" in said
    for name in NAMES:
        assert name.replace(" ", "") in said.replace(" ", "")


@pytest.mark.slow
def test_a_sheet_of_many_hands_takes_several_pages_and_one_of_none_is_a_sheet() -> None:
    rules = find_rules("changsha")
    many = score_sheet(evening("changsha", hands=60), NAMES, rules.names, "en")
    assert len(re.findall(rb"/Type /Page\b", many)) > 1
    assert score_sheet((), NAMES, rules.names, "zh").startswith(b"%PDF-")


def test_the_sheet_says_what_a_game_began_with_and_what_moved_between_two_hands() -> None:
    record = Record(None, lambda: 0.0)
    fine = Penalised((-9, 3, 3, 3), Words("late", "迟到"))
    for event in (
        GameBegun(500),
        *moving(1, 30, -10, -10, -10),
        fine,
        *moving(2, 0, 0, 0, 0),
        GameBegun(250),
        *moving(3, 0, 0, 0, 0),
    ):
        record.append(event, Source.PERSON)
    rules = find_rules("changsha")
    said = text_of(score_sheet(record.entries, NAMES, rules.names, "en"))
    assert said.count("Start500500500500") == 1
    assert said.count("Start250250250250") == 1
    assert said.count("Betweenhands521493493493") == 1
    plain = text_of(score_sheet(evening("changsha", hands=2), NAMES, rules.names, "en"))
    assert "Start" not in plain


def test_the_sheet_is_served_to_players_and_the_scorer() -> None:
    client = create_app(FakeTable()).test_client()
    answer = client.get("/api/score-sheet.pdf?lang=zh")
    assert (answer.status_code, answer.mimetype) == (200, "application/pdf")
    stranger = client.get("/api/score-sheet.pdf", environ_overrides={"REMOTE_ADDR": "192.168.1.9"})
    assert stranger.status_code == 403


def test_the_sheet_says_when_the_evening_began_by_the_tables_own_clock() -> None:
    played = evening("changsha", hands=1)
    begun = datetime.fromtimestamp(played_hands(played)[0].started_s)
    names = find_rules("changsha").names
    assert f"{begun.day} {begun:%B %Y, %H:%M}" in text_of(score_sheet(played, NAMES, names, "en"))
    assert begun.strftime("%H:%M") in text_of(score_sheet(played, NAMES, names, "zh"))
