"""Own sets on disk: kept, found again, damaged, learnt from folders, by the command line."""

import json
import shutil
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from table_assist.cli.main import main
from table_assist.languages.words import UserError
from table_assist.tiles.tile import Tile, parse_tiles
from table_assist.upkeep.setup.enrol import Enrolment, enrol
from table_assist.vision.enrolment import files as enrol_files
from table_assist.vision.enrolment.learn import KNOWN_OF_A_FACE, Sample
from table_assist.vision.enrolment.pictures import labelled_samples
from table_assist.vision.enrolment.report import FACE_LABELS, EnrolOutcome, make_report
from table_assist.vision.pictures.picture import save_picture
from table_assist.vision.reading.limits import Limits
from table_assist.vision.reading.own_set import (
    OwnSet,
    OwnSetError,
    directions,
    taught_by,
)
from table_assist.vision.reading.recognise import LABELS, NOTHING_CLASS
from tests.stages.dealt import boxes_of, lay_rows
from tests.stages.drawn_hands import CLASSES, certain, plain

Said = pytest.CaptureFixture[str]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where this test's sets are; the command line keeps them there too."""
    monkeypatch.setattr("sys.platform", "linux")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    return tmp_path / "data" / "table-assist" / "sets"


def kept(folder: Path, name: str = "home") -> tuple[OwnSet, list[Sample]]:
    samples = [plain(label, picture) for picture in range(2) for label in (0, 1)]
    random = np.random.default_rng(0)
    own = OwnSet(
        name,
        "f" * 64,
        random.normal(0, 1, (9, CLASSES)).astype(np.float32),
        directions(random.uniform(0, 1, (20, 8)).astype(np.float32)),
        0.88,
        1.1,
        taught_by((0, 1), CLASSES),
    )
    found = certain(0, 1, 0, 1)
    report = make_report(
        [(s.label, s.picture) for s in samples],
        EnrolOutcome((0, 1, 0, 1), found),
        Limits.alike(0.9),
    )
    enrol_files.save_set(own, samples, report, folder=folder, date="2026-11-21")
    return own, samples


def test_a_set_that_was_kept_reads_as_it_did(tmp_path: Path) -> None:
    own, samples = kept(tmp_path)
    again = enrol_files.load_set("home", tmp_path)
    assert (again.recogniser, again.alike_from, again.sharpness) == ("f" * 64, 0.88, 1.1)
    features = np.random.default_rng(1).uniform(0, 3, (5, 8)).astype(np.float32)
    logits = np.zeros((5, CLASSES), np.float32)
    assert np.allclose(again.refine(features, logits), own.refine(features, logits), atol=0.01)
    loaded = enrol_files.load_samples("home", tmp_path)
    assert [(s.label, s.picture) for s in loaded] == [(s.label, s.picture) for s in samples]
    assert np.abs(loaded[0].patch.image.astype(int) - samples[0].patch.image).mean() < 6
    assert [path.name for path in tmp_path.iterdir()] == ["home.npz"]


@pytest.mark.parametrize(
    "name", ["", "a/b", "..", "../x", ".hidden", "a\\b", "x" * 41, "a\nb", "a "]
)
def test_a_name_that_is_no_file_name_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(OwnSetError, match="a tile set's name has up to 40"):
        enrol_files.path_of(name, tmp_path)


@pytest.mark.parametrize("name", ["home", "奶奶的麻将", "club 2", "green-back.1"])
def test_names_people_give_are_kept(tmp_path: Path, name: str) -> None:
    kept(tmp_path, name)
    assert [each.name for each in enrol_files.list_sets(tmp_path)] == [name]


def test_an_unknown_set_is_answered_with_those_there_are(tmp_path: Path) -> None:
    kept(tmp_path, "club")
    with pytest.raises(OwnSetError, match="no tile set 'home'; there are: club"):
        enrol_files.load_set("home", tmp_path)


@pytest.mark.parametrize("left", [0, 100, 3000])
def test_a_damaged_file_is_one_sentence_and_is_not_listed(tmp_path: Path, left: int) -> None:
    kept(tmp_path)
    path = tmp_path / "home.npz"
    path.write_bytes(path.read_bytes()[:left])
    for use in (enrol_files.load_set, enrol_files.load_samples):
        with pytest.raises(OwnSetError, match=r"home\.npz is damaged"):
            use("home", tmp_path)
    assert enrol_files.list_sets(tmp_path) == []


