"""Settings: every mistake is one sentence that names the key."""

import csv
import tomllib
from fractions import Fraction
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from table_assist.record.export import fewest_payments, payment_lines
from table_assist.record.store import LOG_SCHEMA, Store, StoreError
from table_assist.settings.config import Config, ConfigError, MoneyConfig, load_config, parse_config
from table_assist.settings.edit import (
    EditError,
    calibration_of,
    check,
    differing,
    edit,
    layout_of,
    profile_of,
    read_text,
    rules_of,
    watcher_of,
    write,
)
from table_assist.settings.trouble import Trouble, TroubleKind, trouble_of
from table_assist.vision.enrolment.files import load_set
from table_assist.vision.pictures.sources import CameraError, find_source
from table_assist.vision.reading.own_set import OwnSetError
from table_assist.vision.reading.read import open_reader
from table_assist.vision.reading.weights import WeightsError, load_weights
from tests.evidence.dispute.test_dispute import evening


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


def test_a_camera_without_corners_is_refused_and_beside_typed_ones_the_set_s_size_counts() -> None:
    reader = open_reader()
    with pytest.raises(ConfigError, match=r"camera\.corners is missing"):
        watcher_of(Config(), reader)
    small = [[0, 9], [9, 9], [9, 0], [0, 0]]
    with pytest.raises(ConfigError, match="move the camera closer"):
        watcher_of(parse_config({"camera": {"corners": small}}), reader)
    typed = {"corners": [[9, 809], [809, 809], [809, 9], [9, 9]]}
    watcher = watcher_of(parse_config({"camera": typed, "eyes": {"tile_mm": 22}}), reader)
    watcher.look(np.full((820, 820, 3), 90, np.uint8), 0.0)
    assert watcher.tile_mm == 22


def test_a_club_gets_pictures_only_where_the_owner_says_so_at_the_machine() -> None:
    assert not Config().club.pictures
    assert parse_config({"club": {"pictures": True}}).club.pictures
    with pytest.raises(ConfigError, match=r"club\.pictures must be true or false, got 'yes'"):
        parse_config({"club": {"pictures": "yes"}})


# Pieces that a person, another program or a later version may have written between our sections.
COMMENTS = st.sampled_from(["# 我们的牌桌\n", "#[rules]\n", "\n\n", "   \n", "# a = 1 # b\n"])
SECTIONS = st.sampled_from(
    [
        '[future]\nthing = { a = [1,2 , 3], "b.c" = """\nx\n""" }   # later\n',
        "[[future.list]]\nx=1\n[[future.list]]\nx  =  0x1F\n",
        '[seats]\nnames=["a","b","c","d"]#n\nextra_key   = 1979-05-27T07:32:00Z\n',
        "[camera]\n  source = 0  # the one above\n\tside_mm=800.0\n",
        "[rules.options]\n# why\nbird_origin = 'dealer'\n",
        '["quoted section"]\n"a b"=\'c\'\n',
        "[zones]\ncentre = 7_6\n",
    ]
)
FILES = st.lists(SECTIONS, unique=True, max_size=7).flatmap(
    lambda sections: st.lists(COMMENTS, min_size=len(sections) + 1, max_size=len(sections) + 1).map(
        lambda comments: "".join(
            comment + section for comment, section in zip(comments, [*sections, ""], strict=True)
        )
    )
)
NAMES = st.lists(st.text(max_size=6), min_size=4, max_size=4)
CHANGES = st.dictionaries(
    st.sampled_from([("board", "port"), ("camera", "source"), ("rules", "id"), ("log", "path")]),
    st.text(max_size=12),
    max_size=3,
)


@given(FILES, CHANGES, NAMES)
def test_only_the_named_keys_change_and_everything_else_stays_byte_for_byte(
    text: str, changes: dict[tuple[str, str], Any], names: list[str]
) -> None:
    changes = {**changes, ("seats", "names"): names}
    edited = edit(text, changes)
    expected = tomllib.loads(text)
    for (section, key), value in changes.items():
        expected.setdefault(section, {})[key] = value
    assert tomllib.loads(edited) == expected
    touched = {key for _, key in changes}
    for line in differing(text, edited)[2:]:
        if line.startswith("-"):  # no line goes but those of the changed keys
            assert line[1:].partition("=")[0].strip() in touched, line


