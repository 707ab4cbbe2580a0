"""Changchun beside the golden cases: what is paid in words, and what is no egg, throw or wall."""

from collections import Counter
from functools import cache
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from table_assist.rules.judge import judge
from table_assist.rules.reckoning import pay_laid
from table_assist.rules.registry import find_rules
from table_assist.rules.settlement import Laid, LaidIn, LaidKind
from table_assist.rules.shown import Circumstance, ReadyHand, ShownHand
from table_assist.rules.waiting import declare_ready
from table_assist.tiles.melds import Meld, MeldKind, parse_meld
from table_assist.tiles.tile import Tile, parse_tile, parse_tiles

CHANGCHUN = find_rules("changchun")
PUNG = parse_meld("pung", "555p")


def test_the_arithmetic_is_told_step_by_step() -> None:
    shown = ShownHand(
        concealed=parse_tiles("123m 99m 234s 678p"),
        winning_tile=Tile.P7,
        winner=1,
        dealer=0,
        melds=(PUNG,),
        self_drawn=True,
        circumstances=frozenset({Circumstance.READY_DECLARED}),
        treasures=(Tile.P7,),
    )
    assert [step.en for step in judge(CHANGCHUN, shown).steps] == [
        "Multipliers: Clamp Win × 2, Self-Draw × 2, Treasure Tile Win × 2, "
        "Straight to the Treasure × 2, Treasure Inside Treasure × 8.",
        "The hand is worth 1 × 2 × 128 = 256.",
        "Seat 0 pays seat 1: 1 × 2 × 128 × 2 = 512.",
        "Seat 2 pays seat 1: 1 × 2 × 128 = 256.",
        "Seat 3 pays seat 1: 1 × 2 × 128 = 256.",
    ]
    assert all(step.zh for step in judge(CHANGCHUN, shown).steps)


def test_the_cap_is_told() -> None:
    shown = ShownHand(
        concealed=parse_tiles("222m 333m 444m 77p"),
        winning_tile=Tile.P7,
        winner=1,
        dealer=0,
        melds=(parse_meld("pung", "999s"),),
        discarder=0,
        circumstances=frozenset({Circumstance.READY_DECLARED}),
        treasures=(Tile.P7,),
    )
    assert judge(CHANGCHUN, shown).steps[-1].en.endswith("1 × 2 × 256 × 2 = 1024, at most 1000.")
    whole = CHANGCHUN.with_options({"cap_scope": "winner_total"})
    assert judge(whole, shown).payments == (-1000, 1000, 0, 0)


def test_nobody_pays_a_part_of_a_point() -> None:
    """A third of the cap is rounded down, so the winner gets 999."""
    shown = ShownHand(
        concealed=parse_tiles("222m 333m 444m 77p"),
        winning_tile=Tile.P7,
        winner=0,
        dealer=0,
        melds=(parse_meld("pung", "999s"),),
        self_drawn=True,
        circumstances=frozenset({Circumstance.READY_DECLARED}),
        treasures=(Tile.P7,),
    )
    whole = CHANGCHUN.with_options({"cap_scope": "winner_total"})
    assert judge(whole, shown).payments == (999, -333, -333, -333)


@pytest.mark.parametrize(
    ("tiles", "supplements", "words"),
    [
        ("CCF", "", "CCF is no lucky egg"),
        ("CFP", "E", "no lucky egg"),
        ("CFP", "CCCC", "five times"),
    ],
)
def test_what_is_no_egg_is_not_paid(tiles: str, supplements: str, words: str) -> None:
    egg = Laid(
        LaidKind.LUCKY_EGG, 1, tiles=parse_tiles(tiles), supplements=parse_tiles(supplements)
    )
    with pytest.raises(ValueError, match=words.replace("CCF", "C C F")):
        pay_laid(CHANGCHUN, [egg], LaidIn(0))


@pytest.mark.parametrize(
    ("concealed", "refusal"),
    [
        ("123m 99m 234s 6p ?", "unknown_tile"),
        ("123m 99m 234s 6p 1f", "tile_set"),
        ("123m 99m 234s 678p", "tile_count"),
        ("123m 99m 234s 55p", "tile_limit"),
    ],
)
def test_a_ready_hand_is_one_of_tiles_first(concealed: str, refusal: str) -> None:
    verdict = declare_ready(CHANGCHUN, ReadyHand(parse_tiles(concealed), (PUNG,)))
    assert [each.id for each in verdict.refusals] == [refusal]
    assert not verdict.ready


