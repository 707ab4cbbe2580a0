"""Tells an address of each settled hand, signed, until it has answered.

What is to be told follows from the log: every hand that is over, as it is recorded now. Beside the
log stands what was told of each, so nothing is lost when the program ends between two messages; a
message may come twice then, with the same id. A hand that was corrected is told again under
another id, one that was taken back too. Only what is on disk is told.
"""

import base64
import binascii
import hashlib
import hmac
import json
import logging
import secrets
import threading
import time
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from table_assist.game.people import by_person
from table_assist.languages.words import NOTHING, View, Words, phrase
from table_assist.live.live_table import LiveTable
from table_assist.record.export import PlayedHand, played_hands
from table_assist.record.private import write_whole
from table_assist.record.seal import SHOWN_LETTERS
from table_assist.record.snapshot import Snapshot, SourceHealth
from table_assist.trust.installation import Address
from table_assist.trust.post import NoAnswerError, post
from web.answers import to_json
from web.view.vocabulary import player

MARK = "whsec_"
KEY_BYTES = 32
LEAST_BYTES = 24


def open_key(path: Path) -> bytes:
    """The key in the file; a new one is made where there is no file, for its owner alone.

    Raises:
        ValueError: the file holds no key.
        OSError: it cannot be read or made.
    """
    if not path.exists():
        made = secrets.token_bytes(KEY_BYTES)
        write_whole(path, f"{MARK}{base64.b64encode(made).decode()}\n")
    text = path.read_text(encoding="utf-8", errors="replace").strip()
    try:
        if not text.startswith(MARK):
            raise ValueError
        key = base64.b64decode(text.removeprefix(MARK), validate=True)
        if len(key) < LEAST_BYTES:
            raise ValueError
    except (ValueError, binascii.Error):
        # Without what stands in it: it may be another secret.
        raise ValueError(
            f"{path} holds no key: it is {MARK} and {LEAST_BYTES} bytes or more in base64"
        ) from None
    return key


def signature(key: bytes, id: str, timestamp: int, body: bytes) -> str:
    """The value of the header ``webhook-signature``.

    >>> signature(b"k" * 24, "msg_1", 1700000000, b"{}")[:3]
    'v1,'
    """
    content = b"%s.%d.%s" % (id.encode(), timestamp, body)
    return f"v1,{base64.b64encode(hmac.digest(key, content, hashlib.sha256)).decode()}"


logger = logging.getLogger(__name__)

HOOK_LOOK_S = 1.0
HOOK_SOONEST_S, HOOK_LATEST_S = 5.0, 900.0  # until it is tried again
HOOK_LEAVE_S = 0.2  # for a thread that waits for an answer; it notes nothing afterwards
AGENT = "table-assist"
Post = Callable[[str, bytes, Mapping[str, str]], bytes]


@dataclass(frozen=True, slots=True)
class Message:
    """A message about a hand.

    Attributes:
        id: the same for the same content: by it a second coming is known.
    """

    hand: int
    id: str
    body: bytes


