"""Wanzhou money computed a second time: slowly, from the rules' text, without the engine's parts.

The oracle lays a hand out by brute force, asks every row of the table of fans and pays by the two
formulas. Tiles are (number, suit) pairs here and money is a dictionary, so that no slip is shared.
"""

from collections import Counter
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from table_assist.rules.judge import judge
from table_assist.rules.laid import Laid, LaidIn, LaidKind
from table_assist.rules.reckoning import pay_laid
from table_assist.rules.registry import find_rules
from table_assist.rules.shown import Circumstance, ShownHand
from table_assist.tiles.melds import MeldKind
from table_assist.tiles.tile import SUITED, Tile
from tests.stages.dealt import DealtTiles
from tests.stages.told import that_fit

WANZHOU = find_rules("wanzhou")
Face = tuple[int, str]
EXPOSED = ("pung", "kong_exposed", "kong_added")


def face(tile: Tile) -> Face:
    text = str(tile)
    return int(text[0]), text[1]


def can_lay(left: list[Face], triplets_only: bool) -> bool:
    """Whether tiles can be laid out in sets, or in triplets alone."""
    if not left:
        return True
    number, suit = min(left, key=lambda each: (each[1], each[0]))
    parts = [[(number, suit)] * 3]
    if not triplets_only:
        parts.append([(number, suit), (number + 1, suit), (number + 2, suit)])
    for part in parts:
        rest = list(left)
        try:
            for each in part:
                rest.remove(each)
        except ValueError:
            continue
        if can_lay(rest, triplets_only):
            return True
    return False


def forms(shown: ShownHand) -> list[str]:
    """How the hand can be read: ``sets``, ``pungs`` (of sets), ``pairs``."""
    hand = [face(tile) for tile in shown.concealed]
    found = []
    for pair in {each for each in hand if hand.count(each) >= 2}:
        rest = list(hand)
        rest.remove(pair)
        rest.remove(pair)
        for name, triplets_only in (("sets", False), ("pungs", True)):
            if can_lay(rest, triplets_only):
                found.append(name)
    if any(meld.kind is MeldKind.CHOW for meld in shown.melds):
        found = [name for name in found if name == "sets"]
    if not shown.melds and all(count % 2 == 0 for count in Counter(hand).values()):
        found.append("pairs")
    return found


def rows(form: str, shown: ShownHand, options: dict[str, object]) -> dict[str, int]:
    """The table of fans, row by row."""
    kinds = [str(meld.kind) for meld in shown.melds]
    hand = Counter(face(tile) for tile in shown.concealed)
    said = {str(circumstance) for circumstance in shown.circumstances}
    flush = len({suit for _, suit in map(face, shown.tiles)}) == 1
    fans: dict[str, int] = {}
    if form == "pungs":
        fans["all_pungs"] = 1
    if flush:
        fans["full_flush"] = 1
    if form == "pairs":
        fans["seven_pairs"] = 1
        quads = sum(count == 4 for count in hand.values())
        if quads:
            fans["dragon_seven_pairs"] = quads
    stack = options["implied_patterns_stack"]
    if len([kind for kind in kinds if kind in (*EXPOSED, "chow")]) == 4:
        fans["golden_single_wait"] = 1
        if not stack:
            fans.pop("all_pungs", None)
    triplets = len(kinds) == 3 and all(kind in EXPOSED for kind in kinds)
    before = hand - Counter([face(shown.winning_tile)])
    if flush and triplets and sorted(before.values()) == [2, 2]:
        fans["pure_triple_match"] = 1
        if not stack:
            fans.pop("all_pungs", None)
            fans.pop("full_flush", None)
    return fans | dict.fromkeys(events(shown, said, options), 1)


def events(shown: ShownHand, said: set[str], options: dict[str, object]) -> list[str]:
    found = []
    if shown.discard_round in (1, 2, 3, 4):
        found.append("first_four_win")
    least = [0, 1, 2, 3] + ([4] if options["last_four_threshold"] == "four_or_fewer" else [])
    if shown.wall_remaining in least:
        found.append("last_four_win")
    if not shown.self_drawn and "robbing_kong" in said:
        found.append("robbing_kong")
    elif not shown.self_drawn and "after_kong_discard" in said:
        found.append("shoot_after_kong")
    if "ready_declared" in said:
        found.append("ready_declaration")
    return found


def pay(fans: dict[str, int], shown: ShownHand, options: dict[str, object]) -> dict[int, int]:
    fan, robbed = sum(fans.values()), "robbing_kong" in fans
    way = options["robbing_kong_payment"]
    drawn = shown.self_drawn or (robbed and way != "robbed_pays_discard_x2")
    amount = 2 if fan == 0 else 8 if drawn else 12
    if options["additional_fan"] == "power":
        for _ in range(fan - 1):
            amount *= 2
    elif fan > 1:
        amount *= 2 * (fan - 1)
    amount *= 2 if robbed else 1
    everyone = shown.self_drawn or (robbed and way == "all_pay_self_draw_x2")
    money = dict.fromkeys(range(4), 0)
    for payer in range(4):
        if payer != shown.winner and (everyone or payer == shown.discarder):
            money[payer] -= amount
            money[shown.winner] += amount
    return money


