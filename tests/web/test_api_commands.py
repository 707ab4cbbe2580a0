"""Each command is taken from who may give it, and kept with who gave it."""

from dataclasses import replace
from typing import get_args

import pytest
from flask import Flask

from table_assist.game.events import (
    Asked,
    Discarded,
    HandAbandoned,
    HandShown,
    HandTold,
    ReadyDeclared,
    WinRefused,
)
from table_assist.game.people import seat_of
from table_assist.game.question import QuestionId
from table_assist.game.state import Robbable, SeatState, TableState
from table_assist.languages.words import Words
from table_assist.record.commands import (
    Answer,
    BeginGame,
    Change,
    ChooseDealer,
    Command,
    Correct,
    DeclareReady,
    DeclareWin,
    Insert,
    PassLastTile,
    PlaceAntes,
    Rule,
    Settle,
    TellHand,
    TellTreasure,
    Undo,
)
from table_assist.record.log import Entry, Source
from table_assist.record.record import Record
from table_assist.record.snapshot import SourceHealth
from table_assist.rules.play_rules import DeadHand
from table_assist.rules.profile import plain_profile
from table_assist.rules.registry import find_rules
from table_assist.rules.shown import Circumstance
from table_assist.session.session import Session
from table_assist.tiles.melds import Meld, MeldKind
from table_assist.tiles.tile import Tile, parse_tiles
from tests.stages.evenings import NAMES
from tests.stages.visitor import Visitor
from tests.stages.web_fakes import FakeTable, asked, opened
from web.access.roles import Role, Viewer
from web.api.commands import SPECS
from web.language import page_words
from web.view.outcome import robbed_from
from web.view.told_view import told_view


@pytest.fixture
def table() -> FakeTable:
    return FakeTable(asked(opened()).snapshot())


def phone(app: Flask, role: Role, seat: int | None = None) -> Visitor:
    """A device with a role."""
    return Visitor(app, role=role, seat=seat, name="Ben's phone")


@pytest.mark.parametrize(
    ("path", "body", "command"),
    [
        (
            "/api/antes",
            {"double_down": True, "challenges": [0, 1, 0, 2]},
            PlaceAntes(True, (0, 1, 0, 2)),
        ),
        ("/api/dealer", {"seat": 3}, ChooseDealer(3)),
        ("/api/settle", {"seen": "3 0 +6-2-2-2"}, Settle(seen="3 0 +6-2-2-2")),
        ("/api/settle", {"hand": 4}, Settle(4)),
        (
            "/api/correct",
            {"seq": 4, "event": {"type": "Discarded", "seat": 0, "tile": "5p"}},
            Correct(4, Discarded(0, Tile.P5)),
        ),
        (
            "/api/insert",
            {"before": 0, "event": {"type": "ReadyDeclared", "seat": 1}},
            Insert(0, ReadyDeclared(1)),
        ),
        (
            "/api/rule",
            {
                "seat": 1,
                "irregularity": "false_win",
                "transfers": [3, -9, 3, 3],
                "reason": {"en": "No win.", "zh": "诈和"},
                "dead": "long",
            },
            Rule(1, "false_win", (3, -9, 3, 3), Words("No win.", "诈和"), DeadHand.LONG),
        ),
    ],
)
def test_a_referee_s_commands_reach_the_session(
    app: Flask, table: FakeTable, path: str, body: dict[str, object], command: Command
) -> None:
    assert phone(app, Role.REFEREE).give(path, **body) == (200, {"ok": True})
    assert table.commands == [command]
    assert table.by == ["Ben's phone (referee)"]


def test_a_player_speaks_for_the_own_seat_alone(app: Flask, table: FakeTable) -> None:
    player = phone(app, Role.SEAT, 1)
    assert player.give("/api/win", seat=2)[0] == 403
    assert table.commands == []
    assert player.give("/api/win", seat=1)[0] == 200
    assert table.commands == [DeclareWin(1)]
    assert [seat_of(by) for by in table.by] == [1]


UNFOLLOWED = (SourceHealth("camera", "none"), SourceHealth("board", "none"))