def test_an_unread_egg_is_not_called_wrong() -> None:
    """A supplement that nobody could read leaves the verdict open."""
    shown = ShownHand(
        concealed=parse_tiles("123m 55s 678p"),
        winning_tile=Tile.P8,
        winner=1,
        dealer=0,
        melds=(parse_meld("lucky_egg", "CFP", "?"), parse_meld("pung", "444s")),
        discarder=2,
    )
    verdict = judge(CHANGCHUN, shown)
    assert [each.id for each in verdict.refusals] == ["unknown_tile"]
    assert {completion.tiles for completion in verdict.completions} == {
        (Tile.RED,),
        (Tile.GREEN,),
        (Tile.WHITE,),
    }


FACES = [f"{n}{suit}" for suit in "mps" for n in range(1, 10)] + list("ESWNCFP")
EGGS = ["ESWN", "CFP", "1m1p1s", "9m9p9s", "1s1pCP", "1sES", "7pE4s", "2s1pP"]
CLAIMED = ("chow", "pung", "kong_exposed", "kong_added")
# A set: its tiles, and what it is ("chow", "triplet", "egg").
Set = tuple[tuple[str, ...], str]


@cache
def lay(tiles: tuple[str, ...]) -> list[tuple[Set, ...]]:
    """Every way to lay sorted tiles out in chows and triplets."""
    if not tiles:
        return [()]
    first = tiles[0]
    parts = [((first,) * 3, "triplet")]
    if len(first) == 2:
        number, suit = int(first[0]), first[1]
        parts.append(((first, f"{number + 1}{suit}", f"{number + 2}{suit}"), "chow"))
    found = []
    for part, kind in parts:
        rest = Counter(tiles)
        rest.subtract(part)
        if min(rest.values()) >= 0:
            found += [((part, kind), *more) for more in lay(tuple(sorted(rest.elements())))]
    return found


class Reading:
    """One way to see a hand: sets, pair, what the last tile filled, and its face there."""

    def __init__(self, sets: list[Set], pair: str, filled: int, face: str, wild: bool) -> None:
        self.sets, self.pair, self.filled, self.face, self.wild = sets, pair, filled, face, wild

    def faces(self) -> list[str]:
        return [tile for part, _ in self.sets for tile in part] + [self.pair] * 2

    def clamps(self) -> bool:
        if self.filled < 0:
            return True
        part, kind = self.sets[self.filled]
        if kind != "chow":
            return False
        numbers = [int(tile[0]) for tile in part]
        last = int(self.face[0])
        edge = (numbers[0] == 1 and last == 3) or (numbers[2] == 9 and last == 7)
        return edge or last == numbers[1]


def readings(concealed: list[str], last: str, melds: list[Set], wild: bool) -> list[Reading]:
    """With the last tile as it is, or as any face."""
    found = []
    held = list(concealed)
    held.remove(last)
    for face, is_wild in [(last, False)] + ([(each, True) for each in FACES] if wild else []):
        counts = Counter([*held, face])
        for pair in [tile for tile in counts if counts[tile] >= 2]:
            rest = counts.copy()
            rest[pair] -= 2
            for laid in lay(tuple(sorted(rest.elements()))):
                sets = melds + list(laid)
                places = [at for at in range(len(melds), len(sets)) if face in sets[at][0]]
                places += [-1] if pair == face else []
                found += [Reading(sets, pair, at, face, is_wild) for at in places]
    return found


def lacks(reading: Reading, options: dict) -> set[str]:
    extra = set()
    if not any(triplet(kind, options) for _, kind in reading.sets):
        extra.add("triplet")
    faces = reading.faces()
    terminals = {f"{n}{suit}" for n in (1, 9) for suit in "mps"}
    if options["red_dragon_terminal"]:
        terminals.add("C")
    if not terminals & set(faces):
        extra.add("terminal")
    if {face[-1] for face in faces if len(face) == 2} != set("mps"):
        extra.add("three_suits")
    return extra


