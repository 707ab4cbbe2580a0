"""How often the reader errs, and how: as measured, kept in a file, drawn from again."""

import json
from collections.abc import Mapping
from dataclasses import asdict, astuple, dataclass
from pathlib import Path
from typing import Any

from bench import BenchError
from bench.live.things import STANDING
from models.world import WorldLooks
from table_assist.twin.moment import Spoiled
from table_assist.vision.reading.recognise import UNKNOWN

# Parts of a piece that are seen: all of it, most of it, less.
SEEN_WHOLE, SEEN_MOSTLY = 0.85, 0.45
COVERED = " covered"  # what hides most of the rest is a cover (an arm, a glare), and no other tile
ANY_FACE = "face"
# Below so many readings of what covers hide, its errors are those of what tiles hide.
FEW_COVERED = 8


@dataclass(frozen=True, slots=True)
class Way:
    """One way in which something was not read as it is.

    Attributes:
        label: what was said; empty: nothing.
        candidates: (label, confidence), the likeliest first; ``=`` stands for what it is.
    """

    count: int
    label: str
    candidates: tuple[tuple[str, float], ...] = ()


@dataclass(frozen=True, slots=True)
class Outcomes:
    """The outcomes for one kind of thing.

    Attributes:
        seen: how often there was one.
        ways: whatever was not right.
    """

    seen: int
    ways: tuple[Way, ...] = ()


@dataclass(frozen=True, slots=True)
class Ghost:
    """Something read where nothing of the kind lies.

    Attributes:
        box_mm: from the table's centre.
        at_cover: a hand or another thing lay over the table.
        upon: the group of the thing upon which it was a second box; empty: nothing lay there.
    """

    count: int
    label: str
    candidates: tuple[tuple[str, float], ...]
    box_mm: tuple[float, float, float, float]
    at_cover: bool = False
    upon: str = ""


@dataclass(frozen=True, slots=True)
class Rates:
    """Of one tile set under one kind of picture.

    Attributes:
        pictures: that were read.
        covered: of these, with something over the table.
        outcomes: by `kind_of`. `ANY_FACE` is every whole face together, without those taken for
            another face: for faces that were never seen.
        confidences: of right readings, in twenty steps from the least to the most.
        stuck: of faces, backs, dice and standing tiles the share of what was not right that is so
            in every picture while it lies there.
        box_mean: the box's middle beside the true one, in its widths and heights away from the
            picture's middle, and its size over the true one.
        box_spread: standard deviations of the same.
    """

    pictures: int
    covered: int
    outcomes: Mapping[str, Outcomes]
    confidences: tuple[float, ...]
    stuck: Mapping[str, float]
    box_mean: tuple[float, ...]
    box_spread: tuple[float, ...]
    ghosts: tuple[Ghost, ...] = ()


@dataclass(frozen=True, slots=True)
class MeasuredRates:
    """The findings of a run of the measuring.

    Attributes:
        rates: by camera, table or tile set, and what became of the picture, as
            ``overhead/built-in/clear``.
    """

    date: str
    machine: str
    networks: str
    things: int
    rates: Mapping[str, Rates]

    @property
    def dresses(self) -> tuple[str, ...]:
        """The tables or tile sets that were measured, in their order."""
        return tuple(dict.fromkeys(name.split("/")[1] for name in self.rates))

    def of(self, camera: str, dress: str) -> dict[str, Rates]:
        """Those of one camera and table or tile set, by what became of the picture."""
        return {str(spoiled): self.rates[f"{camera}/{dress}/{spoiled}"] for spoiled in Spoiled}


def kind_of(label: str, visible: float, covered: float = 0.0) -> str:
    """Under which name a thing's outcomes are counted.

    Args:
        visible: the share of it that is seen.
        covered: the share of it that covers hide; other tiles hide what else is not seen.
    """
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
    if own.seen or not is_face(label):
        return own
    return rates.outcomes.get(ANY_FACE, own)


def group_of(label: str) -> str:
    """A label's group, which is counted together."""
    if is_face(label):
        return "face"
    return "die" if label.startswith("d") else label


def is_face(label: str) -> bool:
    """Whether it is a tile's face, also a flower's or season's."""
    return label not in ("back", STANDING, UNKNOWN, "") and not label.startswith("d")


def rates_path(looks: WorldLooks) -> Path:
    """The file of the rates that were measured on such tables.

    Raises:
        BenchError: none are.
    """
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
