"""“Learn from our evenings” by its button: the pages, a drawn evening's pictures, the enrolment."""

from dataclasses import replace
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from table_assist.evidence.crop import readings_json
from table_assist.evidence.store import SUFFIX, EvidenceMoment, EvidenceStore
from table_assist.game.events import HandShown, HandStarted, Settled
from table_assist.record.log import Source
from table_assist.record.record import Record
from table_assist.record.store import Store
from table_assist.settings.build import calibration_of, layout_of
from table_assist.settings.config import Config, load_config
from table_assist.tiles.tile import parse_tiles
from table_assist.twin.demo.demo import demo_config
from table_assist.twin.faces import load_faces
from table_assist.twin.fit import USUAL_FIT
from table_assist.twin.lens import Lens
from table_assist.twin.looks import look_of
from table_assist.twin.places import put
from table_assist.twin.render import Renderer
from table_assist.twin.scene import Scene
from table_assist.upkeep.table_service import Mode
from table_assist.vision.enrolment.files import load_samples, sets_folder
from table_assist.vision.pictures.picture import Image, jpeg
from table_assist.vision.reading.read import Reader, open_reader
from table_assist.vision.table.calibration import Calibration
from table_assist.vision.table.observation import Observation, observe
from table_assist.vision.table.viewpoint import viewpoint
from tests.stages.device import PATIENCE_MS, device
from tests.stages.keeping_table import SETTINGS, run_table, wait_for
from tests.stages.laid_trial import rules_named

PHONE = (390, 844)
RULES = rules_named("wanzhou")
# Between them they have all faces of the set.
HANDS = [parse_tiles("123456789m12344p"), parse_tiles("56789p123456789s")]
BUSY_S = 280.0  # the machine may be
PITCH_MM = USUAL_FIT.width + 0.4


def look_at(image: Image, config: Config, reader: Reader) -> tuple[Image, Calibration, Observation]:
    """The part with the table, where the table lies in it, and what is read there."""
    calibration, _ = calibration_of(config)
    x0, y0, x1, y1 = calibration.window((image.shape[1], image.shape[0]))
    window, moved = image[y0:y1, x0:x1].copy(), calibration.moved(-x0, -y0)
    upright = replace(reader, stretch=calibration.foreshortening)
    readings = upright.read(window, of_a_table=True)
    above = viewpoint(moved, (x1 - x0, y1 - y0))
    return window, moved, observe(readings, moved, layout_of(config), 0.0, above)


def play(settings: Path) -> None:
    """An evening as the table keeps it: won hands, with the pictures in which they were read."""
    lens = Lens((1280, 720), px_per_mm=0.84)
    renderer, reader = Renderer(load_faces(), look_of(2), lens, 2), open_reader(threads=1)
    config = demo_config(lens, port="", log=Path("log"), rules=RULES)
    log = settings.with_name("log.sqlite")
    pictures = EvidenceStore(log.with_name(log.name + SUFFIX))
    with Store(log) as store:
        record = Record(store, lambda: 5.0)
        for number, hand in enumerate(HANDS, start=1):
            lying = [
                put(0, tile, r=PITCH_MM * (at - (len(hand) - 1) / 2), d=USUAL_FIT.hand_d)
                for at, tile in enumerate(hand)
            ]
            image, where, seen = look_at(renderer.picture(Scene(tuple(lying))), config, reader)
            record.append(HandStarted(number, RULES.id, 0, 60), Source.PERSON)
            shown = HandShown(0, tuple(hand), hand[-1], self_drawn=True)
            seq = record.append(shown, Source.CAMERA)
            kept = readings_json(seen, where)
            moment = EvidenceMoment(seq, number)
            pictures.keep([(moment, b"")], t=5.0, jpeg=jpeg(image), readings=kept)
            record.append(Settled((0,), (0, 0, 0, 0), 0), Source.PERSON)
        record.save()
        assert record.is_saved
    pictures.close()


@pytest.mark.parametrize("language", ["en-GB", "zh-CN"])
def test_by_its_button_a_drawn_evening_teaches_the_set_once_its_owner_agrees(
    tmp_path: Path, browser: Browser, monkeypatch: pytest.MonkeyPatch, language: str
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "home"))
    settings = tmp_path / "table" / "table.toml"
    settings.parent.mkdir()
    settings.write_text(f'{SETTINGS}[rules]\nid = "wanzhou"\n[log]\npath = "log.sqlite"\n', "utf-8")
    play(settings)
    with (
        device(browser, PHONE, language) as context,
        run_table(settings, Mode.SETUP) as site,
    ):
        page = context.new_page()
        page.goto(f"{site.url}setup")

        def go_to(step: str) -> None:
            page.locator(f"#steps button[data-step={step}]").click()

        def learn() -> None:
            page.locator("details:has(#evenings)").evaluate("each => { each.open = true; }")
            page.fill("[name=set_name]", "home")
            page.locator("#evenings").click()

        go_to("tiles")
        learn()
        expect(page.locator("#enrol_lines li").last).to_contain_text(
            "save" if language == "en-GB" else "保存", timeout=PATIENCE_MS
        )
        assert not sets_folder().exists(), "nobody has agreed"
        page.locator("[name=learns]").check()
        go_to("review")
        page.locator("#save").click()
        expect(page.locator("#diff")).to_be_empty(timeout=PATIENCE_MS)
        assert load_config(settings).eyes.learns
        page.reload()
        go_to("tiles")
        expect(page.locator("[name=learns]")).to_be_checked()
        learn()
        wait_for(
            lambda: "confirmed by people" in str(site.get("api/setup/trials")["tiles"]["lines"]),
            BUSY_S,
        )
        expect(page.locator("[name=set]")).to_have_value("home", timeout=PATIENCE_MS)
        labels = {sample.label for sample in load_samples("home", sets_folder())}
        assert labels == {int(tile) for tile in RULES.kinds}
        go_to("review")
        page.locator("#save").click()
        expect(page.locator("#diff")).to_be_empty(timeout=PATIENCE_MS)
        assert load_config(settings).eyes.set == "home"
