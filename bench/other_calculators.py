"""Two other calculators of mahjong hands, to measure the judge against.

`mahjong` (Python, Japanese rules) and PyMahjongGB (C++, Chinese official rules) count other
patterns by other rules; what is alike is the work: read fourteen tiles as sets and a pair, find
every pattern, add up. Each is given its own kind of tiles, made beforehand. They are asked for by
name, so that this program runs, and says so, without them.
"""

import importlib
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from table_assist.rules.shown import ShownHand
from table_assist.tiles.melds import MeldKind
from table_assist.tiles.tile import Tile

Ask = Callable[[], object]


@dataclass(frozen=True, slots=True)
class Other:
    """Another calculator.

    Attributes:
        package: its name in the package index.
        prepare: makes of a hand the call that values it; the call raises nothing.
    """

    package: str
    prepare: Callable[[ShownHand], Ask]

    @property
    def name(self) -> str:
        """The package and its version."""
        return f"{self.package} {version(self.package)}"


def others() -> tuple[list[Other], list[str]]:
    """Those that are installed, and a sentence for each that is not."""
    found, lacking = [], []
    for package, make in (("mahjong", _python), ("PyMahjongGB", _compiled)):
        try:
            version(package)
            found.append(Other(package, make()))
        except (PackageNotFoundError, ImportError):
            words = f"{package} is not installed, so nothing is measured against it"
            lacking.append(f"{words}: pip install 'table-assist[bench]'.")
    return found, lacking


def _compiled() -> Callable[[ShownHand], Ask]:
    calculate: Any = importlib.import_module("MahjongGB").MahjongFanCalculator

    def prepare(shown: ShownHand) -> Ask:
        melds = tuple(
            ("CHI", compiled_text(sorted(meld.tiles)[1]), 1)
            if meld.kind is MeldKind.CHOW
            else ("PENG" if meld.kind is MeldKind.PUNG else "GANG", compiled_text(meld.tiles[0]), 1)
            for meld in shown.melds
        )
        held = list(shown.concealed)
        held.remove(shown.winning_tile)
        tiles, last, drawn = (
            tuple(map(compiled_text, held)),
            compiled_text(shown.winning_tile),
            shown.self_drawn,
        )

        def ask() -> object:
            try:
                return calculate(melds, tiles, last, 0, drawn, False, False, False, 0, 0)
            except TypeError:
                return None  # how it says that a hand is no win

        return ask

    return prepare


def compiled_text(tile: Tile) -> str:
    """A tile in PyMahjongGB's notation, such as ``W1``."""
    if tile.is_suited:
        return f"{dict(m='W', p='T', s='B')[tile.suit]}{tile.number}"
    if tile.is_wind:
        return f"F{tile - Tile.EAST + 1}"
    return f"J{tile - Tile.RED + 1}"


def _python() -> Callable[[ShownHand], Ask]:
    calculator: Any = importlib.import_module("mahjong.hand_calculating.hand").HandCalculator()
    config: Any = importlib.import_module("mahjong.hand_calculating.hand_config").HandConfig
    meld_class: Any = importlib.import_module("mahjong.meld").Meld

    def prepare(shown: ShownHand) -> Ask:
        used: Counter[Tile] = Counter()
        melds = [
            meld_class(_MELDS[meld.kind], _copies(meld.tiles, used), True) for meld in shown.melds
        ]
        held = _copies(shown.concealed, used)
        last = held[shown.concealed.index(shown.winning_tile)]
        tiles = held + [tile for meld in melds for tile in meld.tiles]
        # A declared ready hand always has a pattern there; an open one may have none.
        won = config(is_tsumo=shown.self_drawn, is_riichi=not melds)
        return lambda: calculator.estimate_hand_value(tiles, last, melds=melds, config=won)

    return prepare


_MELDS = {
    MeldKind.CHOW: "chi",
    MeldKind.PUNG: "pon",
    MeldKind.KONG_EXPOSED: "kan",
}


def _copies(tiles: Iterable[Tile], used: Counter[Tile]) -> list[int]:
    """Each tile as one of 136, the next copy of its kind."""
    found = []
    for tile in tiles:
        found.append(4 * _PYTHON_KIND[tile] + used[tile])
        used[tile] += 1
    return found


# The same order of suits and winds; of the dragons, White comes first there.
_PYTHON_KIND = {
    **{tile: int(tile) for tile in Tile if 0 <= tile < Tile.RED},
    Tile.WHITE: 31,
    Tile.GREEN: 32,
    Tile.RED: 33,
}
