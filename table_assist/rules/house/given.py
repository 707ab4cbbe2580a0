"""Reads what a worked example states (JSON) into the values that the rules judge.

The keys are those of the worked examples' format. Nothing is guessed: a missing key, a wrong type
or a key that nothing reads is a ``ValueError`` of one sentence.
"""

from collections.abc import Iterable, Mapping
from typing import NoReturn

from table_assist.rules.play_rules import Appended, DeadHand, HandValues
from table_assist.rules.ruleset import RuleSet
from table_assist.rules.settlement import Laid, LaidIn, LaidKind
from table_assist.rules.shown import (
    SEAT_COUNT,
    Antes,
    Call,
    Circumstance,
    Claim,
    Completes,
    Offer,
    ReadyHand,
    ShownHand,
    Since,
    TileSource,
)
from table_assist.tiles.melds import Meld, MeldKind
from table_assist.tiles.tile import Tile, Tiles, parse_tile, parse_tiles

# Flags that are true or false, and those whose value names a kind.
_FLAGS = {
    circumstance.value: circumstance
    for circumstance in Circumstance
    if not circumstance.startswith(("robbed_", "after_kong_"))
} | {"after_kong_discard": Circumstance.AFTER_KONG_DISCARD}
_AFTER_GIVEN = {
    kind: Circumstance(f"after_{kind}") for kind in ("kong_concealed", "kong_exposed", "kong_added")
}
_ROBBED_GIVEN = {
    kind: Circumstance(f"robbed_{kind}") for kind in ("egg_supplement", "regular_kong")
}

# Where a supplement may come from, and whether that is a draw.
_SUPPLEMENTS = {"own_draw": True, "draw": True, "discard": False}


class UnsupportedError(ValueError):
    """The rules have no such thing."""


class Given:
    """The keys of one JSON object, each read once by type."""

    def __init__(self, values: object, what: str = "given") -> None:
        if not isinstance(values, Mapping):
            raise ValueError(f"{what} is {values!r}; it must be an object")
        self._values: Mapping[object, object] = values
        self._what = what
        self._read: set[str] = set()

    def __contains__(self, key: str) -> bool:
        return self._values.get(key) is not None

    @property
    def everything(self) -> Mapping[object, object]:
        """The object itself, for a reader of its own."""
        self._read.update(map(str, self._values))
        return self._values

    def _take(self, key: str) -> object:
        self._read.add(key)
        return self._values.get(key)

    def _wrong(self, key: str, value: object, needed: str) -> NoReturn:
        if value is None:
            raise ValueError(f"{self._what} lacks {key!r}, {needed}")
        raise ValueError(f"{key!r} of {self._what} is {value!r}; it must be {needed}")

    def text(self, key: str) -> str:
        """Text that must be there."""
        value = self._take(key)
        if not isinstance(value, str):
            self._wrong(key, value, "a text")
        return value

    def whole(self, key: str) -> int:
        """A whole number that must be there."""
        value = self._take(key)
        if isinstance(value, bool) or not isinstance(value, int):
            self._wrong(key, value, "a whole number")
        return value

    def whole_or_none(self, key: str) -> int | None:
        """A whole number, or none."""
        self._read.add(key)
        return self.whole(key) if key in self else None

    def flag(self, key: str) -> bool:
        """True or false; false if absent."""
        value = self._take(key)
        if not isinstance(value, bool | None):
            self._wrong(key, value, "true or false")
        return bool(value)

    def wholes(self, key: str) -> tuple[int, ...]:
        """A list of whole numbers; empty if absent."""
        values = self.items(key)
        for value in values:
            if isinstance(value, bool) or not isinstance(value, int):
                self._wrong(key, values, "a list of whole numbers")
        return tuple(value for value in values if isinstance(value, int))

    def tiles(self, key: str) -> Tiles:
        """Tile text that must be there."""
        return parse_tiles(self.text(key))

    def tiles_or_none(self, key: str) -> Tiles:
        """Tile text; no tiles if absent."""
        self._read.add(key)
        return self.tiles(key) if key in self else ()

    def tile(self, key: str) -> Tile:
        """One tile that must be there."""
        return parse_tile(self.text(key))

    def tile_list(self, key: str) -> Tiles | None:
        """A list of single tiles; none if absent."""
        self._read.add(key)
        if key not in self:
            return None
        texts = self.items(key)
        if not all(isinstance(text, str) for text in texts):
            self._wrong(key, texts, "a list of tiles")
        return tuple(parse_tile(str(text)) for text in texts)

    def items(self, key: str) -> list[object]:
        """A list; empty if absent."""
        value = self._take(key)
        if value is None:
            return []
        if not isinstance(value, list):
            self._wrong(key, value, "a list")
        return value

    def is_list(self, key: str) -> bool:
        """Whether a list is there."""
        return isinstance(self._values.get(key), list)

    def object(self, key: str) -> dict[str, object]:
        """An object; empty if absent."""
        value = self._take(key)
        if value is None:
            return {}
        if not isinstance(value, Mapping):
            self._wrong(key, value, "an object")
        return {str(name): each for name, each in value.items()}

    def done(self) -> None:
        """Refuse keys that nobody read.

        Raises:
            ValueError: there are some.
        """
        left = sorted(str(key) for key in self._values if key not in self._read)
        if left:
            raise ValueError(f"{self._what} has {left[0]!r}, which nothing reads")


