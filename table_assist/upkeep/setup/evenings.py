"""Tiles that people confirmed on a table's own evenings, as samples of its set."""

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from table_assist.contract.evidence import Evidence
from table_assist.evidence.store import SUFFIX, EvidenceStore
from table_assist.game.events import Discarded, HandShown, HandStarted, Settled
from table_assist.game.state import SeatState
from table_assist.languages.words import Words
from table_assist.record.export import read_log
from table_assist.record.log import Entry, Source
from table_assist.record.record import Record
from table_assist.settings.build import rules_of
from table_assist.settings.config import Config, load_config
from table_assist.tiles.tile import Tile, format_tiles, parse_tiles
from table_assist.upkeep.setup.enrol import Enrolment, Tell, enrol, forget
from table_assist.vision.enrolment.files import load_samples, path_of, sets_folder
from table_assist.vision.enrolment.learn import Sample
from table_assist.vision.enrolment.pictures import samples_at
from table_assist.vision.enrolment.report import EnrolReport
from table_assist.vision.pictures.picture import decode_picture
from table_assist.vision.reading.detect import Detector, OnnxDetector
from table_assist.vision.reading.own_set import OwnSetError
from table_assist.vision.reading.weights import load_weights
from table_assist.vision.table.zones import ZoneKind

# Tiles whose face people have confirmed, found again in the kept pictures.
#
# Two things are truth: the hand of a win that was settled, and a discard that was ``?`` until
# somebody said what it is. Whatever else was read is only a reading.


@dataclass(frozen=True, slots=True)
class ConfirmedZone:
    """The tiles in one zone of a kept picture, by what people said.

    Attributes:
        evidence: under which the picture is kept.
        faces: those that lie there, in no order.
        elsewhere: one of them that may lie where it was discarded.
        unread: only tiles that were not read are meant.
    """

    evidence: str
    kind: ZoneKind
    seat: int
    faces: tuple[Tile, ...]
    elsewhere: Tile | None = None
    unread: bool = False


@dataclass(frozen=True, slots=True)
class ConfirmedPicture:
    """A kept picture with its confirmed tiles.

    Attributes:
        tiles: the middle of each in the picture, in pixels, and its face.
    """

    t: float
    jpeg: bytes
    tiles: tuple[tuple[tuple[float, float], Tile], ...]


def confirmed_pictures(
    entries: Iterable[Entry], evidence: Callable[[str], Evidence | None]
) -> Iterator[ConfirmedPicture]:
    """Every kept picture in which tiles are confirmed, oldest first.

    Args:
        evidence: what is kept under an id; None where it is gone.
    """
    looks: dict[str, list[ConfirmedZone]] = {}
    for look in confirmed(Record(None, lambda: 0.0, entries)):
        looks.setdefault(look.evidence, []).append(look)
    for id, meant in looks.items():
        kept = evidence(id)
        if kept is None:
            continue
        rows = json.loads(kept.readings).get("tiles", [])
        tiles = tuple(named for look in meant for named in named_tiles(rows, look))
        if tiles:
            yield ConfirmedPicture(kept.t, kept.jpeg, tiles)


def confirmed(record: Record) -> Iterator[ConfirmedZone]:
    """The tiles that people confirmed, in the order in which they came to lie there."""
    hand: list[ConfirmedZone] = []
    for index, (seq, event) in enumerate(record.counting):
        match event:
            case HandStarted():
                hand = []
            case HandShown(seat):
                hand += shown_hand(f"e{seq}", event, record.state_before(index).seats[seat])
            case Discarded(seat, tile) if _was_unread(record.entries[seq - 1]):
                said = record.last_word(seq)
                if tile.is_face and said.source is Source.PERSON:
                    yield ConfirmedZone(f"e{seq}", ZoneKind.RIVER, seat, (tile,), unread=True)
            case Settled():
                yield from hand
                hand = []


def shown_hand(evidence: str, shown: HandShown, seat: SeatState) -> tuple[ConfirmedZone, ...]:
    """The tiles before the seat that shows a hand: the hand, and its melds with the flowers."""
    melds = [tile for meld in seat.melds for tile in (*meld.tiles, *meld.supplements)]
    won = None if shown.self_drawn else shown.winning_tile
    return (
        ConfirmedZone(evidence, ZoneKind.HAND, shown.seat, shown.concealed, won),
        ConfirmedZone(evidence, ZoneKind.MELDS, shown.seat, (*melds, *seat.bonus)),
    )


def _was_unread(entry: Entry) -> bool:
    return isinstance(entry.event, Discarded) and entry.event.tile is Tile.UNKNOWN


