"""Has each hand's seal stamped by an authority (RFC 3161), where the settings name one.

It has a thread of its own, and nothing waits for it: an authority that is slow, or refuses, or is
not there costs the stamp and never the game. A later stamp speaks for all hands before it.
"""

import base64
import logging
import threading
import time
from collections.abc import Callable, Iterable

from table_assist.contract.health import SourceHealth
from table_assist.game.events import Attested
from table_assist.languages.words import NOTHING, Words
from table_assist.record.log import Entry
from table_assist.record.seal import HandSeal
from table_assist.trust.address import Address
from table_assist.trust.stamps import StampError, ask_for_stamp

logger = logging.getLogger(__name__)

LOOK_S = 1.0
SOONEST_S, LATEST_S = 30.0, 3600.0  # until it is tried again
LEAVE_S = 0.2  # for a thread that waits for the authority; it keeps nothing afterwards


class Stamper:
    """Asks for a stamp whenever a hand is over.

    Args:
        authority: where it is asked.
        newest: the seal of the hand that ended last; None before any has.
        keep: takes what the log is to hold.
        entries: of the log, which may hold stamps already.
    """

    def __init__(
        self,
        authority: Address,
        newest: Callable[[], HandSeal | None],
        keep: Callable[[Attested], None],
        entries: Iterable[Entry] = (),
        *,
        ask: Callable[[str, bytes], bytes] = ask_for_stamp,
    ) -> None:
        self._authority = authority
        self._newest = newest
        self._keep = keep
        self._ask = ask
        found = (entry.event for entry in entries)
        said = (e.fields[0] for e in found if isinstance(e, Attested) and e.kind == "stamp")
        self._stamped = max((int(seq) for seq in said), default=0)
        self._next_s = 0.0
        self._delay_s = SOONEST_S
        self._trouble = NOTHING
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="stamper", daemon=True)

    @property
    def health(self) -> SourceHealth:
        """For the people at the table."""
        return SourceHealth("stamps", "lost" if self._trouble else "live", self._trouble)

    def start(self) -> None:
        """Begin."""
        self._thread.start()

    def stop(self) -> None:
        """End; an answer that comes afterwards is not kept."""
        self._stop.set()
        if self._thread.is_alive():
            self._thread.join(LEAVE_S)

    def check(self, now_s: float) -> None:
        """Ask for a stamp if one is due."""
        seal = self._newest()
        if seal is None or seal.seq <= self._stamped or now_s < self._next_s:
            return
        try:
            answer = self._ask(self._authority.whole, seal.seal.encode())
        except StampError as error:
            said = self._authority.hide(str(error))
            logger.warning("hand %d is not stamped: %s", seal.hand, said)
            self._trouble = Words("No time stamp: {said}.", "没有时间戳：{said}。", said=said)
            self._next_s, self._delay_s = now_s + self._delay_s, min(2 * self._delay_s, LATEST_S)
            return
        if self._stop.is_set():
            return
        self._stamped, self._trouble, self._delay_s = seal.seq, NOTHING, SOONEST_S
        self._keep(Attested("stamp", (str(seal.seq), base64.b64encode(answer).decode())))

    def _run(self) -> None:
        while not self._stop.wait(LOOK_S):
            self.check(time.monotonic())
