"""The command line. The only module that prints, and where everything meets."""

import argparse
import contextlib
import functools
import json
import signal
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from table_assist import bench_calibration, bench_eyes, bench_hands, bench_perft, bench_rules
from table_assist.arguments import parse_arguments
from table_assist.calibrating import Wanted, calibrate
from table_assist.check import Asked, check_photo, tell
from table_assist.check import to_json as check_report
from table_assist.config import Config, ConfigError, load_config
from table_assist.demo import Demo, demo_config, make_renderer
from table_assist.doctor.command import Examination
from table_assist.enrolling import Enrolment, enrol, forget, list_sets
from table_assist.evaluate.command import evaluation_lines
from table_assist.evaluate.labelled import LabelError
from table_assist.evaluate.spoil import SpoilError
from table_assist.exporting import export_lines, read_log
from table_assist.game.store import StoreError
from table_assist.live import LiveTable, followed_rules_of, rules_of, watcher_of
from table_assist.look import look_lines, look_report
from table_assist.play.watch import BrokenError
from table_assist.recording.bundle import bundle_lines, make_bundle
from table_assist.recording.command import replay_folder, start_recording
from table_assist.recording.manifest import RecordingError
from table_assist.rules.cases import run_file
from table_assist.rules.profile import ProfileError, choose_profile
from table_assist.rules.registry import rule_sets
from table_assist.rules.sheet import make_sheet
from table_assist.rules.sheet_print import Form, print_list, print_sheet
from table_assist.rules.telling import tell as tell_answer
from table_assist.rules.telling import to_json
from table_assist.rules.typed import TypedHand, TypedHandError, answer
from table_assist.trial import run_trial
from table_assist.twin.faces import FacesError
from table_assist.twin.lens import Camera as Lens
from table_assist.vision.calibration import CalibrationError
from table_assist.vision.camera import Camera, open_pictures
from table_assist.vision.enrol import OwnSetError
from table_assist.vision.enrol_files import find_set
from table_assist.vision.overlay import draw_overlay
from table_assist.vision.picture import PictureError, save_picture
from table_assist.vision.read import open_reader, read_picture
from table_assist.vision.sources import CameraError
from table_assist.vision.weights import WeightsError
from web import create_app
from web.serve import PortUnavailableError, serve
from web.source import TableSource

