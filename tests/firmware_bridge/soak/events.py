"""The real firmware in stepped time under random damage, resets and unplugging.

What must hold: every event that the players cause leaves the board once, in order, none invented;
and the host receives exactly that, or reports it lost.
"""

import random
import tempfile
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from firmware_bridge.orders import Ping, Reset
from firmware_bridge.receiver import Counters
from tests.firmware_bridge.soak.damage import RandomDamage
from tests.firmware_bridge.soak.host import SteppedHost
from tests.firmware_bridge.soak.ledger import EventLedger, Totals
from tests.firmware_bridge.soak.players import Players
from tests.stages.simavr import SteppedBoard

POLL_MS = 20  # as the link's
BETWEEN_ACTIONS_US = 40_000  # on average; not every input is free
PINGS = 0.02  # for each action
BETWEEN_TROUBLES_S = (4.0, 20.0)
CUT_S = (0.1, 1.5)  # how long the line is cut
LONG_CUT_S = (2.0, 6.0)  # the board has no room for so many events
LONG_CUTS = 0.2  # of all
DARK_MS = (50, 500)  # how long the power is off
HEALING_S = 6.0
TROUBLES = ("button", "power", "order", "hang", "deaf hang", "cut", "cut and button")


@dataclass(frozen=True, slots=True)
class EventsReport:
    """The report of a run.

    Attributes:
        totals: what became of the events.
        counters: the receiver's.
        damaged: how often which fault befell a line, in either direction.
        troubles: how often which trouble befell the board.
        reopenings: how often the host gave the line up for its silence.
        board_s: how long the board ran, by its own clock.
    """

    totals: Totals
    counters: Counters
    damaged: Counter[str]
    troubles: Counter[str]
    reopenings: int
    board_s: float


def run_events(count: int, *, seed: int, damage: float = 0.05) -> EventsReport:
    """Run until the board has said so many events that the players caused.

    Args:
        count: events.
        seed: the same seed runs the same way.
        damage: the share of lines that are damaged, in each direction.

    Raises:
        SoakError: what must hold does not.
        SimavrError: the firmware cannot be run.
    """
    with tempfile.TemporaryDirectory(prefix="soak-") as folder:
        eeprom = Path(folder) / "eeprom"
        with SteppedBoard(seed=seed, eeprom=eeprom) as board:
            return _Run(board, seed, damage).run(count)


class _Run:
    def __init__(self, board: SteppedBoard, seed: int, damage: float) -> None:
        self._board = board
        self._random = random.Random(seed)
        self._players = Players(board, seed)
        self._ledger = EventLedger()
        self._host = SteppedHost(self._ledger.host_reads)
        self._line = RandomDamage(seed, damage)
        self._order_line = RandomDamage(seed + 1, damage)
        self._troubles: Counter[str] = Counter()
        self._cut_until_us: int | None = None
        self._is_starting = True
        self._act_us = 0

    def run(self, count: int) -> EventsReport:
        self._players.set_trays()
        trouble_us = self._later_us(BETWEEN_TROUBLES_S)
        while self._ledger.met < count:
            self._act()
            if self._board.now_us >= trouble_us and not self._is_starting:
                self._trouble(self._random.choice(TROUBLES))
                trouble_us = self._later_us(BETWEEN_TROUBLES_S)
            self._step()
        # Everything is whole again: what is under way must arrive
        self._line.heal()
        self._order_line.heal()
        until_us = self._board.now_us + int(HEALING_S * 1e6)
        while self._board.now_us < until_us:
            self._players.release()
            self._step()
        return EventsReport(
            totals=self._ledger.close(),
            counters=self._host.receiver.counters,
            damaged=self._line.done + self._order_line.done,
            troubles=self._troubles,
            reopenings=self._host.reopenings,
            board_s=self._board.now_us / 1e6,
        )

    def _act(self) -> None:
        self._players.release()
        if self._is_starting or self._board.now_us < self._act_us:
            return
        self._act_us = self._board.now_us + int(self._random.expovariate(1 / BETWEEN_ACTIONS_US))
        expected = self._players.act()
        if expected is not None:
            self._ledger.expect(expected)
        if self._random.random() < PINGS:
            self._host.order(Ping())

    def _step(self) -> None:
        """Run to the next line's end, or for a poll's time."""
        if self._cut_until_us is not None and self._board.now_us >= self._cut_until_us:
            self._plug_in()
        data = self._board.run(self._random.randint(1, POLL_MS), to_line_end=True)
        if self._ledger.board_says(data, self._board.now_us):
            self._is_starting = False
            for expected in self._players.board_restarts():
                self._ledger.expect(expected)
        reply = self._host.take(self._line.carry(data), self._board.now_us / 1e6)
        if reply:
            self._board.send(self._order_line.carry(reply))

    def _plug_in(self) -> None:
        self._line.is_cut = self._order_line.is_cut = False
        self._cut_until_us = None
        self._host.reopened(self._board.now_us / 1e6)

    def _later_us(self, between_s: tuple[float, float]) -> int:
        return self._board.now_us + int(self._random.uniform(*between_s) * 1e6)

    def _trouble(self, trouble: str) -> None:
        if self._cut_until_us is not None:
            return  # one at a time: of a start that is over before it is seen, nobody can know
        self._troubles[trouble] += 1
        match trouble:
            case "cut" | "cut and button":
                self._line.is_cut = self._order_line.is_cut = True
                is_long = self._random.random() < LONG_CUTS
                self._cut_until_us = self._later_us(LONG_CUT_S if is_long else CUT_S)
                if trouble == "cut and button":
                    until_us = self._board.now_us + self._random.randint(1, 400) * 1000
                    while self._board.now_us < until_us:
                        self._act()
                        self._step()
                    self._reset()
            case "button":
                self._reset()
            case "power":
                self._before_reset()
                self._board.power(is_on=False)
                self._board.run(self._random.randint(*DARK_MS))
                self._board.power(is_on=True)
            case "order":
                self._host.order(Reset())
            case _:
                self._before_reset()
                self._board.hang(is_deaf=trouble == "deaf hang")

    def _before_reset(self) -> None:
        self._ledger.board_reset(self._board.now_us)
        self._is_starting = True

    def _reset(self) -> None:
        self._before_reset()
        self._board.reset()
