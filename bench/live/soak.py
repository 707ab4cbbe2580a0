"""``python -m bench live soak``: a long day at one table, on simulated time."""

import argparse
import gc
import json
import multiprocessing
import os
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from enum import Enum
from multiprocessing.connection import Connection
from pathlib import Path
from types import FunctionType, MethodType, ModuleType

from bench.live.evening import NAMES, EveningTable
from bench.live.eyes import StandInEyes
from bench.live.hands import EyesFor, WantedHands
from table_assist.contract.commands import Answer, Undo
from table_assist.game.events import Discarded, Settled, WallBuilt, WallExhausted
from table_assist.game.question import QuestionKind
from table_assist.record.record import Record
from table_assist.record.store import Store
from table_assist.rules.profile import plain_profile
from table_assist.rules.registry import find_rules
from table_assist.rules.ruleset import RuleSet
from table_assist.session.command_handler import CommandHandler
from table_assist.session.session import Session
from table_assist.twin.evening import play_evening
from table_assist.twin.steps import TableStep

HANDS_AT_MOST = 100_000
MB = 1_000_000
START_TIMEOUT_S = 60.0
STARTS = 5


@dataclass(frozen=True, slots=True)
class Hour:
    """The program at one moment of the day.

    Attributes:
        memory_mb: resident; of the program and of what stands in for camera and reader.
        record_mb: what the record of the day holds of it.
        eyes_mb: what the simulated camera holds of it, which knows where it has seen each piece.
        disk_mb: the log and what lies beside it.
        slowest_ms: the longest that one picture took to be followed in this hour.
    """

    hour: float
    hands: int
    entries: int
    memory_mb: float
    record_mb: float
    eyes_mb: float
    disk_mb: float
    slowest_ms: float


@dataclass(frozen=True, slots=True)
class Soaked:
    """A day.

    Attributes:
        open_ms: from the log's file to a session that follows the table, in a program that runs.
        start_ms: from the program's start to its first page, as the median of some; the rest is
            loading the program, which Python has compiled before, as where it is installed.
        empty_start_ms: the same with an empty log.
        discard_back_ms: to take a discard of the first hand back, at the end of the day.
        settlement_back_ms: to take its settlement back.
        settled: hands that are settled on record.
        disk_per_hand_kb: of the closed log; while it is open, up to 4 MB wait beside it.
    """

    rules: str
    hours: tuple[Hour, ...]
    settled: int
    disk_per_hand_kb: float
    open_ms: float
    start_ms: float
    empty_start_ms: float
    discard_back_ms: float
    settlement_back_ms: float
    seconds: float


def run(options: argparse.Namespace) -> int:
    """Play a day; returns the exit code."""
    rules = find_rules((options.rules or ["changsha"])[0])
    with tempfile.TemporaryDirectory(prefix="table-assist-") as folder:
        soaked = soak(rules, Path(folder), hours=options.hours, seed=options.seed)
    if options.json:
        print(json.dumps(asdict(soaked)))
        return 0
    for hour in soaked.hours:
        print(
            f"  hour {hour.hour:4.1f}: {hour.hands} hands, {hour.entries} entries, "
            f"{hour.memory_mb:.1f} MB of memory (the record {hour.record_mb:.2f}, the simulated "
            f"camera {hour.eyes_mb:.2f}), {hour.disk_mb:.2f} MB of disk, slowest picture "
            f"{hour.slowest_ms:.0f} ms"
        )
    print(
        f"{soaked.rules}: {soaked.hours[-1].hands} hands, {soaked.settled} settled on record; "
        f"{soaked.disk_per_hand_kb:.1f} kB a hand; the log is opened in {soaked.open_ms:.0f} ms; "
        f"program start to first page {soaked.start_ms:.0f} ms, with an empty log "
        f"{soaked.empty_start_ms:.0f} ms; of the first hand a discard is taken back in "
        f"{soaked.discard_back_ms:.0f} ms, its settlement in {soaked.settlement_back_ms:.0f} ms; "
        f"{soaked.seconds:.0f} s of processor"
    )
    return 0


