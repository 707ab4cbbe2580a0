"""Tells a broker how the table stands, as for Home Assistant; takes one command, if that is wanted.

The library has a thread of its own and comes again by itself; nothing at the table waits for it.
What the broker keeps is always whole: after every new connection everything is told anew. When
this program ends without a word, the broker says so in its place (last will).
"""

import logging
import ssl
import threading
from dataclasses import dataclass
from typing import Any
from urllib.parse import unquote, urlsplit

import paho.mqtt.client as paho
from paho.mqtt.enums import CallbackAPIVersion
from paho.mqtt.reasoncodes import ReasonCode

from table_assist.contract.commands import NotKeptError, Settle
from table_assist.contract.health import SourceHealth
from table_assist.contract.view import View
from table_assist.languages.words import NOTHING, Words, phrase
from table_assist.live.live_table import LiveTable
from table_assist.parts import VERSION
from table_assist.settings.config import MqttConfig
from web.answers import to_json

# The things that Home Assistant is told of (MQTT discovery): a kept message for each.
#
# The templates are constants: a player's name is only ever a value, never a part of one.
# Source: Home Assistant's documentation of MQTT discovery, and of its sensor, binary_sensor and
# button over MQTT.

LONGEST = 250  # letters that a state in Home Assistant may have, nearly
_TABLE = Words("Mahjong table", "麻将桌")
_SCORE = Words("Score of {name}", "{name} 的分数")
_LAST_WIN = Words("Last win", "上一次和牌")
_QUESTION = Words("Question open", "有待答问题")
_CAMERA = Words("Camera lost", "摄像头失联")
_ACCEPT = Words("Accept the settlement", "确认结算")
_STATE = Words("Table", "牌桌")


@dataclass(frozen=True, slots=True)
class Topics:
    """Where everything is told.

    >>> Topics("club/table-2").state
    'club/table-2/state'
    """

    base: str

    @property
    def state(self) -> str:
        """How the table stands, as JSON; kept."""
        return f"{self.base}/state"

    @property
    def availability(self) -> str:
        """``online`` or ``offline``; kept, and the broker says the last by itself."""
        return f"{self.base}/availability"

    @property
    def command(self) -> str:
        """Where commands are taken, if they are."""
        return f"{self.base}/command"


def discovery(
    standing: View, topics: Topics, prefix: str, language: str, *, commands: bool
) -> dict[str, View]:
    """Topic and message of each thing; an empty message takes back what is not offered.

    Args:
        standing: as `standing.standing` made it; the players' names are taken from it.
        prefix: where Home Assistant looks.
    """
    node = topics.base.replace("/", "_")
    common: View = {
        "availability_topic": topics.availability,
        "device": {
            "identifiers": [node],
            "name": f"{_said(_TABLE, language)} ({topics.base})",
            "manufacturer": "table-assist",
            "sw_version": VERSION,
        },
        "origin": {"name": "table-assist", "sw_version": VERSION},
    }

    def thing(kind: str, id: str, name: str, **own: object) -> tuple[str, View]:
        told = {**common, "unique_id": f"{node}_{id}", "name": name, **own}
        return f"{prefix}/{kind}/{node}/{id}/config", told

    def seen(kind: str, id: str, name: str, template: str, **own: object) -> tuple[str, View]:
        return thing(kind, id, name, state_topic=topics.state, value_template=template, **own)

    text = f"value_json.{{}}.{language}[:{LONGEST}]"
    found = [
        seen("sensor", "table", _said(_STATE, language), _shown(text.format("table"))),
        seen(
            "sensor",
            "last_win",
            _said(_LAST_WIN, language),
            "{{ " + text.format("last_win.text") + " if value_json.last_win else '' }}",
        ),
        seen("binary_sensor", "question_open", _said(_QUESTION, language), _flag("question_open")),
        seen(
            "binary_sensor",
            "camera_lost",
            _said(_CAMERA, language),
            _flag("camera_lost"),
            device_class="problem",
        ),
    ]
    for seat, each in enumerate(standing["seats"]):
        name = _said(_SCORE, language).replace("{name}", each["name"][language])
        template = _shown(f"value_json.seats[{seat}].score")
        found.append(seen("sensor", f"score_{seat}", name, template, state_class="measurement"))
    accept = thing(
        "button",
        "settle",
        _said(_ACCEPT, language),
        command_topic=topics.command,
        payload_press="settle",
    )
    return {**dict(found), accept[0]: accept[1] if commands else {}}


def _said(words: Words, language: str) -> str:
    return words.zh if language == "zh" else words.en


def _shown(value: str) -> str:
    return "{{ " + value + " }}"


def _flag(name: str) -> str:
    return f"{{{{ 'ON' if value_json.{name} else 'OFF' }}}}"


logger = logging.getLogger(__name__)

PORTS = {"mqtt": 1883, "mqtts": 8883}
SOONEST_S, LATEST_S = 1, 60  # until it is tried again
KEEPALIVE_S = 30  # the broker notices within 1.5 of these that we are gone
LEAVE_S = 2.0
COMMANDS = {"settle": Settle()}
BY = "MQTT"


