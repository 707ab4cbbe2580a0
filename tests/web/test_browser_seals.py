"""Every phone keeps the seals of the hands by itself, and finds out an owner who rewrites them."""

import json
import sqlite3
from pathlib import Path

from playwright.sync_api import Browser, expect

from table_assist.contract.commands import EndHand, StartHand
from table_assist.live.live_table import LiveTable
from table_assist.record.seal import seal_after
from table_assist.settings.config import Config, LogConfig
from tests.stages.free_port import free_port
from web import create_app
from web.serve import serve

TIMEOUT_MS = 30_000  # the machine may be busy


def rewrite(log: Path, begins: bool = False) -> None:
    """The owner of the machine changes an entry, the first one's time too, and every seal after."""
    database = sqlite3.connect(log, isolation_level=None)
    seal = ""
    rows = database.execute("SELECT seq, line FROM entries ORDER BY seq").fetchall()
    for seq, line in rows:
        changed = line.replace('"dealer":1', '"dealer":2')
        if begins and seq == 1:
            changed = json.dumps(json.loads(changed) | {"t": 1.5}, separators=(",", ":"))
        seal = seal_after(seal, changed)
        values = (changed, seal, seq)
        database.execute("UPDATE entries SET line = ?, seal = ? WHERE seq = ?", values)
    database.execute("UPDATE head SET seal = ?", (seal,))
    database.close()


def test_a_phone_keeps_the_seals_and_finds_a_rewritten_log(
    browser: Browser, tmp_path: Path
) -> None:
    log = tmp_path / "log.sqlite"
    context = browser.new_context(locale="en-GB", viewport={"width": 390, "height": 844})
    try:
        page = context.new_page()
        port = free_port()
        for run in ("honest", "again", "rewritten", "from its first entry on"):
            table = LiveTable(Config(log=LogConfig(str(log))), camera=None, reader=None)
            table.start()
            serving = serve(create_app(table), port=port)
            try:
                if run == "honest":
                    for dealer in (0, 1, 2):
                        assert table.submit(StartHand(dealer)) is None
                        assert table.submit(EndHand()) is None
                page.goto(f"{serving.url}scorer")
                line = page.locator("#seals")
                if run == "rewritten":
                    said = "The record was rewritten: hand 2 had the seal"
                    expect(line).to_contain_text(said, timeout=TIMEOUT_MS)
                elif run.startswith("from"):
                    said = "This is another record than this evening’s: hand 3 had the seal"
                    expect(line).to_contain_text(said, timeout=TIMEOUT_MS)
                else:
                    said = "keeps the seals of 3 hands, and the record agrees"
                    expect(line).to_contain_text(said, timeout=TIMEOUT_MS)
                    seal = table.hand_seals()[1][-1].seal[:16]
                    expect(line).to_contain_text(f"Hand 3: {seal}")
            finally:
                page.goto("about:blank")
                serving.close()
                table.stop()
            if run == "again":
                rewrite(log)
            elif run == "rewritten":
                rewrite(log, begins=True)
    finally:
        context.close()
