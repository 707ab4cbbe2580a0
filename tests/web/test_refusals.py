"""Whatever is refused in a browser is a page in the reader's language, with a way out."""

from dataclasses import replace
from pathlib import Path

import pytest
from flask import Flask

from table_assist.club.hub.database import open_base
from table_assist.game.events import (
    HandAbandoned,
    HandShown,
    HandStarted,
    IndicatorTurned,
    ReadyDeclared,
    Settled,
    WallExhausted,
    WinDeclared,
)
from table_assist.game.fold import apply
from table_assist.game.state import TableState
from table_assist.languages.catalogue import LANGUAGES
from table_assist.record.log import Entry, Source
from table_assist.record.snapshot import Snapshot
from table_assist.rules.registry import find_rules
from table_assist.rules.verdict import NO_TRANSFERS, Explanation, Settlement, Verdict
from table_assist.tiles.tile import Tile, parse_tiles
from tests.stages.web_fakes import NAMES, FakeTable, opened
from web import create_app
from web.access.roles import Role, Viewer
from web.api.bodies import (
    BodyError,
    antes,
    choice,
    event,
    face,
    faces,
    flag,
    four,
    mapping,
    or_none,
    read_fields,
    reason,
    seat,
    text,
    told_hand,
    whole,
)
from web.club.app import close_club_app, create_club_app
from web.view.present import present
from web.view.secrecy import masked

PHONE = {"REMOTE_ADDR": "192.168.1.20"}
Way = tuple[str, str, dict[str, str], int]
WAYS: list[Way] = [
    ("GET", "/nothing", {}, 404),
    ("GET", "/me", {}, 404),  # it is /api/me that exists
    ("GET", "/admin/backup/nothing", {}, 404),
    ("GET", "/broken", {}, 500),
    ("POST", "/", {}, 405),
    ("GET", "/", {"Host": "elsewhere.example"}, 421),
]
AT_A_TABLE: list[Way] = [
    ("POST", "/worth", {}, 405),
    ("GET", "/worth", {}, 403),
    ("GET", "/seat/9", {}, 403),
    ("GET", "/overlay?delay=soon", {}, 400),
]
IN_A_HALL: list[Way] = [("GET", "/player/999", {}, 404), ("GET", "/desk", {}, 403)]


@pytest.fixture
def table() -> Flask:
    return create_app(FakeTable(opened().snapshot()))


@pytest.fixture
def hall(tmp_path: Path) -> Flask:
    return create_club_app(open_base(str(tmp_path / "club.sqlite")))


