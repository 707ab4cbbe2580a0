"""The parts of a rule set: small frozen records, and functions over one reading of a hand.

A rule set is the value ``RULES`` of a module in ``rules/sets``. A field's default means "not in
these rules". The judge (``rules.judge.judge(rules, shown)``) knows these records and no rule set.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import NamedTuple

from table_assist.languages.words import Words
from table_assist.rules import play_rules
from table_assist.rules.options import Law, Option, Options, choose, defaults
from table_assist.rules.settlement import Payment
from table_assist.rules.shown import Antes, Claim, Offer
from table_assist.rules.win import Condition, Pattern, Shape, Win
from table_assist.tiles.melds import Meld, MeldKind
from table_assist.tiles.tile import COPIES, Tile, Tiles

POINTS = Words("points", "分")


class Total(NamedTuple):
    """A reading's worth.

    Attributes:
        points: what one payer owes when nothing that lies between payer and winner applies.
        figures: the numbers it was made from, by name: ``fan``, ``units``, ``bird_multiplier``.
    """

    points: int
    figures: Mapping[str, int] = MappingProxyType({})


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class RuleSet:
    """The rules of one game, at one set of options.

    Attributes:
        kinds: the tiles in the set, ``copies`` of each.
        melds: the kinds of meld there are.
        starting_tiles: how many tiles a seat holds before play, by (is the dealer, options).
        total: what a reading is worth.
        explain_total: that arithmetic in words.
        pay: who pays it.
        opening: what scores in the dealt hand, in the order it is listed.
        pay_opening: what a seat is paid for so many of them: (how many, seat, dealer, options).
        next_dealer: the seats of which one deals next; several if it is left to chance.
        settles_together: whether several may win on one tile.
        dead_by_false_win: the irregularity by which a false win kills the hand; none if it does
            not, under the options.
        laid: what kongs and eggs are paid.
        ready: how a hand is declared ready.
        claim_conditions: what forbids a call, asked before the tiles are looked at.
        claim_rank: which call goes before which, the higher the sooner; none for the usual order.
        chows: whether chows may be claimed, where that is a matter of options.
        first_dealer: who deals first: (seat that rolled, total of the dice, options).
        wilds: how tiles become wild.
        exchange: what is passed on before play.
        antes: what is staked before the deal.
        chase: what the first discard of each player costs, from the dealer on: (discards, dealer,
            antes, options); none if nothing comes of them.
        points: what a complete hand shows beside the reason why it is refused.
        eggs: the combinations that may be laid from the dealt hand.
        treasure: how a turned tile names the treasure.
        bonus: flowers and seasons in the set, one of each.
        well_formed: whether a meld is one in these rules; none for what its kind says.
        settle_values: how hands of known value settle among all four.
        lost_value: what a hand is worth that did not win, where that is settled, too.
        next_round: who is East next, under which wind.
        irregularities: what goes against the rules of play, at the options in force.
        robs_concealed: the shapes that may be won with a tile of a concealed kong.
        first_turn_ends_with_a_call: anybody's call ends every other seat's first turn; else the
            seat's own melds alone do (`is_first_turn_over`).
        late_claims: a discard may still be claimed when the next player has drawn, who puts the
            drawn tile back.
        kongs_after_draw: nobody lays a concealed kong whose last tile was not drawn.
        last_tile_may_be_passed: who is to draw the last tile may leave it to the next.
        lying: what lies face up and what face down.
        unit: what the values of patterns count.
        laws: every numbered rule in a sentence, for the printed sheet.
        options: every house-rule setting; ``chosen`` are the values in force.
        argued: of these, the names of those that people argue about: they are asked first.
    """

    id: str
    names: Words
    source: str
    kinds: Tiles
    melds: frozenset[MeldKind]
    shapes: tuple[Shape, ...]
    patterns: tuple[Pattern, ...]
    total: Callable[[Win], Total]
    pay: Callable[[Win, Total], Payment]
    next_dealer: Callable[[play_rules.HandResult, Options], tuple[int, ...]]
    wall: play_rules.WallPlan
    starting_tiles: Callable[[bool, Options], int]
    settles_together: Callable[[Options], bool]
    copies: int = COPIES
    explain_total: Callable[[Win, Total], tuple[Words, ...]] = lambda win, total: ()
    conditions: tuple[Condition, ...] = ()
    places_winning_tile: bool = False
    birds: play_rules.BirdRule | None = None
    opening: tuple[play_rules.Opening, ...] = ()
    pay_opening: Callable[[int, int, int, Options], Payment] | None = None
    false_win: Callable[[int, int, Options], Payment] | None = None
    dead_by_false_win: Callable[[Options], str | None] | None = None
    laid: play_rules.LaidRule | None = None
    ready: play_rules.ReadyRule | None = None
    claim_conditions: tuple[play_rules.ClaimCondition, ...] = ()
    claim_rank: Callable[[Offer, Claim, Options], int] | None = None
    chows: Callable[[Options], bool] | None = None
    first_dealer: Callable[[int, int, Options], int] | None = None
    wilds: play_rules.WildRule | None = None
    exchange: play_rules.ExchangeRule | None = None
    antes: play_rules.AnteRule | None = None
    chase: Callable[[Tiles, int, Antes, Options], Payment | None] | None = None
    points: Callable[[Win], int] | None = None
    eggs: play_rules.EggRule | None = None
    treasure: play_rules.TreasureRule | None = None
    bonus: Callable[[Options], Tiles] | None = None
    well_formed: Callable[[Meld, Options], bool] | None = None
    settle_values: Callable[[play_rules.HandValues, Options], Payment] | None = None
    lost_value: Callable[[play_rules.LosingHand, Options], play_rules.HandValue] | None = None
    next_round: Callable[[play_rules.RoundResult, Options], play_rules.RoundNext] | None = None
    irregularities: Callable[[Options], tuple[play_rules.IrregularityRule, ...]] | None = None
    robs_concealed: Callable[[Options], frozenset[str]] | None = None
    first_turn_ends_with_a_call: bool = False
    late_claims: bool = False
    kongs_after_draw: bool = False
    last_tile_may_be_passed: bool = False
    lying: Callable[[Options], play_rules.LyingTile] = lambda options: play_rules.LyingTile()
    unit: Words = POINTS
    laws: tuple[Law, ...] = ()
    options: tuple[Option, ...] = ()
    chosen: Options = field(default_factory=dict)
    argued: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        for what, ids in (
            ("pattern", [pattern.id for pattern in self.patterns]),
            ("condition", [condition.id for condition in self.conditions]),
            ("option", [option.name for option in self.options]),
            ("law", [law.number for law in self.laws]),
        ):
            twice = sorted({each for each in ids if ids.count(each) > 1})
            if twice:
                raise ValueError(f"{self.id} has the {what} {twice[0]!r} twice")
        known = {pattern.id for pattern in self.patterns}
        for pattern in self.patterns:
            for other in pattern.implies:
                if other not in known:
                    raise ValueError(
                        f"pattern {pattern.id!r} of {self.id} implies {other!r}, which is none"
                    )
        explained = known | {condition.id for condition in self.conditions}
        settings = {option.name for option in self.options}
        for law in self.laws:
            if law.explains and law.explains not in explained:
                raise ValueError(f"law {law.number} explains {law.explains!r}, not in {self.id}")
            for name in sorted(law.bearing):
                if name not in settings:
                    raise ValueError(f"law {law.number} names {name!r}, no option of {self.id}")
        chosen = choose(self.id, self.options, defaults(self.options), self.chosen)
        object.__setattr__(self, "chosen", chosen)

    @property
    def ready_names(self) -> Words:
        """Its name for declaring a hand ready."""
        return play_rules.READY if self.ready is None else self.ready.names

    def with_options(self, values: Mapping[str, object]) -> "RuleSet":
        """The same rules with some options changed; these themselves if none is.

        Raises:
            ValueError: no such option, or a value that it cannot have.
        """
        if {**self.chosen, **values} == self.chosen:
            return self
        chosen = choose(self.id, self.options, self.chosen, values)
        return self if chosen == self.chosen else replace(self, chosen=chosen)

    @property
    def options_as_asked(self) -> tuple[Option, ...]:
        """The options, those first that people argue about."""
        named = {option.name: option for option in self.options}
        first = tuple(named[name] for name in self.argued)
        return (*first, *(option for option in self.options if option.name not in self.argued))

    @property
    def meld_kinds(self) -> frozenset[MeldKind]:
        """The kinds of meld there are, at the options in force."""
        if self.chows is not None and self.chows(self.chosen):
            return self.melds | {MeldKind.CHOW}
        return self.melds

    @property
    def bonus_tiles(self) -> Tiles:
        """The flowers and seasons that are played with."""
        return () if self.bonus is None else self.bonus(self.chosen)

    @property
    def tiles_in_wall(self) -> int:
        """All tiles of the set."""
        return len(self.kinds) * self.copies + len(self.bonus_tiles)

    def copies_of(self, tile: Tile) -> int:
        """How many of a kind the set holds; none of a strange one."""
        if tile in self.kinds:
            return self.copies
        return int(tile in self.bonus_tiles)

    def is_meld(self, meld: Meld) -> bool:
        """Whether the tiles of a meld are what its kind says."""
        if meld.kind not in self.meld_kinds:
            return False
        if self.well_formed is None:
            return meld.is_well_formed
        return self.well_formed(meld, self.chosen)