class Dealt(DealtTiles):
    """A shown hand and options from one seed."""

    def __init__(self, seed: int) -> None:
        random = Random(seed)
        suits = random.choice(["m", "m", "mp", "mps"])
        super().__init__(random, WANZHOU, SUITED, [tile for tile in SUITED if tile.suit in suits])
        self.shown = self.hand()

    def hand(self) -> ShownHand:
        if self.random.random() < 0.25:
            melds, concealed = [], self.pairs()
        else:
            runs, melded = self.random.choice([0, 0, 0.6]), self.random.choice([0, 0.5, 0.8, 1])
            chows = bool(self.options["chow_claims"])
            melds, concealed = self.sets(runs=runs, melded=melded, chows=chows)
        if self.random.random() < 0.1:
            concealed[0] = self.take(self.random.choice(self.kinds))[0]
        winner, self_drawn = self.random.randrange(4), self.random.random() < 0.5
        names = ["after_kong", "after_kong_discard", "robbing_kong", "ready_declared", "last_tile"]
        winning = self.random.choice(concealed)
        held = [*concealed, *(tile for meld in melds for tile in meld.tiles)].count(winning)
        told = that_fit(
            self.random.sample(names, self.random.choice([0, 0, 1, 2])),
            self_drawn=self_drawn,
            held=held,
        )
        is_last = "last_tile" in told
        return ShownHand(
            concealed=tuple(concealed),
            winning_tile=winning,
            winner=winner,
            dealer=self.random.randrange(4),
            melds=tuple(melds),
            self_drawn=self_drawn,
            discarder=None if self_drawn else (winner + self.random.randint(1, 3)) % 4,
            circumstances=frozenset(map(Circumstance, told)),
            discard_round=self.random.choice([None, None, None, 4 if is_last else 1, 4, 5, 9]),
            wall_remaining=self.random.choice([None, None, 0, *(() if is_last else (3, 4, 5, 40))]),
        )


@settings(max_examples=1200, deadline=None)
@given(st.integers(0, 1 << 40))
def test_the_engine_pays_what_the_oracle_pays(seed: int) -> None:
    dealt = Dealt(seed)
    shown, chosen = dealt.shown, dealt.options
    verdict = judge(WANZHOU.with_options(chosen), shown)
    found = [rows(form, shown, chosen) for form in forms(shown)]
    wins = [(pay(fans, shown, chosen), fans) for fans in found if fans or shown.self_drawn]
    if not wins:
        expected = "big_hand_required" if found else "structure"
        assert [refusal.id for refusal in verdict.refusals] == [expected]
        return
    best = max(money[shown.winner] for money, _ in wins)
    patterns = {each.id: each.value for each in verdict.patterns}
    assert verdict.valid
    assert dict(enumerate(verdict.payments)) in [
        money for money, fans in wins if fans == patterns and money[shown.winner] == best
    ]
    assert sum(verdict.payments) == 0
    assert verdict.figures["fan"] == sum(patterns.values())


kongs = st.builds(
    lambda kind, seat, turn, robbed, won: (kind, seat, (seat + turn) % 4, robbed, won),
    st.sampled_from(["kong_concealed", "kong_exposed", "kong_added"]),
    st.integers(0, 3),
    st.integers(1, 3),
    st.booleans(),
    st.booleans(),
)


@settings(deadline=None)
@given(st.lists(kongs, max_size=4), st.integers(0, 3), st.booleans())
def test_kongs_are_paid_row_by_row(
    events: list[tuple[str, int, int, bool, bool]], dealer: int, covers: bool
) -> None:
    money = [0, 0, 0, 0]
    laid = []
    for kind, seat, other, robbed, won in events:
        robbed = robbed and kind == "kong_added"
        laid.append(
            Laid(
                LaidKind(kind),
                seat,
                discarder=other if kind == "kong_exposed" else None,
                robbed_by=other if robbed else None,
                won_on_next_discard_by=other if won else None,
            )
        )
        if robbed or (won and (covers or kind != "kong_concealed")):
            continue
        for payer in range(4):
            if payer == seat or (kind == "kong_exposed" and payer != other):
                continue
            money[payer] -= 1 if kind == "kong_added" else 2
            money[seat] += 1 if kind == "kong_added" else 2
    rules = WANZHOU.with_options({"cancel_covers_concealed": covers})
    assert list(pay_laid(rules, laid, LaidIn(dealer)).transfers) == money