@pytest.mark.parametrize(
    ("who", "may"),
    [
        (Viewer(Role.SEAT, 1, "Ben", "b"), True),  # the own hand
        (Viewer(Role.SEAT, 0, "Ana", "a"), True),  # who told it puts it right
        (Viewer(Role.SEAT, 3, "Dai", "d"), False),
        (Viewer(Role.SEAT, 3, "Ana", "d"), False),  # a name is no person
        (Viewer(Role.SCORER, None, "Ana", "s"), True),
    ],
)
def test_a_player_does_not_change_a_hand_that_another_told(who: Viewer, may: bool) -> None:
    snapshot = asked(opened()).snapshot()
    hand = HandTold(1, parse_tiles("123m456m789s123p55s"), winning_tile=Tile.P3)
    told = Entry(999, snapshot.t, Source.PERSON, hand, 1.0, by=Viewer(Role.SEAT, 0, "Ana", "a").by)
    snapshot = replace(snapshot, health=UNFOLLOWED)
    [check] = [spec.check for spec in SPECS if spec.name == "tell"]
    assert check(TellHand(hand), who, snapshot) is None, "nobody has told it before"
    again = check(TellHand(hand), who, replace(snapshot, entries=(*snapshot.entries, told)))
    assert (again is None) == may


@pytest.mark.parametrize(("seat", "status"), [(0, 200), (1, 403)])
def test_a_player_answers_what_is_asked_about_the_own_seat(
    app: Flask, table: FakeTable, seat: int, status: int
) -> None:
    player = phone(app, Role.SEAT, seat)
    assert player.give("/api/answer", question="tile-1", answer="6s")[0] == status
    assert table.commands == ([Answer(QuestionId.parse("tile-1"), "6s")] if status == 200 else [])


@pytest.mark.parametrize(
    "question",
    [
        Asked(
            QuestionId.parse("q"),
            Words("Is the hand over?", "结束？"),
            ("yes",),
            if_yes=HandAbandoned(),
        ),
        Asked(QuestionId.parse("q"), Words("Of {0} and {1}.", "{0}{1}"), ("yes",)),
        Asked(QuestionId.parse("q"), Words("Which bird?", "哪张鸟？"), ("1m",)),
        Asked(
            QuestionId.parse("q"),
            Words("{0} has not won.", "{0}"),
            ("yes",),
            if_yes=WinRefused(1, ()),
        ),
    ],
)
def test_what_concerns_others_is_for_the_scorer(
    app: Flask, table: FakeTable, question: Asked
) -> None:
    state = replace(table.snapshot.state, questions=(question,))
    table.publish(replace(table.snapshot, state=state))
    body = {"question": "q", "answer": question.choices[0]}
    assert phone(app, Role.SEAT, 0).give("/api/answer", **body)[0] == 403
    assert phone(app, Role.SCORER).give("/api/answer", **body)[0] == 200


def test_a_scorer_takes_back_this_hand_s_entries_and_a_referee_any(
    app: Flask, table: FakeTable
) -> None:
    recent = table.snapshot.entries[-1].seq
    scorer, referee = phone(app, Role.SCORER), phone(app, Role.REFEREE)
    assert scorer.give("/api/undo", seq=recent)[0] == 200
    assert scorer.give("/api/undo", seq=9999)[0] == 403
    assert referee.give("/api/undo", seq=9999)[0] == 200
    assert table.commands == [Undo(recent), Undo(9999)]


def test_a_scorer_settles_no_earlier_hand(app: Flask, table: FakeTable) -> None:
    assert phone(app, Role.SCORER).give("/api/settle", hand=7)[0] == 403
    assert phone(app, Role.SCORER).give("/api/settle")[0] == 403, "which one was seen?"
    assert phone(app, Role.SCORER).give("/api/settle", seen="7 1 ")[0] == 200
    assert table.commands == [Settle(seen="7 1 ")]