@pytest.mark.parametrize("tag", LANGUAGES)
@pytest.mark.parametrize("where", ["table", "hall"])
def test_a_refusal_is_a_page_with_a_way_out(
    where: str, tag: str, request: pytest.FixtureRequest
) -> None:
    app: Flask = request.getfixturevalue(where)
    app.add_url_rule("/broken", view_func=lambda: str(1 // 0))
    client = app.test_client()
    for method, path, headers, status in WAYS + (AT_A_TABLE if where == "table" else IN_A_HALL):
        accepted = {"Accept": "text/html", "Accept-Language": tag, **headers}
        answer = client.open(path, method=method, headers=accepted, environ_overrides=PHONE)
        assert (answer.status_code, answer.mimetype) == (status, "text/html"), path
        page = answer.text
        assert 'class="main button" href="/"' in page
        assert 'name="viewport"' in page
        assert f'<html lang="{LANGUAGES[tag]}">' in page
        sentence = page.split("<p>")[1]
        assert any("\u3040" <= letter <= "\u9fff" for letter in sentence) is (tag != "en"), path
    if where == "hall":
        close_club_app(app)


ROLL = {"type": "DiceRolled", "seat": 1, "values": [7]}
HAND = {"seat": 1, "concealed": ["1m"]}


@pytest.mark.parametrize(
    ("field", "value", "en", "zh"),
    [
        (seat("x"), True, "a whole number from 0 to 3, not true", "0 到 3 的整数，现为 true"),
        (whole("x", 1, 9), 2.5, "a whole number from 1 to 9, not 2.5", "1 到 9 的整数"),
        (or_none(seat("x")), 4, "a whole number from 0 to 3, not 4", "0 到 3 的整数"),
        (or_none(seat("x")), "n", "a whole number from 0 to 3 or null", "0 到 3 的整数 或 null"),
        (text("x", 40), "", "'x' must be a text of 1 to 40 characters.", "1 到 40 个字符的文本。"),
        (choice("x", "a", "b"), [], "one of ['a', 'b'], not []", "['a', 'b'] 之一，现为 []"),
        (flag("x"), 1, "true or false, not 1", "true 或 false，现为 1"),
        (face("x"), "?", "a tile such as '5p', not \"?\"", "'5p' 之类的牌，现为 \"?\""),
        (faces("x", 14), [], "a list of 1 to 14, not []", "1 到 14 项的列表，现为 []"),
        (four("x", 0, 9), [0, 0, 0], "a list of 4, not", "4 项的列表，现为"),
        (four("x", 0, 9), [0, 0, 0, -1], "'x[3]' must be a whole number from 0 to 9", "'x[3]'"),
        (mapping("x"), 3, "a JSON object, not 3", "JSON 对象，现为 3"),
        (antes("x"), {"double_down": True}, "'x.challenges' is missing.", "缺少 'x.challenges'。"),
        (reason("x"), {"en": "", "zh": "", "ja": ""}, "'x.ja' is unknown", "没有 'x.ja'"),
        (event("x"), {"type": "Asked"}, "an object with a type of ['Wall", "为 ['WallBuilt'"),
        (
            event("x"),
            ROLL,
            "'x' is no DiceRolled: 'x.values[0]' must be",
            "'x' 不是 DiceRolled：'x",
        ),
        (told_hand("x"), HAND | {"wall_left": 145}, "'x.wall_left' must be", "0 到 144 的整数"),
    ],
)
def test_what_does_not_fit_is_named_with_its_bounds(field, value: object, en: str, zh: str) -> None:
    with pytest.raises(BodyError) as refused:
        read_fields({"x": value}, (field,))
    assert en in refused.value.words.en
    assert zh in refused.value.words.zh


def test_a_text_of_one_s_own_is_not_said_back() -> None:
    with pytest.raises(BodyError) as refused:
        read_fields({"password": "hunter2"}, (text("password", 3),))
    assert "hunter2" not in str(refused.value)


CHANGCHUN = find_rules("changchun")
STARTED = HandStarted(1, "changchun", 0, 83, options=(("ready_requires_open", False),))
READY, SECRET, SEEN = (
    ReadyDeclared(1),
    IndicatorTurned(Tile.UNKNOWN, 5),
    IndicatorTurned(Tile.P5, 5),
)
SHOWN = HandShown(1, parse_tiles("123m 456p 789s EEE 11p"), Tile.P1, self_drawn=True)
OTHER = replace(SHOWN, seat=2)
TELEVISION, OWNER = Viewer(Role.TELEVISION), Viewer(Role.SEAT, seat=1)
WON = Verdict(True, Explanation)  # its points are no matter here
HIDDEN = "A treasure is set, hidden until a ready player wins"


def words(*events: object, winner: int | None = None, viewer: Viewer = TELEVISION) -> str:
    """What the viewer reads after these events of a hand."""
    state, entries = TableState(), []
    for seq, each in enumerate((STARTED, *events), start=1):
        state = apply(state, each)  # type: ignore[arg-type]
        entries.append(Entry(seq, float(seq), Source.PERSON, each))  # type: ignore[arg-type]
    settlement = None if winner is None else Settlement(NO_TRANSFERS, {winner: WON}, (winner,), {})
    made = Snapshot(
        len(entries), 9.0, NAMES, CHANGCHUN, state, tuple(entries), settlement=settlement
    )
    view = present(masked(made, viewer), viewer)["treasure"]
    assert view["words"]["zh"]
    found: str = view["words"]["en"]
    return found


@pytest.mark.parametrize(
    ("events", "winner", "said"),
    [
        ((), None, "No treasure yet"),
        ((READY,), None, "No treasure yet"),
        ((READY, SECRET), None, HIDDEN),
        ((READY, SEEN), None, HIDDEN),
        ((READY, SEEN, WinDeclared(1)), None, HIDDEN),
        ((READY, SEEN, WinDeclared(2), OTHER), None, HIDDEN),  # not judged, or no win
        ((READY, SEEN, WinDeclared(1), SHOWN), 1, "Treasure: 6 dots"),
        (
            (READY, SECRET, WinDeclared(1), SHOWN),
            1,
            "Which tile the treasure is must still be told",
        ),
        (
            (READY, SEEN, WinDeclared(2), OTHER),
            2,
            "The treasure stays hidden until this is settled: the winner is not ready",
        ),
        (
            (READY, SEEN, WinDeclared(2), OTHER, Settled((2,), NO_TRANSFERS, 2)),
            2,
            "Treasure: 6 dots",
        ),
        (
            (READY, SECRET, WinDeclared(2), OTHER, Settled((2,), NO_TRANSFERS, 2)),
            2,
            "Which tile the treasure was, nobody has told",
        ),
        ((WinDeclared(2), OTHER, Settled((2,), NO_TRANSFERS, 2)), 2, "No treasure was set"),
        ((READY, SEEN, WallExhausted(0)), None, "Nobody won: the treasure stays hidden"),
        ((READY, SEEN, HandAbandoned()), None, "Nobody won: the treasure stays hidden"),
    ],
)
def test_the_public_reads_what_is_so_in_every_state(
    events: tuple[object, ...], winner: int | None, said: str
) -> None:
    # CC: 5 dots as indicator makes the next tile of its suit the treasure.
    assert words(*events, winner=winner) == said


@pytest.mark.parametrize("winner", [1, 2])
def test_who_is_ready_reads_which_it_is_at_the_end_of_the_hand(winner: int) -> None:
    shown = SHOWN if winner == 1 else OTHER
    said = words(READY, SEEN, WinDeclared(winner), shown, winner=winner, viewer=OWNER)
    assert said == "Treasure: 6 dots"


def test_where_everybody_may_use_the_treasure_any_win_reveals_it() -> None:
    rules = CHANGCHUN.with_options({"treasure_needs_ready": False})
    state = apply(apply(TableState(), STARTED), SECRET)
    made = Snapshot(2, 9.0, NAMES, rules, state)
    assert present(made)["treasure"]["words"]["en"] == "A treasure is set, hidden until a win"