def triplet(kind: str, options: dict) -> bool:
    return kind == "triplet" or (kind == "egg" and options["egg_as_triplet"])


def read_melds(shown: ShownHand) -> list[Set]:
    kinds = {"chow": "chow", "lucky_egg": "egg"}
    return [
        (tuple(str(t) for t in meld.tiles + meld.supplements), kinds.get(meld.kind, "triplet"))
        for meld in shown.melds
    ]


def multipliers(reading: Reading, shown: ShownHand, options: dict) -> dict[str, int]:
    """The payout table's rows that a reading meets."""
    said = set(map(str, shown.circumstances))
    rush = "treasure_rush" in said
    clamp = reading.clamps() and (not reading.wild or options["clamp_on_wild_draw"])
    if clamp and options["clamp_definition"] == "sole_wait":
        clamp = len(waits(shown, options)) == 1
    met = {"clamp_win": 2} if clamp else {}
    if shown.self_drawn or (rush and options["rush_multipliers"] == "straight_treasure_self_draw"):
        met["self_draw"] = 2
    met |= of_treasure(reading, shown, options, clamp)
    if all(triplet(kind, options) for _, kind in reading.sets):
        met["pure_pung"] = 2
    if shown.winner == shown.dealer:
        met["dealer_win"] = 2
    opening = (*CLAIMED, "lucky_egg") if options["egg_is_exposed_meld"] else CLAIMED
    if not any(meld.kind in opening for meld in shown.melds):
        met["standing_win"] = 2
    return met


def of_treasure(reading: Reading, shown: ShownHand, options: dict, clamp: bool) -> dict[str, int]:
    said = set(map(str, shown.circumstances))
    ready, rush = counts_as_ready(shown, options), "treasure_rush" in said
    treasures = [str(tile) for tile in shown.treasures]
    held = [str(tile) for tile in shown.concealed]
    held.remove(str(shown.winning_tile))
    met = {}
    if str(shown.winning_tile) in treasures and (ready or not options["treasure_needs_ready"]):
        if not rush or options["rush_multipliers"] != "straight_only":
            met["treasure_tile_win"] = 2
        if not reading.wild and (rush or options["straight_scope"] == "any_match"):
            met["straight_to_treasure"] = 2
        if not reading.wild and clamp:
            met["treasure_inside_treasure"] = 8
    hidden = sum(tile in treasures for tile in held)
    if ready and hidden:
        met["hidden_treasure"] = 2**hidden if options["hidden_treasure_each"] == "per_tile" else 2
    return met


def counts_as_ready(shown: ShownHand, options: dict) -> bool:
    """Ready was declared, and some tile would complete a hand that may be declared so (CC-25)."""
    if Circumstance.READY_DECLARED not in shown.circumstances:
        return False
    held = [str(tile) for tile in shown.concealed]
    held.remove(str(shown.winning_tile))
    opening = (*CLAIMED, "lucky_egg") if options["egg_is_exposed_meld"] else CLAIMED
    if options["ready_requires_open"] and not any(meld.kind in opening for meld in shown.melds):
        return False
    if len(held) < 4 and not any(str(meld.kind) == "kong_concealed" for meld in shown.melds):
        return False
    melds = read_melds(shown)
    there = Counter(held + [tile for part, _ in melds for tile in part])
    return any(
        there[face] < 4 and may_be_ready(each, held, melds, options)
        for face in FACES
        for each in readings([*held, face], face, melds, False)
    )


def may_be_ready(reading: Reading, held: list[str], melds: list[Set], options: dict) -> bool:
    if lacks(reading, options):
        return False
    sets = reading.sets
    if options["ready_requirements_on"] == "held_tiles":
        sets = [each for at, each in enumerate(sets) if at != reading.filled]
        there = set(held) | {tile for part, _ in melds for tile in part}
        terminals = {f"{n}{suit}" for n in (1, 9) for suit in "mps"}
        if not there & (terminals | ({"C"} if options["red_dragon_terminal"] else set())):
            return False
        if not any(triplet(kind, options) for _, kind in sets):
            return False
    if any(kind == "chow" for _, kind in sets):
        return True
    pure = all(triplet(kind, options) for _, kind in reading.sets)
    return pure and not options["ready_sequence_required"]