def test_the_treasure_is_told_by_who_has_seen_it(app: Flask, table: FakeTable) -> None:
    body = {"seat": 1, "tile": "5p"}
    assert phone(app, Role.SEAT, 1).give("/api/treasure", **body)[0] == 403
    a, _, c, d = table.snapshot.state.seats
    state = replace(table.snapshot.state, seats=(a, SeatState(ready=True), c, d))
    table.publish(replace(table.snapshot, state=state))
    assert phone(app, Role.SEAT, 0).give("/api/treasure", **body)[0] == 403
    assert phone(app, Role.SEAT, 1).give("/api/treasure", **body)[0] == 200
    assert phone(app, Role.SCORER).give("/api/treasure", **body)[0] == 200
    assert table.commands == [TellTreasure(1, Tile.P5)] * 2


def test_who_does_not_know_the_treasure_cannot_guess_at_it(app: Flask, table: FakeTable) -> None:
    state = replace(table.snapshot.state, treasures=(Tile.P5,))
    table.publish(replace(table.snapshot, state=state))
    for role in (Role.SCORER, Role.REFEREE, Role.ADMIN):
        assert phone(app, role).give("/api/treasure", seat=1, tile="6p")[0] == 403
    assert table.commands == []


def test_a_preview_records_nothing(app: Flask, table: FakeTable) -> None:
    table.change = Change((0, 0, 0, 0), (3, -1, -1, -1), sentences=(Words("Ana wins.", "Ana和"),))
    status, change = phone(app, Role.REFEREE).give("/api/preview", command="undo", body={"seq": 3})
    assert status == 200
    assert change["scores_after"] == [3, -1, -1, -1]
    assert change["sentences"] == [{"en": "Ana wins.", "zh": "Ana和"}]
    assert (table.commands, table.previewed) == ([], [Undo(3)])


def test_a_preview_asks_for_the_command_s_own_role(app: Flask, table: FakeTable) -> None:
    body = {"command": "correct", "body": {"seq": 4, "event": {"type": "WallBuilt"}}}
    assert phone(app, Role.SCORER).give("/api/preview", **body)[0] == 403
    assert phone(app, Role.SEAT, 0).give("/api/preview", **body)[0] == 403
    assert table.previewed == []
    assert phone(app, Role.REFEREE).give("/api/preview", **body)[0] == 200


@pytest.mark.parametrize(
    "event",
    [
        None,
        {},
        {"type": "Asked"},
        {"type": "Answered", "question": "q", "answer": "yes"},
        {"type": "Discarded", "seat": 4, "tile": "5p"},
        {"type": "Discarded", "seat": True, "tile": "5p"},
        {"type": "Discarded", "seat": 0, "tile": "5x"},
        {"type": "Discarded", "seat": 0, "tile": "5p", "more": 1},
        {"type": "Discarded", "seat": 0},
        {"type": "HandStarted", "hand": 1, "rules": "none", "dealer": 0, "wall_left": 5},
        {"type": "DiceRolled", "seat": 0, "values": [7]},
        {
            "type": "HandShown",
            "seat": 0,
            "concealed": ["1m"] * 21,
            "winning_tile": "1m",
            "self_drawn": True,
        },
    ],
)
def test_what_cannot_be_is_no_event(app: Flask, table: FakeTable, event: object) -> None:
    status, said = phone(app, Role.REFEREE).give("/api/insert", before=0, event=event)
    assert status == 400
    assert "'event'" in said["error"]["en"]
    assert table.commands == []


def test_the_description_says_what_a_body_holds(app: Flask) -> None:
    described = app.test_client().get("/api/openapi.json").json
    undo = described["paths"]["/api/undo"]["post"]
    assert undo["x-role"] == "scorer"
    assert undo["requestBody"]["content"]["application/json"]["schema"] == {
        "type": "object",
        "properties": {"seq": {"type": "integer", "minimum": 1, "maximum": (1 << 53) - 1}},
        "required": ["seq"],
        "additionalProperties": False,
    }
    assert described["paths"]["/api/picture.jpg"]["get"]["x-role"] == "seat"


