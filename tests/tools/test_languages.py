"""A catalogue says all that the code says, and nothing else; what it fills in fits."""

import ast
import re
import shutil
import subprocess
import tomllib
import xml.etree.ElementTree as ElementTree
from itertools import combinations
from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from table_assist.languages.catalogue import CATALOGUES, Catalogue, catalogues, read
from table_assist.languages.words import Plural, Words, joined
from table_assist.tiles.tile import Tile, parse_tiles
from table_assist.twin.faces import ALL_FACES, BUILT_IN, FacesError, load_faces
from tests.conftest import ARGUMENTS, CHROMIUM
from tools import said

TAGS = sorted(catalogues())
HEAD = 'msgid ""\nmsgstr ""\n"Plural-Forms: nplurals={count}; plural={rule};\\n"\n'
HEAD += '"X-Name: Test\\n"\n"X-Browsers: xx\\n"\n"X-Fallback: en\\n"\n\n'
# Chinese that is no sentence: it is looked for in what is typed, is a language's own name, or
# stands where both languages do (in the terminal, on a printed page, in a drawing).
NO_SENTENCE = {
    "table_assist/cli/modes.py",
    "table_assist/club/seating.py",
    "table_assist/club/hub/people.py",
    "web/language.py",
    "table_assist/rules/by_hand/typed.py",
    "table_assist/rules/sheet/printed.py",
    "web/club/standings_pages.py",
    "web/pages/dispute_page.py",
    "web/view/vocabulary.py",
}
# What the wire carries in two languages, by its own format; nobody adds to it.
IN_PIECES = {
    "table_assist/club/hub/undoing.py": 2,
    "web/pages/evening_page.py": 3,
    "web/setup/enrol.py": 1,
}


@pytest.mark.parametrize("tag", TAGS)
def test_a_catalogue_has_what_the_code_says_and_all_of_it_is_translated(tag: str) -> None:
    wanted, there = set(said.wanted()), set(catalogues()[tag].entries)
    assert wanted - there == set(), "run tools/languages.py, then translate these"
    assert there - wanted == set(), "run tools/languages.py: the code no longer says these"


@pytest.mark.parametrize("tag", TAGS)
def test_a_translation_fills_in_what_english_and_chinese_do(tag: str) -> None:
    wrong = [
        (key, form)
        for key, forms in catalogues()[tag].entries.items()
        for form in forms
        if not said.slots_fit(key, said.wanted()[key][0].zh, form)
    ]
    assert wrong == []


@pytest.mark.parametrize("tag", TAGS)
def test_a_plural_has_as_many_forms_as_its_language(tag: str) -> None:
    catalogue = catalogues()[tag]
    forms = 1 + max(map(catalogue.plural, range(200)))
    odd = {
        key: found
        for key, found in catalogue.entries.items()
        if len(found) != (forms if key[2] else 1)
    }
    assert odd == {}


@pytest.mark.parametrize("tag", TAGS)
def test_seats_are_named_so_that_players_names_can_stand_there(tag: str) -> None:
    """Pages put names where the rules speak of seats, by what the language says for one."""
    catalogue = catalogues()[tag]
    before = str(catalogue.template("seat {n}", "座位 {n}")).partition("{n}")[0].strip()
    one = re.compile(r"\b[Ss]eat \{(seat|winner|payer|dealer|discarder)\}")
    odd = [
        (key[1], forms)
        for key, forms in catalogue.entries.items()
        for found in one.finditer(key[1])
        if "座位 {" in said.wanted()[key][0].zh
        if f"{before}{found[0].split()[1]}" not in forms[0].replace(" ", "")
    ]
    assert odd == []


@pytest.mark.parametrize("tag", TAGS)
def test_no_number_follows_a_list_of_seats_as_if_it_were_one(tag: str) -> None:
    odd = [
        form
        for forms in catalogues()[tag].entries.values()
        for form in forms
        if re.search(r"(席|座位 ?)\{\w+\}(、|, ?)\{", form)
    ]
    assert odd == []


def test_every_chinese_sentence_of_the_code_is_found() -> None:
    for path in said.sources():
        place = path.relative_to(said.ROOT).as_posix()
        tree = ast.parse(path.read_text(encoding="utf-8"))
        assert place in NO_SENTENCE or len(lost(tree)) <= IN_PIECES.get(place, 0), (
            place,
            lost(tree),
        )


