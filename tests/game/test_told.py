"""What people tell of kongs, eggs and the chase is paid as it would be at a followed table."""

import pytest

from table_assist.game.events import (
    Discarded,
    Event,
    HandTold,
    IndicatorTurned,
    WinDeclared,
    WinRefused,
)
from table_assist.game.fold import apply, replay
from table_assist.game.outcome import end_of_hand
from table_assist.game.state import TableState
from table_assist.game.told_facts import (
    NOT_TURNED,
    FactKind,
    facts_to_ask,
    with_implied,
    with_known,
)
from table_assist.rules.options import OptionValue
from table_assist.rules.shown import Circumstance
from table_assist.tiles.melds import Meld, MeldKind
from table_assist.tiles.tile import Tile, parse_tile, parse_tiles
from tests.stages.web_fakes import start
from tests.stages.web_fakes import told as folded


def egg(tiles: str, more: str = "") -> Meld:
    return Meld(MeldKind.LUCKY_EGG, parse_tiles(tiles), parse_tiles(more))


def kong(kind: MeldKind, tile: str) -> Meld:
    return Meld(kind, (parse_tile(tile),) * 4)


def melds_of(seat: int, *melds: Meld, **said: object) -> HandTold:
    return HandTold(seat, (), melds=melds, **said)  # type: ignore[arg-type]


def win(seat: int, tiles: str, last: str, giver: int | None, *said: Circumstance) -> HandTold:
    hand = HandTold(
        seat, parse_tiles(tiles), winning_tile=parse_tile(last), discarder=giver, wall_left=30
    )
    return with_implied(HandTold(**{**_fields(hand), "circumstances": said}))


def _fields(hand: HandTold) -> dict:
    return {name: getattr(hand, name) for name in HandTold.__slots__}


def but(hand: HandTold, **said: object) -> HandTold:
    return HandTold(**{**_fields(hand), **said})


def table(rules: str, *events: Event, **options: OptionValue) -> TableState:
    return folded(start(rules, **options), list(events))


# --- A robbed egg, told as it lay or as it lies (CC-47)

ROBBER = win(0, "123m99m234s123p555p", "1p", 1, Circumstance.ROBBED_EGG_SUPPLEMENT)
EGG = Circumstance.ROBBED_EGG_SUPPLEMENT


def asked(state: TableState, hand: HandTold) -> list[tuple[FactKind, str]]:
    return [(fact.kind, fact.name) for fact in facts_to_ask(state, hand)]


@pytest.mark.parametrize("more", ["", "1p"], ids=["without the tile", "with it"])
def test_a_robbed_egg_is_asked_about_and_is_not_paid(more: str) -> None:
    state = table("changchun", melds_of(1, egg("1m1p1s", more)))
    assert (FactKind.CIRCUMSTANCE, EGG) in asked(state, but(ROBBER, circumstances=()))
    ended = end_of_hand(replay([WinDeclared(0), ROBBER], state))
    assert (ended.winners, ended.laid, ended.final) == ((0,), (0, 0, 0, 0), True)


def test_of_two_told_eggs_the_robbed_one_is_asked_for_and_before_that_nothing_is_final() -> None:
    eggs = melds_of(1, egg("7pE3s", "1s"), egg("1m1p1s", "1s"))
    robber = win(0, "123m99m234s123p111s", "1s", 1, EGG)
    state = table("changchun", eggs)
    assert FactKind.UNDOES not in {kind for kind, _ in asked(state, robber)}, "both pay alike"
    uneven = table("changchun", melds_of(1, egg("7pE3s", "1s2s"), egg("1m1p1s")))
    facts = {fact.kind: fact for fact in facts_to_ask(uneven, robber)}
    assert len(facts[FactKind.UNDOES].choices) == 2
    assert not end_of_hand(replay([WinDeclared(0), robber], uneven)).final
    said = but(robber, undoes=parse_tiles("1m1p1s"))
    ended = end_of_hand(replay([WinDeclared(0), said], uneven))
    assert (ended.laid, ended.final) == ((-3, 9, -3, -3), True)


