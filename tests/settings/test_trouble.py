"""What is wrong with the settings is one sentence with file, line and key, and what to do."""

from pathlib import Path

import pytest

from table_assist.record.store import SCHEMA, Store, StoreError
from table_assist.settings.build import calibration_of, layout_of, profile_of
from table_assist.settings.config import ConfigError, load_config
from table_assist.settings.trouble import Trouble, TroubleKind, trouble_of
from table_assist.vision.enrolment.files import load_set
from table_assist.vision.pictures.sources import CameraError, find_source
from table_assist.vision.reading.own_set import OwnSetError
from table_assist.vision.reading.weights import WeightsError, load_weights


def told(tmp_path: Path, text: str) -> Trouble:
    """What starting a table with this text would say."""
    path = tmp_path / "table.toml"
    path.write_text(text, encoding="utf-8")
    try:
        config = load_config(path)
        profile_of(config)
        layout_of(config)
        find_source(config.camera.source or "0")
        calibration_of(config)
    except (ConfigError, CameraError) as error:
        return trouble_of(error, path)
    raise AssertionError("nothing is wrong with it")


@pytest.mark.parametrize(
    ("text", "kind", "line", "key", "word"),
    [
        ("[board]\nbaud = 1\n[camera\n", TroubleKind.NO_TOML, 3, "", "line 3"),
        ("a = 1\na = 2\n", TroubleKind.NO_TOML, 2, "", "overwrite"),
        ("# x\n[camera]\nsauce = 1\n", TroubleKind.UNKNOWN_KEY, 3, "camera.sauce", "camera.sauce"),
        (
            '[zones]\nriver_style = "no TOML"\n',
            TroubleKind.VALUE,
            2,
            "zones.river_style",
            "no TOML",
        ),
        ("\n[cellar]\n", TroubleKind.UNKNOWN_KEY, 2, "cellar", "cellar"),
        ("board.bauds = 1\n", TroubleKind.UNKNOWN_KEY, 1, "board.bauds", "board.bauds"),
        ("[board]\n\nbaud = -1\n", TroubleKind.VALUE, 3, "board.baud", "above 0"),
        ("[seats]\nnames = ['a']\n", TroubleKind.VALUE, 2, "seats.names", "four names"),
        ("seats = { names = ['a'] }\n", TroubleKind.VALUE, 1, "seats.names", "four names"),
        ("seats = 3\n", TroubleKind.VALUE, 1, "seats", "table"),
        ("[zones]\nriver = 900\n", TroubleKind.VALUE, 1, "zones", "zones"),
        ("[rules]\nid = 'riichi'\n", TroubleKind.RULES, 2, "rules.id", "riichi"),
        ("[rules]\noptions = { bord = 1 }\n", TroubleKind.RULES, 2, "rules.options", "bord"),
        ("[rules.options]\n#\nbord = 1\n", TroubleKind.RULES, 3, "rules.options", "bord"),
        (
            "[rules]\noptions.bird_origin = 'north'\n",
            TroubleKind.RULES,
            2,
            "rules.options",
            "north",
        ),
        ("[rules]\nprofile = 'no.toml'\n", TroubleKind.RULES, 2, "rules.profile", "no.toml"),
        ("[camera]\nsource = 'no.mp4'\n", TroubleKind.CAMERA, 2, "camera.source", "no.mp4"),
        ("[camera]\ncorners = [[1, 2]]\n", TroubleKind.CORNERS, 2, "camera.corners", "four"),
    ],
)
def test_a_broken_setting_is_told_with_its_line_and_key(
    tmp_path: Path, text: str, kind: TroubleKind, line: int, key: str, word: str
) -> None:
    found = told(tmp_path, text)
    assert (found.kind, found.key) == (kind, key)
    assert found.line == line
    assert word in found.says.en
    assert found.file == str(tmp_path / "table.toml")
    assert found.says.en.endswith(".")
    assert found.says.zh.endswith("。")
    assert found.advice.en
    assert found.advice.zh


def test_a_wrong_value_is_told_in_chinese_too(tmp_path: Path) -> None:
    assert told(tmp_path, "[board]\nbaud = -1\n").says.zh == "board.baud 应为正整数，现为 -1。"
    assert told(tmp_path, "[log]\npath = 3\n").says.zh == "log.path 应为文本，现为 3。"


def test_a_newer_log_a_used_log_and_a_foreign_file_are_told_apart(tmp_path: Path) -> None:
    path = tmp_path / "table.toml"
    path.write_text("[log]\n\npath = 'a.sqlite'\n")
    log = tmp_path / "a.sqlite"
    with Store(log) as store:
        store._db.execute(f"PRAGMA user_version={SCHEMA + 1}")
    with pytest.raises(StoreError) as newer:
        Store(log)
    assert trouble_of(newer.value, path).kind is TroubleKind.LOG_NEWER
    assert trouble_of(newer.value, path).line == 3
    log.write_bytes(b"something else entirely, and long enough to be read as a header" * 9)
    with pytest.raises(StoreError) as foreign:
        Store(log)
    assert trouble_of(foreign.value, path).kind is TroubleKind.LOG_DAMAGED


def test_missing_weights_and_sets_are_told(tmp_path: Path) -> None:
    path = tmp_path / "table.toml"
    path.write_text("[eyes]\nset = 'home'\n")
    with pytest.raises(WeightsError) as weights:
        load_weights(tmp_path)
    assert trouble_of(weights.value, path).kind is TroubleKind.WEIGHTS
    assert str(tmp_path) in trouble_of(weights.value, path).says.en
    with pytest.raises(OwnSetError) as own:
        load_set("home", tmp_path)
    assert (trouble_of(own.value, path).kind, trouble_of(own.value, path).line) == (
        TroubleKind.SET,
        2,
    )