class WebhookOutlet:
    """One address that is told.

    Args:
        key: by which messages are signed.
        told: the file beside the log with what was told; it need not exist.
    """

    def __init__(
        self,
        address: Address,
        key: bytes,
        told: Path,
        source: LiveTable,
        *,
        send: Post = post,
        now: Callable[[], float] = time.time,
    ) -> None:
        self._address = address
        self._key = key
        self._path = told
        self._source = source
        self._send = send
        self._now = now
        self._trouble = NOTHING
        self._next_s = 0.0
        self._delay_s = HOOK_SOONEST_S
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="webhook", daemon=True)

    @property
    def health(self) -> SourceHealth:
        """For the people at the table."""
        return SourceHealth("webhook", "lost" if self._trouble else "live", self._trouble)

    def start(self) -> None:
        """Begin: what is over by now counts as told, unless an earlier run has begun already."""
        with suppress(OSError):  # `check` tries again, and says it
            self._now_played(self._source.snapshot)
        self._thread.start()

    def stop(self) -> None:
        """End; what was not told is told the next time."""
        self._stop.set()
        if self._thread.is_alive():
            self._thread.join(HOOK_LEAVE_S)

    def check(self, now_s: float) -> None:
        """Tell what is due; ``now_s`` is any steady clock's."""
        if now_s < self._next_s:
            return
        snapshot = self._source.snapshot
        try:
            log, hands, told = self._now_played(snapshot)
            for message in due(log, hands, told, snapshot) if _is_kept(snapshot) else ():
                self._tell(message)
                if self._stop.is_set():
                    return
                told = {**told, message.hand: message.id}
                self._keep(log, told)
        except NoAnswerError as error:
            self._put_off(
                now_s, Words("The webhook {error}.", "网络回调未送达：{error}。", error=error)
            )
        except OSError as error:
            why = (error.strerror or str(error)).lower()
            self._put_off(
                now_s,
                phrase("webhook.what_the_webhook", name=self._path.name, why=why),
            )
        else:
            self._trouble, self._delay_s = NOTHING, HOOK_SOONEST_S

    def _put_off(self, now_s: float, why: Words) -> None:
        self._trouble = why.map(self._address.hide)
        logger.warning("%s", self._trouble.en)
        self._next_s, self._delay_s = now_s + self._delay_s, min(2 * self._delay_s, HOOK_LATEST_S)

    def _tell(self, message: Message) -> None:
        at = int(self._now())
        headers = {
            "Content-Type": "application/json",
            "User-Agent": AGENT,
            "webhook-id": message.id,
            "webhook-timestamp": str(at),
            "webhook-signature": signature(self._key, message.id, at, message.body),
        }
        self._send(self._address.whole, message.body, headers)

    def _now_played(self, snapshot: Snapshot) -> tuple[str, tuple[PlayedHand, ...], dict[int, str]]:
        """The log's first seal, its hands that are over, and the id of what was told of each.

        Hands that were over when a log was first met count as told. A log that was met empty (its
        seal is empty) is the one that begins later.
        """
        log, _ = self._source.hand_seals()
        hands = played_hands(each for each in self._source.entries() if each.seq <= snapshot.seq)
        try:
            row = json.loads(self._path.read_text(encoding="utf-8"))
            if row["log"] in (log, ""):
                return log, hands, {int(hand): str(id) for hand, id in row["told"].items()}
        except FileNotFoundError:
            pass
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            logger.warning("what was told is forgotten: %s: %s", self._path, error)
        told = {each.hand: each.id for each in due(log, hands, {}, snapshot)}
        self._keep(log, told)
        return log, hands, told

    def _keep(self, log: str, told: Mapping[int, str]) -> None:
        write_whole(self._path, json.dumps({"log": log, "told": told}))

    def _run(self) -> None:
        seen: object = None
        while not self._stop.wait(HOOK_LOOK_S):
            snapshot = self._source.snapshot
            now = (snapshot.history, _is_kept(snapshot))
            if now == seen and not self._trouble:
                continue
            seen = now
            try:
                self.check(time.monotonic())
            except Exception:
                logger.exception("the webhook met a fault of this program")


def due(
    log: str, hands: Iterable[PlayedHand], told: Mapping[int, str], snapshot: Snapshot
) -> tuple[Message, ...]:
    """The messages that are due, the oldest hand first.

    Args:
        told: the id of the last message of each hand.
    """
    played = {each.hand: each for each in hands}
    people = by_person(snapshot.names, snapshot.state.people)
    # A new name is no news of a hand: names are told, and are not part of the id.
    names = [player(people, person).en for person in range(len(people))]
    found = []
    for hand in sorted(played.keys() | told.keys()):
        is_over = hand in played
        kind = "hand.settled" if is_over else "hand.taken_back"
        data: View = {"log": log[:SHOWN_LETTERS], "hand": hand}
        if is_over:
            data |= {
                "rules": played[hand].rules,
                "end": played[hand].end,
                "dealer": played[hand].dealer,
                "winners": list(played[hand].winners),
                "transfers": list(played[hand].transfers),
                "penalties": list(played[hand].penalties),
                "scores": list(played[hand].scores),
            }
        at = played[hand].ended_s if is_over else snapshot.t
        digest = hashlib.sha256(to_json([kind, data]).encode()).hexdigest()
        id = f"hand-{log[:8]}-{hand}-{digest[:16]}"
        if told.get(hand) != id:
            moment = datetime.fromtimestamp(at, UTC).isoformat()
            body = {"type": kind, "timestamp": moment, "data": {**data, "names": names}}
            found.append(Message(hand, id, to_json(body).encode()))
    return tuple(found)


def _is_kept(snapshot: Snapshot) -> bool:
    """Whether all that the snapshot holds is on disk."""
    return any(each.name == "log" and each.status == "live" for each in snapshot.health)
