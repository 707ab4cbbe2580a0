"""Settings: every mistake is one sentence that names the key."""

from pathlib import Path

import pytest

from table_assist.settings.build import layout_of, profile_of, rules_of, watcher_of
from table_assist.settings.config import Config, ConfigError, load_config, parse_config
from table_assist.settings.edit import EditError, read_text, refuse_moves
from table_assist.vision.reading.read import open_reader


def test_no_settings_are_the_defaults(tmp_path: Path) -> None:
    path = tmp_path / "table.toml"
    path.write_text("")
    config = load_config(path)
    assert config.rules.id == "changsha"
    assert config.camera.source.whole == ""
    assert Path(config.log.path).parent == tmp_path


def test_a_whole_file_is_read(tmp_path: Path) -> None:
    path = tmp_path / "table.toml"
    path.write_text(
        """
[rules]
id = "changsha"
options = { bird_origin = "winner" }
[camera]
source = 0
corners = [[10, 1000], [1010, 1000], [1010, 0], [10, 0]]
[board]
port = "/dev/ttyUSB0"
[seats]
names = ["Ann", "Bo", "Chen", "Du"]
[zones]
river = 230
well = 55
[log]
path = "evening.sqlite"
"""
    )
    config = load_config(path)
    assert config.camera.source.whole == "0"
    assert config.camera.corners[1] == (1010.0, 1000.0)
    assert config.zones.river == 230.0
    assert layout_of(config).well == 55.0
    assert config.log.path == str(tmp_path / "evening.sqlite")
    assert rules_of(config).chosen["bird_origin"] == "winner"


@pytest.mark.parametrize(
    ("table", "named"),
    [
        ({"camera": 3}, "camera must be a table"),
        ({"camera": {"source": True}}, "camera.source must be text"),
        ({"camera": {"stale_s": -1}}, "camera.stale_s must be a number above 0"),
        ({"camera": {"stale_s": "3"}}, "camera.stale_s"),
        ({"zones": {"well": -3}}, "zones.well must be a number from 0 on"),
        ({"camera": {"corners": "here"}}, "camera.corners must be four"),
        ({"board": {"baud": 0}}, "board.baud"),
        ({"board": {"baud": True}}, "board.baud"),
        ({"seats": {"names": ["A", "B", "C", ""]}}, "seats.names"),
        ({"seats": {"names": ["A", "B", "C", " a"]}}, "as another is called"),
        ({"seats": {"names": "ABCD"}}, "seats.names must be a list"),
        ({"rules": {"options": []}}, "rules.options must be a table"),
        ({"log": {"zone": "Mars/Base"}}, "log.zone is no zone"),
    ],
)
def test_a_mistake_names_its_key(table: dict[str, object], named: str) -> None:
    with pytest.raises(ConfigError, match=named.replace(".", r"\.")):
        parse_config(table)


def test_a_file_that_is_missing_or_broken_is_named(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"none\.toml cannot be read"):
        load_config(tmp_path / "none.toml")
    broken = tmp_path / "broken.toml"
    broken.write_text("[camera\n")
    with pytest.raises(ConfigError, match=r"broken\.toml are no TOML"):
        load_config(broken)
    broken.write_text(f"source = {'[' * 5000}")
    with pytest.raises(ConfigError, match=r"broken\.toml are no TOML"):
        load_config(broken)
    broken.write_bytes(b"\xfe\xff\0")
    with pytest.raises(ConfigError, match=r"broken\.toml are no TOML"):
        load_config(broken)


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16"])
def test_settings_are_read_as_windows_keeps_them(tmp_path: Path, encoding: str) -> None:
    path = tmp_path / "table.toml"
    path.write_text('[seats]\r\nnames = ["安", "B", "C", "D"]\r\n', encoding=encoding)
    assert load_config(path).seats.names[0] == "安"
    assert read_text(path).startswith("[seats]")


def test_a_house_profile_takes_the_place_of_rule_set_and_options(tmp_path: Path) -> None:
    (tmp_path / "house.toml").write_text(
        'id = "house"\nname = "House"\nrules = "changsha"\n[options]\nbird_origin = "winner"\n'
    )
    config = parse_config({"rules": {"profile": "house.toml"}}, folder=tmp_path)
    profile = profile_of(config)
    assert (profile.id, profile.rules.chosen["bird_origin"]) == ("house", "winner")
    with pytest.raises(ConfigError, match=r"rules\.id cannot stand beside rules\.profile"):
        parse_config({"rules": {"profile": "house.toml", "id": "changsha"}})
    with pytest.raises(ConfigError, match=r"nowhere\.toml cannot be read"):
        profile_of(parse_config({"rules": {"profile": "nowhere.toml"}}, folder=tmp_path))


def test_a_camera_without_corners_or_with_wrong_ones_is_refused() -> None:
    reader = open_reader()
    with pytest.raises(ConfigError, match=r"camera\.corners is missing"):
        watcher_of(Config(), reader)
    small = [[0, 9], [9, 9], [9, 0], [0, 0]]
    with pytest.raises(ConfigError, match="move the camera closer"):
        watcher_of(parse_config({"camera": {"corners": small}}), reader)


def test_a_club_gets_pictures_only_where_the_owner_says_so_at_the_machine() -> None:
    assert not Config().club.pictures
    assert parse_config({"club": {"pictures": True}}).club.pictures
    with pytest.raises(ConfigError, match=r"club\.pictures must be true or false, got 'yes'"):
        parse_config({"club": {"pictures": "yes"}})
    with pytest.raises(EditError, match=r"club\.pictures is set at the table's own machine only"):
        refuse_moves("", "[club]\npictures = true\n")
