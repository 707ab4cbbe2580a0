"""Sensors on a Modbus line and radio dice serve a table as a board does."""

import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import bleak
import pytest

from table_assist.capture.manifest import make_manifest
from table_assist.capture.recorder import Recorder
from table_assist.contract.commands import EndHand, StartHand
from table_assist.contract.health import SourceHealth
from table_assist.contract.snapshot import Snapshot
from table_assist.game.events import DiceRolled, HandStarted, WallBuilt, WinDeclared
from table_assist.game.state import Phase
from table_assist.live.live_table import LiveTable
from table_assist.live.replay_folder import replay_folder
from table_assist.record.log import Source
from table_assist.settings.build import profile_of
from table_assist.settings.config import BoardConfig, Config, ConfigError, LogConfig
from table_assist.trust.address import Address
from tests.stages.both_languages import is_in_both
from tests.stages.fake_dice import ROLLING, SIX, FakeRadio
from tests.stages.fake_sensors import FakeSensors, sensors
from tests.stages.recorded_table import no_reader

TIMEOUT_S = 30.0
MAP = """
port = "{}"

[[input]]
unit = 1
table = "discrete"
address = 0
sensor = "wall"

[[input]]
unit = 1
table = "discrete"
address = 5
sensor = "key 2 win"
"""


def until(table: LiveTable, holds: Callable[[Snapshot], bool]) -> Snapshot:
    ends, version = time.monotonic() + TIMEOUT_S, -1
    while time.monotonic() < ends:
        snapshot = table.wait(version, 1.0)
        if snapshot is not None:
            version = table.version
            if holds(snapshot):
                return snapshot
    raise AssertionError(f"it did not come to hold: {table.snapshot.health}")


def board(snapshot: Snapshot) -> SourceHealth:
    return next((h for h in snapshot.health if h.name == "board"), SourceHealth("board", "untold"))


def sensor_table(folder: Path, device: FakeSensors) -> Config:
    mapped = folder / "sensors.toml"
    mapped.write_text(MAP.format(device.port), encoding="utf-8")
    return Config(
        board=BoardConfig(kind="modbus", map=str(mapped)),
        log=LogConfig(str(folder / "log.sqlite")),
    )


def test_sensors_on_a_modbus_line_are_the_tables_keys_and_wall(tmp_path: Path) -> None:
    with sensors(tmp_path) as device:
        config = sensor_table(tmp_path, device)
        recorder = Recorder(
            tmp_path / "kept", make_manifest(config, profile_of(config), {}, time.time()), config
        )
        table = LiveTable(config, camera=None, reader=None, recorder=recorder)
        table.start()
        try:
            until(table, lambda now: board(now).status == "live")
            device.bits[0] = True
            until(table, lambda now: now.state.phase is Phase.WALL_READY)
            assert table.submit(StartHand(1)) is None
            device.bits[5] = True
            won = until(table, lambda now: now.state.declared == (2,))
            device.cut(is_cut=True)
            lost = board(until(table, lambda now: board(now).status == "stale"))
            assert is_in_both(lost.says)
            assert "unit 1" in lost.says.en
        finally:
            table.stop()
        entries = table.entries()
    told = {type(entry.event): entry.source for entry in entries}
    assert told[WallBuilt] is told[WinDeclared] is Source.BOARD
    assert won.state.hand == 1
    compared = replay_folder(tmp_path / "kept", lambda config: no_reader())
    assert list(compared.lines())[:-1] == []
    assert compared.is_same


def test_radio_dice_deal_a_hand_by_whose_turn_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bleak, "BleakClient", FakeRadio)
    air = FakeRadio.clients
    air.clear()
    config = Config(
        board=BoardConfig(kind="dice", dice=("godice:AA:01", "godice:AA:02")),
        log=LogConfig(str(tmp_path / "log.sqlite")),
    )
    table = LiveTable(config, camera=None, reader=None)
    table.start()
    try:
        until(table, lambda now: board(now).status == "live")
        assert table.submit(StartHand(2)) is None
        assert table.submit(EndHand()) is None
        for address in ("AA:01", "AA:02"):
            air[address].says(ROLLING)
            air[address].says(SIX)
        dealt = until(table, lambda now: now.state.hand == 2)
        assert dealt.state.questions == ()  # who threw is who deals by the rules
        air["AA:01"].vanishes()
    finally:
        table.stop()
    rolled = [entry for entry in table.entries() if isinstance(entry.event, DiceRolled)]
    started = [each.event for each in table.entries() if isinstance(each.event, HandStarted)]
    assert [(each.event.values, each.source) for each in rolled] == [((6, 6), Source.BOARD)]  # type: ignore[union-attr]
    assert rolled[0].event.seat == started[-1].dealer  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("settings", "why"),
    [
        (BoardConfig(kind="modbus"), "board.map: the file that says which input"),
        (BoardConfig(kind="modbus", map="/no/such/map.toml"), "board.map: /no/such/map.toml"),
        (BoardConfig(kind="dice"), "board.dice: no die is named"),
        (BoardConfig(kind="dice", dice=("cup:1",)), "board.dice: 'cup:1' is no die"),
    ],
)
def test_a_kind_of_board_that_lacks_what_it_needs_names_its_key(
    tmp_path: Path, settings: BoardConfig, why: str
) -> None:
    config = Config(board=settings, log=LogConfig(str(tmp_path / "log.sqlite")))
    with pytest.raises(ConfigError, match=f"^{why}"):
        LiveTable(config, camera=None, reader=None)


def test_a_kind_that_there_is_not_is_refused() -> None:
    with pytest.raises(ConfigError, match=r"board\.kind is 'wifi'; it is one of serial, modbus"):
        replace(BoardConfig(port=Address("/dev/ttyACM0")), kind="wifi")