def soak(rules: RuleSet, folder: Path, *, hours: float, seed: int) -> Soaked:
    """Play so many simulated hours with one log and one session, then open the log again."""
    started, log = time.process_time(), folder / "day.sqlite"
    eyes = EyesFor(WantedHands(0, seed))(rules, seed)
    found: list[Hour] = []
    hands, slowest = 0, 0.0
    with Store(log) as store:
        table = EveningTable(rules, eyes, seed=seed, store=store)
        for step in _played_elsewhere(rules, seed):
            if any(isinstance(event, WallBuilt) for event in step.events):
                if table.clock.t >= 3600 * len(found) or not hands:
                    found.append(_hour(table, eyes, hands, log, slowest))
                    slowest = 0.0
                if table.clock.t >= 3600 * hours:
                    break
                hands += 1
            before = time.perf_counter()
            table.follow(step)
            slowest = max(slowest, 1000 * (time.perf_counter() - before))
            _say_who_deals(table)
        found.append(_hour(table, eyes, hands, log, slowest))
        counting = [event for _, event in table.record.counting]
        settled = sum(isinstance(event, Settled | WallExhausted) for event in counting)
    return Soaked(
        rules=rules.id,
        hours=tuple(found),
        settled=settled,
        disk_per_hand_kb=round(log.stat().st_size / 1000 / max(hands, 1), 2),
        open_ms=_open_ms(rules, log),
        start_ms=_start_ms(rules, folder, log),
        empty_start_ms=_start_ms(rules, folder, folder / "empty.sqlite"),
        discard_back_ms=_back_ms(rules, log, Discarded),
        settlement_back_ms=_back_ms(rules, log, Settled),
        seconds=round(time.process_time() - started, 1),
    )


def _say_who_deals(table: EveningTable) -> None:
    """The player who rolled the dice deals: all that the people here are asked and say."""
    for question in table.record.state.questions:
        if question.question.kind is QuestionKind.DEALER:
            table.session.put_command(Answer(question.question, "yes"))
    table.session.drain()


def _played_elsewhere(rules: RuleSet, seed: int) -> Iterator[TableStep]:
    """The players' steps; what they keep in mind to play well is no memory of the program's."""
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe(duplex=False)
    players = context.Process(target=_play, args=(theirs, rules.id, seed), daemon=True)
    players.start()
    theirs.close()
    try:
        while True:
            yield ours.recv()
    finally:
        ours.close()
        players.terminate()
        players.join()


def _play(told: Connection, rules: str, seed: int) -> None:
    with suppress(BrokenPipeError):
        for step in play_evening(seed, find_rules(rules), hands=HANDS_AT_MOST):
            told.send(step)


def _hour(table: EveningTable, eyes: StandInEyes, hands: int, log: Path, slowest_ms: float) -> Hour:
    gc.collect()
    memory_mb, record = resident_mb(), table.record
    record_mb, eyes_mb = held_mb(
        (record.entries, record.counting, record.history, record.starts), (eyes,)
    )
    disk = sum(path.stat().st_size for path in log.parent.glob(f"{log.name}*"))
    return Hour(
        hour=round(table.clock.t / 3600, 2),
        hands=hands,
        entries=table.record.seq,
        memory_mb=round(memory_mb, 1),
        record_mb=round(record_mb, 3),
        eyes_mb=round(eyes_mb, 3),
        disk_mb=round(disk / MB, 3),
        slowest_ms=round(slowest_ms, 1),
    )


def resident_mb() -> float:
    """This process's memory."""
    text = Path("/proc/self/status").read_text(encoding="ascii")
    line = next(line for line in text.splitlines() if line.startswith("VmRSS"))
    return int(line.split()[1]) * 1024 / MB


