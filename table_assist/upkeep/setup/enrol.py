"""The command `enrol`: from pictures of a tile set to a set that the reader knows."""

import datetime
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from table_assist.languages.words import Words
from table_assist.upkeep.setup.calibrate import Say
from table_assist.vision.enrolment import files as enrol_files
from table_assist.vision.enrolment.learn import Sample, learn
from table_assist.vision.enrolment.pictures import LaidOut, labelled_samples, lay_out
from table_assist.vision.enrolment.report import EnrolReport, tell
from table_assist.vision.enrolment.review import NO_TILE, Review, ReviewedThing, ReviewStage
from table_assist.vision.reading.detect import OnnxDetector
from table_assist.vision.reading.own_set import OwnSetError, digest
from table_assist.vision.reading.recognise import LABELS, OnnxRecogniser
from table_assist.vision.reading.weights import WEIGHTS, Weights, load_weights
from web.serve import serve
from web.setup.enrol import create_enrol_app

DONE_LOOK_S = 0.5  # how often it is looked whether the person is done
LAST_ANSWER_S = 1.0  # for the last answer to leave before the page's server is closed
Tell = Callable[[Words], None]


@dataclass(frozen=True, slots=True)
class Enrolment:
    """The tile set to be learnt, and how.

    Attributes:
        labelled: a folder with labels, instead of pictures that a person looks at.
        accept: take what was read for sure; nobody looks.
        again: to what is kept of the set the pictures come, if there are any.
        given_up: asked while a person looks; True ends it, and nothing is learnt.
    """

    name: str
    pictures: tuple[Path, ...] = ()
    labelled: Path | None = None
    accept: bool = False
    replace: bool = False
    again: bool = False
    host: str = "127.0.0.1"
    port: int = 0
    given_up: Callable[[], bool] = lambda: False


def list_sets(say: Say) -> None:
    """Tell which sets there are."""
    folder = enrol_files.sets_folder()
    found = enrol_files.list_sets(folder)
    for kept in found:
        say(
            f"{kept.name}: {kept.faces} faces, {kept.tiles} tiles from {kept.pictures} pictures, "
            f"{kept.date}"
        )
    if not found:
        say(f"no tile set is known yet in {folder}")


def forget(name: str, say: Tell) -> None:
    """Delete a set.

    Raises:
        OwnSetError: there is no such set.
    """
    path = enrol_files.path_of(name, enrol_files.sets_folder())
    try:
        path.unlink()
    except OSError as error:
        raise OwnSetError(
            "the tile set {path} cannot be deleted: {strerror}",
            "牌套 {path} 无法删除：{strerror}",
            path=path,
            strerror=error.strerror,
        ) from error
    say(Words("{name} is forgotten", "{name} 已删除", name=name))


def enrol(
    wanted: Enrolment,
    say: Tell,
    weights: Path = WEIGHTS,
    found: Callable[[Path, int], None] | None = None,
) -> EnrolReport:
    """Learn a set and keep it.

    Args:
        say: told what goes on, a line at a time.
        found: told how many tiles were found in each picture; else ``say`` is.

    Raises:
        OwnSetError: the name cannot be used or is taken, or there is nothing to learn from.
        PictureError: a file is no picture.
        WeightsError: the networks are missing, changed or broken.
        PortUnavailableError: the page cannot be served.
        KeyboardInterrupt: the person gave up; nothing is kept.
    """
    folder = enrol_files.sets_folder()
    if enrol_files.path_of(wanted.name, folder).exists() and not (wanted.replace or wanted.again):
        raise OwnSetError(
            "there is a tile set {name} already: --replace learns it from these pictures "
            "only, --again adds them",
            "已有牌套 {name}：--replace 只用这些照片重学，--again 再加入它们",
            name=f"{wanted.name!r}",
        )
    kept = enrol_files.load_samples(wanted.name, folder) if wanted.again else []
    loaded = load_weights(weights)
    sight = OnnxRecogniser(loaded.recogniser)
    lesson = _Lesson(wanted, loaded, sight, kept, folder, say)
    if wanted.labelled is not None:
        return lesson.learn(labelled_samples(wanted.labelled))
    if not wanted.pictures:
        return lesson.learn([])
    laid_out = lay_out(
        wanted.pictures,
        OnnxDetector(loaded.detector),
        sight,
        found
        or (
            lambda path, count: say(
                Words(
                    "{path}: {count} tiles found",
                    "{path}：找到 {count} 张牌",
                    path=path,
                    count=count,
                )
            )
        ),
    )
    if wanted.accept:
        sure = [thing for thing in laid_out.things if thing.guess.sure]
        if len(sure) < len(laid_out.things):
            say(
                Words(
                    "left out, because nobody looked: {unsure} unsure tiles",
                    "无人核对，已略去 {unsure} 张没有把握的牌",
                    unsure=len(laid_out.things) - len(sure),
                )
            )
        return lesson.learn([Sample(t.patch, t.guess.label, t.picture) for t in sure])
    return _review(laid_out, lesson)


