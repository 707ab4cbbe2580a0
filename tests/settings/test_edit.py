"""Settings are changed key by key: what was not understood stays byte for byte."""

import tomllib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from table_assist.settings.config import ConfigError, load_config
from table_assist.settings.edit import (
    EditError,
    check,
    differing,
    edit,
    previous_versions,
    read_text,
    write,
)

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


def test_the_version_before_is_kept_and_can_be_taken_back(tmp_path: Path) -> None:
    path = tmp_path / "table.toml"
    for number in range(9):
        write(path, f"# {number}\n")
    assert path.read_text() == "# 8\n"
    assert [each.read_text() for each in previous_versions(path)] == [
        f"# {number}\n" for number in (7, 6, 5, 4, 3)
    ]
    write(path, "# 8\n")  # the same again moves nothing
    assert previous_versions(path)[0].read_text() == "# 7\n"
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