def test_an_egg_robbed_for_a_pung_is_told_as_broken() -> None:
    whole = melds_of(1, egg("1m1p1s", "1p"))
    state = table("changchun")
    assert (FactKind.BROKEN, "0") in asked(state, whole)
    assert end_of_hand(apply(state, whole)).laid == (-2, 6, -2, -2)
    broken = apply(state, but(whole, broken=(0,)))
    assert end_of_hand(broken).laid == (0, 0, 0, 0)
    left = table("changchun", but(whole, broken=(0,)), broken_egg_scope="supplement_only")
    assert end_of_hand(left).laid == (-2, 6, -2, -2)


def test_which_of_two_eggs_was_robbed_is_asked_with_the_eggs_that_are_told_after_the_win() -> None:
    robber = win(0, "123m99m234s123p111s", "1s", 1, EGG)
    state = table("changchun", WinDeclared(0), robber)
    eggs = melds_of(1, egg("7pE3s", "2s5s"), egg("1m1p1s"))
    facts = {fact.kind: fact for fact in facts_to_ask(state, eggs)}
    assert len(facts[FactKind.UNDOES].choices) == 2
    assert not end_of_hand(apply(state, eggs)).final
    ended = end_of_hand(apply(state, but(eggs, undoes=parse_tiles("1m1p1s"))))
    assert (ended.laid, ended.final) == ((-3, 9, -3, -3), True)


SCOPE = {"broken_egg_scope": "supplement_only"}
TWICE = melds_of(1, egg("1m1p1s", "1p1p"))


def test_whether_an_egg_is_whole_is_asked_though_only_its_robbed_tile_would_be_lost() -> None:
    assert (FactKind.BROKEN, "0") in asked(table("changchun", **SCOPE), TWICE)


def test_an_egg_told_as_it_lies_is_taken_apart() -> None:
    state = table("changchun")
    (meld,) = with_known(state, melds_of(1, egg("1p1m1s1p9p"))).melds
    assert len(meld.tiles) == 4, "a nine is put to no egg of ones"
    (meld,) = with_known(state, melds_of(1, egg("1p1m1s1p"))).melds
    assert (sorted(meld.tiles), meld.supplements) == (sorted(parse_tiles("1m1p1s")), (Tile.P1,))


def test_where_an_egg_may_have_been_laid_of_three_or_four_tiles_it_is_asked() -> None:
    state = table("changchun", great_terminal_distinct=False)
    hand = with_known(state, melds_of(1, egg("1p1m1s1p")))
    fact = next(fact for fact in facts_to_ask(state, hand) if fact.kind is FactKind.EGG)
    assert {len(tiles) for tiles in fact.choices} == {3, 4}


# --- Two kongs of one seat (WZ-22)

TWO_KONGS = melds_of(
    1,
    kong(MeldKind.KONG_CONCEALED, "2p"),
    kong(MeldKind.KONG_EXPOSED, "8s"),
    claimed_from=(None, 2),
)
AFTER_KONG = but(
    win(3, "234m456p789p44m234s", "4s", 1, Circumstance.AFTER_KONG_DISCARD), discard_round=7
)


@pytest.mark.parametrize(("undoes", "laid"), [("2222p", (0, 2, -2, 0)), ("8888s", (-2, 6, -2, -2))])
def test_after_which_of_two_told_kongs_the_discard_came_is_asked(
    undoes: str, laid: tuple[int, ...]
) -> None:
    state = table("wanzhou", TWO_KONGS)
    assert FactKind.UNDOES in {kind for kind, _ in asked(state, AFTER_KONG)}
    assert not end_of_hand(replay([WinDeclared(3), AFTER_KONG], state)).final
    said = but(AFTER_KONG, undoes=parse_tiles(undoes))
    ended = end_of_hand(replay([WinDeclared(3), said], state))
    assert (ended.laid, ended.final) == (laid, True)