def held_mb(*parts: Sequence[object]) -> list[float]:
    """All that each of these holds, in MB.

    A copy of this process counts: to count takes a table of all objects, some MB that are never
    given back. Counted here, each hour made the day grow. The copy only counts: no garbage is
    collected in it, as a network's would wait for threads that it does not have.
    """
    context = multiprocessing.get_context("fork")
    ours, theirs = context.Pipe(duplex=False)
    counting = context.Process(target=_count, args=(theirs, parts), daemon=True)
    gc.disable()
    try:
        counting.start()
    finally:
        gc.enable()
    theirs.close()
    with ours:
        found: list[float] = ours.recv()
    counting.join()
    return found


def _count(told: Connection, parts: Sequence[Sequence[object]]) -> None:
    told.send([_each_once_mb(*holders) for holders in parts])


def _each_once_mb(*holders: object) -> float:
    """All that these hold, each object once; code and enumerations are there anyway."""
    waiting, seen = list(holders), dict[int, object]()
    while waiting:
        each = waiting.pop()
        shared = isinstance(each, type | ModuleType | FunctionType | MethodType | Enum)
        if id(each) not in seen and not shared:
            seen[id(each)] = each
            waiting += gc.get_referents(each)
    return sum(sys.getsizeof(each) for each in seen.values()) / MB


def _open_ms(rules: RuleSet, log: Path) -> float:
    """The best of three."""
    times = []
    for _ in range(3):
        before = time.perf_counter()
        with Store(log) as store:
            record = Record(store, time.time)
            Session(plain_profile(rules), NAMES, record, now=time.time)
        times.append(1000 * (time.perf_counter() - before))
    return round(min(times), 1)


def _back_ms(rules: RuleSet, log: Path, kind: type) -> float:
    """The median of some: the first event of the kind is taken back, on a copy of the record."""
    with Store(log) as store:
        record = Record(store, time.time)
    seq = next((seq for seq, event in record.counting if isinstance(event, kind)), None)
    if seq is None:
        return 0.0
    times = []
    for _ in range(STARTS):
        handler = CommandHandler(plain_profile(rules), NAMES, record.copy())
        before = time.perf_counter()
        handler.execute(Undo(seq))
        times.append(1000 * (time.perf_counter() - before))
    return round(statistics.median(times), 1)


def _start_ms(rules: RuleSet, folder: Path, log: Path) -> float:
    """A table without camera and board, whose networks need not be loaded."""
    settings = folder / f"{log.stem}.toml"
    settings.write_text(f'[rules]\nid = "{rules.id}"\n[log]\npath = "{log}"\n', encoding="utf-8")
    # Where a program is installed its modules are compiled: by a first start, which is not counted.
    surroundings = {**os.environ, "PYTHONPYCACHEPREFIX": str(folder / "compiled")}
    surroundings.pop("PYTHONDONTWRITEBYTECODE", None)
    _one_start_ms(settings, surroundings)
    times = [_one_start_ms(settings, surroundings) for _ in range(STARTS)]
    return round(statistics.median(times), 1)


def _one_start_ms(settings: Path, surroundings: dict[str, str]) -> float:
    command = [sys.executable, "-m", "table_assist", "run", "--config", str(settings), "--port"]
    before = time.perf_counter()
    with subprocess.Popen(
        [*command, "0"],
        env=surroundings,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    ) as program:
        try:
            assert program.stdout is not None
            line = program.stdout.readline()
            _page(line.split()[1])
            return 1000 * (time.perf_counter() - before)
        finally:
            program.terminate()


def _page(url: str) -> None:
    until = time.monotonic() + START_TIMEOUT_S
    while True:
        try:
            with urllib.request.urlopen(url, timeout=START_TIMEOUT_S) as answer:
                answer.read()
                return
        except (urllib.error.URLError, ConnectionError):
            if time.monotonic() > until:
                raise
            time.sleep(0.01)
