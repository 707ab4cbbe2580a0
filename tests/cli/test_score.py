"""``table-assist score`` as a person starts it: a process, phones that join, a hand that counts."""

import json
import os
import re
import signal
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from table_assist.cli.score import settings_for
from table_assist.settings.config import ConfigError, load_config
from table_assist.tiles.tile import parse_tiles
from tests.web.test_photo import as_jpeg, ask_of, name_unread, photograph

STARTS_WITHIN_S = 60.0
PATIENCE_MS = 60_000
CONCEALED, WON = "123m456m789s123p5s", "5s"


@pytest.fixture
def score(tmp_path: Path) -> Iterator[tuple[str, Path]]:
    """The address, and the folder in which it runs."""
    command = [sys.executable, "-m", "table_assist", "score", "--rules", "wanzhou"]
    command += ["--names", "Ann, Bo, Chen, Du", "--port", "0", "--host", "127.0.0.1"]
    told = tmp_path / "told.txt"
    with told.open("w") as out:
        running = subprocess.Popen(
            command, cwd=tmp_path, stdout=out, stderr=subprocess.STDOUT, env=dict(os.environ)
        )
        try:
            ends = time.monotonic() + STARTS_WITHIN_S
            while not (found := re.search(r"Dashboard: (http://\S+)", told.read_text())):
                assert running.poll() is None, told.read_text()
                assert time.monotonic() < ends, told.read_text()
                time.sleep(0.1)
            yield found[1], tmp_path
        finally:
            running.send_signal(signal.SIGINT)
            running.wait(30)


def test_a_table_that_was_just_started_keeps_a_photographed_score(
    browser: Browser, score: tuple[str, Path]
) -> None:
    url, folder = score
    assert load_config(folder / "score.toml").rules.id == "wanzhou"
    picture = folder / "hand.jpg"
    picture.write_bytes(as_jpeg(photograph(CONCEALED, WON)))
    context = browser.new_context(
        viewport={"width": 390, "height": 844}, has_touch=True, locale="en-GB"
    )
    phone = context.new_page()
    phone.set_default_timeout(PATIENCE_MS)
    complaints: list[str] = []
    phone.on("pageerror", lambda error: complaints.append(str(error)))
    try:
        phone.goto(f"{url}seat/1")
        expect(phone.locator("#headline")).to_contain_text("who wins photographs it")
        phone.locator("#mine .won input").set_input_files(picture)
        phone.locator("#whose button", has_text="Bo").tap()
        expect(phone.locator("[data-group=hand] .piece")).to_have_count(14)
        name_unread(phone, [str(tile) for tile in parse_tiles(CONCEALED + WON)])
        phone.get_by_role("button", name="Self-drawn").tap()
        ask_of(phone, "Who deals").get_by_role("button", name="Ann").tap()
        phone.locator("#worth .send").tap()
        expect(phone.locator("#verdicts")).to_contain_text("reported by people")
        phone.locator("#settle .accept").tap()
        expect(phone.locator("#history tbody tr")).to_have_count(1)
    finally:
        context.close()
    with urllib.request.urlopen(f"{url}api/table", timeout=30) as answer:
        seats = json.load(answer)["seats"]
    assert [(seat["name"], seat["score"]) for seat in seats] == [
        ("Ann", -2), ("Bo", 6), ("Chen", -2), ("Du", -2)
    ]  # fmt: skip
    assert not complaints


def test_a_rule_set_that_is_not_there_is_refused_before_anything_is_written() -> None:
    with pytest.raises(ConfigError, match="--rules"):
        settings_for("chess", "")
    with pytest.raises(ConfigError, match="5 names"):
        settings_for("wanzhou", "a,b,c,d,e")
