"""One reading of a shown hand, and what rule sets ask of it: shapes, conditions, patterns.

A pattern or condition has two halves. One looks at how the win came about and at nothing else
(``when``, ``unless``), so its answer is remembered for all hands won like that; the other, the
predicate, looks at the reading.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, NamedTuple

from table_assist.languages.words import Words
from table_assist.rules.options import OnlyIf, Options
from table_assist.rules.shown import Circumstance, ShownHand, Situation
from table_assist.rules.verdict import Counted
from table_assist.tiles.divide import (
    NO_TRIPLETS,
    PAIRS,
    SETS_AND_PAIR,
    SEVEN_PAIRS,
    Division,
    HandSet,
    SetKind,
    count_tiles,
    divide_counted,
    kinds_in,
    kinds_of,
    pairs_counted,
    parts_of,
    set_of,
)
from table_assist.tiles.melds import Meld
from table_assist.tiles.tile import HONOURS, SUITED, Tile


class Win:
    """One reading of a shown hand, as patterns and conditions see it; nobody changes it.

    Attributes:
        division: how the concealed tiles are read; without sets where a hand has no reading.
        options: those in force.
        concealed: the concealed tiles, as ``divide`` counts them.
        counts: every tile of the hand, melds included, counted likewise.
        kinds: the kinds among them, as ``divide.kinds_of`` has them.
        parts: every set and pair of the hand, melds included, as ``Division.parts`` has them.
        filled: the part of the division that the winning tile completes, where the rule set asks
            (``RuleSet.places_winning_tile``).
    """

    __slots__ = (
        "_asked",
        "_counted",
        "concealed",
        "counts",
        "division",
        "filled",
        "kinds",
        "options",
        "parts",
        "shown",
    )

    def __init__(
        self,
        shown: ShownHand,
        options: Options,
        held: "Held",
        division: Division,
        filled: HandSet | None = None,
    ) -> None:
        self.shown = shown
        self.options = options
        self.division = division
        self.concealed = held.concealed
        self.counts = held.counts
        self.kinds = held.kinds
        self.parts = held.laid | division.parts
        self.filled = filled
        self._asked = held.asked.patterns
        self._counted: tuple[Counted, ...] | None = None

    @property
    def counted(self) -> tuple[Counted, ...]:
        """The patterns that count, less those that another one implies."""
        if self._counted is None:
            met = [each for each in self._asked if each.predicate(self)]
            if len(met) > 1:
                implied = frozenset().union(*[each.implied for each in met])
                if implied:
                    met = [each for each in met if each.pattern.id not in implied]
            self._counted = tuple([each.fixed or _valued(each.pattern, self) for each in met])
        return self._counted

    @property
    def sets(self) -> tuple[HandSet, ...]:
        """The sets of the whole hand: the melds in their order, then the concealed ones."""
        laid = [set_of(meld) for meld in self.shown.melds]
        held = [part for part in self.division.sets if part.kind is not SetKind.PAIR]
        return (*laid, *held)

    @property
    def pairs(self) -> tuple[HandSet, ...]:
        """The pair, or the seven pairs."""
        return self.division.pairs

    @property
    def melds(self) -> tuple[Meld, ...]:
        """The melds on the table."""
        return self.shown.melds

    @property
    def tiles(self) -> tuple[Tile, ...]:
        """Every tile of the hand, melds included."""
        return self.shown.tiles

    def came_by(self, circumstance: Circumstance) -> bool:
        """Whether the win came about like that."""
        return circumstance in self.shown.circumstances


Predicate = Callable[[Win], bool]
When = Callable[[Situation, Options], bool]


def always(situation: Situation, options: Options) -> bool:
    """However the win came about."""
    return True


def never(situation: Situation, options: Options) -> bool:
    """However the win came about, not."""
    return False


@dataclass(frozen=True, slots=True)
class Shape:
    """A form of complete hand.

    Attributes:
        divide: every division of the shown hand into that form; its concealed tiles come counted
            as well, as ``divide`` does it. Options decide whether the form counts.
        only_if: the setting that ``divide`` asks for.
    """

    id: str
    names: Words
    divide: Callable[[ShownHand, int, Options], tuple[Division, ...]]
    source: str
    only_if: OnlyIf = None


@dataclass(frozen=True, slots=True)
class Condition:
    """A condition that a complete hand must meet to be a win.

    Attributes:
        id: the refusal's code.
        words: what is missing when it is not met, as a sentence.
        needs_reading: false for a condition that holds or fails whatever the sets are.
        unless: how the win came about that it is met whatever the tiles are.
        only_if: the setting without which it is always met.
    """

    id: str
    predicate: Predicate
    words: Words
    source: str
    needs_reading: bool = True
    unless: When = never
    only_if: OnlyIf = None

    def met(self, win: Win) -> bool:
        """Whether the reading has it."""
        return self.unless(win.shown.situation, win.options) or self.predicate(win)


@dataclass(frozen=True, slots=True)
class Pattern:
    """A scoring pattern.

    Attributes:
        value: points, fan, units or a factor, as the rule set's total takes it; or how to find it.
        implies: patterns that are not counted beside it.
        implies_if: whether they are left out, where that is a matter of options.
        when: how the win must have come about.
        is_factor: the value is what the whole hand is multiplied by.
    """

    id: str
    names: Words
    value: int | Callable[[Win], int]
    predicate: Predicate
    source: str
    implies: tuple[str, ...] = ()
    implies_if: Callable[[Options], bool] = lambda options: True
    when: When = always
    is_factor: bool = False

    def met(self, win: Win) -> bool:
        """Whether the reading has it."""
        return self.when(win.shown.situation, win.options) and self.predicate(win)


@dataclass(frozen=True, slots=True)
class AskedPattern:
    """A pattern that may be met in one situation, under known options.

    Attributes:
        fixed: what it counts, if that is known beforehand.
        implied: the patterns that are not counted beside it.
    """

    pattern: Pattern
    predicate: Predicate
    fixed: Counted | None
    implied: frozenset[str]


class OpenConditions(NamedTuple):
    """The open questions of a situation, under known options.

    Attributes:
        known: how the hand was won leaves nothing about its tiles to ask.
    """

    patterns: tuple[AskedPattern, ...]
    conditions: tuple[Condition, ...]
    known: bool


class Held(NamedTuple):
    """A shown hand, counted.

    Attributes:
        concealed: its concealed tiles as ``divide`` counts them, and ``counts`` all of them.
        kinds: all its kinds, as ``divide.kinds_of`` has them.
        laid: its melds, as ``Division.parts`` has them.
    """

    concealed: int
    counts: int
    kinds: int
    laid: int
    asked: OpenConditions


_NO_CONDITIONS = OpenConditions((), (), known=True)


def read_as(shown: ShownHand, division: Division, options: Options) -> Win:
    """A hand read in a known way; nothing is asked of it, so nothing counts."""
    concealed = count_tiles(shown.concealed)
    counts = count_tiles(shown.tiles)
    laid = parts_of(map(set_of, shown.melds))
    held = Held(concealed, counts, kinds_in(counts), laid, _NO_CONDITIONS)
    return Win(shown, options, held, division)


def ask(
    patterns: Iterable[Pattern], situation: Situation, options: Options
) -> tuple[AskedPattern, ...]:
    """The patterns that a situation leaves."""
    return tuple(
        AskedPattern(
            pattern,
            pattern.predicate,
            Counted(pattern.id, pattern.names, pattern.value)
            if isinstance(pattern.value, int)
            else None,
            frozenset(pattern.implies if pattern.implies_if(options) else ()),
        )
        for pattern in patterns
        if pattern.when(situation, options)
    )


def _valued(pattern: Pattern, win: Win) -> Counted:
    assert not isinstance(pattern.value, int)
    return Counted(pattern.id, pattern.names, pattern.value(win))


# Every kind that is not of the suit.
_OTHER_THAN = tuple(
    kinds_of(tile for tile in SUITED + HONOURS if tile.suit != suit) for suit in "mps"
)


def any_tiles(win: Win) -> bool:
    """Any tiles do: only how the win came about counts."""
    return True


def pattern(
    source: str,
    id: str,
    en: str,
    zh: str,
    predicate: Predicate = any_tiles,
    when: When = always,
    *,
    value: int | Callable[[Win], int] = 1,
    **beside: Any,
) -> Pattern:
    """A row of a book's table, told by its names in English and Chinese; as `Pattern` has it."""
    return Pattern(id, Words(en, zh), value, predicate, source, when=when, **beside)