def waits(shown: ShownHand, options: dict) -> list[str]:
    held = [str(tile) for tile in shown.concealed]
    held.remove(str(shown.winning_tile))
    melds = read_melds(shown)
    there = Counter(held + [tile for part, _ in melds for tile in part])
    return [
        face
        for face in FACES
        if there[face] < 4
        and any(not lacks(each, options) for each in readings([*held, face], face, melds, False))
    ]


def pay(met: dict[str, int], shown: ShownHand, options: dict) -> dict[int, int]:
    debts = {}
    payers = [0, 1, 2, 3] if shown.discarder is None else [shown.discarder]
    for payer in payers:
        if payer == shown.winner:
            continue
        debt = options["base_score"]
        loses = payer == shown.dealer
        for value in met.values():
            debt *= value
        if loses:
            debt *= 2
        if (
            met
            or options["formula_extra_two"] == "always"
            or (loses and options["dealer_loss_triggers_extra"])
        ):
            debt *= 2
        debts[payer] = debt
    if options["cap_scope"] == "per_payer":
        debts = {payer: min(debt, 1000) for payer, debt in debts.items()}
    elif sum(debts.values()) > 1000:
        whole = sum(debts.values())
        debts = {payer: debt * 1000 // whole for payer, debt in debts.items()}
    money = {seat: -debts.get(seat, 0) for seat in range(4)}
    money[shown.winner] = sum(debts.values())
    return money


class Dealt:
    """A shown hand and options from one seed: mostly complete, of all suits."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)
        self.left = Counter(dict.fromkeys(FACES, 4))
        self.options = {
            option.name: self.random.choice(option.values[:5])
            if self.random.random() < 0.2
            else option.default
            for option in CHANGCHUN.options
        }
        self.shown = self.hand()

    def take(self, tiles: list[str]) -> list[str]:
        """Those tiles, if the wall still has them, else a triplet or pair of others."""
        if any(self.left[tile] < count for tile, count in Counter(tiles).items()):
            first = self.random.choice([tile for tile in FACES if self.left[tile] >= 3])
            tiles = [first] * min(3, len(tiles))
        self.left.subtract(tiles)
        return tiles

    def hand(self) -> ShownHand:
        melds, concealed = self.sets()
        last = self.random.choice(concealed)
        flags = {"ready_declared"} if self.random.random() < 0.6 else set()
        way = self.random.choice(["draw", "discard", "discard", "rush", "wild"])
        held = [tile for tile in concealed if tile != last]
        treasure = self.random.choice([last, last, self.random.choice(held or FACES)])
        if way == "wild":
            concealed.remove(last)
            last = self.random.choice([tile for tile in FACES if self.left[tile]])
            concealed.append(last)
            treasure = last
        if way == "rush":
            flags.add("treasure_rush")
        winner = self.random.randrange(4)
        drawn = way == "draw" or (way == "wild" and self.random.random() < 0.7)
        left = self.random.choice([None, None, 4, 12, 13])
        return ShownHand(
            concealed=tuple(map(parse_tile, concealed)),
            winning_tile=parse_tile(last),
            winner=winner,
            dealer=self.random.randrange(4),
            melds=tuple(melds),
            self_drawn=drawn,
            discarder=None if drawn or way == "rush" else (winner + self.random.randint(1, 3)) % 4,
            circumstances=frozenset(map(Circumstance, flags)),
            wall_remaining=left,
            treasures=(parse_tile(treasure),),
        )

    def sets(self) -> tuple[list[Meld], list[str]]:
        melds: list[Meld] = []
        concealed: list[str] = []
        melded, triplets = self.random.choice([0, 0.4]), self.random.choice([0.3, 0.5, 1])
        for suit in self.random.sample("mpsm", 4):
            if self.random.random() < 0.1:
                egg = [str(tile) for tile in parse_tiles(self.random.choice(EGGS))]
                if all(self.left[tile] for tile in egg):
                    melds.append(Meld(MeldKind.LUCKY_EGG, tuple(map(parse_tile, self.take(egg)))))
                    continue
            number = self.random.randint(1, 9)
            if self.random.random() < triplets or number > 7:
                face = self.random.choice([f"{number}{suit}"] * 4 + list("ESWNCFP"))
                tiles = self.take([face] * 3)
            else:
                tiles = self.take([f"{number + step}{suit}" for step in range(3)])
            self.place(tiles, melds, concealed, melded)
        pair = self.random.choice([tile for tile in FACES if self.left[tile] >= 2])
        return melds, concealed + self.take([pair] * 2)

    def place(
        self, tiles: list[str], melds: list[Meld], concealed: list[str], melded: float
    ) -> None:
        if self.random.random() >= melded:
            concealed += tiles
        elif tiles[0] != tiles[1]:
            melds.append(Meld(MeldKind.CHOW, tuple(map(parse_tile, tiles))))
        elif self.left[tiles[0]] and self.random.random() < 0.4:
            kind = self.random.choice([kind for kind in MeldKind if kind.is_kong])
            melds.append(Meld(kind, tuple(map(parse_tile, tiles + self.take(tiles[:1])))))
        else:
            melds.append(Meld(MeldKind.PUNG, tuple(map(parse_tile, tiles))))


def circumstances_refuse(shown: ShownHand) -> list[str]:
    said = set(map(str, shown.circumstances))
    refused = []
    if not shown.self_drawn and shown.wall_remaining is not None and shown.wall_remaining <= 12:
        refused.append("self_draw_only_last_twelve")
    knows = "ready_declared" in said and shown.winning_tile in shown.treasures
    if "treasure_rush" in said and not knows:
        refused.append("treasure_rush")
    return refused


@settings(max_examples=600, deadline=None)
@given(st.integers(0, 1 << 40))
def test_the_engine_pays_what_the_oracle_pays(seed: int) -> None:
    dealt = Dealt(seed)
    shown, options = dealt.shown, dealt.options
    verdict = judge(CHANGCHUN.with_options(options), shown)
    on_discard = shown.discarder is not None and options["treasure_wild_on_discard"]
    wild = (
        Circumstance.READY_DECLARED in shown.circumstances
        and shown.winning_tile in shown.treasures
        and (shown.self_drawn or bool(on_discard))
    )
    concealed = [str(tile) for tile in shown.concealed]
    found = readings(concealed, str(shown.winning_tile), read_melds(shown), wild)
    legal = [each for each in found if not lacks(each, options)]
    refused = [refusal.id for refusal in verdict.refusals]
    if not found:
        assert "structure" in refused
        return
    late = circumstances_refuse(shown)
    if legal and not late and not counts_as_ready(shown, options):
        # What the treasure alone made a win is none for a hand that was not ready.
        legal = [each for each in legal if not each.wild]
        if not legal or "treasure_rush" in set(map(str, shown.circumstances)):
            assert not verdict.valid
            return
    if late or not legal:
        fewest = min((lacks(each, options) for each in found), key=len)
        assert len(refused) == len(fewest) + len(late)
        assert set(refused) - set(late) in [lacks(each, options) for each in found]
        return
    wins = [
        (met, pay(met, shown, options)) for met in (multipliers(e, shown, options) for e in legal)
    ]
    best = max(money[shown.winner] for _, money in wins)
    patterns = {each.id: each.value for each in verdict.patterns}
    assert verdict.valid
    assert dict(enumerate(verdict.payments)) in [
        money for rows, money in wins if rows == patterns and money[shown.winner] == best
    ]
    assert sum(verdict.payments) == 0


def test_the_oracle_meets_every_multiplier_and_refusal() -> None:
    """Else the agreement above would say little."""
    met: Counter[str] = Counter()
    for seed in range(1500):
        dealt = Dealt(seed)
        verdict = judge(CHANGCHUN.with_options(dealt.options), dealt.shown)
        met.update(each.id for each in verdict.patterns)
        met.update(refusal.id for refusal in verdict.refusals)
    wanted = {pattern.id for pattern in CHANGCHUN.patterns}
    wanted |= {"structure", "triplet", "terminal", "three_suits", "treasure_rush"}
    assert all(met[each] >= 5 for each in wanted), met
