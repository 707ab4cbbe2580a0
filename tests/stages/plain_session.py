"""A session without threads, told what its inputs would."""

import threading

from firmware_bridge.events import DiceReport as BoardDice
from firmware_bridge.events import Key, KeyPressed, WallReady
from table_assist.game.events import BirdTurned, Discarded, HandShown
from table_assist.languages.words import Words
from table_assist.record.commands import Command
from table_assist.record.log import Source
from table_assist.record.record import Record
from table_assist.record.snapshot import SourceHealth
from table_assist.rules.profile import plain_profile
from table_assist.rules.registry import find_rules
from table_assist.rules.ruleset import RuleSet
from table_assist.session.from_board import BoardSignal
from table_assist.session.session import Session
from table_assist.tiles.tile import Tile, parse_tiles
from tests.stages.on_paper import english
from tests.stages.recorded_table import NAMES

RULES = find_rules("changsha")


def session(rules: RuleSet = RULES, *, settle_after_s: float = 0.0) -> Session:
    own = Record(None, lambda: 1.0)
    profile = plain_profile(rules)
    return Session(profile, NAMES, own, now=lambda: 1.0, settle_after_s=settle_after_s)


def hear(table: Session, *contents: object) -> None:
    for content in contents:
        table.process(BoardSignal(content))  # type: ignore[arg-type]


def command(table: Session, what: Command, by: str = "") -> str | None:
    """As `submit`, without the writer's thread; a refusal in English."""
    worker = threading.Thread(target=lambda: replies.append(table.submit(what, by)))
    replies: list[Words | None] = []
    worker.start()
    while worker.is_alive():
        table.drain()
    return english(replies[0]) or None


def record(table: Session) -> Record:
    return table._record


def shown_hand(table: Session, tiles: str, winning: str = "8p", *, how_sure: float = 1.0) -> None:
    """Bo shows a self-drawn hand."""
    hear(table, WallReady(), BoardDice(0, (1, 2)))
    record(table).append(Discarded(0, Tile.M1), Source.CAMERA)
    hear(table, KeyPressed(1, Key.WIN))
    shown = HandShown(1, parse_tiles(tiles), parse_tiles(winning)[0], True)
    record(table).append(shown, Source.CAMERA, confidence=how_sure)
    table.process(SourceHealth("camera", "live"))


def heard(table: Session, content: object, origin: str = "") -> None:
    table.process(BoardSignal(content, origin))  # type: ignore[arg-type]


def turn_birds(table: Session, *tiles: Tile) -> None:
    for turned in tiles:
        record(table).append(BirdTurned(turned), Source.CAMERA)
    table.process(SourceHealth("camera", "live", last_t=float(record(table).seq)))