def test_a_file_of_another_version_is_refused(tmp_path: Path) -> None:
    manifest = np.frombuffer(json.dumps({"version": 99}).encode(), np.uint8)
    np.savez(tmp_path / "home.npz", manifest=manifest)
    with pytest.raises(OwnSetError, match="has version 99, expected 1"):
        enrol_files.load_set("home", tmp_path)


def test_each_system_has_its_own_place_for_sets() -> None:
    home = {"HOME": "/h"}
    assert enrol_files.sets_folder(home, "linux") == Path("/h/.local/share/table-assist/sets")
    assert enrol_files.sets_folder(home, "darwin").parts[2:4] == ("Library", "Application Support")
    windows = enrol_files.sets_folder({"APPDATA": "/a", "USERPROFILE": "/u"}, "win32")
    assert windows == Path("/a/table-assist/sets")


def labelled(folder: Path, rows: list[tuple[Tile, ...]], name: str = "a", **look: object) -> Path:
    """A folder with one more picture and its labels."""
    image = lay_rows(rows, **look)  # type: ignore[arg-type]
    for part in ("images", "labels"):
        (folder / part).mkdir(parents=True, exist_ok=True)
    save_picture(folder / "images" / f"{name}.png", image)
    height, width = image.shape[:2]
    lines = [
        f"{int(tile)} {(x1 + x2) / 2 / width} {(y1 + y2) / 2 / height} "
        f"{(x2 - x1) / width} {(y2 - y1) / height}"
        for tile, (x1, y1, x2, y2) in boxes_of(rows)
    ]
    (folder / "labels" / f"{name}.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return folder


@settings(max_examples=6, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.lists(
        st.tuples(
            st.lists(st.sampled_from([*FACE_LABELS, "back", "d1"]), max_size=4),
            st.sampled_from(["whole", "whole", "cut short", "empty", "unlabelled"]),
        ),
        max_size=3,
    )
)
def test_any_labelled_folder_is_a_set_or_one_sentence(
    tmp_path: Path, folder: Path, pictures: list[tuple[list[str], str]]
) -> None:
    """Whatever its tiles are called: also twice, or as no tile of its set is."""
    shutil.rmtree(tmp_path / "any", ignore_errors=True)
    for number, (names, kind) in enumerate(pictures):
        row = parse_tiles("123mE")[: len(names)]
        made = labelled(tmp_path / "any", [row or parse_tiles("1m")], str(number), seed=number)
        lines = (made / "labels" / f"{number}.txt").read_text("utf-8").splitlines()
        called = [
            f"{LABELS.index(name)} {line.split(' ', 1)[1]}"
            for name, line in zip(names, lines, strict=False)
        ]
        path = made / "images" / f"{number}.png"
        (made / "labels" / f"{number}.txt").write_text("\n".join([*called, *called[:1]]), "utf-8")
        path.write_bytes(path.read_bytes()[: {"cut short": 200, "empty": 0}.get(kind)])
        if kind == "unlabelled":
            (made / "labels" / f"{number}.txt").unlink()
    said: list[str] = []
    try:
        wanted = Enrolment("any", labelled=tmp_path / "any", replace=True)
        report = enrol(wanted, lambda words: None)
    except UserError as error:
        said = str(error).splitlines()
    if said:
        assert len(said) == 1
    else:
        own = enrol_files.load_set("any", folder)
        shown = {LABELS.index(label) for label, _ in report.counts}
        assert report.tiles
        assert set(np.flatnonzero(own.taught).tolist()) == shown | {
            NOTHING_CLASS,
            NOTHING_CLASS + 1,
        }


def test_of_a_face_that_lies_everywhere_a_folder_teaches_some(tmp_path: Path) -> None:
    made = labelled(tmp_path, [parse_tiles("1m")])
    line = (made / "labels" / "a.txt").read_text("utf-8")
    (made / "labels" / "a.txt").write_text(100 * line + "1" + line[1:], "utf-8")
    assert Counter(each.label for each in labelled_samples(made)) == {0: KNOWN_OF_A_FACE, 1: 1}


def test_a_labelled_set_is_learnt_listed_used_and_forgotten(
    tmp_path: Path, folder: Path, capsys: Said
) -> None:
    rows = [parse_tiles("123456789m"), parse_tiles("ESWNCFP")]
    for number in range(2):
        labelled(tmp_path / "set", rows, str(number), seed=number, mirrored=True)
    assert main(["enrol", "strange", "--labelled", str(tmp_path / "set")]) == 0
    told = capsys.readouterr().out
    assert "32 tiles of 16 faces from 2 pictures." in told
    assert "on the command line: --set strange" in told
    assert main(["enrol", "--list"]) == 0
    assert capsys.readouterr().out.startswith("strange: 16 faces, 32 tiles from 2 pictures")
    picture = tmp_path / "new.png"
    save_picture(picture, lay_rows(rows, seed=7, light=0.9, mirrored=True))

    def read(*options: str) -> list[str]:
        assert main(["read", "--json", str(picture), *options]) == 0
        return [tile["tile"] for tile in json.loads(capsys.readouterr().out)["tiles"]]

    expected = [str(tile) for row in rows for tile in row]
    assert sorted(read("--set", "strange")) == sorted(expected)
    assert sorted(read()) != sorted(expected)
    assert main(["enrol", "strange", "--forget"]) == 0
    assert main(["read", "--set", "strange", str(picture)]) == 2
    assert "there is no tile set 'strange'" in capsys.readouterr().err
    assert list(folder.iterdir()) == []


def test_pictures_are_accepted_without_a_look_and_added_to(
    tmp_path: Path, folder: Path, capsys: Said
) -> None:
    first, second = tmp_path / "1.png", tmp_path / "2.png"
    save_picture(first, lay_rows([parse_tiles("456m")] * 2))
    save_picture(second, lay_rows([parse_tiles("89s")] * 2))
    assert main(["enrol", "home", str(first), "--yes"]) == 0
    assert "6 tiles of 3 faces from 1 picture." in capsys.readouterr().out
    assert main(["enrol", "home", str(second), "--yes"]) == 2
    error = capsys.readouterr().err
    assert "there is a tile set 'home' already: --replace" in error
    assert error.count("\n") == 1
    assert main(["enrol", "home", str(second), "--yes", "--again"]) == 0
    assert "10 tiles of 5 faces from 2 pictures." in capsys.readouterr().out
    assert main(["enrol", "home", str(second), "--yes", "--replace"]) == 0
    assert "4 tiles of 2 faces from 1 picture." in capsys.readouterr().out


def test_a_set_is_learnt_again_when_the_recogniser_changed(
    tmp_path: Path, folder: Path, capsys: Said
) -> None:
    kept(folder)
    picture = tmp_path / "p.png"
    save_picture(picture, lay_rows([parse_tiles("1m")]))
    for command in (["read", str(picture)], ["check", str(picture)]):
        assert main([*command, "--set", "home"]) == 2
        assert "learnt with another recogniser" in capsys.readouterr().err
    assert main(["enrol", "home", "--again"]) == 0
    assert main(["read", str(picture), "--set", "home"]) == 0


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ([], "what is the tile set called?"),
        (["a/b", "p.png"], "a tile set's name has up to 40"),
        (["home"], "no tile from which to learn"),
        (["home", "felt.png"], "no tile was found in"),
        (["home", "missing.png"], "there is no picture"),
        (["home", "text.png"], "is not a picture"),
        (["home", "--labelled", "."], "has a label file"),
        (["home", "--again"], "there is no tile set 'home'"),
        (["home", "--forget"], "cannot be deleted"),
    ],
)
def test_what_cannot_be_enrolled_is_one_sentence(
    tmp_path: Path,
    folder: Path,
    capsys: Said,
    monkeypatch: pytest.MonkeyPatch,
    arguments: list[str],
    sentence: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    save_picture(tmp_path / "felt.png", np.full((300, 400, 3), (70, 110, 40), np.uint8))
    (tmp_path / "text.png").write_text("no picture", encoding="utf-8")
    assert main(["enrol", *arguments]) == 2
    error = capsys.readouterr().err
    assert sentence in error
    assert error.count("\n") == 1
    assert not folder.exists()
