"""An evening, told: what everybody gave and got adds up, in as few payments as there can be."""

import csv
import json
from itertools import product
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

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
from table_assist.record.commands import BeginGame, Settle, TellBirds, TellDraw, TellHand
from table_assist.record.export import evening_of, fewest_payments, played_hands
from table_assist.record.log import Entry, Retracted, Source
from table_assist.record.record import Record
from table_assist.record.store import Store
from table_assist.tiles.tile import Tile, parse_tiles
from tests.session.test_manual_hands import handler_of, obey, told

SMALL = st.integers(-40, 40)


@given(SMALL, SMALL, SMALL)
def test_after_the_payments_everybody_is_even(a: int, b: int, c: int) -> None:
    left = [a, b, c, -a - b - c]
    paid = fewest_payments(tuple(left))
    for payer, payee, points in paid:
        assert points > 0
        left[payer] += points
        left[payee] -= points
    assert left == [0, 0, 0, 0]


@given(SMALL, SMALL, SMALL)
def test_nobody_could_be_even_with_fewer_payments(a: int, b: int, c: int) -> None:
    """An oracle of its own: as many groups as possible that are even among themselves."""
    balance = (a, b, c, -a - b - c)
    owing = [person for person in range(4) if balance[person]]
    best = 0
    for labels in product(range(4), repeat=len(owing)):
        groups = [[p for p, at in zip(owing, labels, strict=True) if at == n] for n in set(labels)]
        if all(sum(balance[p] for p in group) == 0 for group in groups):
            best = max(best, len(groups))
    assert len(fewest_payments(balance)) == len(owing) - best


def test_what_people_talk_about_is_found_in_the_log() -> None:
    handler = handler_of("changsha")
    obey(handler, BeginGame(100))
    hands = [
        (told(1, "123m456m789s123p55s", "3p"), 0),
        (told(1, "111m999m111s999s55s", "5s", discarder=2), None),
        (told(3, "123m456m789s123p55s", "3p", discarder=2), None),
    ]
    for hand, dealer in hands:
        assert obey(handler, TellHand(hand, dealer=dealer)) is None
        assert obey(handler, TellBirds(parse_tiles("1m9p"))) is None
        assert obey(handler, Settle()) is None
    assert obey(handler, TellDraw(last_drawer=0)) is None
    found = evening_of(handler.record.entries)
    assert [hand.end for hand in found.hands] == ["won", "won", "won", "drawn"]
    assert found.begun_with == 100
    assert found.curve[0] == (100, 100, 100, 100)
    assert found.curve[-1] == handler.record.state.scores
    assert sum(found.balance) == 0
    assert found.best is not None
    assert (found.best.person, found.best.hand.hand) == (1, 2)
    assert found.swing is not None
    assert found.swing.person == 2
    assert found.swing.points == -found.best.points
    assert {(fed.giver, fed.winner, fed.times) for fed in found.fed} == {(2, 1, 1), (2, 3, 1)}
    assert found.dealer is not None


@pytest.mark.parametrize("begun", [False, True])
def test_an_evening_without_a_hand_is_one_all_the_same(begun: bool) -> None:
    handler = handler_of("changsha")
    if begun:
        obey(handler, BeginGame(100))
    found = evening_of(handler.record.entries)
    assert (found.hands, found.best, found.swing, found.dealer, found.fed) == (
        (),
        None,
        None,
        None,
        (),
    )
    assert found.balance == (0, 0, 0, 0)


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
