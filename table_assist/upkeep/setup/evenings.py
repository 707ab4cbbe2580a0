"""Tiles that people confirmed on a table's own evenings, as samples of its set."""

from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from table_assist.evidence.confirmed import ConfirmedPicture, confirmed_pictures
from table_assist.evidence.store import SUFFIX, EvidenceStore
from table_assist.languages.words import Words
from table_assist.record.export import read_log
from table_assist.settings.build import rules_of
from table_assist.settings.config import Config, load_config
from table_assist.tiles.tile import format_tiles
from table_assist.upkeep.setup.enrol import Enrolment, Tell, enrol, forget
from table_assist.vision.enrolment.files import load_samples, path_of, sets_folder
from table_assist.vision.enrolment.learn import Sample
from table_assist.vision.enrolment.pictures import samples_at
from table_assist.vision.enrolment.report import EnrolReport
from table_assist.vision.pictures.picture import decode_picture
from table_assist.vision.reading.detect import Detector, OnnxDetector
from table_assist.vision.reading.own_set import OwnSetError
from table_assist.vision.reading.weights import load_weights

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