class MqttOutlet:
    """One broker that is told.

    Args:
        source: for the commands, where they are wanted.

    Raises:
        ValueError: the address, or the certificate's file, cannot be used.
    """

    def __init__(
        self,
        config: MqttConfig,
        source: LiveTable,
        *,
        soonest_s: int = SOONEST_S,
        latest_s: int = LATEST_S,
    ) -> None:
        self._config = config
        self._source = source
        self._topics = Topics(config.topic)
        self._lock = threading.Lock()
        self._obeying = threading.Lock()  # one command at a time
        self._standing: View | None = None
        self._told: dict[str, str] = {}
        self._trouble = _no_answer(config)
        parts = urlsplit(config.broker.whole)
        self._host, self._port = parts.hostname or "", parts.port or PORTS[parts.scheme]
        if not self._host:
            raise ValueError(f"mqtt.broker names no machine: {config.broker}")
        user = parts.username
        password = parts.password
        client = paho.Client(CallbackAPIVersion.VERSION2)
        client.reconnect_delay_set(soonest_s, latest_s)
        if user is not None:
            client.username_pw_set(unquote(user), unquote(password or ""))
        client.will_set(self._topics.availability, "offline", qos=1, retain=True)
        client.on_connect = self._on_connect
        client.on_disconnect = self._on_disconnect
        client.on_connect_fail = self._on_connect_fail
        client.on_message = self._on_message
        self._client = client
        if parts.scheme == "mqtts":
            try:
                self._client.tls_set(config.ca or None)
            except (OSError, ssl.SSLError) as error:
                raise ValueError(f"mqtt.ca {config.ca} cannot be used: {error}") from error

    @property
    def health(self) -> SourceHealth:
        """For the people at the table."""
        return SourceHealth("mqtt", "lost" if self._trouble else "live", self._trouble)

    def start(self) -> None:
        """Begin; without an answer it is tried again and again."""
        self._client.connect_async(self._host, self._port, KEEPALIVE_S)
        self._client.loop_start()

    def stop(self) -> None:
        """Say goodbye, and end."""
        if self._client.is_connected():
            told = self._client.publish(self._topics.availability, "offline", qos=1, retain=True)
            try:
                told.wait_for_publish(LEAVE_S)
            except (RuntimeError, ValueError):
                logger.warning("the MQTT broker was not told that the table is left")
        self._client.disconnect()
        self._client.loop_stop()

    def show(self, standing: View) -> None:
        """How the table stands now; only what differs from what the broker has is sent."""
        with self._lock:
            self._standing = standing
            self._tell_what_differs()

    # -- the library's thread ------------------------------------------------------------------

    def _on_connect(
        self, client: paho.Client, _: Any, __: Any, reason: ReasonCode, ___: Any
    ) -> None:
        if reason.is_failure:
            config = self._config
            why = str(reason)
            said = config.broker.hide(why)
            self._trouble = phrase(
                "mqtt.mqtt_broker_refuses_check", broker=config.broker, said=said
            )
            return
        with self._lock:
            self._trouble = NOTHING
            self._told = {}
            if self._config.commands:
                client.subscribe(self._topics.command, qos=0)
            self._tell_what_differs()

    def _on_disconnect(self, _: Any, __: Any, ___: Any, reason: ReasonCode, ____: Any) -> None:
        if reason.is_failure and not self._trouble:
            self._trouble = _no_answer(self._config)

    def _on_connect_fail(self, *_: Any) -> None:
        self._trouble = _no_answer(self._config)

    def _on_message(self, _: Any, __: Any, message: paho.MQTTMessage) -> None:
        """A command, as somebody gives it now: one that a broker has kept is none."""
        command = COMMANDS.get(message.payload.decode("utf-8", "replace"))
        if message.retain or command is None or not self._config.commands:
            logger.warning("what came by MQTT is no command: %d bytes", len(message.payload))
            return
        # The session may take seconds; the broker must hear from us meanwhile.
        if self._obeying.acquire(blocking=False):
            threading.Thread(target=self._obey, args=(command,), daemon=True).start()

    def _obey(self, command: Settle) -> None:
        try:
            why_not = self._source.submit(command, by=BY)
        except NotKeptError as error:
            why_not = error.words
        finally:
            self._obeying.release()
        if why_not is not None:
            logger.warning("a command by MQTT was refused: %s", why_not.en)

    # -- telling ---------------------------------------------------------------------------------

    def _tell_what_differs(self) -> None:
        if self._standing is None or not self._client.is_connected():
            return
        wanted = {self._topics.state: to_json(self._standing)}
        if self._config.discovery:
            things = discovery(
                self._standing,
                self._topics,
                self._config.discovery,
                self._config.language,
                commands=self._config.commands,
            )
            said = {topic: to_json(thing) if thing else "" for topic, thing in things.items()}
            wanted = {**said, **wanted}
        wanted[self._topics.availability] = "online"  # last: what is kept is of now
        for topic, text in wanted.items():
            if self._told.get(topic) != text:
                # Unacknowledged: what is lost is told anew at the next connection, and the library
                # would send what waits for an acknowledgement again, after what is newer.
                self._client.publish(topic, text, qos=0, retain=True)
                self._told[topic] = text


def _no_answer(config: MqttConfig) -> Words:
    return phrase("mqtt.mqtt_broker_does", broker=config.broker)
