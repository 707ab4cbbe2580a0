"""What the view says of walls, melds, claims and guidance, over whole hands of every rule set."""

from collections.abc import Iterator
from functools import cache
from random import Random

import pytest

from table_assist.game.events import (
    Claimed,
    DiceRolled,
    Discarded,
    GameBegun,
    Throw,
    WallBuilt,
    WallExhausted,
)
from table_assist.game.fold import apply
from table_assist.game.holding import is_late
from table_assist.game.offered import offered_choices
from table_assist.game.state import Phase, TableState
from table_assist.languages.words import Words
from table_assist.rules.registry import find_rules
from table_assist.rules.shown import Call
from table_assist.tiles.melds import MeldKind
from table_assist.tiles.tile import Tile, parse_tiles
from table_assist.twin.play.hand import play_hand
from tests.stages.web_fakes import NAMES, Evening, asked, opened, settled
from tests.stages.web_fakes import won as changsha_won
from tests.stages.web_scenes import RULE_SETS, Table, mid_hand, table_of
from web.access.roles import STRANGER, Role, Viewer
from web.view.claims_view import claims_view
from web.view.present import present
from web.view.secrecy import masked
from web.view.wall_view import wall_view

HANDS = 2


@cache
def states(id: str) -> tuple[TableState, ...]:
    """Every state of some hands by bots."""
    random, rules = Random(1), find_rules(id)
    found, state = [], TableState()
    for _ in range(HANDS):
        events, end = play_hand(rules, state, random)
        for event in events:
            state = apply(state, event)
            found.append(state)
        state = TableState() if end.game_over else end
    return tuple(found)


def played(id: str) -> Iterator[TableState]:
    return (state for state in states(id) if state.phase is Phase.PLAYING)


def bare(id: str, state: TableState) -> Table:
    return Table(find_rules(id), state)


@pytest.mark.parametrize("id", RULE_SETS)
def test_the_wall_drawn_has_as_many_tiles_as_the_wall_has(id: str) -> None:
    for state in played(id):
        drawn = wall_view(bare(id, state).snapshot())
        assert drawn is not None
        lying = sum(sum(side) for side in drawn["sides"])
        assert lying == state.wall.left + state.wall.dead, f"{lying} drawn, {state.wall}"


@pytest.mark.parametrize("id", RULE_SETS)
def test_every_call_that_the_rules_allow_is_named(id: str) -> None:
    # The other way round more is named than is allowed: the hands are nobody's business.
    calls = {Call.CHOW, Call.PUNG, Call.KONG, Call.WIN}
    met = 0
    for state in played(id):
        if is_late(state) or (state.last_discard is None and state.robbable is None):
            continue
        named = claims_view(state, NAMES)
        for seat in range(4):
            for choice in offered_choices(state, seat):
                if choice.allowed and choice.call in calls:
                    assert named is not None
                    assert choice.call.value in named["calls"][seat]
                    met += 1
    assert met > 5


def test_what_lies_on_the_table_limits_what_may_be_claimed() -> None:
    evening = opened().do(Discarded(0, Tile.P5)).do(Discarded(1, Tile.P5))
    claims = present(evening.snapshot())["claims"]
    assert claims["calls"][3] == ["pung", "win"]  # two are left: a pung, but no kong
    evening.do(Discarded(2, Tile.P5))
    claims = present(evening.snapshot())["claims"]
    assert claims["calls"] == [["win"], ["win"], [], ["chow", "win"]]
    assert claims["words"] == {
        "en": "5 dots: anyone but 陈德 may win; Dai may also chow.",
        "zh": "五筒：除陈德外都可和；Dai还可吃。",
    }


@pytest.mark.parametrize(
    ("giver", "kind", "tiles", "turned", "laid"),
    [
        (0, MeldKind.PUNG, "888p", 0, "888p"),  # from the left
        (3, MeldKind.PUNG, "888p", 1, "888p"),  # from across
        (2, MeldKind.PUNG, "888p", 2, "888p"),  # from the right
        (2, MeldKind.KONG_EXPOSED, "8888p", 3, "8888p"),
        (0, MeldKind.CHOW, "678p", 0, "867p"),  # a chow's claimed tile lies first
    ],
)
def test_the_claimed_tile_lies_across_where_its_giver_sits(
    giver: int, kind: MeldKind, tiles: str, turned: int, laid: str
) -> None:
    evening = opened().do(Discarded(giver, Tile.P8))
    evening.do(Claimed(1, kind, parse_tiles(tiles), giver))
    meld = present(evening.snapshot())["seats"][1]["melds"][0]
    assert meld["turned"] == turned
    assert "".join(tile[0] for tile in meld["tiles"]) == laid[:-1]