def no_tiles(win: Win) -> bool:
    """None: whether it is met is a matter of how the win came about."""
    return False


def four_sets_in(shown: ShownHand, counts: int, options: Options) -> tuple[Division, ...]:
    """Every way to read four sets and a pair."""
    return divide_counted(counts)


def seven_pairs_in(shown: ShownHand, counts: int, options: Options) -> tuple[Division, ...]:
    """Every way to read seven pairs; beside melds there is none."""
    return () if shown.melds else pairs_counted(counts)


def sets_and_pair(win: Win) -> bool:
    """Read as four sets and a pair."""
    return win.division.shape == SETS_AND_PAIR


def seven_pairs(win: Win) -> bool:
    """Read as seven pairs."""
    return win.division.shape == SEVEN_PAIRS


def dragon_pairs(win: Win) -> bool:
    """Read as seven pairs, of which two are alike."""
    return seven_pairs(win) and fours_in_pairs(win) > 0


def all_pungs(win: Win) -> bool:
    """Four sets, all of them pungs or kongs."""
    return not win.parts & NO_TRIPLETS and win.division.shape == SETS_AND_PAIR


def full_flush(win: Win) -> bool:
    """Every tile of one suit."""
    kinds = win.kinds
    characters, dots, bamboo = _OTHER_THAN
    return not (kinds & characters and kinds & dots and kinds & bamboo)


def fully_claimed(win: Win) -> bool:
    """Four melds, each made with another player's tile: one tile was left in hand."""
    return len(win.shown.melds) == 4 and all(meld.kind.is_claimed for meld in win.shown.melds)


def fours_in_pairs(win: Win) -> int:
    """How many kinds fill two of the seven pairs."""
    return 7 - (win.parts >> PAIRS).bit_count()


def robbing_kong(won: Situation, options: Options) -> bool:
    """On the tile that another player added to a kong."""
    return not won.self_drawn and won.came_by(Circumstance.ROBBING_KONG)


def after_kong(won: Situation, options: Options) -> bool:
    """With the tile drawn after a kong."""
    return won.self_drawn and won.came_by(Circumstance.AFTER_KONG)


def first_turn(won: Situation, options: Options) -> bool:
    """With the first tile drawn, or dealt so."""
    return won.self_drawn and won.came_by(Circumstance.FIRST_TURN)
