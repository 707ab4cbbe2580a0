"""A broker is told how the table stands: a real mosquitto, its restart, wrong passwords, TLS."""

import json
import os
import re
import signal
import ssl
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from table_assist.record.commands import Settle
from table_assist.record.snapshot import Snapshot, SourceHealth
from table_assist.settings.config import Config, ConfigError, LogConfig, MqttConfig, parse_config
from table_assist.settings.edit import differing
from table_assist.trust.installation import Address
from tests.stages.broker import DeafBroker, Listener, Mosquitto, until
from tests.stages.drawn_hands import serious
from tests.stages.keeping_table import run_table
from tests.stages.web_fakes import (
    Evening,
    FakeTable,
    asked,
    healthy,
    opened,
    played,
    settled,
    with_history,
    won,
)
from tests.stages.web_fakes import won as changsha_won
from tests.stages.web_scenes import table_of
from tests.stages.web_scenes import won as has_won
from web import authority
from web.api import outlets as outlets_module
from web.api.outlets import MqttOutlet, Outlets, Topics, discovery, standing
from web.pages.pages import OVERLAY_SOURCES, OverlaySource
from web.serve import Serving

pytestmark = pytest.mark.slow

STATE, AVAILABLE = "table-assist/state", "table-assist/availability"
COMMAND = "table-assist/command"


@pytest.fixture
def broker(tmp_path: Path) -> Iterator[Mosquitto]:
    made = Mosquitto(tmp_path / "broker").start()
    yield made
    made.stop()


class Told:
    """A table whose outlets run, and what they said of themselves."""

    def __init__(self, config: MqttConfig, snapshot: Snapshot, folder: Path) -> None:
        self.table = FakeTable(snapshot)
        self.health: list[SourceHealth] = []
        settings = Config(mqtt=config, log=LogConfig(str(folder / "log.sqlite")))
        self.outlets = Outlets(settings, self.table, self.health.append)
        self.outlets.start()

    def is_live(self) -> bool:
        return bool(self.health) and self.health[-1].status == "live"

    def is_lost(self) -> bool:
        return bool(self.health) and self.health[-1].status == "lost"


@pytest.fixture
def tell(tmp_path: Path) -> Iterator[object]:
    made: list[Told] = []

    def begin(config: MqttConfig, snapshot: Snapshot | None = None) -> Told:
        made.append(Told(config, snapshot or opened().snapshot(), tmp_path))
        return made[-1]

    yield begin
    for each in made:
        each.outlets.stop()


def config(broker: Mosquitto, **changes: object) -> MqttConfig:
    return MqttConfig(Address(broker.url()), **changes)


def test_a_broker_is_told_table_scores_questions_camera_and_the_last_win(broker, tell) -> None:
    told = tell(config(broker))
    listener = Listener(broker)
    listener.wait(AVAILABLE, lambda text: text == "online")
    first = json.loads(listener.wait(STATE, bool))
    assert first["table"]["en"] == "Ana discards"
    assert (first["question_open"], first["camera_lost"], first["last_win"]) == (False, False, None)
    snapshot = asked(played(opened())).snapshot()
    camera, *rest = healthy(snapshot.t)
    told.table.publish(replace(snapshot, health=(replace(camera, status="lost"), *rest)))
    text = listener.wait(STATE, lambda text: json.loads(text)["question_open"])
    assert json.loads(text)["camera_lost"]
    assert json.loads(text)["questions"][0]["text"]["zh"]
    over = settled(changsha_won(played(opened()), "2p 1s"))
    told.table.publish(over.snapshot())
    last = json.loads(listener.wait(STATE, lambda text: bool(json.loads(text)["last_win"])))
    winner = over.state.settled.winners[0]
    assert last["last_win"]["winners"][0]["en"] == told.table.snapshot.names[winner]
    assert [seat["score"] for seat in last["seats"]] == list(over.state.scores)
    listener.close()