@dataclass(frozen=True, slots=True)
class _Lesson:
    """Everything that learning needs beside the samples."""

    wanted: Enrolment
    weights: Weights
    sight: OnnxRecogniser
    kept: Sequence[Sample]
    folder: Path
    say: Tell

    def learn(
        self, samples: Sequence[Sample], progress: Callable[[float], None] = lambda share: None
    ) -> EnrolReport:
        """Learn, keep, and tell how good it is."""
        after = 1 + max((sample.picture for sample in self.kept), default=-1)
        fresh = [Sample(each.patch, each.label, each.picture + after) for each in samples]
        together = [*self.kept, *fresh]
        recogniser = self.weights.recogniser
        own, report = learn(
            together,
            self.sight,
            name=self.wanted.name,
            recogniser=digest(recogniser.network),
            limits=recogniser.limits,
            progress=progress,
        )
        today = datetime.datetime.now(datetime.UTC).date().isoformat()
        enrol_files.save_set(own, together, report, folder=self.folder, date=today)
        for line in tell(report):
            self.say(line)
        self.say(
            Words(
                "Kept as {name}; on the command line: --set {name}",
                "已存为 {name}；命令行用 --set {name}",
                name=self.wanted.name,
            )
        )
        return report


def _review(found: LaidOut, lesson: _Lesson) -> EnrolReport:
    """Show the page until the person is done, then learn while it shows how far that is."""
    items = [
        ReviewedThing(
            picture=thing.picture,
            label=_label(thing.guess.label),
            sure=thing.guess.sure,
            confirmed=False,
            candidates=tuple(_label(label) for label in thing.guess.candidates),
            kind=thing.guess.kind,
        )
        for thing in found.things
    ]
    crops = [thing.view for thing in found.things]
    review = Review(
        lesson.wanted.name,
        items,
        pictures=found.names,
        labels=LABELS,
        crops=crops,
        shown=found.shown,
    )
    app = create_enrol_app(review, lesson.wanted.host)
    serving = serve(app, lesson.wanted.host, lesson.wanted.port)
    try:
        lesson.say(
            Words(
                "Look at what was read: {url}  (Ctrl-C gives up)",
                "请核对读到的牌：{url} （Ctrl-C 放弃）",
                url=serving.url,
            )
        )
        while not review.wait_finished(DONE_LOOK_S):
            if lesson.wanted.given_up():
                raise OwnSetError(
                    "given up; nothing was learnt",
                    "已放弃，什么也没有学",
                )
        samples = [
            Sample(
                thing.patch,
                len(LABELS) if item.label == NO_TILE else LABELS.index(item.label),
                thing.picture,
            )
            for thing, item in zip(found.things, review.view.items, strict=True)
            if item.settled
        ]
        try:
            report = lesson.learn(samples, review.advance)
        except OwnSetError as error:
            review.end(ReviewStage.FAILED, [error.words])
            time.sleep(LAST_ANSWER_S)
            raise
        review.end(ReviewStage.DONE, tell(report))
        time.sleep(LAST_ANSWER_S)
        return report
    finally:
        serving.close()


def _label(number: int) -> str:
    return LABELS[number] if number < len(LABELS) else NO_TILE