def test_windows_line_ends_stay(tmp_path: Path) -> None:
    text = "[seats]\r\n# ours\r\nnames = ['a', 'b', 'c', 'd']\r\n"
    edited = edit(text, {("seats", "names"): ["e", "b", "c", "d"]})
    assert edited == text.replace("['a', 'b', 'c', 'd']", '["e", "b", "c", "d"]')
    write(tmp_path / "table.toml", edited)
    assert (tmp_path / "table.toml").read_bytes() == edited.encode()
    assert read_text(tmp_path / "table.toml") == edited


def test_options_are_changed_one_by_one() -> None:
    text = "[rules.options]\na = 1 # one\n# why b\nb = 2\n"
    assert edit(text, {("rules", "options"): {"a": 1, "b": 3}}) == text.replace("b = 2", "b = 3")


@pytest.mark.parametrize("text", ["[seats", "seats = 1", "a = 1\na = 2\n", "[[seats]]\nx = 1\n"])
def test_what_cannot_be_edited_is_refused_and_stays(text: str) -> None:
    with pytest.raises(EditError):
        edit(text, {("seats", "names"): ["a", "b", "c", "d"]})


def test_the_versions_before_are_kept(tmp_path: Path) -> None:
    path = tmp_path / "table.toml"
    for number in range(9):
        write(path, f"# {number}\n")
    assert path.read_text() == "# 8\n"
    write(path, "# 8\n")  # the same again moves nothing
    beside = sorted(tmp_path.glob("table.toml.previous*"))
    assert [each.read_text() for each in beside] == [f"# {number}\n" for number in (7, 6, 5, 4, 3)]
    assert sorted(each.name for each in tmp_path.iterdir() if each.name.startswith(".")) == []


def test_what_cannot_be_written_leaves_the_file_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "table.toml"
    path.write_text("# before\n")
    (tmp_path / ".table.toml.new").mkdir()  # where the new one would be prepared
    with pytest.raises(EditError, match="cannot be written"):
        write(path, "# after\n")
    assert path.read_text() == "# before\n"


def test_check_is_what_loading_says(tmp_path: Path) -> None:
    path = tmp_path / "table.toml"
    for text in ("[camera]\nsauce = 1\n", "[seats]\nnames = ['a']\n", "[x"):
        path.write_text(text)
        with pytest.raises(ConfigError):
            load_config(path)
        with pytest.raises(ConfigError):
            check(text, tmp_path)
    assert check('[seats]\nnames = ["a", "b", "c", "d"]', tmp_path).seats.names[3] == "d"


POINTS = st.integers(-(10**9), 10**9)


@given(st.tuples(POINTS, POINTS, POINTS), st.integers(0, 999_999), st.integers(0, 6))
def test_everybody_is_even_after_the_payments_to_the_last_digit(
    three: tuple[int, int, int], digits: int, places: int
) -> None:
    balance = [*three, -sum(three)]
    text = f"{digits:07d}"
    worth = f"{text[:-places]}.{text[-places:]}"[-13:] if places else text[-6:]
    money = MoneyConfig(worth, "zł")
    left = [points * Fraction(worth) for points in balance]
    paid = fewest_payments(balance)
    for payer, payee, points in paid:
        amount, currency = money.amount(points).split()
        assert currency == "zł"
        left[payer] += Fraction(amount)
        left[payee] -= Fraction(amount)
    assert left == [0, 0, 0, 0]
    owing = [points for points in balance if points]
    pairs = any(a + b == 0 for a, b in combinations(owing, 2)) and len(owing) == 4
    assert len(paid) == max(0, len(owing) - 1 - pairs)


def test_the_export_says_who_pays_whom() -> None:
    entries = evening("changsha", hands=4)
    rows = list(csv.reader(payment_lines(entries, "ABCD", MoneyConfig("0.05", "€").amount)))
    assert rows[0] == ["pays", "to", "points", "money"]
    assert len(rows) > 1
    for _, _, points, money in rows[1:]:
        assert Fraction(money.removesuffix(" €")) == Fraction(points) / 20


def test_a_worth_is_a_decimal_as_text() -> None:
    assert parse_config({"money": {"point_worth": "0.05"}}).money == MoneyConfig("0.05")
    assert Config().money.amount(7) == ""
    for wrong in ("0,05", "-1", "1e3", "NaN", "."):
        with pytest.raises(ConfigError, match=r"money\.point_worth"):
            parse_config({"money": {"point_worth": wrong}})


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
        store._db.execute(f"PRAGMA user_version={LOG_SCHEMA + 1}")
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