def read_win(values: object, dealer: int | None = None) -> ShownHand:
    """A shown hand.

    Args:
        values: the keys of a worked example of kind ``win``, options aside.
        dealer: stands in where a settlement names the dealer once for all hands.

    Raises:
        ValueError: a key is missing, wrong or unknown.
    """
    given = Given(values, "the shown hand")
    own = given.whole_or_none("dealer")
    if own is None:
        own = given.whole("dealer") if dealer is None else dealer
    given.object("options")
    shown = ShownHand(
        concealed=given.tiles("concealed"),
        winning_tile=given.tile("winning_tile"),
        winner=given.whole("winner"),
        dealer=own,
        melds=read_melds(given.items("melds")),
        self_drawn=given.flag("self_draw"),
        discarder=given.whole_or_none("discarder"),
        circumstances=read_flags(given.object("flags")),
        wall_remaining=given.whole_or_none("wall_remaining"),
        birds=given.tile_list("birds"),
        treasures=given.tile_list("treasure") or (),
        wilds=given.tile_list("wild") or (),
        antes=read_antes(given.object("antes")),
        discard_round=given.whole_or_none("discard_round"),
        bonus=given.tiles_or_none("bonus"),
        prevailing=given.tile("prevailing") if "prevailing" in given else None,
    )
    given.done()
    return shown


def read_melds(values: Iterable[object]) -> tuple[Meld, ...]:
    """Melds of any kind and any tiles.

    Raises:
        ValueError: no such kind, or no tiles.
    """
    melds = []
    for value in values:
        given = Given(value, "a meld")
        kind = given.text("type")
        if kind not in list(MeldKind):
            raise ValueError(f"no meld {kind!r}; there are {[each.value for each in MeldKind]}")
        tiles = given.tiles("tiles")
        supplements = given.tiles_or_none("supplements")
        given.done()
        melds.append(Meld(MeldKind(kind), tiles, supplements))
    return tuple(melds)


def read_laid(values: Iterable[object]) -> tuple[Laid, ...]:
    """Kongs and eggs laid in a hand.

    Raises:
        ValueError: no such kind, a key that nothing reads, or a seat that is none.
    """
    laid = []
    for value in values:
        given = Given(value, "an event")
        kind = given.text("type")
        if kind not in list(LaidKind):
            raise ValueError(f"no event {kind!r}; there are {[each.value for each in LaidKind]}")
        laid.append(
            Laid(
                LaidKind(kind),
                given.whole("seat"),
                discarder=given.whole_or_none("from"),
                tiles=given.tiles_or_none("tiles"),
                supplements=given.tiles_or_none("supplements"),
                robbed=given.flag("robbed"),
                robbed_by=given.whole_or_none("robbed_by"),
                won_on_next_discard_by=given.whole_or_none("won_on_next_discard_by"),
            )
        )
        given.done()
    return tuple(laid)


def read_flags(values: Mapping[str, object]) -> frozenset[Circumstance]:
    """The circumstances of a win.

    Raises:
        ValueError: no such flag, or a value that it cannot have.
    """
    found = set()
    for name, value in values.items():
        if name in _FLAGS and isinstance(value, bool):
            found |= {_FLAGS[name]} if value else set()
        elif name == "after_kong" and isinstance(value, str) and value in _AFTER_GIVEN:
            found |= {Circumstance.AFTER_KONG, _AFTER_GIVEN[value]}
        elif name == "robbed" and isinstance(value, str) and value in _ROBBED_GIVEN:
            found.add(_ROBBED_GIVEN[value])
        else:
            raise ValueError(f"no flag {name!r} with the value {value!r}")
    return frozenset(found)


