"""Unread tiles are weighed; asked is only what moves points."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from firmware_bridge.events import DiceReport as BoardDice
from firmware_bridge.events import Key, KeyPressed, WallReady
from table_assist.game.doubt import LAID_DOWN_S
from table_assist.game.events import (
    Asked,
    BirdTurned,
    Discarded,
    Event,
    HandStarted,
    KongDeclared,
)
from table_assist.game.question import QuestionKind
from table_assist.record.log import Amended, Source
from table_assist.record.record import Record
from table_assist.rules.registry import find_rules
from table_assist.rules.ruleset import RuleSet
from table_assist.session.kong_keys import KongKeys
from table_assist.session.session import Session
from table_assist.session.weighing import claims_in_doubt, filled_in, rests_on
from table_assist.tiles.melds import MeldKind
from table_assist.tiles.tile import Tile, parse_tiles
from table_assist.vision.table.observation import Observation, SeenTile
from tests.following.test_infer import river, shown
from tests.following.test_looks import event_of, lying, row_of
from tests.stages.plain_session import RULES, hear, record, session

PICTURES = 4
Shares = dict[str, float]


def begun(rules: RuleSet = RULES) -> Session:
    table = session(rules)
    hear(table, WallReady(), BoardDice(0, (1, 2)))
    record(table).append(Discarded(0, Tile.M1), Source.CAMERA)
    return table


def unread(tiles: list[SeenTile], face: str, shares: Shares) -> list[SeenTile]:
    """The same with one tile of that face unread."""
    at = next(i for i, tile in enumerate(tiles) if tile.tile is parse_tiles(face)[0])
    may_be = tuple((parse_tiles(name)[0], share) for name, share in shares.items())
    tiles[at] = replace(tiles[at], tile=Tile.UNKNOWN, confidence=may_be[0][1], candidates=may_be)
    return tiles


def look(table: Session, *tiles: list[SeenTile]) -> None:
    for picture in range(PICTURES):
        lying = tuple(tile for some in tiles for tile in some)
        table.process(Observation(float(picture), lying))


def kept(rules: str, *events: Event) -> tuple[RuleSet, Record, list[int]]:
    """A record of what the camera saw of a hand, and the entries."""
    own = Record(None, lambda: 0.0)
    own.append(HandStarted(1, rules, 0, 55), Source.RULES)
    return find_rules(rules), own, [own.append(event, Source.CAMERA) for event in events]


def asked(table: Session) -> list[QuestionKind]:
    return [event.question.kind for _, event in record(table).counting if isinstance(event, Asked)]


def shows(table: Session, hand: str, apart: str, face: str, shares: Shares) -> None:
    hear(table, KeyPressed(1, Key.WIN))
    look(table, river(0, "1m"), unread(shown(1, hand, apart=apart), face, shares))


def test_an_unread_tile_of_a_declared_hand_that_wins_with_one_face_alone_is_filled_in() -> None:
    table = begun()
    shows(table, "234m 567p 111s 555s 8p", "8p", "2m", {"2m": 0.91, "2p": 0.06, "9s": 0.02})
    (hand,) = table.snapshot.state.shown
    assert hand.concealed == tuple(sorted(parse_tiles("234m 567p 111s 555s 88p")))
    assert asked(table) == []
    (filled,) = [e for e in record(table).entries if isinstance(e.event, Amended)]
    assert 0.999 <= filled.confidence < 1, "the log keeps how sure it was"


def test_what_is_filled_in_counts_against_the_sureness_of_the_settlement() -> None:
    table = begun()
    shows(table, "234m 567p 111s 555s 8p", "8p", "2m", {"2m": 0.91, "2p": 0.06, "9s": 0.02})
    for bird in (Tile.M3, Tile.M4):
        record(table).append(BirdTurned(bird), Source.CAMERA)
    look(table, river(0, "1m"), shown(1, "234m 567p 111s 555s 8p", apart="8p"))
    sure = table.snapshot.sureness
    assert sure is not None
    assert 0.99 < sure.probability < 1


@pytest.mark.parametrize(
    ("piece", "plays_on", "answers"), [(5, True, True), (9, False, True), (9, True, False)]
)
def test_a_late_kong_answers_its_key_if_it_lay_there_or_its_player_has_not_discarded_since(
    piece: int, plays_on: bool, answers: bool
) -> None:
    now, (lying,) = [0.0], river(0, "3m")
    keys, (_, own, _) = KongKeys(lambda: now[0]), kept("changsha", Discarded(3, Tile.M1))
    keys.hear(KeyPressed(3, Key.KONG), is_running=True)
    now[0] = LAID_DOWN_S
    (doubt,) = keys.doubts(own, [replace(lying, id=7)])
    own.append(Asked(doubt.question, doubt.text, ("yes", "no"), blocks=True), Source.RULES)
    if plays_on:
        own.append(Discarded(3, Tile.M2), Source.CAMERA)
    kong = KongDeclared(3, MeldKind.KONG_CONCEALED, Tile.M3)
    keys.see(kong, own, [replace(lying, id=piece)])
    assert bool(own.state.questions) is not answers


GOLDEN = Path(__file__).parents[1] / "golden" / "seen" / "weighed.jsonl"
ROWS = [json.loads(line) for line in GOLDEN.read_text(encoding="utf-8").splitlines()]


@pytest.mark.parametrize("row", [pytest.param(row, id=row["id"]) for row in ROWS])
def test_what_was_not_read_is_weighed(row: dict[str, Any]) -> None:
    """As in `looks.jsonl`: ``record`` is what the camera told, ``seen`` what lay there then.

    ``found`` are the entries that are named, or asked about, and as what; or whether anything rests
    on an entry.
    """
    record = Record(None, lambda: 0.0)
    for event in row["record"]:
        record.append(event_of(event), Source.CAMERA)
    lay = {int(seq): lying(runs) for seq, runs in row["seen"].items()}
    rules, found = find_rules(row["rules"]), row["found"]
    if row["of"] == "rests_on":
        assert rests_on(rules, record, lay, row["entry"], face=row["face"]) is found
    else:
        weigh = filled_in if row["of"] == "filled_in" else claims_in_doubt
        assert [[seq, row_of(event)] for seq, event, *_ in weigh(rules, record, lay)] == found
