"""A set learns from a table's evenings: with its owner's consent, and it can forget them."""

import json
from pathlib import Path

import pytest

from table_assist.cli.main import main
from table_assist.evidence.store import SUFFIX, EvidenceMoment, EvidenceStore
from table_assist.game.events import HandShown, HandStarted, Settled
from table_assist.record.log import Source
from table_assist.record.record import Record
from table_assist.record.store import Store
from table_assist.tiles.tile import Tile, parse_tiles
from table_assist.upkeep.setup.evenings import MOST_OF_A_FACE
from table_assist.vision.enrolment.files import load_samples
from table_assist.vision.pictures.picture import jpeg, save_picture
from tests.stages.laid_out import boxes_of, lay_rows
from tests.vision.test_enrol_kept import folder, labelled

__all__ = ["folder"]  # a fixture

HAND = parse_tiles("111222333m444m55m")
OTHERS = [parse_tiles("6789m"), parse_tiles("123456789p"), parse_tiles("123456789s")]
SETTLED = Settled((0,), (0, 0, 0, 0), 0)


def play(table: Path, hands: int) -> Path:
    """A table's settings; beside them log and pictures of so many hands that were won."""
    settings = table / "table.toml"
    settings.write_text('[rules]\nid = "wanzhou"\n[log]\npath = "log.sqlite"\n', encoding="utf-8")
    log = table / "log.sqlite"
    pictures = EvidenceStore(log.with_name(log.name + SUFFIX))
    with Store(log) as store:
        record = Record(store, lambda: 5.0)
        for hand in range(1, hands + 1):
            record.append(HandStarted(hand, "wanzhou", 0, 60), Source.PERSON)
            shown = HandShown(0, tuple(HAND), Tile.M5, self_drawn=True)
            seq = record.append(shown, Source.CAMERA)
            image = lay_rows([HAND], seed=hand, mirrored=True)
            rows = [
                {
                    "tile": "?" if tile is Tile.M5 else str(tile), "zone": "hand", "seat": 0,
                    "px": [(x0 + x1) / 2, (y0 + y1) / 2], "candidates": [],
                }
                for tile, (x0, y0, x1, y1) in boxes_of([HAND])
            ]  # fmt: skip
            moment = EvidenceMoment(seq, hand)
            pictures.keep(
                [(moment, b"")], t=5.0, jpeg=jpeg(image), readings=json.dumps({"tiles": rows})
            )
            record.append(SETTLED, Source.PERSON)
        record.save()
        assert record.is_saved
    pictures.close()
    return settings


def agree(settings: Path) -> None:
    text = settings.read_text(encoding="utf-8")
    settings.write_text(f"{text}[eyes]\nlearns = true\n", encoding="utf-8")


def test_without_consent_nothing_is_learnt(
    tmp_path: Path, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    settings = play(tmp_path, 1)
    assert main(["enrol", "home", "--from-evenings", str(settings)]) == 2
    assert "nobody has agreed yet" in capsys.readouterr().err
    assert not folder.exists()


def test_before_a_hand_is_settled_there_is_nothing_to_learn(
    tmp_path: Path, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    settings = play(tmp_path, 0)
    agree(settings)
    assert main(["enrol", "home", "--from-evenings", str(settings)]) == 2
    assert "no tile is confirmed" in capsys.readouterr().err


def test_what_people_confirmed_is_read_afterwards_and_what_the_owner_showed_stays(
    tmp_path: Path, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    settings = play(tmp_path, 5)
    agree(settings)
    labelled(tmp_path / "shown", OTHERS, mirrored=True)
    assert main(["enrol", "home", "--labelled", str(tmp_path / "shown")]) == 0
    for _ in range(2):  # a second time teaches no more
        assert main(["enrol", "home", "--from-evenings", str(settings)]) == 0
        labels = [sample.label for sample in load_samples("home", folder)]
        assert len(labels) == 22 + 4 * MOST_OF_A_FACE + 10
        assert labels.count(int(Tile.M1)) == MOST_OF_A_FACE < 15
        assert labels.count(int(Tile.M5)) == 10, "the last that was left was named by what it is"
    picture = tmp_path / "new.png"
    save_picture(picture, lay_rows([HAND], seed=99, mirrored=True))
    capsys.readouterr()
    assert main(["read", "--json", str(picture), "--set", "home"]) == 0
    read = [tile["tile"] for tile in json.loads(capsys.readouterr().out)["tiles"]]
    assert sorted(read) == sorted(map(str, HAND))
    assert main(["enrol", "home", "--forget-evenings"]) == 0
    assert [sample.label for sample in load_samples("home", folder)] == [
        int(tile) for row in OTHERS for tile in row
    ]


def test_a_set_of_which_faces_are_missing_is_not_learnt(
    tmp_path: Path, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Its 9 would be taken for its 6."""
    settings = play(tmp_path, 1)
    agree(settings)
    assert main(["enrol", "home", "--from-evenings", str(settings)]) == 2
    assert "22 faces are confirmed in no hand" in capsys.readouterr().err
    assert not folder.exists()