def test_after_the_only_kong_nothing_is_asked() -> None:
    state = table("wanzhou", melds_of(1, kong(MeldKind.KONG_CONCEALED, "2p")))
    assert FactKind.UNDOES not in {kind for kind, _ in asked(state, AFTER_KONG)}
    ended = end_of_hand(replay([WinDeclared(3), AFTER_KONG], state))
    assert (ended.laid, ended.final) == ((0, 0, 0, 0), True)


def test_the_giver_of_an_exposed_kong_that_is_told_without_a_win_is_asked_once() -> None:
    state = table("wanzhou")
    bare = melds_of(1, kong(MeldKind.KONG_EXPOSED, "8s"))
    assert (FactKind.GIVER, "0") in asked(state, bare)
    state = apply(state, but(bare, claimed_from=(2,)))
    assert with_known(state, bare).claimed_from == (2,)


# --- The chase (TJ-29), wild tiles, the treasure


def test_the_chase_is_asked_of_a_win_and_paid_by_the_dealer() -> None:
    hand = win(1, "123m456m789m123p55s", "5s", None)
    state = table("tianjin", IndicatorTurned(Tile.EAST))
    assert FactKind.CHASED in {kind for kind, _ in asked(state, hand)}
    chased = end_of_hand(replay([WinDeclared(1), but(hand, chased=True)], state))
    assert chased.chase == (-3, 1, 1, 1)
    assert end_of_hand(replay([WinDeclared(1), hand], state)).chase == (0, 0, 0, 0)


def test_first_discards_that_were_followed_are_not_asked_for() -> None:
    first = [Discarded(seat, Tile.EAST) for seat in range(4)]
    state = table("tianjin", IndicatorTurned(Tile.M2), *first)
    hand = win(1, "123m456m789m123p55s", "5s", None)
    assert FactKind.CHASED not in {kind for kind, _ in asked(state, hand)}


def test_a_concealed_kong_of_a_hand_that_did_not_win_asks_which_tiles_are_wild() -> None:
    hand = melds_of(1, kong(MeldKind.KONG_CONCEALED, "2p"))
    assert FactKind.INDICATOR in {kind for kind, _ in asked(table("tianjin"), hand)}
    known = table("tianjin", IndicatorTurned(Tile.P1))
    assert FactKind.INDICATOR not in {kind for kind, _ in asked(known, hand)}


def test_a_treasure_that_people_tell_was_turned_when_it_might_be() -> None:
    ready = win(1, "111m456p789s23m55s4m", "4m", 0, Circumstance.READY_DECLARED)
    state = table("changchun", WinDeclared(1), ready, IndicatorTurned(Tile.P1))
    assert end_of_hand(state).final
    asks = {fact.kind: fact for fact in facts_to_ask(table("changchun"), ready)}
    assert asks[FactKind.INDICATOR].name == NOT_TURNED, "perhaps none was turned"


def test_a_treasure_told_with_a_refused_win_is_asked_for_again() -> None:
    ready = win(1, "111m456p789s23m55s4m", "4m", 0, Circumstance.READY_DECLARED)
    refused = [WinDeclared(1), ready, IndicatorTurned(Tile.P1), WinRefused(1, ("structure",))]
    again = table("changchun", *refused)
    assert FactKind.INDICATOR in {kind for kind, _ in asked(again, ready)}
    assert apply(again, IndicatorTurned(Tile.P5)).treasures == (Tile.P6,)


# --- Several told wins on one tile


def test_what_one_winner_says_of_the_tile_is_so_for_the_others() -> None:
    first = but(win(2, "111m222m333p55s678s", "8s", 1), discard_round=9, wall_left=3)
    second = win(3, "111p222p333s44m678s", "8s", 1, Circumstance.ROBBING_KONG)
    second = but(second, discard_round=9, wall_left=0)
    for order in ((first, second), (second, first)):
        state = table(
            "wanzhou", *(each for hand in order for each in (WinDeclared(hand.seat), hand))
        )
        ended = end_of_hand(state)
        assert ended.wins == (0, -96, 48, 48)
        third = but(win(0, "111s222s333m44p678s", "8s", 1), discard_round=9)
        named = {fact.name for fact in facts_to_ask(state, third)}
        assert Circumstance.ROBBING_KONG not in named