@pytest.mark.parametrize(
    ("path", "command"),
    [("ready", DeclareReady), ("pass", PassLastTile), ("win", DeclareWin)],
)
def test_a_player_presses_the_own_keys_and_whether_they_count_the_table_says(
    app: Flask, table: FakeTable, path: str, command: type
) -> None:
    assert phone(app, Role.SEAT, 2).give(f"/api/{path}", seat=1)[0] == 403
    assert table.commands == []
    assert phone(app, Role.SEAT, 1).give(f"/api/{path}", seat=1)[0] == 200
    assert phone(app, Role.SCORER).give(f"/api/{path}", seat=3)[0] == 200
    assert table.commands == [command(1), command(3)]
    table.refusal = Words("not now", "现在不行")
    assert phone(app, Role.SEAT, 1).give(f"/api/{path}", seat=1)[0] == 409


def test_the_scorer_begins_a_game_and_a_player_does_not(app: Flask, table: FakeTable) -> None:
    body = {"points": 100, "floor": None, "length": 8}
    assert phone(app, Role.SEAT, 1).give("/api/game", **body)[0] == 403
    assert table.commands == []
    assert phone(app, Role.SCORER).give("/api/game", **body) == (200, {"ok": True})
    assert phone(app, Role.SCORER).give("/api/game", points=0, floor=-50)[0] == 200
    assert table.commands == [BeginGame(100, None, 8), BeginGame(0, -50)]
    assert phone(app, Role.SCORER).give("/api/game", points=-1)[0] == 400


def test_every_command_that_there_is_can_be_given() -> None:
    """Whoever adds a command decides who may give it, and what its body holds."""
    made = {
        type(spec.make(**{each.name: "q" if each.name == "question" else None for each in fields}))
        for spec in SPECS
        for fields in [spec.fields]
    }
    assert made == set(get_args(Command))


HAND = HandShown(1, parse_tiles("123m 456p 789s 234s 55p"), Tile.P5, self_drawn=False)
DRAWN = HandShown(1, HAND.concealed, Tile.P5, self_drawn=True)
RUSH = HandShown(1, HAND.concealed, Tile.P5, self_drawn=False, rush=True)


def at(kind: MeldKind | None) -> TableState:
    return TableState(robbable=None if kind is None else Robbable(2, Tile.P5, kind))


@pytest.mark.parametrize(
    ("shown", "kind", "robbed"),
    [
        (HAND, None, ""),
        (HAND, MeldKind.KONG_ADDED, "kong"),
        (HAND, MeldKind.KONG_CONCEALED, "kong"),
        (HAND, MeldKind.LUCKY_EGG, "egg"),
        (DRAWN, MeldKind.KONG_ADDED, ""),
        (RUSH, MeldKind.LUCKY_EGG, ""),
    ],
)
def test_the_page_says_from_what_a_won_tile_was_robbed(
    shown: HandShown, kind: MeldKind | None, robbed: str
) -> None:
    assert robbed_from(at(kind), shown) == robbed
    if robbed:
        assert "点炮" not in page_words("table")[f"robbed_{robbed}"].zh


def test_with_the_eggs_that_are_told_after_it_the_page_asks_of_which_one_the_won_tile_was() -> None:
    profile = plain_profile(find_rules("changchun"))
    session = Session(profile, NAMES, Record(None, lambda: 0.0), now=lambda: 0.0)
    robbed = (Circumstance.ROBBED_EGG_SUPPLEMENT, Circumstance.ROBBING_KONG)
    tiles = parse_tiles("123m 99m 234s 123p 111s")
    win = HandTold(0, tiles, winning_tile=Tile.S1, discarder=1, circumstances=robbed, wall_left=30)
    session.put_command(TellHand(win, dealer=2))
    session.drain()
    laid = [("7pE3s", "2s5s"), ("1m1p1s", "")]
    eggs = [Meld(MeldKind.LUCKY_EGG, parse_tiles(egg), parse_tiles(more)) for egg, more in laid]
    told = HandTold(1, (), melds=tuple(eggs))
    asks = told_view(session.snapshot, told, session.snapshot.state)["asks"]
    (asked,) = [ask for ask in asks if ask["kind"] == "undoes"]
    assert asked["words"]["en"] == "From which egg was the winning tile taken?"
    assert len(asked["choices"]) == 2