def test_home_assistant_is_told_what_there_is(broker, tell) -> None:
    """Every template is asked of what the broker has."""
    tell(config(broker), asked(played(opened())).snapshot())
    listener = Listener(broker)
    listener.wait(AVAILABLE, lambda text: text == "online")
    # What a broker has kept it tells in an order of its own.
    until(lambda: STATE in listener.kept and len(said_of_things(listener)) == 8, "all of it")
    things = {topic: json.loads(text) for topic, text in said_of_things(listener).items()}
    assert len({each["unique_id"] for each in things.values()}) == 8
    assert {each["device"]["identifiers"][0] for each in things.values()} == {"table-assist"}
    assert all(each["availability_topic"] == AVAILABLE for each in things.values())
    state = {"value_json": json.loads(listener.kept[STATE])}
    shown = {
        each["unique_id"].removeprefix("table-assist_"): rendered(each["value_template"], state)
        for each in things.values()
    }
    assert shown["question_open"] == "ON"
    assert shown["camera_lost"] == "OFF"
    assert shown["score_2"] == "0"
    assert shown["last_win"] == ""
    listener.close()


def said_of_things(listener: Listener) -> dict[str, str]:
    kept = listener.kept.copy()
    return {
        topic: text for topic, text in kept.items() if topic.startswith("homeassistant/") and text
    }


def rendered(template: str, values: dict[str, object]) -> str:
    from jinja2.sandbox import SandboxedEnvironment

    return SandboxedEnvironment().from_string(template).render(values)


def test_a_name_is_never_part_of_a_template() -> None:
    snapshot = replace(opened().snapshot(), names=("{{ 1/0 }}", "Ben", "陈德", "Dai"))
    stands = standing(snapshot, None)
    for thing in discovery(stands, Topics("t"), "ha", "zh", commands=True).values():
        assert "1/0" not in thing.get("value_template", "")


def test_the_broker_says_that_a_program_was_killed(broker, tmp_path) -> None:
    """The last will: nobody is left to say it."""
    program = (
        "import time\n"
        "from table_assist.settings.config import MqttConfig\n"
        "from table_assist.trust.installation import Address\n"
        "from tests.stages.web_fakes import FakeTable, opened\n"
        "from web.api.outlets import MqttOutlet\n"
        "from web.api.outlets import standing\n"
        f"outlet = MqttOutlet(MqttConfig(Address({broker.url()!r})), FakeTable())\n"
        "outlet.start(); outlet.show(standing(opened().snapshot(), None)); time.sleep(60)\n"
    )
    listener = Listener(broker)
    running = subprocess.Popen([sys.executable, "-c", program])
    listener.wait(AVAILABLE, lambda text: text == "online")
    os.kill(running.pid, signal.SIGKILL)
    running.wait()
    listener.wait(AVAILABLE, lambda text: text == "offline")
    listener.close()


def test_after_the_brokers_restart_everything_is_told_anew(broker, tmp_path) -> None:
    table = FakeTable(opened().snapshot())
    outlet = MqttOutlet(config(broker), table, soonest_s=1, latest_s=1)
    outlet.start()
    outlet.show(standing(table.snapshot, None))
    until(lambda: outlet.health.status == "live", "the broker")
    broker.stop(hard=True)
    until(lambda: outlet.health.status == "lost", "the loss")
    assert "does not answer" in outlet.health.says.en
    outlet.show(standing(asked(played(opened())).snapshot(), None))  # it happened meanwhile
    for kept in broker.folder.glob("*.db"):
        kept.unlink()  # and what the broker had kept is gone
    broker.start()
    listener = Listener(broker)
    listener.wait(AVAILABLE, lambda text: text == "online")
    listener.wait(STATE, lambda text: bool(json.loads(text)["question_open"]))
    listener.wait("homeassistant/sensor/table-assist/table/config", bool)
    assert outlet.health.status == "live"
    outlet.stop()
    listener.close()


def test_what_was_not_acknowledged_is_not_told_after_what_is_newer() -> None:
    broker, table = DeafBroker(), FakeTable(opened().snapshot())
    address = Address(f"mqtt://127.0.0.1:{broker.port}")
    outlet = MqttOutlet(MqttConfig(address), table, soonest_s=1, latest_s=1)
    outlet.start()
    outlet.show(standing(table.snapshot, None))
    until(lambda: len(broker.told) == 1 and AVAILABLE in broker.told[0], "the first telling")
    broker.cut()
    until(lambda: outlet.health.status == "lost", "the loss")
    outlet.show(standing(asked(played(opened())).snapshot(), None))
    until(lambda: len(broker.told) == 2 and AVAILABLE in broker.told[1], "the second telling")
    until(lambda: json.loads(broker.told[1][STATE])["question_open"], "what is newer")
    time.sleep(0.5)  # what the library would send again comes now
    assert json.loads(broker.told[1][STATE])["question_open"]
    outlet.stop()
    broker.close()