# What a user can get wrong: one sentence and exit code 2, no trace.
USER_ERRORS = (
    ConfigError,
    StoreError,
    CalibrationError,
    CameraError,
    PictureError,
    WeightsError,
    OwnSetError,
    FacesError,
    PortUnavailableError,
    ProfileError,
    TypedHandError,
    LabelError,
    SpoilError,
    RecordingError,
)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command; returns the exit code: 0 done, 1 something failed, 2 cannot be done."""
    options = parse_arguments(arguments)
    try:
        return _COMMANDS[options.command](options)
    except USER_ERRORS as error:
        print(f"table-assist: {error}", file=sys.stderr)
        return 2
    except BrokenPipeError:
        return 1


# -- commands --------------------------------------------------------------------------------------


def _run(options: argparse.Namespace) -> int:
    config = load_config(options.config)
    followed_rules_of(config)
    camera = _camera(config)
    reader = open_reader(own_set=find_set(config.eyes.set)) if camera else None
    recorder = start_recording(config, options.record) if options.record else None
    table = LiveTable(config, camera=camera, reader=reader, recorder=recorder)
    with _running(table):
        return _serve_until_stopped(table, options)


def _demo(options: argparse.Namespace) -> int:
    rules = rules_of(Config())
    if options.headless:
        return _demo_headless(options)
    _progress("Loading the tile reader ...")
    with tempfile.TemporaryDirectory(prefix="table-assist-") as folder:
        demo = Demo(
            rules,
            open_reader(),
            log=Path(folder) / "demo.sqlite",
            seed=options.seed,
            speed=options.speed,
            faces=options.faces,
        )
        with demo:
            _progress("Four simulated players sit down; the camera and the board are simulated.")
            return _serve_until_stopped(demo.table, options)


def _demo_headless(options: argparse.Namespace) -> int:
    rules = rules_of(Config())
    lens = Lens()
    renderer = make_renderer(rules, seed=options.seed, faces=options.faces, lens=lens)
    watcher = watcher_of(demo_config(lens, port="", log=Path()), open_reader())
    silent = 0
    for result in run_trial(rules, watcher, renderer, seed=options.seed, hands=options.hands):
        silent += result.silent_error
        if options.json:
            print(json.dumps(result.to_json()), flush=True)
        else:
            print(
                f"hand {result.hand}: points {list(result.true_transfers)}, recorded "
                f"{list(result.ledger_transfers) if result.ledger_transfers else 'nothing'}; "
                f"{result.events_right} of {result.events_true} events right, "
                f"{result.questions} questions"
                + (", SILENTLY WRONG" if result.silent_error else ""),
                flush=True,
            )
    return 1 if silent else 0


def _read(options: argparse.Namespace) -> int:
    reader = open_reader(own_set=find_set(options.set))
    failed = 0
    for number, path in enumerate(options.pictures):
        try:
            image, readings = read_picture(path, reader)
        except PictureError as error:
            print(f"table-assist: {error}", file=sys.stderr)
            failed += 1
            continue
        if options.json:
            print(json.dumps(look_report(str(path), image, readings)), flush=True)
        else:
            print("\n".join(look_lines(str(path), image, readings)), flush=True)
        if options.overlay:
            save_picture(
                _numbered(options.overlay, number, len(options.pictures)),
                draw_overlay(image, readings),
            )
    return 2 if failed else 0


def _check(options: argparse.Namespace) -> int:
    rules = options.rules or (None if options.profile else "changsha")
    asked = Asked(options.winner, options.dealer, options.discarder, options.winning_tile)
    profile = choose_profile(rules, options.profile)
    reader = open_reader(own_set=find_set(options.set))
    checked = check_photo(options.photo, reader, profile, asked)
    if options.json:
        print(json.dumps(check_report(checked), ensure_ascii=False))
    else:
        print(tell(checked, options.lang))
    if options.overlay:
        save_picture(options.overlay, draw_overlay(checked.image, checked.readings))
    return 0 if checked.is_win else 1


def _evaluate(options: argparse.Namespace) -> int:
    for line in evaluation_lines(
        options.folder,
        open_reader(own_set=find_set(options.set)),
        empty=options.empty,
        partial=options.partial,
        spoil=options.spoil,
        gallery=options.gallery,
        as_json=options.json,
    ):
        print(line)
    return 0


def _enrol(options: argparse.Namespace) -> int:
    if options.list:
        list_sets(print)
        return 0
    if not options.name:
        raise OwnSetError("what is the tile set called? (table-assist enrol NAME PICTURE ...)")
    if options.forget:
        forget(options.name, print)
        return 0
    wanted = Enrolment(
        options.name,
        pictures=tuple(options.pictures),
        labelled=options.labelled,
        accept=options.yes,
        replace=options.replace,
        again=options.again,
        host=options.host,
        port=options.port,
    )
    try:
        enrol(wanted, functools.partial(print, flush=True))
    except KeyboardInterrupt:
        _progress("Given up; nothing was learnt.")
        return 1
    return 0


def _replay(options: argparse.Namespace) -> int:
    compared = replay_folder(
        options.folder,
        lambda config: open_reader(own_set=find_set(config.eyes.set)),
        anyway=options.anyway,
    )
    for line in [compared.to_json()] if options.json else compared.lines():
        print(line)
    return 0 if compared.is_same else 1


def _bundle(options: argparse.Namespace) -> int:
    for line in bundle_lines(make_bundle(options.out, options.config, options.recording)):
        print(line)
    return 0


def _export(options: argparse.Namespace) -> int:
    config = load_config(options.config) if options.config else Config()
    for line in export_lines(read_log(options.log), options.format, config.seats.names):
        print(line)
    return 0


def _calibrate(options: argparse.Namespace) -> int:
    wanted = Wanted(
        load_config(options.config), options.picture, options.yes, options.host, options.port
    )
    try:
        return 0 if calibrate(wanted, functools.partial(print, flush=True)) else 1
    except KeyboardInterrupt:
        _progress("Given up; nothing was kept.")
        return 1


def _doctor(options: argparse.Namespace) -> int:
    at_terminal = sys.stdout.isatty() and not options.json
    seconds = options.seconds if options.seconds is not None else 60.0 * at_terminal
    examination = Examination(options.config, options.port, seconds, [])
    for line in examination.lines():
        if not options.json:
            print(line, flush=True)
    if options.json:
        print(examination.to_json())
    return 0 if examination.is_well else 1


def _bench(options: argparse.Namespace) -> int:
    return _BENCHES[options.bench](options)


def _bench_hands(options: argparse.Namespace) -> int:
    ids = options.rules or [rules.id for rules in rule_sets()]
    try:
        for played in bench_hands.bench_hands(
            ids, max(1, options.hands), options.seed, bench_hands.cores()
        ):
            print(played.line, flush=True)
    except (ValueError, BrokenError) as error:
        print(f"table-assist: {error}", file=sys.stderr)
        return 1 if isinstance(error, BrokenError) else 2
    return 0


def _bench_rules(options: argparse.Namespace) -> int:
    ids = options.rules or [rules.id for rules in rule_sets()]
    for each in bench_rules.bench_rules(ids, max(1, options.hands)):
        text = each if isinstance(each, str) else each.line
        print(json.dumps(bench_rules.to_json(each)) if options.json else text, flush=True)
    return 0


def _bench_perft(options: argparse.Namespace) -> int:
    for line in bench_perft.bench_perft():
        print(line, flush=True)
    return 0


def _bench_eyes(options: argparse.Namespace) -> int:
    bench = bench_eyes.bench_eyes(max(1, options.runs), options.threads)
    if options.json:
        print(json.dumps(bench_eyes.to_json(bench)))
    else:
        print("\n".join(bench_eyes.lines(bench)))
    return 0


def _bench_calibration(options: argparse.Namespace) -> int:
    bench = bench_calibration.bench_tables(max(1, options.tables))
    print("\n".join(bench_calibration.lines(bench)), flush=True)
    if options.photos is not None:
        print(bench_calibration.photos_line(options.photos), flush=True)
    return 1 if bench.wrong_and_sure else 0


def _cases(options: argparse.Namespace) -> int:
    passed = failed = 0
    for path in options.files:
        try:
            results = run_file(path)
        except OSError as error:
            raise ConfigError(f"the cases {path} cannot be read: {error.strerror}") from error
        for result in results:
            passed, failed = passed + result.ok, failed + (not result.ok)
            row = {
                "id": result.id,
                "ok": result.ok,
                "expected": result.expected,
                "got": result.got,
            }
            if options.json:
                print(json.dumps(row, ensure_ascii=False))
            elif result.ok:
                print(f"ok      {result.id}")
            else:
                print(f"FAILED  {result.id}: expected {result.expected}, got {result.got}")
    stream = sys.stderr if options.json else sys.stdout
    print(f"{passed} passed, {failed} failed", file=stream)
    return 1 if failed or not passed else 0


def _rules(options: argparse.Namespace) -> int:
    if options.id is None and options.profile is None:
        print(print_list(rule_sets()))
        return 0
    sheet = make_sheet(choose_profile(options.id, options.profile))
    print(print_sheet(sheet, Form(options.format)))
    return 0


def _judge(options: argparse.Namespace) -> int:
    profile = choose_profile(options.rules, options.profile)
    answered = answer(
        profile.rules,
        TypedHand(
            options.hand,
            melds=options.melds,
            winning_tile=options.winning_tile,
            self_drawn=options.self_drawn,
            discarder=options.discarder,
            winner=options.winner,
            dealer=options.dealer,
            flags=tuple(options.flag),
            birds=options.birds,
            wilds=options.wild,
            treasures=options.treasure,
            bonus=options.bonus,
            prevailing=options.prevailing,
            wall_remaining=options.wall_remaining,
            discard_round=options.discard_round,
            double_down=options.double_down,
            challenges=tuple(options.challenge),
            seen=options.seen,
        ),
    )
    if options.json:
        print(json.dumps(to_json(answered, profile), ensure_ascii=False))
    else:
        for line in tell_answer(answered, profile):
            print(line.zh if options.lang == "zh" else line.en)
    return 0 if answered.good else 1


# -- what commands share ---------------------------------------------------------------------------


def _camera(config: Config) -> Camera | None:
    if not config.camera.source:
        return None
    return open_pictures(config.camera.source, stale_s=config.camera.stale_s)


@contextlib.contextmanager
def _running(table: LiveTable) -> Iterator[None]:
    table.start()
    try:
        yield
    finally:
        table.stop()


def _serve_until_stopped(table: TableSource, options: argparse.Namespace) -> int:
    """Serve the dashboard until Ctrl-C or a request to end."""
    stop = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: stop.set())
    serving = serve(create_app(table, options.host), options.host, options.port)
    print(f"Dashboard: {serving.url}  (Ctrl-C ends)", flush=True)
    while not stop.wait(1.0):
        pass
    serving.close()
    return 0


def _numbered(path: Path, number: int, count: int) -> Path:
    """Of several overlays each has its own name."""
    return path if count == 1 else path.with_name(f"{path.stem}-{number + 1}{path.suffix}")


def _progress(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


_COMMANDS: dict[str, Callable[[argparse.Namespace], int]] = {
    "run": _run,
    "demo": _demo,
    "read": _read,
    "check": _check,
    "calibrate": _calibrate,
    "enrol": _enrol,
    "evaluate": _evaluate,
    "bench": _bench,
    "doctor": _doctor,
    "replay": _replay,
    "bundle": _bundle,
    "export": _export,
    "cases": _cases,
    "rules": _rules,
    "judge": _judge,
}
_BENCHES: dict[str, Callable[[argparse.Namespace], int]] = {
    "calibration": _bench_calibration,
    "eyes": _bench_eyes,
    "hands": _bench_hands,
    "perft": _bench_perft,
    "rules": _bench_rules,
}
