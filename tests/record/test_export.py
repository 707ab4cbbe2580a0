"""The hands of a log, for other programs."""

import csv
import json
from pathlib import Path

import pytest

from table_assist.cli.main import main
from table_assist.game.events import (
    Discarded,
    Event,
    HandAbandoned,
    HandStarted,
    Penalised,
    Settled,
    WallExhausted,
    WinDeclared,
)
from table_assist.languages.words import Words
from table_assist.record.history import played_hands
from table_assist.record.log import Entry, Retracted, Source
from table_assist.record.record import Record
from table_assist.record.store import Store
from table_assist.tiles.tile import Tile

WON = Settled((1,), (-2, 4, -1, -1), 1, (Words("seat 1 wins", "座位 1 和"),))


def log(*events: Event | Retracted) -> list[Entry]:
    return [Entry(n, 60.0 * n, Source.PERSON, event) for n, event in enumerate(events, start=1)]


def start(hand: int, dealer: int = 0) -> HandStarted:
    return HandStarted(hand, "changsha", dealer, 55, profile="house", hash="ab")


def test_an_empty_log_has_no_hands_and_one_that_runs_is_none_yet() -> None:
    assert played_hands([]) == ()
    assert played_hands(log(start(1), Discarded(0, Tile.M1))) == ()


def test_a_hand_tells_rules_times_points_and_scores() -> None:
    (hand,) = played_hands(log(start(1), WinDeclared(1), WON))
    assert (hand.rules, hand.profile, hand.hash) == ("changsha", "house", "ab")
    assert (hand.started_s, hand.ended_s, hand.end) == (60.0, 180.0, "won")
    assert (hand.winners, hand.transfers, hand.scores) == ((1,), (-2, 4, -1, -1), (-2, 4, -1, -1))
    assert hand.steps == (Words("seat 1 wins", "座位 1 和"),)


def test_scores_run_on_and_each_end_has_its_name() -> None:
    hands = played_hands(
        log(start(1), WON, start(2, 1), WallExhausted(1), start(3, 1), HandAbandoned())
    )
    assert [hand.end for hand in hands] == ["won", "drawn", "abandoned"]
    assert [hand.scores for hand in hands] == [(-2, 4, -1, -1)] * 3


def test_a_settlement_that_was_taken_back_is_not_told() -> None:
    other = Settled((2,), (0, -3, 3, 0), 2)
    (hand,) = played_hands(log(start(1), WON, Retracted(2), other))
    assert (hand.winners, hand.scores) == ((2,), (0, -3, 3, 0))


def test_a_penalty_in_a_hand_stands_beside_its_settlement() -> None:
    fine = Penalised((3, -9, 3, 3), Words("false win", "诈和"))
    (hand,) = played_hands(log(start(1), fine, WON))
    assert (hand.transfers, hand.penalties) == ((-2, 4, -1, -1), (3, -9, 3, 3))
    assert hand.scores == (1, -5, 2, 2)


def write(path: Path, *events: Event) -> None:
    with Store(path) as store:
        record = Record(store, lambda: 7.0)
        for event in events:
            record.append(event, Source.PERSON)
        record.save()


def test_export_writes_json_lines(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(tmp_path / "log.sqlite", start(1), WON)
    assert main(["export", str(tmp_path / "log.sqlite")]) == 0
    row = json.loads(capsys.readouterr().out)
    assert (row["hand"], row["scores"]) == (1, [-2, 4, -1, -1])


def test_export_writes_a_table_with_the_players_names(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write(tmp_path / "log.sqlite", start(1), WON)
    settings = tmp_path / "table.toml"
    settings.write_text('[seats]\nnames = ["Ada", "=Bo", "Chen", "Dai"]\n')
    arguments = ["export", str(tmp_path / "log.sqlite"), "--format", "csv"]
    assert main([*arguments, "--config", str(settings)]) == 0
    header, row = csv.reader(capsys.readouterr().out.splitlines())
    cells = dict(zip(header, row, strict=True))
    assert (cells["dealer"], cells["winners"], cells["Ada points"]) == ("Ada", "'=Bo", "-2")
    assert cells["'=Bo score"] == "4"


def test_a_file_that_is_no_log_is_a_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["export", str(tmp_path / "nowhere.sqlite")]) == 2
    assert "there is no log" in capsys.readouterr().err
    (tmp_path / "text.sqlite").write_text("hello, this is no database at all")
    assert main(["export", str(tmp_path / "text.sqlite")]) == 2
    assert "is damaged: file is not a database" in capsys.readouterr().err
