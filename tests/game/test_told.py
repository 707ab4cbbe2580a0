"""What people tell of kongs, eggs and the chase is paid as it would be at a followed table."""

from table_assist.game.events import Event, HandTold
from table_assist.game.fold import apply
from table_assist.game.state import TableState
from table_assist.game.told_facts import FactKind, facts_to_ask, with_implied, with_known
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


def asked(state: TableState, hand: HandTold) -> list[tuple[FactKind, str]]:
    return [(fact.kind, fact.name) for fact in facts_to_ask(state, hand)]


def test_an_egg_told_as_it_lies_is_taken_apart() -> None:
    state = table("changchun")
    (meld,) = with_known(state, melds_of(1, egg("1p1m1s1p9p"))).melds
    assert len(meld.tiles) == 4, "a nine is put to no egg of ones"
    (meld,) = with_known(state, melds_of(1, egg("1p1m1s1p"))).melds
    assert (sorted(meld.tiles), meld.supplements) == (sorted(parse_tiles("1m1p1s")), (Tile.P1,))


def test_the_giver_of_an_exposed_kong_that_is_told_without_a_win_is_asked_once() -> None:
    state = table("wanzhou")
    bare = melds_of(1, kong(MeldKind.KONG_EXPOSED, "8s"))
    assert (FactKind.GIVER, "0") in asked(state, bare)
    state = apply(state, but(bare, claimed_from=(2,)))
    assert with_known(state, bare).claimed_from == (2,)
