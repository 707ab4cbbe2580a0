"""What the referee does at the desk."""

import subprocess
import sys
from pathlib import Path

from playwright.sync_api import expect

from tests.driven.people import PATIENCE_MS, Person, number

POINTS = (-2, 2, 0, 0)  # that a ruling moves


def open_hand(referee: Person, network: str, hand: int) -> None:
    """Lay a hand on the desk."""
    page = referee.page
    page.goto(f"{network}referee")
    expect(page.locator("#case")).to_be_visible(timeout=PATIENCE_MS)
    page.locator("#hands").select_option(str(hand))
    expect(page.locator("#judged .total")).to_be_visible(timeout=PATIENCE_MS)


def total(referee: Person) -> list[int]:
    """What the hand on the desk moved."""
    found = referee.page.locator("#judged .total span").all_text_contents()
    return [number(each.rsplit(" ", 1)[-1]) for each in found]


def look_into(referee: Person) -> None:
    """The winning hand's entry: its picture, and what another tile would make of it."""
    page = referee.page
    referee.tap(page.locator("#entries .line", has_text="shows").first)
    picture = page.locator("#entry img.evidence")
    referee.until(lambda: bool(picture.evaluate("(image) => image.naturalWidth")))
    referee.tap("#entry .tiles-of .face >> nth=0")
    old = page.locator("#picker .face[aria-pressed=true]").get_attribute("data-key")
    other = next(face for face in ("1m", "9m") if face != old)
    referee.tap(f'#picker .face[data-key="{other}"]')
    expect(page.locator("#picker .changes p").first).not_to_be_empty(timeout=PATIENCE_MS)
    referee.tap("#picker .close")
    referee.tap("#entry .close")


def rule(referee: Person, reason: str) -> None:
    """See what some points would change, and rule so."""
    page, form = referee.page, referee.page.locator("#ruling")
    form.locator("[name=reason]").fill(reason)
    for seat, points in enumerate(POINTS):
        form.locator(f"[name=points-{seat}]").fill(str(points))
    referee.tap("#ruling .see")
    expect(form.locator(".told")).not_to_be_empty(timeout=PATIENCE_MS)
    referee.tap("#ruling [type=submit]")
    expect(page.locator("#changes li")).not_to_have_count(0, timeout=PATIENCE_MS)


def verify_file(referee: Person, folder: Path) -> None:
    """Take the hand's file home and have it judged again, as whoever gets it would.

    Raises:
        AssertionError: it is not what it says, or a file that was tampered with passes.
    """
    with referee.page.expect_download(timeout=PATIENCE_MS) as download:
        referee.tap("#file")
    path = folder / download.value.suggested_filename
    download.value.save_as(path)
    said = _verify(path)
    assert said.returncode == 0, said.stdout + said.stderr
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    path.with_suffix(".changed.zip").write_bytes(content)
    assert _verify(path.with_suffix(".changed.zip")).returncode != 0


def _verify(path: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "table_assist", "verify", str(path)]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)
