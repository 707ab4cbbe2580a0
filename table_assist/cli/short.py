"""The short commands, each with what it imports: one waits for nothing that another needs.

A command takes the options of the command line and returns the exit code.
"""

import argparse
import functools
import getpass
import json
import sys
import time
from contextlib import closing
from dataclasses import fields
from pathlib import Path


def run(options: argparse.Namespace) -> int:
    """Following a real table, and its dashboard; what is wrong is repaired in the browser."""
    from table_assist.cli.modes import WantedTable, run
    from table_assist.cli.reach import reach_of

    reach, recovers = reach_of(options), not options.no_recovery
    return run(WantedTable(options.config, reach, options.record, recovers=recovers))


def backup(options: argparse.Namespace) -> int:
    """Everything of a table in one file."""
    from table_assist.record.private import keep_new_files_private
    from table_assist.upkeep.backup.backup import BY_HAND, backup_lines, backup_name, make_backup

    keep_new_files_private()
    now_s = time.time()
    out = options.file or Path(backup_name(options.config, BY_HAND, now_s))
    for line in backup_lines(
        make_backup(options.config, out, now_s=now_s, evidence=options.evidence)
    ):
        print(line)
    return 0


def restore(options: argparse.Namespace) -> int:
    """A backup, looked into or put back."""
    from table_assist.record.private import keep_new_files_private
    from table_assist.upkeep.backup.backup import contents_lines
    from table_assist.upkeep.backup.packing import verify
    from table_assist.upkeep.backup.restore import restore, restored_lines

    keep_new_files_private()
    if options.to is None:
        lines = contents_lines(verify(options.file))
    else:
        done = restore(
            options.file, options.to, now_s=time.time(), force=options.force, take=options.take
        )
        lines = restored_lines(done)
    for line in lines:
        print(line)
    return 0


def calibrate(options: argparse.Namespace) -> int:
    """Where the table is in the picture."""
    from table_assist.cli.door import progress
    from table_assist.settings.config import load_config
    from table_assist.upkeep.setup.calibrate import WantedView, calibrate
    from web.access.guard import only_here

    only_here(options.host)
    wanted = WantedView(
        load_config(options.config), options.picture, options.yes, options.host, options.port
    )
    try:
        return 0 if calibrate(wanted, functools.partial(print, flush=True)) else 1
    except KeyboardInterrupt:
        progress("Given up; nothing was kept.")
        return 1


def enrol(options: argparse.Namespace) -> int:
    """Making a tile set known."""
    from table_assist.cli.door import progress
    from table_assist.languages.words import Words
    from table_assist.upkeep.setup.enrol import Enrolment, enrol, forget, list_sets
    from table_assist.vision.reading.own_set import OwnSetError
    from web.access.guard import only_here

    def said(words: Words) -> None:
        print(words.en, flush=True)

    if options.list:
        list_sets(print)
        return 0
    if not options.name:
        raise OwnSetError.told("unnamed")
    if options.forget:
        forget(options.name, said)
        return 0
    only_here(options.host)
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
        enrol(wanted, said)
    except KeyboardInterrupt:
        progress("Given up; nothing was learnt.")
        return 1
    return 0


def read(options: argparse.Namespace) -> int:
    """Naming the tiles in pictures."""
    from table_assist.vision.enrolment.files import find_set
    from table_assist.vision.photos.arrange import look_lines, look_report
    from table_assist.vision.pictures.picture import PictureError, save_picture
    from table_assist.vision.reading.overlay import draw_overlay
    from table_assist.vision.reading.read import open_reader, read_picture

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
            overlay: Path = options.overlay
            if len(options.pictures) > 1:  # each has its own name
                overlay = overlay.with_name(f"{overlay.stem}-{number + 1}{overlay.suffix}")
            save_picture(overlay, draw_overlay(image, readings))
    return 2 if failed else 0


def check(options: argparse.Namespace) -> int:
    """A photographed hand, put in order and judged."""
    from table_assist.cli.judge_photo import PhotoFacts, check_photo, tell
    from table_assist.cli.judge_photo import to_json as check_report
    from table_assist.rules.profile import choose_profile
    from table_assist.vision.enrolment.files import find_set
    from table_assist.vision.pictures.picture import save_picture
    from table_assist.vision.reading.overlay import draw_overlay
    from table_assist.vision.reading.read import open_reader

    rules = options.rules or (None if options.profile else "changsha")
    asked = PhotoFacts(options.winner, options.dealer, options.discarder, options.winning_tile)
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


def replay(options: argparse.Namespace) -> int:
    """Following a recording again."""
    from table_assist.live.replay_folder import replay_folder
    from table_assist.vision.enrolment.files import find_set
    from table_assist.vision.reading.read import open_reader

    compared = replay_folder(
        options.folder,
        lambda config: open_reader(own_set=find_set(config.eyes.set)),
        anyway=options.anyway,
    )
    for line in [compared.to_json()] if options.json else compared.lines():
        print(line)
    return 0 if compared.is_same else 1


