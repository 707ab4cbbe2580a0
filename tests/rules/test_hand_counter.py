"""The quick look at a hand lets nothing pass that the slow one would refuse."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from table_assist.rules.judge import counter_of, judge, places
from table_assist.rules.registry import find_rules, rule_sets
from table_assist.rules.shown import Circumstance, ShownHand
from table_assist.rules.shown_hand_validity import tile_refusals
from table_assist.tiles.melds import Meld, MeldKind
from table_assist.tiles.tile import Tile, parse_tiles

ALL = [rules.id for rules in rule_sets()]


def any_hand(id: str, seed: int) -> ShownHand:
    """Melds, tiles, birds, flowers and wild tiles that mostly fit, and are wrong here and there."""
    rules, random = find_rules(id), Random(seed)
    strange = random.choice([(), (), (), (Tile.UNKNOWN,), (Tile.BACK,), (Tile.FLOWER2,)])
    kinds = random.choices([*rules.kinds, *strange], k=random.choice([3, 6, 34]))
    melds = []
    for _ in range(random.choice([0, 0, 1, 2, 3, 4, 5])):
        kind, tile = random.choice(list(MeldKind)), random.choice(kinds)
        size = 4 if kind.is_kong else 3
        tiles = (tile,) * random.choice([size, size, size, 3, 4, 20])
        if kind is MeldKind.LUCKY_EGG:
            tiles = parse_tiles(random.choice(["ESWN", "CFP", "1m1p1s"]))
        more = (random.choice(tiles),) * random.choice([0, 0, 1, 40])
        melds.append(Meld(kind, tiles, more if kind is MeldKind.LUCKY_EGG else ()))
    held = max(0, 14 - 3 * len(melds)) + random.choice([0, 0, 0, 0, 1, -1])
    concealed = tuple(random.choices(kinds, k=max(1, held)))
    drawn = random.random() < 0.5
    wilds = rules.wilds.kinds(random.choice(rules.kinds)) if rules.wilds else ()
    return ShownHand(
        concealed=concealed,
        winning_tile=random.choice([*concealed] * 3 + kinds),
        winner=0,
        dealer=random.randrange(4),
        melds=tuple(melds),
        self_drawn=drawn,
        discarder=random.choice([None, 1]) if random.random() < 0.2 else (None if drawn else 1),
        circumstances=frozenset(random.sample(list(Circumstance), random.choice([0, 0, 1]))),
        birds=random.choice([None, (), tuple(random.choices(kinds, k=2)), (Tile.M1,) * 3]),
        bonus=random.choice([(), (), parse_tiles("1f2f"), parse_tiles("1f1f"), (Tile.M1,)]),
        wilds=random.choice([wilds, wilds, wilds[:1], ()]),
    )


@pytest.mark.parametrize("id", ALL)
@settings(max_examples=300, deadline=None)
@given(seed=st.integers(0, 1 << 40))
def test_what_passes_the_quick_look_has_nothing_wrong_with_it(id: str, seed: int) -> None:
    rules, shown = find_rules(id), any_hand(id, seed)
    sound = not places(shown) and not list(tile_refusals(rules, shown))
    # A hand that does not pass is only looked at longer.
    assert sound or counter_of(rules).count_valid(shown) is None
    verdict = judge(rules, shown)
    assert verdict.valid != bool(verdict.refusals)


def test_twenty_more_of_a_tile_on_an_egg_are_no_other_tiles() -> None:
    egg = Meld(MeldKind.LUCKY_EGG, parse_tiles("ESWN"), parse_tiles("E") * 64)
    shown = ShownHand(
        parse_tiles("123m 456p 789s 55p"), Tile.P5, 0, 0, melds=(egg,), self_drawn=True
    )
    assert "tile_limit" in {each.id for each in judge(find_rules("changchun"), shown).refusals}