def named_tiles(
    rows: Sequence[dict[str, Any]], look: ConfirmedZone
) -> Iterator[tuple[tuple[float, float], Tile]]:
    """The tiles of the zone whose face follows from what people said, each with its middle.

    What was read as a face that lies there is that one. What is left is named where only one face
    is left, or where only one of those is among what the tile may be; else it is left out.

    Args:
        rows: as `readings_json` wrote them.
    """
    there = [
        row
        for row in rows
        if "px" in row and (row["zone"], row["seat"]) == (look.kind.value, look.seat)
    ]
    if look.unread:
        there = [row for row in there if row["tile"] == str(Tile.UNKNOWN)]
    left = Counter(face for face in look.faces if face.is_face)
    unnamed = []
    for row in there:
        (read,) = parse_tiles(row["tile"])
        if left[read] > 0:
            left[read] -= 1
            yield _middle(row), read
        else:
            unnamed.append(row)
    if look.elsewhere is not None and len(unnamed) == left.total() - 1 and left[look.elsewhere]:
        left[look.elsewhere] -= 1
    faces = set(+left)
    if len(unnamed) != left.total():
        return  # something lies there that nobody spoke of, or is hidden
    for row in unnamed:
        may_be = {tile for face, _ in row["candidates"] for tile in parse_tiles(face)}
        only = faces if len(faces) == 1 else faces & may_be
        if len(only) == 1:
            yield _middle(row), next(iter(only))


def _middle(row: dict[str, Any]) -> tuple[float, float]:
    x, y = row["px"]
    return (float(x), float(y))


# A set keeps so many of each face from evenings, the newest: 42 faces are 2.5 MB.
MOST_OF_A_FACE = 12
# Pictures from here on are of evenings: so they can be told from those that the owner took.
FIRST_PICTURE, MOST_PICTURES = 20_000, 10_000


def learn_evenings(name: str, settings: Path, say: Tell) -> EnrolReport:
    """Learn a set, new or known, from what people confirmed; it replaces what evenings taught.

    Args:
        settings: the table's file, in which its owner has agreed.

    Raises:
        OwnSetError: the owner has not agreed, nothing is confirmed yet, or as `enrol`.
        ConfigError: the settings cannot be used.
        StoreError: there is no log.
        EvidenceError: the pictures cannot be read.
        WeightsError: the networks are missing, changed or broken.
    """
    config = load_config(settings)
    if not config.eyes.learns:
        raise OwnSetError(
            "nobody has agreed yet that evenings teach a set: tick “Our evenings may teach "
            "it” in the setup and save, or write learns = true below [eyes] in {settings}",
            "尚未同意用牌局学习牌套：请在设置中勾选“可以从我们的牌局中学习”并保存，或在 "
            "{settings} 的 [eyes] 下写 learns = true",
            settings=settings,
        )
    shown = _shown(name) if path_of(name, sets_folder()).exists() else []
    samples = evening_samples(kept_pictures(config), OnnxDetector(load_weights().detector))
    if not samples:
        raise OwnSetError(
            "no tile is confirmed in the kept pictures yet: play some hands first",
            "保存的画面中还没有经人确认的牌：请先打几局",
        )
    # The ordinary faces of a rule set that are not among the samples. Of a set of which only some
    # faces were learnt the others are read less safely: its 9 looked like its 6, and was surely
    # named so once the 6 was known.
    rules = rules_of(config)
    known = {sample.label for sample in [*shown, *samples]}
    missing = [tile for tile in rules.kinds if int(tile) not in known]
    if missing:
        names = format_tiles(missing)
        raise OwnSetError(
            "not yet: {count} faces are confirmed in no hand ({names}), and one that was not "
            "learnt may be taken for one that was: play on, or show them to enrol",
            "还不行：{count} 种牌面尚未经人确认（{names}），未学的可能被认作已学的：请再打几"
            "局，或把它们录入",
            count=len(missing),
            names=names,
        )
    say(
        Words(
            "{count} tiles were confirmed by people", "有 {count} 张牌经人确认", count=len(samples)
        )
    )
    return enrol(Enrolment(name, known=(*shown, *samples), replace=True), say)


def forget_evenings(name: str, say: Tell) -> None:
    """Delete what evenings taught a set; where it knows nothing else, the set goes.

    Raises:
        OwnSetError: there is no such set.
    """
    shown = _shown(name)
    if shown:
        enrol(Enrolment(name, known=tuple(shown), replace=True), say)
    else:
        forget(name, say)


def _shown(name: str) -> list[Sample]:
    """The samples of a set that its owner has shown."""
    kept = load_samples(name, sets_folder())
    return [sample for sample in kept if sample.picture < FIRST_PICTURE]


def kept_pictures(config: Config) -> list[ConfirmedPicture]:
    """The kept pictures beside a table's log that people confirmed.

    Raises:
        StoreError: there is no log.
        EvidenceError: the pictures cannot be read.
    """
    log = Path(config.log.path)
    store = EvidenceStore(log.with_name(log.name + SUFFIX))
    try:
        return list(confirmed_pictures(read_log(log), store.get))
    finally:
        store.close()


def evening_samples(pictures: Iterable[ConfirmedPicture], detector: Detector) -> list[Sample]:
    """The newest confirmed tiles of each face, cut out of kept pictures."""
    samples: list[Sample] = []
    for number, picture in enumerate(pictures):
        image = decode_picture(picture.jpeg, Path("a kept picture"))
        tiles = [(point, int(tile)) for point, tile in picture.tiles]
        samples += samples_at(image, detector, tiles, FIRST_PICTURE + number % MOST_PICTURES)
    met: Counter[int] = Counter()
    found = []
    for sample in reversed(samples):
        met[sample.label] += 1
        if met[sample.label] <= MOST_OF_A_FACE:
            found.append(sample)
    return found[::-1]