def test_a_wrong_password_is_said_and_never_shown(broker, tell) -> None:
    wrong = MqttConfig(Address(broker.url(password="wrong-secret")))
    told = tell(wrong)
    until(lambda: any("refuses" in each.says.en for each in told.health), "the refusal")
    for health in told.health:
        assert "wrong-secret" not in repr(health)
        assert "pass" not in health.says.en.replace("password", "")
    assert "wrong-secret" not in repr(wrong)


# The library forgets to close the socket of a handshake that failed; Python does it.
@pytest.mark.filterwarnings("ignore:.*ssl.SSLSocket:pytest.PytestUnraisableExceptionWarning")
def test_tls_is_spoken_with_who_is_vouched_for_and_with_nobody_else(tmp_path, tell) -> None:
    # A certificate for localhost with its key, and who speaks for it
    folder = tmp_path / "tls"
    tls = authority.own(folder, ("localhost",))
    ca = folder / "root.pem"
    ca.write_text(ssl.DER_cert_to_PEM_cert(tls.authority), encoding="ascii")
    pair, ca = (folder / "table.crt", folder / "table.key"), ca
    broker = Mosquitto(tmp_path / "broker", tls=pair).start()
    try:
        unknown = tell(config(broker))
        known = tell(config(broker, ca=str(ca), topic="table-assist"))
        listener = Listener(broker, ca)
        listener.wait(AVAILABLE, lambda text: text == "online")
        until(known.is_live, "the broker over TLS")
        until(unknown.is_lost, "the refusal")
        assert all(each.status == "lost" for each in unknown.health)
        listener.close()
    finally:
        broker.stop()


def test_commands_are_not_taken_unless_they_are_wanted(broker, tell) -> None:
    told = tell(config(broker))
    listener = Listener(broker)
    listener.wait(AVAILABLE, lambda text: text == "online")
    listener.say(COMMAND, "settle")
    told.table.publish(asked(played(opened())).snapshot())
    listener.wait(STATE, lambda text: json.loads(text)["question_open"])
    assert told.table.commands == []
    assert not listener.kept.get("homeassistant/button/table-assist/settle/config")
    listener.close()


def test_a_command_counts_when_it_is_given_and_not_when_a_broker_has_kept_it(broker, tell) -> None:
    listener = Listener(broker)
    listener.say(COMMAND, "settle", retain=True)  # somebody did, yesterday
    told = tell(config(broker, commands=True))
    button = listener.wait("homeassistant/button/table-assist/settle/config", bool)
    assert json.loads(button)["command_topic"] == COMMAND
    listener.wait(AVAILABLE, lambda text: text == "online")
    listener.say(COMMAND, "anything else")
    listener.say(COMMAND, "settle")
    until(lambda: bool(told.table.commands), "the command")
    assert (told.table.commands, told.table.by) == ([Settle()], ["MQTT"])
    listener.close()


def test_without_the_library_the_game_goes_on_and_says_what_is_missing(
    monkeypatch: pytest.MonkeyPatch, tell
) -> None:
    monkeypatch.setattr(outlets_module, "find_spec", lambda name: None)
    told = tell(MqttConfig(Address("mqtt://localhost")))
    (health,) = told.health
    assert (health.name, health.status) == ("mqtt", "lost")
    assert "table-assist[mqtt]" in health.says.en
    assert "table-assist[mqtt]" in health.says.zh


@pytest.mark.parametrize(
    ("table", "named"),
    [
        ({"broker": "http://me:secret@x"}, "mqtt.broker"),
        ({"topic": "a/#"}, "mqtt.topic"),
        ({"topic": ""}, "mqtt.topic"),
        ({"discovery": "+"}, "mqtt.discovery"),
        ({"language": "fr"}, "mqtt.language"),
    ],
)
def test_a_wrong_setting_is_named_without_its_secret(table: dict[str, str], named: str) -> None:
    with pytest.raises(ConfigError, match=named) as refused:
        parse_config({"mqtt": table})
    assert "secret" not in str(refused.value)


