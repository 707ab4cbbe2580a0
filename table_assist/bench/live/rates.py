"""How often the reader errs, and how: as measured, kept in a file, drawn from again."""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from table_assist.bench.live.things import STANDING
from table_assist.twin.world import Looks
from table_assist.vision.reading.recognise import UNKNOWN
from table_assist.words import SaidError

# Parts of a piece that are seen: all of it, most of it, less.
WHOLE, MOST = 0.85, 0.45
# Below so many readings of one face its errors are taken from all faces.
ENOUGH = 40


class RatesError(SaidError):
    """There are no rates of errors to go by; the message says why in one sentence."""


def rates_path(looks: Looks) -> Path:
    """The file of the rates that were measured on such tables.

    Raises:
        RatesError: none are.
    """
    names = {Looks.USUAL: "eyes.json", Looks.WORLD: "eyes_world.json"}
    if looks not in names:
        raise RatesError(
            "Nothing is modelled by held-out tables, as nothing is tuned by them: --eyes real.",
            "不按留出的牌桌建模，因为不用它们调整程序：请用 --eyes real。",
        )
    return Path(__file__).parent / names[looks]


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
    """What became of one kind of thing.

    Attributes:
        seen: how often there was one.
        ways: whatever was not right.
    """

    seen: int
    ways: tuple[Way, ...] = ()

    @property
    def wrong(self) -> int:
        """How often it was not right."""
        return sum(way.count for way in self.ways)


@dataclass(frozen=True, slots=True)
class Ghost:
    """Something read where nothing of the kind lies.

    Attributes:
        box_mm: from the table's centre.
        at_cover: a hand or another thing lay over the table.
    """

    count: int
    label: str
    candidates: tuple[tuple[str, float], ...]
    box_mm: tuple[float, float, float, float]
    at_cover: bool = False


@dataclass(frozen=True, slots=True)
class Rates:
    """Of one tile set under one kind of picture.

    Attributes:
        pictures: that were read.
        covered: of these, with something over the table.
        outcomes: by `kind_of`.
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
    box_mean: tuple[float, float, float, float]
    box_spread: tuple[float, float, float, float]
    ghosts: tuple[Ghost, ...] = ()


@dataclass(frozen=True, slots=True)
class Measured:
    """What a run of the measuring has found.

    Attributes:
        rates: by camera, table or tile set, and what became of the picture, as
            ``overhead/built-in/clear``.
    """

    date: str
    machine: str
    networks: str
    things: int
    rates: Mapping[str, Rates]


def kind_of(label: str, visible: float) -> str:
    """Under which name a thing's outcomes are counted."""
    part = "" if visible >= WHOLE else " most" if visible >= MOST else " part"
    if label == "back" or label == STANDING or label.startswith("d"):
        return (label[0] if label.startswith("d") else label) + part
    return f"face{part}" if part else label


def group_of(label: str) -> str:
    """What a label is, for what is counted of all such things together."""
    if is_face(label):
        return "face"
    return "die" if label.startswith("d") else label


def is_face(label: str) -> bool:
    """Whether it is a tile's face, also a flower's or season's."""
    return label not in ("back", STANDING, UNKNOWN, "") and not label.startswith("d")


def save_rates(path: Path, measured: Measured) -> None:
    """Write the file, one line a kind."""
    rows = {name: asdict(rates) for name, rates in measured.rates.items()}
    head = asdict(measured) | {"rates": {}}
    text = json.dumps(head, ensure_ascii=False)[:-3]
    blocks = []
    for name, row in rows.items():
        lines = [f'  "{key}": {_dumps(value)}' for key, value in row.items() if key != "outcomes"]
        kinds = [f'    "{key}": {_dumps(value)}' for key, value in row["outcomes"].items()]
        lines.append('  "outcomes": {\n' + ",\n".join(kinds) + "}")
        blocks.append(f'"{name}": {{\n' + ",\n".join(lines) + "}")
    path.write_text(text + "{\n" + ",\n".join(blocks) + "}}\n", encoding="utf-8")


def load_rates(path: Path) -> Measured:
    """Read the file.

    Raises:
        RatesError: it is missing or damaged.
    """
    try:
        raw = json.loads(path.read_text(encoding="utf-8"))
        rates = {name: _rates(row) for name, row in raw.pop("rates").items()}
        return Measured(rates=rates, **raw)
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise RatesError(
            f"the measured rates {path.name} cannot be read: {error}",
            f"无法读取实测误差 {path.name}：{error}",
        ) from error


def _dumps(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _rates(row: dict[str, Any]) -> Rates:
    outcomes = {
        kind: Outcomes(one["seen"], tuple(_way(way) for way in one["ways"]))
        for kind, one in row["outcomes"].items()
    }
    a, b, c, d = row["box_mean"]
    e, f, g, h = row["box_spread"]
    ghosts = tuple(
        Ghost(**g | {"candidates": _candidates(g["candidates"]), "box_mm": tuple(g["box_mm"])})
        for g in row["ghosts"]
    )
    confidences = tuple(row["confidences"])
    return Rates(
        pictures=row["pictures"],
        covered=row["covered"],
        outcomes=outcomes,
        confidences=confidences,
        stuck=row["stuck"],
        box_mean=(a, b, c, d),
        box_spread=(e, f, g, h),
        ghosts=ghosts,
    )


def _way(row: dict[str, Any]) -> Way:
    return Way(row["count"], row["label"], _candidates(row["candidates"]))


def _candidates(rows: list[list[Any]]) -> tuple[tuple[str, float], ...]:
    return tuple((str(label), float(confidence)) for label, confidence in rows)
