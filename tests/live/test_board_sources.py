"""An installed package stands for the board: it is heard, recorded and examined like one."""

import time
from pathlib import Path

import pytest

from table_assist.capture.manifest import config_of, make_manifest
from table_assist.capture.recorder import Recorder
from table_assist.contract.commands import EndHand, StartHand
from table_assist.contract.snapshot import Snapshot
from table_assist.game.events import DiceRolled, HandStarted
from table_assist.health.checks import State
from table_assist.live.live_table import LiveTable
from table_assist.live.replay_folder import replay_folder
from table_assist.record.log import Source
from table_assist.settings.build import profile_of
from table_assist.settings.config import BoardConfig, Config, ConfigError, LogConfig
from table_assist.trust.address import Address
from table_assist.upkeep.doctor.board import source_finding
from tests.live.test_live_table import until
from tests.stages.recorded_table import no_reader

TIMEOUT_S = 30.0
PACKAGE = """
from firmware_bridge.events import DiceReport
from firmware_bridge.events import SourceCondition

class Dice:
    tells_dice = True
    made = []

    def __init__(self, port, deliver):
        self.port, self.deliver, self.is_near = port, deliver, True
        self.made.append(self)

    def start(self): pass
    def stop(self): pass
    def throw(self): self.deliver(DiceReport(0, (6, 6)))
    def condition(self): return SourceCondition(self.is_near, "A die is away.", "骰子不在。")
"""


@pytest.fixture
def made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list:
    """The sources that the installed package has made."""
    site = tmp_path / "site"
    info = site / "our_dice-1.dist-info"
    info.mkdir(parents=True)
    (site / "our_dice.py").write_text(PACKAGE, encoding="utf-8")
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: our-dice\nVersion: 1\n")
    (info / "entry_points.txt").write_text(
        "[table_assist.board_sources]\nradio-dice = our_dice:Dice\nbroken = our_dice:Cup\n"
    )
    monkeypatch.syspath_prepend(str(site))
    import our_dice

    our_dice.Dice.made.clear()
    return our_dice.Dice.made


def status(snapshot: Snapshot) -> str:
    return next((each.status for each in snapshot.health if each.name == "board"), "")


def test_dice_of_a_package_deal_a_hand_by_whose_turn_it_is(tmp_path: Path, made: list) -> None:
    config = Config(
        board=BoardConfig(kind="radio-dice", port=Address("AA:01")),
        log=LogConfig(str(tmp_path / "log.sqlite")),
    )
    manifest = make_manifest(config, profile_of(config), {}, time.time())
    recorder = Recorder(tmp_path / "kept", manifest, config)
    table = LiveTable(config, camera=None, reader=None, recorder=recorder)
    (dice,) = made
    table.start()
    try:
        until(table, lambda now: status(now) == "live")
        assert table.submit(StartHand(2)) is None
        assert table.submit(EndHand()) is None
        dice.throw()
        dealt = until(table, lambda now: now.state.hand == 2)
        dice.is_near = False
        until(table, lambda now: status(now) == "stale")
    finally:
        table.stop()
    assert dice.port == "AA:01"
    assert dealt.state.questions == ()  # who threw is who deals by the rules
    rolled = [entry for entry in table.entries() if isinstance(entry.event, DiceRolled)]
    started = [each.event for each in table.entries() if isinstance(each.event, HandStarted)]
    assert [(each.event.values, each.source) for each in rolled] == [((6, 6), Source.BOARD)]
    assert rolled[0].event.seat == started[-1].dealer
    assert replay_folder(tmp_path / "kept", lambda config: no_reader()).is_same


def test_the_doctor_asks_the_package(made: list) -> None:
    assert source_finding(BoardConfig(kind="radio-dice")).state is State.GOOD


@pytest.mark.parametrize(
    ("kind", "why"),
    [
        ("modbus", "no installed package brings the board 'modbus'; there are: serial, broken"),
        ("broken", "the package of the board 'broken' cannot be loaded: .*Cup"),
    ],
)
def test_a_board_that_no_package_brings_is_refused_by_its_name(
    tmp_path: Path, made: list, kind: str, why: str
) -> None:
    config = Config(board=BoardConfig(kind=kind), log=LogConfig(str(tmp_path / "log.sqlite")))
    with pytest.raises(ConfigError, match=f"^board.kind: {why}"):
        LiveTable(config, camera=None, reader=None)
    assert source_finding(config.board).state is State.BAD


def test_a_recording_that_names_settings_of_earlier_programs_is_read(tmp_path: Path) -> None:
    manifest = make_manifest(Config(), profile_of(Config()), {}, 0.0)
    manifest.settings["board"] |= {"kind": "modbus", "map": "sensors.toml", "dice": []}
    manifest.settings["stamps"] = {"authority": "https://example.org"}
    assert config_of(tmp_path, manifest).board.is_there