def test_the_brokers_password_is_in_no_difference() -> None:
    before = '[mqtt]\nbroker = "mqtts://me:secret@home:8883"\n'
    after = '[mqtt]\nbroker = "mqtts://me:secret@other:8883"\n'
    assert "secret" not in "\n".join(differing(before, after))


def test_the_running_program_tells_the_broker_of_its_settings(broker, tmp_path: Path) -> None:
    settings = tmp_path / "table.toml"
    settings.write_text(
        f'[mqtt]\nbroker = "{broker.url()}"\n[seats]\nnames = ["A", "B", "C", "D"]\n'
    )
    listener = Listener(broker)
    with run_table(settings) as site:
        listener.wait(AVAILABLE, lambda text: text == "online")
        told = json.loads(listener.kept[STATE])
        assert [seat["name"]["en"] for seat in told["seats"]] == ["A", "B", "C", "D"]
        shown = site.get("api/table")
        assert "pass%20word" not in json.dumps(shown)
    listener.wait(AVAILABLE, lambda text: text == "offline")
    listener.close()


LONG = ("Maximiliane", "Wilhelmina", "欧阳修文", "Bartholomew")


@pytest.fixture
def table() -> FakeTable:
    evening = won(played(opened(with_history(Evening()), hand=6)), "2p 1s")
    return FakeTable(replace(settled(evening).snapshot(), names=LONG))


def test_the_page_makes_addresses_for_a_delay(page: Page, serving: Serving) -> None:
    page.goto(serving.url + "obs")
    expect(page.locator("h1")).to_have_text("Sources for OBS")
    page.fill("#delay", "20")
    page.keyboard.press("Enter")
    expect(page.locator("article")).to_have_count(len(OVERLAY_SOURCES))
    addresses = page.locator("article a").evaluate_all("(all) => all.map((a) => a.href)")
    assert [re.sub(r"^http://[^/]*", "", each) for each in addresses] == [
        "/overlay?delay=20",
        "/overlay?show=scores&delay=20",
        "/overlay?show=now&delay=20",
        "/overlay?show=win&delay=20",
    ]
    assert serious(page) == []
    page.goto(addresses[1])
    page.wait_for_timeout(300)
    assert page.locator("body.connecting").count() == 1, "nothing is shown before it is due"


@pytest.mark.parametrize("source", OVERLAY_SOURCES, ids=lambda each: each.part)
@pytest.mark.parametrize("rules", ["changsha", "changchun"])
def test_what_a_source_shows_fits_into_it(
    page: Page, serving: Serving, table: FakeTable, source: OverlaySource, rules: str
) -> None:
    if rules == "changchun":
        snapshot = table_of(rules, has_won, seed=3, hands=2).snapshot()
        table.publish(replace(snapshot, names=LONG))
    page.set_viewport_size({"width": source.width, "height": source.height})
    page.goto(f"{serving.url}overlay?show={source.part}&lang=zh")
    expect(page.locator("body:not(.connecting)")).to_have_count(1)
    page.wait_for_timeout(400)
    shown = page.locator("main > *").evaluate_all(
        "(all) => all.filter((each) => each.offsetParent !== null || each.getClientRects().length)"
        ".map((each) => { const box = each.getBoundingClientRect();"
        " return [box.left, box.top, box.right, box.bottom, each.scrollHeight - each.clientHeight,"
        " each.scrollWidth - each.clientWidth]; })"
    )
    assert len(shown) == (3 if source.part == "all" else 1)
    for left, top, right, bottom, cut_down, cut_right in shown:
        assert left >= 0, source
        assert top >= 0, source
        assert right <= source.width, source
        assert bottom <= source.height, source
        assert max(cut_down, cut_right) <= 1, f"{source} is cut"


def test_an_unknown_part_is_refused(serving: Serving, page: Page) -> None:
    answer = page.request.get(serving.url + "overlay?show=hands")
    assert answer.status == 400
    assert "now, scores, win" in answer.text()