def lost(tree: ast.Module) -> list[str]:
    found = {zh for _, zh, _ in said.pairs(tree)}
    remarks = {
        id(node.body[0].value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Module | ast.FunctionDef | ast.ClassDef)
        and node.body
        and isinstance(node.body[0], ast.Expr)
    }
    return [
        text
        for node in ast.walk(tree)
        if id(node) not in remarks
        if (text := said.text_of(node)) and re.search("[\u4e00-\u9fff]", text)
        if text not in found
    ]


def test_the_walk_finds_sentences_and_what_stands_alone() -> None:
    tree = ast.parse(
        '"""说明"""\nWords("East", "东")\nPlural(n, "{n} bird", "{n} birds", "{n}只鸟")\n'
        'law("X-1", "Any tile wins.", "任意牌可和。")\nrows = (("Wild", "混儿", x),)\n'
        'Words("a" if b else "c", "甲" if b else "乙")\nalone(f"第{n}局")\n'
    )
    assert set(said.pairs(tree)) == {
        ("East", "东", ""),
        ("{n} bird", "{n}只鸟", "{n} birds"),
        ("Any tile wins.", "任意牌可和。", ""),
        ("Wild", "混儿", ""),
        ("a", "甲", ""),
        ("c", "乙", ""),
    }
    assert lost(tree) == ["第", "局"]


@pytest.fixture
def spoken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Catalogue:
    """A language with three forms, as Russian counts."""
    rule = "(n%10==1 && n%100!=11 ? 0 : n%10>=2 && n%10<=4 && (n%100<10 || n%100>=20) ? 1 : 2)"
    path = tmp_path / "xx.po"
    path.write_text(
        HEAD.format(count=3, rule=rule)
        + '# a remark\n#. 鸟\n#: web/x.py\nmsgid "{n} bird"\nmsgid_plural "{n} birds"\n'
        'msgstr[0] "{n} ptica"\nmsgstr[1] "{n} pticy"\nmsgstr[2] "{n} ptic"\n\n'
        'msgid ""\n"{who} "\n"wins"\nmsgstr "\\"{who}\\" "\n"won"\n\n'
        'msgctxt "左"\nmsgid "left"\nmsgstr "levo"\n\nmsgid "right"\nmsgstr ""\n\n'
        '#~ msgid "gone"\n#~ msgstr "away"\n',
        "utf-8",
    )
    catalogue = read(path)
    monkeypatch.setattr("table_assist.languages.words.catalogues", lambda: {"xx": catalogue})
    return catalogue


def test_a_sentence_is_said_with_what_is_put_in_and_in_the_form_of_its_number(
    spoken: Catalogue,
) -> None:
    birds = [Plural(n, "{n} bird", "{n} birds", "{n}只鸟") for n in (1, 3, 5, 21)]
    assert [each.said("xx") for each in birds] == ["1 ptica", "3 pticy", "5 ptic", "21 ptica"]
    assert Words("{who} wins", "{who}和", who=birds[1]).said("xx") == '"3 pticy" won'
    assert joined([birds[0], birds[2]]).said("xx") == "1 ptica, 5 ptic"


def test_what_a_catalogue_lacks_is_said_in_the_language_that_it_names(spoken: Catalogue) -> None:
    assert Words("left", "左").said("xx") == "levo"
    assert Words("left", "上家").said("xx") == "left", "the Chinese says that it is another left"
    assert Words("right", "右").said("xx") == "right"
    assert Words("gone", "去").said("xx") == "gone"
    assert Words("Ana", "Ana").said("xx") == "Ana"


def test_a_catalogue_is_written_as_the_command_writes_it() -> None:
    """Who edits one by hand and not by the command makes a large difference of a small one."""
    for path in CATALOGUES.glob("*.po"):
        text = path.read_text(encoding="utf-8")
        assert max(map(len, text.splitlines())) < 2000
        assert "#~" not in text
        assert "fuzzy" not in text


ROOT = Path(__file__).parents[2]
DRAWINGS = ROOT / "web/static/tiles"
LABELS = tomllib.loads((ROOT / "models/tiles.toml").read_text(encoding="utf-8"))["labels"]
NAMES = [*(label for label in LABELS if not re.fullmatch(r"d[1-6]", label)), "unknown"]
SHAPES = {"svg", "g", "path", "circle", "ellipse", "rect"}
GROUND = (238, 249, 253)


