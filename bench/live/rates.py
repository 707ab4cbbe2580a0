"""How often the reader errs, and how: as measured, kept in a file, drawn from again."""

import json
from collections.abc import Mapping
from dataclasses import asdict, astuple, dataclass
from pathlib import Path
from typing import Any

from bench import BenchError
from models.world import WorldLooks
from table_assist.twin.moment import Spoiled
from table_assist.vision.reading.recognise import UNKNOWN

# Parts of a piece that are seen: all of it, most of it, less.
SEEN_WHOLE, SEEN_MOSTLY = 0.85, 0.45
COVERED = " covered"  # what hides most of the rest is a cover (an arm, a glare), and no other tile
ANY_FACE, STANDING = "face", "standing"
# Below so many readings of what covers hide, its errors are those of what tiles hide.
FEW_COVERED = 8


Said = tuple[tuple[str, float], ...]  # (label, confidence), the likeliest first; ``=``: what it is


@dataclass(frozen=True, slots=True)
class Way:
    """One way in which something was not read as it is."""

    count: int
    label: str  # what was said; empty: nothing
    candidates: Said = ()


@dataclass(frozen=True, slots=True)
class Outcomes:
    """The outcomes for one kind of thing: how often there was one, and whatever was not right."""

    seen: int
    ways: tuple[Way, ...] = ()


@dataclass(frozen=True, slots=True)
class Ghost:
    """Something read where nothing of the kind lies."""

    count: int
    label: str
    candidates: Said
    box_mm: tuple[float, float, float, float]  # from the table's centre
    at_cover: bool = False  # a hand or another thing lay over the table
    upon: str = ""  # the group of the thing that it was a second box of; empty: nothing lay there


@dataclass(frozen=True, slots=True)
class Rates:
    """Of one tile set under one kind of picture."""

    pictures: int
    covered: int  # of these, with something over the table
    # By `kind_of`. `ANY_FACE` is every whole face together, without those taken for another: for
    # faces that were never seen.
    outcomes: Mapping[str, Outcomes]
    confidences: tuple[float, ...]  # of right readings, in twenty steps from least to most
    stuck: Mapping[str, float]  # by group, the share of what is wrong in every picture alike
    # The box's middle beside the true one, in its widths and heights away from the picture's
    # middle, and its size over the true one.
    box_mean: tuple[float, ...]
    box_spread: tuple[float, ...]  # standard deviations of the same
    ghosts: tuple[Ghost, ...] = ()


@dataclass(frozen=True, slots=True)
class MeasuredRates:
    """The findings of a run of the measuring."""

    date: str
    machine: str
    networks: str
    things: int
    # By camera, table or tile set, and what became of the picture: ``overhead/built-in/clear``.
    rates: Mapping[str, Rates]

    @property
    def dresses(self) -> tuple[str, ...]:
        """The tables or tile sets that were measured, in their order."""
        return tuple(dict.fromkeys(name.split("/")[1] for name in self.rates))

    def of(self, camera: str, dress: str) -> dict[str, Rates]:
        """Those of one camera and table or tile set, by what became of the picture."""
        return {str(spoiled): self.rates[f"{camera}/{dress}/{spoiled}"] for spoiled in Spoiled}


def kind_of(label: str, visible: float, covered: float = 0.0) -> str:
    """Under which name outcomes are counted, by the shares that are seen and that covers hide."""
    if visible >= SEEN_WHOLE:
        return "d" if label.startswith("d") else label
    part = " most" if visible >= SEEN_MOSTLY else " part"
    by = COVERED if covered > (1 - visible) / 2 else ""
    return ("d" if label.startswith("d") else group_of(label)) + part + by


def outcomes_of(rates: Rates, label: str, kind: str) -> Outcomes:
    """The kind's own outcomes, or those of what is like it where it was never, or rarely, seen."""
    own = rates.outcomes.get(kind, Outcomes(0))
    if kind.endswith(COVERED):
        likest = kind.removesuffix(COVERED)
        return own if own.seen >= FEW_COVERED else outcomes_of(rates, label, likest)
    return own if own.seen or not is_face(label) else rates.outcomes.get(ANY_FACE, own)


def group_of(label: str) -> str:
    """A label's group, which is counted together."""
    return ANY_FACE if is_face(label) else "die" if label.startswith("d") else label


def is_face(label: str) -> bool:
    """Whether it is a tile's face, also a flower's or season's."""
    return label not in ("back", STANDING, UNKNOWN, "") and not label.startswith("d")


def rates_path(looks: WorldLooks) -> Path:
    """The file of the rates that were measured on such tables; `BenchError` where none are."""
    names = {WorldLooks.USUAL: "eyes.json", WorldLooks.WORLD: "eyes_world.json"}
    if looks not in names:
        raise BenchError(
            "Nothing is modelled by held-out tables, as nothing is tuned by them: --eyes real."
        )
    return Path(__file__).with_name(names[looks])


def save_rates(looks: WorldLooks, measured: MeasuredRates) -> None:
    """Write the file; a way and a ghost are lists of their attributes, so are outcomes."""
    rows = {
        name: asdict(rates)
        | {"ghosts": [astuple(ghost) for ghost in rates.ghosts]}
        | {"outcomes": {kind: astuple(each) for kind, each in rates.outcomes.items()}}
        for name, rates in measured.rates.items()
    }
    told = asdict(measured) | {"rates": rows}
    text = json.dumps(told, ensure_ascii=False, separators=(",", ":"))
    rates_path(looks).write_text(f"{text}\n", encoding="utf-8")


def load_rates(looks: WorldLooks) -> MeasuredRates:
    """Read the file of the rates on such tables."""
    raw = json.loads(rates_path(looks).read_text(encoding="utf-8"))
    rates = {name: _rates(row) for name, row in raw.pop("rates").items()}
    return MeasuredRates(rates=rates, **raw)


def _rates(row: dict[str, Any]) -> Rates:
    kinds, ghosts = row.pop("outcomes").items(), _tupled(row.pop("ghosts"))
    outcomes = {
        kind: Outcomes(seen, tuple(Way(*way) for way in _tupled(ways)))
        for kind, (seen, ways) in kinds
    }
    rest = {key: _tupled(value) for key, value in row.items()}
    return Rates(outcomes=outcomes, ghosts=tuple(Ghost(*ghost) for ghost in ghosts), **rest)


def _tupled(value: Any) -> Any:
    """JSON's lists as tuples."""
    return tuple(map(_tupled, value)) if isinstance(value, list) else value
