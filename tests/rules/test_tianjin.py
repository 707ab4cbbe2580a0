"""Tianjin beside single hands: antes, chase, wild tiles, and hands completed with many of them."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations_with_replacement, product
from random import Random
from typing import NamedTuple

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from table_assist.rules.judge import judge
from table_assist.rules.options import Options
from table_assist.rules.registry import find_rules
from table_assist.rules.shown import Antes, Circumstance, ShownHand
from table_assist.rules.wall import chase, make_wild, place_antes
from table_assist.tiles.divide import Division, divide
from table_assist.tiles.melds import Meld, MeldKind
from table_assist.tiles.tile import HONOURS, SUITED, Tile, parse_tile, parse_tiles
from tests.stages.course_table import parse_meld
from tests.stages.dealt import DealtTiles

TIANJIN = find_rules("tianjin")
CHANGSHA = find_rules("changsha")
WILDS = parse_tiles("34s")


def shown(text: str, tile: str, *said: Circumstance, **more: object) -> ShownHand:
    values: dict[str, object] = {"winner": 1, "dealer": 0, "wilds": WILDS} | more
    return ShownHand(
        concealed=parse_tiles(text),
        winning_tile=parse_tile(tile),
        self_drawn=True,
        circumstances=frozenset(said),
        **values,  # type: ignore[arg-type]
    )


# Antes


def test_tokens_are_two_a_round_and_doubling_down_costs_none() -> None:
    placed = place_antes(TIANJIN, Antes(True, (0, 1, 0, 2)), dealer=0)
    assert dict(placed.tokens_left) == {1: 1, 3: 0}
    again = place_antes(TIANJIN, Antes(False, (0, 1, 0, 1)), dealer=0, tokens=placed.tokens_left)
    assert [refusal.id for refusal in again.refusals] == ["not_enough_tokens"]
    assert again.tokens_left == placed.tokens_left


def test_every_refusal_of_antes_is_named() -> None:
    antes = Antes(False, (1, 2, 0, 0))
    placed = place_antes(TIANJIN, antes, dealer=0, tokens={1: 1}, after_deal=True)
    assert [refusal.id for refusal in placed.refusals] == [
        "before_the_deal_only",
        "dealer_cannot_challenge",
        "not_enough_tokens",
    ]
    assert not place_antes(TIANJIN, Antes(), dealer=0, after_deal=True).refusals


def test_antes_that_cannot_be() -> None:
    with pytest.raises(ValueError, match="seat 1 has 3 tokens; a round gives it 2"):
        place_antes(TIANJIN, Antes(), dealer=0, tokens={1: 3})
    with pytest.raises(ValueError, match="-1 tokens cannot be put down"):
        place_antes(TIANJIN, Antes(False, (0, -1, 0, 0)), dealer=0)
    with pytest.raises(ValueError, match="changsha has no antes"):
        place_antes(CHANGSHA, Antes(), dealer=0)


# Chase


def test_an_unread_discard_leaves_the_chase_open_unless_another_decides() -> None:
    with pytest.raises(ValueError, match="could not be read"):
        chase(TIANJIN, parse_tiles("E E ? E"), dealer=0)
    assert chase(TIANJIN, parse_tiles("E S ? E"), dealer=0) is None
    with pytest.raises(ValueError, match="5 discards in the first round"):
        chase(TIANJIN, parse_tiles("EEEEE"), dealer=0)
    with pytest.raises(ValueError, match="changsha has no chase"):
        chase(CHANGSHA, parse_tiles("1111m"), dealer=0)


# Wild tiles


def test_no_flower_is_turned_and_other_rules_turn_nothing() -> None:
    with pytest.raises(ValueError, match="1f cannot be turned up in tianjin"):
        make_wild(TIANJIN, parse_tile("1f"))
    with pytest.raises(ValueError, match="changsha has no wild tiles"):
        make_wild(CHANGSHA, parse_tile("1m"))


@pytest.mark.parametrize("wilds", ["3s", "345s", "3s 5s", "4p 3s", "1f 2f"])
def test_wild_kinds_that_no_turned_tile_makes_are_refused(wilds: str) -> None:
    hand = shown("111m 456p 789s 234p 99p", "4p", wilds=parse_tiles(wilds))
    assert judge(TIANJIN, hand).refusals[0].id == "wild_tiles"


def test_an_unread_tile_may_be_wild() -> None:
    found = judge(TIANJIN, shown("123p 456p 789p 55s ?EE", "6p")).completions
    assert {str(each.tiles[0]): each.total for each in found} == {
        "E": 8,
        "5s": 8,
        "3s": 5,
        "4s": 5,
    }


# Hands with many wild tiles

hands = st.integers(0, 2).flatmap(
    lambda melds: st.tuples(
        st.just(4 - melds),
        st.lists(
            st.sampled_from([*SUITED[:9], Tile.P2, Tile.P3, Tile.EAST]),
            min_size=14 - 3 * melds - 7,
            max_size=14 - 3 * melds,
        ).filter(lambda tiles: max(Counter(tiles).values()) <= 4),
    )
)


@pytest.mark.parametrize(
    ("others", "tile", "patterns"),
    [
        # Wild 5m wild, three wilds as 789m, the last two a pair.
        ("123m 789p", "5m", {"double_wild_wait", "capture_five", "dragon"}),
        # Three wilds as 456m with the last one as 5m; one each in 13m, 79m, 46m and with P.
        ("46m 13m 79m P", "", {"double_wild_wait", "capture_five", "dragon"}),
        # Four pungs of single honours would take eight wilds.
        ("ESWNC", "F", None),
        # N with two wilds; EE and SS with one each, WW the pair, three wilds a set.
        ("EESSWW", "N", {"double_wild_wait"}),
        # Six singles and the last one: too many for four sets and a pair.
        ("147m 258p", "9s", None),
    ],
)
def test_seven_wild_tiles(others: str, tile: str, patterns: set[str] | None) -> None:
    verdict = judge(TIANJIN, shown(f"3334444s {others} {tile}", tile or "3s"))
    assert ({each.id for each in verdict.patterns} if verdict.valid else None) == patterns


# Kong Blossom and first hands


def test_a_heavenly_hand_never_blossoms() -> None:
    """TJ-35: after an own kong the tile is a replacement, and the hand no first one."""
    said = (Circumstance.FIRST_TURN, Circumstance.AFTER_KONG, Circumstance.AFTER_KONG_CONCEALED)
    melds = (parse_meld("kong_concealed", "1111m"),)
    verdict = judge(TIANJIN, shown("123p 456p 789p 55s", "6p", *said, winner=0, melds=melds))
    assert [each.id for each in verdict.patterns] == ["pure_hand", "dragon", "kong_blossom"]
    whole = judge(TIANJIN, shown("111m 123p 456p 789p 55s", "6p", said[0], winner=0))
    assert [each.id for each in whole.patterns] == ["pure_hand", "dragon", "heavenly_hand"]
    assert whole.total == (2 + 4 + 2) * 6


def test_the_arithmetic_is_shown() -> None:
    melds = (parse_meld("kong_concealed", "1111m"),)
    said = (Circumstance.AFTER_KONG, Circumstance.AFTER_KONG_CONCEALED)
    antes = Antes(double_down=True)
    hand = shown("456p 789s 234p 99p", "4p", *said, melds=melds, antes=antes)
    assert [step.en for step in judge(TIANJIN, hand).steps] == [
        "Pure Hand 2 + Kong Blossom 1 + 2 for 2 patterns + 1 for the concealed kong = 6, "
        "times 2 for the Kong Blossom = 12.",
        "Seat 0 pays seat 1: 12 × 2 = 24.",
        "Seat 2 pays seat 1: 12.",
        "Seat 3 pays seat 1: 12.",
    ]


KINDS = SUITED + HONOURS
FACES = [(number, suit) for suit in "mps" for number in range(1, 10)]
FACES += [(number, "z") for number in range(1, 8)]


class Laid(NamedTuple):
    """A tile as it is laid: the face it stands for, whether it is wild, whether it came last."""

    number: int
    suit: str
    wild: bool
    last: bool

    @property
    def face(self) -> tuple[int, str]:
        return self.number, self.suit


def face(tile: Tile) -> tuple[int, str]:
    return tile.number, tile.suit


def substituted(shown: ShownHand) -> Iterator[list[Laid]]:
    """The concealed tiles with every choice of faces for the wild ones, the last tile marked."""
    others = list(shown.concealed)
    others.remove(shown.winning_tile)
    own = [Laid(*face(tile), False, False) for tile in others if tile not in shown.wilds]
    wilds = len(others) - len(own)
    is_wild = shown.winning_tile in shown.wilds
    for last in FACES if is_wild else [face(shown.winning_tile)]:
        for chosen in combinations_with_replacement(FACES, wilds):
            tiles = [
                *own,
                Laid(*last, is_wild, True),
                *(Laid(*each, True, False) for each in chosen),
            ]
            if comes_out_even(tiles):
                yield sorted(tiles, key=lambda tile: (tile.suit, tile.number))


def comes_out_even(tiles: list[Laid]) -> bool:
    """Whether the suits hold sets and one pair, as far as their sizes say."""
    suits = Counter(tile.suit for tile in tiles)
    honours = Counter(tile.number for tile in tiles if tile.suit == "z")
    sizes = [suits[suit] for suit in "mps"] + list(honours.values())
    return sorted(size % 3 for size in sizes if size % 3) == [2]


def layouts(tiles: list[Laid], pairs: int = 1) -> Iterator[list[list[Laid]]]:
    """Every way to lay tiles out in sets and a pair, the first tile first."""
    if not tiles:
        if pairs == 0:
            yield []
        return
    first, rest = tiles[0], tiles[1:]
    wanted = [[first.face] * 2]
    if first.suit != "z":
        wanted.append([(first.number + step, first.suit) for step in (1, 2)])
    if pairs:
        wanted.append([first.face])
    for more in wanted:
        for part in picks(rest, more):
            left = list(rest)
            for tile in part:
                left.remove(tile)
            for laid in layouts(left, pairs - (len(more) == 1)):
                yield [[first, *part], *laid]


def picks(tiles: list[Laid], faces: list[tuple[int, str]]) -> set[tuple[Laid, ...]]:
    """The different tiles with these faces."""
    choices = [{tile for tile in tiles if tile.face == each} for each in faces]
    return {part for part in product(*choices) if not Counter(part) - Counter(tiles)}


def rows(laid: list[list[Laid]], shown: ShownHand, options: dict[str, object]) -> dict[str, int]:
    """The table of points, row by row; the two hands that multiply and the blossom with them."""
    points: dict[str, int] = {}
    if not set(shown.wilds) & {tile for tile in shown.tiles}:
        points["pure_hand"] = 2
    (part,) = [part for part in laid if any(tile.last for tile in part)]
    (last,) = [tile for tile in part if tile.last]
    wilds = sum(tile.wild and not tile.last for tile in part)
    if len(part) == 2 and wilds == 1 and (not last.wild or options["single_wait_wild_pair"]):
        points["wild_single_wait"] = 2
    if len(part) == 3 and wilds == 2:
        points["double_wild_wait"] = 2
    if captures(laid, part, last, shown, options):
        points["capture_five"] = 3
    found = {tuple(tile.face for tile in part) for part in laid}
    for suit in "mps":
        runs = {tuple((low + step, suit) for step in range(3)) for low in (1, 4, 7)}
        if runs <= found:
            points["dragon"] = 4
    said = {str(circumstance) for circumstance in shown.circumstances}
    if shown.self_drawn and "first_turn" in said and not shown.melds:
        dealer = shown.winner == shown.dealer
        points["heavenly_hand" if dealer else "earthly_hand"] = 6 if dealer else 4
    elif shown.self_drawn and "after_kong" in said:
        points["kong_blossom"] = 1
    return points


def captures(
    laid: list[list[Laid]],
    part: list[Laid],
    last: Laid,
    shown: ShownHand,
    options: dict[str, object],
) -> bool:
    four_five_six = [(4, "m"), (5, "m"), (6, "m")]
    way = options["capture_five_wild"]
    if way == "any_wild_as_five":
        for each in laid:
            if [tile.face for tile in each] == four_five_six and each[1].wild:
                return True
    if [tile.face for tile in part] != four_five_six or last.face != (5, "m"):
        return False
    return not last.wild or way != "natural_final_only" or str(shown.winning_tile) == "5m"


def exposed(shown: ShownHand) -> bool:
    return any(meld.kind is not MeldKind.KONG_CONCEALED for meld in shown.melds)


def worth(points: dict[str, int], shown: ShownHand, options: dict[str, object]) -> int | None:
    """What one payer owes before antes; none below the minimum."""
    plain = {name: value for name, value in points.items() if value in (2, 3) or name == "dragon"}
    if "heavenly_hand" in points or "earthly_hand" in points:
        times = 6 if "heavenly_hand" in points else 4
        if not plain:
            return times if options["heavenly_minimum"] == "multiplied_counts" else None
        if options["heavenly_base"] == "highest_single":
            return times * max(plain.values())
        own = 1 if options["heavenly_base"] == "adds_own_fan" else 0
        return times * (sum(plain.values()) + own + bonus(len(plain), options))
    if "kong_blossom" not in points:
        return sum(plain.values()) + bonus(len(plain), options) if plain else None
    counting = options["kong_blossom_counting"]
    different = len(plain) + (counting == "as_pattern")
    total = sum(plain.values()) + bonus(different, options) + concealed(shown, options)
    if counting != "multiplier_only" or not plain:
        total += 1
    return 2 * total


def bonus(different: int, options: dict[str, object]) -> int:
    return 0 if different == 1 and options["pattern_bonus"] == "only_when_multiple" else different


def concealed(shown: ShownHand, options: dict[str, object]) -> int:
    if Circumstance.AFTER_KONG_CONCEALED not in shown.circumstances:
        return 0
    kongs = [meld.tiles[0] for meld in shown.melds if meld.kind is MeldKind.KONG_CONCEALED]
    golden = bool(kongs) and kongs[-1] in shown.wilds
    return 0 if golden and not options["golden_kong_is_concealed"] else 1


def pay(amount: int, shown: ShownHand, options: dict[str, object]) -> list[int]:
    money = [0, 0, 0, 0]
    for payer in range(4):
        if payer == shown.winner:
            continue
        if shown.discarder not in (None, payer) and options["rob_add_on_kong"] != "all_pay":
            continue
        factors = []
        if shown.dealer in (payer, shown.winner):
            other = payer if shown.winner == shown.dealer else shown.winner
            factors = [2] * shown.antes.double_down
            factors += [{1: 2, 2: 4}[n] for n in [shown.antes.challenges[other]] if n]
        if options["challenge_stack"] == "sum" and len(factors) == 2:
            factors = [sum(factors)]
        debt = amount
        for factor in factors:
            debt *= factor
        money[payer] -= debt
        money[shown.winner] += debt
    return money


class Dealt(DealtTiles):
    """A shown hand and options from one seed: some of its tiles are made wild."""

    def __init__(self, seed: int, most_wilds: int = 2) -> None:
        random = Random(seed)
        suits = random.choice(["m", "m", "mp", "mpz", "mpsz"])
        self.wilds = parse_tiles(random.choice(["3s4s", "9p1p", "NE", "4m5m", "5m6m", "WN"]))
        plain = [tile for tile in KINDS if tile not in self.wilds]
        super().__init__(random, TIANJIN, plain, [tile for tile in KINDS if tile.suit in suits])
        self.left.update({self.wilds[0]: 3, self.wilds[1]: 4})
        self.most_wilds = most_wilds
        self.shown = self.hand()

    def concealed(self, sets: int) -> list[Tile]:
        """Sets and a pair without wild tiles, of which some are then made wild."""
        plain = [tile for tile in self.kinds if tile not in self.wilds]
        tiles: list[Tile] = []
        dragon = self.random.random() < 0.3 and sets >= 3
        for place in range(sets):
            tile = self.random.choice(plain)
            run = tile.is_suited and tile.number < 8 and self.random.random() < 0.7
            chow = [Tile(tile + step) for step in range(3)] if run else [tile] * 3
            if dragon and place < 3:
                chow = [Tile(3 * place + step) for step in range(3)]
            if not set(chow) & set(self.wilds):
                tiles += self.take(*chow)
            else:
                tiles += self.take(*[self.random.choice(plain)] * 3)
        pair = self.random.choice([tile for tile in plain if self.left[tile] >= 2])
        tiles += self.take(pair, pair)
        count = self.random.randint(0, min(self.most_wilds, len(tiles)))
        for place in self.random.sample(range(len(tiles)), count):
            for wild in self.random.sample(self.wilds, 2):
                if self.left[wild]:
                    self.left[tiles[place]] += 1
                    self.left[wild] -= 1
                    tiles[place] = wild
                    break
        return tiles

    def hand(self) -> ShownHand:
        melds: list[Meld] = []
        for _ in range(self.random.choice([0, 0, 1, 2, 3])):
            tile = self.random.choice([tile for tile in KINDS if tile not in self.wilds])
            if self.random.random() < 0.1 and self.left[self.wilds[1]] == 4:
                melds.append(Meld(MeldKind.KONG_CONCEALED, self.take(*[self.wilds[1]] * 4)))
            elif self.random.random() < 0.5 and self.left[tile] == 4:
                kind = self.random.choice([kind for kind in MeldKind if kind.is_kong])
                melds.append(Meld(kind, self.take(*[tile] * 4)))
            else:
                melds.append(Meld(MeldKind.PUNG, self.take(*[tile] * 3)))
        concealed = self.concealed(4 - len(melds))
        if self.random.random() < 0.1:
            concealed[0] = self.take(self.random.choice(self.kinds))[0]
        winner = self.random.randrange(4)
        self_drawn = self.random.random() < 0.85
        said = self.random.choice([(), (), ("first_turn",), ("kong",)])
        circumstances = {Circumstance(each) for each in said if each != "kong"}
        kongs = [meld.kind for meld in melds if meld.kind.is_kong]
        if "kong" in said and self_drawn and kongs:
            how = self.random.choice(kongs)
            circumstances |= {Circumstance.AFTER_KONG, Circumstance(f"after_{how}")}
        favoured = [tile for tile in concealed if tile in (Tile.M5, *self.wilds)]
        winning = self.random.choice(favoured * 4 + concealed)
        lying = [tile for meld in melds for tile in meld.tiles]
        alone = [*concealed, *lying].count(winning) == 1
        if not self_drawn and alone and self.random.random() < 0.8:
            circumstances.add(Circumstance.ROBBING_KONG)
        dealer = self.random.randrange(4)
        tokens = [0 if seat == dealer else self.random.choice([0, 0, 1, 2]) for seat in range(4)]
        return ShownHand(
            concealed=tuple(concealed),
            winning_tile=winning,
            winner=winner,
            dealer=dealer,
            melds=tuple(melds),
            self_drawn=self_drawn,
            discarder=None if self_drawn else (winner + self.random.randint(1, 3)) % 4,
            circumstances=frozenset(circumstances),
            wilds=self.wilds,
            antes=Antes(self.random.random() < 0.3, (tokens[0], tokens[1], tokens[2], tokens[3])),
        )


def expect(shown: ShownHand, options: dict[str, object]) -> tuple[list[dict[str, int]], bool]:
    """The rows met by every way to lay the hand, and whether there is a way at all."""
    found: list[dict[str, int]] = []
    for tiles in substituted(shown):
        for laid in layouts(tiles):
            pungs = [part for part in laid if len({tile.face for tile in part}) == 1]
            if options["wild_in_triplet_at_win"] or not any(
                len(part) == 3 and 0 < sum(tile.wild for tile in part) < 3 for part in pungs
            ):
                points = rows(laid, shown, options)
                if points not in found:
                    found.append(points)
    return found, bool(found)


@settings(max_examples=300)
@given(st.integers(0, 1 << 40))
@example(467099)  # P with two wild tiles is a pung beside the pair PP: five tiles stand for P
def test_the_engine_pays_what_the_oracle_pays(seed: int) -> None:
    dealt = Dealt(seed, most_wilds=3 if seed % 16 == 0 else 2)
    shown, chosen = dealt.shown, dealt.options
    verdict = judge(TIANJIN.with_options(chosen), shown)
    found, complete = expect(shown, chosen)
    refusals = [refusal.id for refusal in verdict.refusals]
    robbed = Circumstance.ROBBING_KONG in shown.circumstances
    claimed = not shown.self_drawn and not (robbed and chosen["rob_add_on_kong"] != "forbidden")
    amounts = [(worth(points, shown, chosen), points) for points in found]
    wins = [(amount, points) for amount, points in amounts if amount is not None]
    assert verdict.valid == bool(wins and not claimed)
    if not verdict.valid:
        assert ("structure" in refusals) == (not complete)
        assert ("self_draw_only" in refusals) == claimed
        assert ("two_fan_minimum" in refusals) == (complete and not wins)
        return
    best = max(amount for amount, _ in wins)
    assert verdict.total == best
    assert list(verdict.payments) == pay(best, shown, chosen)
    patterns = {each.id: each.value for each in verdict.patterns}
    assert patterns in [points for amount, points in wins if amount == best]


def every_division(shown: ShownHand, counts: int, options: Options) -> tuple[Division, ...]:
    held = [tile for tile in shown.concealed if tile not in shown.wilds]
    return divide(held, 4 - len(shown.melds), len(shown.concealed) - len(held))


@settings(max_examples=60)
@given(st.integers(0, 1 << 40))
def test_no_division_pays_more_than_the_one_found(seed: int) -> None:
    """Up to seven wild tiles, too many to put every face in the place of each."""
    shown = Dealt(seed, most_wilds=7).shown
    listed = replace(TIANJIN, shapes=(replace(TIANJIN.shapes[0], divide=every_division),))
    best, found = judge(listed, shown), judge(TIANJIN, shown)
    refused = {refusal.id for refusal in best.refusals}
    assert ("structure" in refused) == ("structure" in {each.id for each in found.refusals})
    if best.valid:
        assert found.valid
        assert found.total >= best.total