@pytest.mark.parametrize("name", NAMES)
def test_a_drawing_holds_shapes_only(name: str) -> None:
    path = DRAWINGS / f"{name}.svg"
    text = path.read_text(encoding="utf-8")
    drawing = ElementTree.fromstring(text)
    assert drawing.get("viewBox") == "0 0 300 400"
    for element in drawing.iter():
        assert element.tag.removeprefix("{http://www.w3.org/2000/svg}") in SHAPES
        assert not {"id", "href", "style", "class"} & set(element.attrib)
        assert not any(key.startswith("on") or "href" in key for key in element.attrib)
        assert not any("url(" in value or "//" in value for value in element.attrib.values())
    assert "<!" not in text
    assert path.stat().st_size < 12_000


def test_there_is_a_drawing_for_each_label_and_no_other() -> None:
    assert {path.stem for path in DRAWINGS.glob("*.svg")} == set(NAMES)


def test_any_two_faces_differ_at_24_px() -> None:
    faces = load_faces()
    small = {
        tile: cv2.resize(
            faces.on_ground(tile, GROUND), (24, 32), interpolation=cv2.INTER_AREA
        ).astype(np.float32)
        for tile in ALL_FACES
    }
    # 40 grey levels in one colour are seen beside each other; ask for 3 % of the face.
    for one, other in combinations(ALL_FACES, 2):
        apart = np.abs(small[one] - small[other]).max(axis=2) > 40
        assert apart.mean() > 0.03, f"{one} and {other} look alike"


@pytest.mark.slow
def test_the_rasters_show_the_drawings(tmp_path: Path) -> None:
    shown = _in_a_browser(tmp_path)
    faces = load_faces()
    inside = np.s_[10:150, 10:110]
    for tile in ALL_FACES:
        raster = faces.on_ground(tile, GROUND).astype(np.float32)
        apart = np.abs(shown[tile].astype(np.float32) - raster)[inside]
        assert apart.mean() < 4, f"the raster of {tile} is not its drawing: draw the tiles anew"


def test_a_missing_face_is_named(tmp_path: Path) -> None:
    shutil.copy(BUILT_IN / "1m.png", tmp_path / "1m.png")
    with pytest.raises(FacesError, match=r"lacks 2m E$"):
        load_faces(tmp_path, needed=parse_tiles("12m E #"))


def test_a_face_not_needed_may_be_missing_until_it_is_asked_for(tmp_path: Path) -> None:
    shutil.copy(BUILT_IN / "1m.png", tmp_path / "1m.png")
    faces = load_faces(tmp_path, needed=[Tile.M1])
    with pytest.raises(FacesError, match="has no 2m"):
        faces.picture(Tile.M2)


def test_a_folder_per_face_offers_its_variants_in_turn(tmp_path: Path) -> None:
    (tmp_path / "C").mkdir()
    for grey in (10, 200):
        cv2.imwrite(str(tmp_path / f"C/{grey}.png"), np.full((8, 6, 3), grey, np.uint8))
    seen = [
        int(load_faces(tmp_path, needed=[Tile.RED], variant=n).picture(Tile.RED)[0, 0, 0])
        for n in range(3)
    ]
    assert seen == [10, 200, 10]


def test_a_file_that_is_no_picture_is_named(tmp_path: Path) -> None:
    (tmp_path / "1m.png").write_text("not a picture", encoding="utf-8")
    with pytest.raises(FacesError, match=r"1m\.png' is not a picture"):
        load_faces(tmp_path, needed=())


def _in_a_browser(folder: Path) -> dict[Tile, NDArray[np.uint8]]:
    """The drawings as a browser shows them, at the rasters' size."""
    style = "*{margin:0;line-height:0}svg{width:120px;height:160px;display:block}"
    drawings = [(DRAWINGS / f"{tile}.svg").read_text(encoding="utf-8") for tile in ALL_FACES]
    page, shot = folder / "tiles.html", folder / "tiles.png"
    page.write_text(f"<!doctype html><style>{style}</style>{''.join(drawings)}", encoding="utf-8")
    subprocess.run(
        [CHROMIUM, *ARGUMENTS, "--hide-scrollbars", f"--user-data-dir={folder}/profile",
         f"--window-size=120,{160 * len(ALL_FACES)}", f"--screenshot={shot}", page.as_uri()],
        check=True, capture_output=True, timeout=120,
    )  # fmt: skip
    strip = np.asarray(cv2.imread(str(shot)), np.uint8)
    return {tile: strip[160 * k : 160 * (k + 1), :120] for k, tile in enumerate(ALL_FACES)}