def read_antes(values: Mapping[str, object]) -> Antes:
    """The stakes before the deal.

    Raises:
        ValueError: a key is wrong or unknown.
    """
    given = Given(values, "the antes")
    double_down = given.flag("double_down")
    challenges = Given(given.object("challenges"), "the challenges")
    first, second, third, fourth = (challenges.whole_or_none(seat) or 0 for seat in "0123")
    challenges.done()
    given.done()
    return Antes(double_down, (first, second, third, fourth))


def read_offer(rules: RuleSet, given: Given) -> tuple[Offer, list[Claim]]:
    """A tile, and who claims it."""
    source = given.text("source") if "source" in given else TileSource.DISCARD
    if source not in list(TileSource):
        raise UnsupportedError(f"no source {source!r}; there are {[s.value for s in TileSource]}")
    if source == TileSource.EGG_SUPPLEMENT and MeldKind.LUCKY_EGG not in rules.melds:
        raise UnsupportedError(f"{rules.id} has no eggs")
    said = [since for since in Since if since is not Since.NOTHING and given.flag(since)]
    offer = Offer(
        tile=given.tile("tile"),
        seat=given.whole("from"),
        dealer=given.whole_or_none("dealer") or 0,
        source=TileSource(source),
        wall_remaining=given.whole_or_none("wall_remaining"),
        last_four=given.flag("last_four"),
        wilds=given.tile_list("wild") or (),
        treasures=given.tile_list("treasure") or (),
        since=said[-1] if said else Since.NOTHING,
    )
    return offer, [_read_claim(value) for value in given.items("claims")]


def _read_claim(value: object) -> Claim:
    given = Given(value, "a claim")
    call = given.text("call")
    if call not in list(Call):
        raise UnsupportedError(f"no call {call!r}; there are {[each.value for each in Call]}")
    ready = {Circumstance.READY_DECLARED} if given.flag("ready_declared") else set()
    completes = given.text("completes") if "completes" in given else None
    if completes not in (None, *Completes):
        raise ValueError(f"no way {completes!r} to complete a win")
    claim = Claim(
        given.whole("seat"),
        Call(call),
        given.tiles("hand"),
        read_melds(given.items("melds")),
        read_flags(given.object("flags")) | ready,
        completes=None if completes is None else Completes(completes),
        passed=given.flag("passed_same_tile_this_turn"),
        sacred=given.flag("sacred"),
    )
    given.done()
    return claim


def read_ready(given: Given) -> ReadyHand:
    """A hand that is declared ready."""
    standing = "own_discards" in given
    return ReadyHand(
        given.tiles("concealed"),
        read_melds(given.items("melds")),
        seat=given.whole_or_none("seat") or 0,
        dealer=given.whole_or_none("dealer") or 0,
        discard_number=given.whole_or_none("own_discards" if standing else "discard_number"),
        hand_changed=given.flag("hand_changed"),
    )


def read_values(given: Given) -> HandValues:
    """Four hands of known value, dead ones among them.

    Raises:
        ValueError: they are not four, or a key is wrong.
    """
    values = given.wholes("values")
    if len(values) != SEAT_COUNT:
        raise ValueError(f"{len(values)} values; there are four hands")
    first, second, third, fourth = values
    dead = {}
    for seat, why in given.object("dead").items():
        if seat not in ("0", "1", "2", "3") or why not in list(DeadHand):
            raise ValueError(f"a dead hand {seat!r}: {why!r}; it is a seat, long or short")
        dead[int(seat)] = DeadHand(str(why))
    return HandValues(
        (first, second, third, fourth),
        given.whole_or_none("winner"),
        given.whole("east"),
        limit=given.whole_or_none("limit"),
        dead=dead,
    )


def read_laid_hand(given: Given) -> tuple[tuple[Laid, ...], LaidIn]:
    """Kongs and eggs, and the hand in which they were laid.

    Raises:
        ValueError: a key is missing or wrong.
    """
    result = given.text("result") if "result" in given else "win"
    if result not in ("win", "draw"):
        raise ValueError(f"a result {result!r}; it is win or draw")
    where = LaidIn(given.whole("dealer"), read_antes(given.object("antes")), result == "draw")
    return read_laid(given.items("events")), where


def read_appended(given: Given) -> Appended:
    """A tile that is appended to an egg.

    Raises:
        ValueError: a key is missing or wrong.
    """
    source = given.text("source") if "source" in given else "own_draw"
    if source not in _SUPPLEMENTS:
        raise ValueError(f"no source {source!r}; there are {sorted(_SUPPLEMENTS)}")
    return Appended(
        given.tiles("egg_tiles"),
        given.tile("tile"),
        drawn=_SUPPLEMENTS[source],
        dealer_first_turn=given.flag("dealer_first_turn"),
        wall_remaining=given.whole_or_none("wall_remaining"),
    )