def test_a_meld_knows_the_entry_that_it_rests_on() -> None:
    evening = opened().do(Discarded(0, Tile.P8))
    evening.do(Claimed(1, MeldKind.PUNG, parse_tiles("888p"), 0))
    event = present(evening.snapshot())["seats"][1]["melds"][0]["event"]
    assert event["seq"] == evening.entries[-1].seq
    assert event["event"]["tiles"] == ["8p", "8p", "8p"]


def test_a_river_s_tiles_know_their_entries_also_after_a_claim() -> None:
    evening = opened().do(Discarded(0, Tile.P1)).do(Discarded(1, Tile.P8))
    evening.do(Claimed(2, MeldKind.PUNG, parse_tiles("888p"), 1)).do(Discarded(2, Tile.P3))
    seats = present(evening.snapshot())["seats"]
    first = next(e.seq for e in evening.entries if isinstance(e.event, Discarded))
    assert [seat["entries"] for seat in seats] == [[first], [], [evening.entries[-1].seq], []]


def test_guidance_names_people_and_says_where_the_wall_is_broken() -> None:
    table = Table(find_rules("wanzhou"))
    table.do(WallBuilt())
    table.do(DiceRolled(0, (4, 3), Throw.BREAK))
    view = present(table.snapshot())
    assert view["guidance"]["en"].startswith("Break the wall of 陈德 after stack 7")
    assert view["guidance"]["zh"].startswith("从陈德牌墙第 7 墩后开门")
    assert view["stacks"]["break"] == {"seat": 2, "stack": 7}


def test_the_tile_that_makes_others_wild_lies_turned_in_its_column() -> None:
    table = table_of("tianjin", mid_hand())
    view = present(table.snapshot())
    assert [turned["kind"] for turned in view["stacks"]["turned"]] == ["wild"]
    spot = view["stacks"]["turned"][0]
    assert view["stacks"]["sides"][spot["seat"]][spot["stack"] - 1] == 2
    assert view["wilds"]
    assert "treasure" in view
    assert view["treasure"] is None


def test_a_treasure_is_set_and_its_face_is_not_said_while_the_hand_runs() -> None:
    table = table_of(
        "changchun", lambda state: bool(state.indicators) and state.phase is Phase.PLAYING, hands=2
    )
    view = present(masked(table.snapshot(), STRANGER), STRANGER)
    assert view["treasure"]["set"]
    assert view["treasure"]["words"]["en"] == "A treasure is set, hidden until a ready player wins"
    spots = view["stacks"]["turned"]
    assert [spot["kind"] for spot in spots] == ["treasure"] * len(table.state.indicators)


def test_a_hand_that_nobody_won_has_an_end_card_too() -> None:
    evening = opened().do(WallExhausted(1, (3, -1, -1, -1), (Words("Kongs.", "杠。"),)))
    view = present(evening.snapshot())
    assert view["headline"]["en"] == "Hand 1: nobody won"
    settlement = view["settlement"]
    assert settlement["final"]
    assert settlement["payments"] == []
    assert settlement["transfers"] == [3, -1, -1, -1]
    assert settlement["before"] == [0, 0, 0, 0]
    assert settlement["steps"] == [{"en": "Kongs.", "zh": "杠。"}]


def test_a_player_is_asked_only_about_the_own_seat() -> None:
    snapshot = asked(opened()).snapshot()  # about a discard of seat 0
    mine = [present(snapshot, Viewer(Role.SEAT, seat))["questions"][0]["mine"] for seat in range(4)]
    assert mine == [True, False, False, False]
    assert present(snapshot, Viewer(Role.SCORER))["questions"][0]["mine"]


def test_the_points_to_begin_with_are_those_agreed_and_before_that_the_rules_are_offered() -> None:
    # CC-49: 50 or 100 points; the profile's default is 100.
    table = table_of("changchun", mid_hand())
    game = present(table.snapshot())["game"]
    assert (game["points"], game["suggested"], game["may_begin"]) == (0, 100, False)
    evening = settled(changsha_won(opened(Evening().do(GameBegun(50, -10, 8)))))
    view = present(evening.snapshot())
    assert view["game"] == {
        "points": 50,
        "floor": -10,
        "length": 8,
        "since": 0,
        "played": 1,
        "may_begin": True,
        "fresh": False,
        "suggested": 50,
    }
    assert [seat["score"] for seat in view["seats"]] == [48, 52, 50, 50]