def judge(options: argparse.Namespace) -> int:
    """A typed hand, judged."""
    from table_assist.rules.by_hand.telling import tell as tell_answer
    from table_assist.rules.by_hand.telling import to_json
    from table_assist.rules.by_hand.typed import TypedHand, answer
    from table_assist.rules.profile import choose_profile

    profile = choose_profile(options.rules, options.profile)
    typed = {each.name: getattr(options, each.name) for each in fields(TypedHand)}
    answered = answer(profile.rules, TypedHand(**typed))
    if options.json:
        print(json.dumps(to_json(answered, profile), ensure_ascii=False))
    else:
        for line in tell_answer(answered, profile):
            print(line.said(options.lang))
    return 0 if answered.good else 1


def rules(options: argparse.Namespace) -> int:
    """The rule sets, and one of them as a sheet."""
    from table_assist.rules.profile import choose_profile
    from table_assist.rules.registry import rule_sets
    from table_assist.rules.sheet.printed import Form, print_list, print_sheet
    from table_assist.rules.sheet.sheet import make_sheet

    if options.id is None and options.profile is None:
        print(print_list(rule_sets()))
        return 0
    sheet = make_sheet(choose_profile(options.id, options.profile))
    print(print_sheet(sheet, Form(options.format)))
    return 0


def doctor(options: argparse.Namespace) -> int:
    """The examination of this machine: each part works or does not."""
    from table_assist.upkeep.doctor.command import Examination

    at_terminal = sys.stdout.isatty() and not options.json
    seconds = options.seconds if options.seconds is not None else 60.0 * at_terminal
    examination = Examination(options.config, options.port, seconds, language=options.lang)
    for line in examination.lines():
        if not options.json:
            print(line, flush=True)
    if options.json:
        print(examination.to_json())
    return 0 if examination.is_well else 1


def trial(options: argparse.Namespace) -> int:
    """The trial: at the table of the settings."""
    from table_assist.cli.modes import WantedTable, run
    from table_assist.cli.reach import reach_of
    from table_assist.upkeep.table_service import Mode
    from table_assist.upkeep.trial.courses import TrialAct
    from table_assist.upkeep.trial.script import ALL_ACTS
    from table_assist.upkeep.trial.service import TrialWanted

    acts = tuple(TrialAct(act) for act in options.acts) or ALL_ACTS
    wanted = TrialWanted(acts, folder=options.folder)
    return run(WantedTable(options.config, reach_of(options), mode=Mode.TRIAL, trial=wanted))


def verify(options: argparse.Namespace) -> int:
    """Whether a dispute's file is what it was, and what the rules say of it."""
    from table_assist.cli.door import one_line, print_red
    from table_assist.record.dispute.file import read_dispute
    from table_assist.record.dispute.verify import verify

    findings = verify(read_dispute(options.file), options.seal)
    for finding in findings:
        show = print if finding.ok else print_red
        show(one_line(f"{finding.mark}  {finding.text.said(options.lang)}"))
    return 0 if all(finding.ok for finding in findings) else 1


def password(options: argparse.Namespace) -> int:
    """The admin's password, chosen at the machine itself; a running table takes it at once."""
    from web.access.pairing_sessions import PASSWORD_LIMITS, PairingSessions

    if sys.stdin.isatty():
        password = getpass.getpass("New password: ")
        again = getpass.getpass("Again: ")
    else:
        password = again = sys.stdin.readline().rstrip("\r\n")
    least, most = PASSWORD_LIMITS
    if password != again:
        print("table-assist: the two are not the same", file=sys.stderr)
        return 2
    if not least <= len(password) <= most:
        print(f"table-assist: a password has {least} to {most} letters", file=sys.stderr)
        return 2
    PairingSessions(options.config.with_suffix(".devices.json")).set_password(password)
    print("The password is chosen; who came in by the old one is out.")
    return 0


def pictures(options: argparse.Namespace) -> int:
    """Pictures that were kept of decisions and doubts: told by evening, and deleted."""
    from table_assist.record.evidence import EVIDENCE_SUFFIX, EvidenceStore, evenings
    from table_assist.settings.config import load_config

    config = load_config(options.config)
    log = Path(config.log.path)
    path = log.with_name(log.name + EVIDENCE_SUFFIX)
    if not path.exists():
        print(f"No pictures are kept beside {log}.")
        return 0
    store = EvidenceStore(path)
    with closing(store):
        there = evenings(store.hands())
        if options.forget_all:
            hands = [hand for evening in there for hand in evening.hands]
        elif options.forget_day is not None:
            hands = [
                hand for each in there if each.day == options.forget_day for hand in each.hands
            ]
        elif options.forget_hand is not None:
            hands = [options.forget_hand]
        else:
            for each in there:
                held = f", {each.held} held for a dispute" if each.held else ""
                print(
                    f"{each.day}: {len(each.hands)} hands, {each.pictures} pictures, "
                    f"{each.bytes / 1e6:.1f} MB{held}"
                )
            return 0
        freed = store.forget(hands)
    if not freed:
        print("table-assist: there are no such pictures", file=sys.stderr)
        return 1
    print(f"{freed / 1e6:.1f} MB of pictures are deleted; the log stays whole.")
    backups = Path(config.backup.folder)
    print(f"Recordings, dispute files and backups made with pictures (in {backups}) keep theirs.")
    return 0


def completion(options: argparse.Namespace) -> int:
    """The script by which a shell completes our commands; static from then on."""
    import shtab

    from table_assist.cli.arguments import build_parser

    print(shtab.complete(build_parser(), shell=options.shell))
    return 0
