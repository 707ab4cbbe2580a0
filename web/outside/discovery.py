"""The things that Home Assistant is told of (MQTT discovery): a kept message for each.

The templates are constants: a player's name is only ever a value, never a part of one.
Source: Home Assistant's documentation of MQTT discovery, and of its sensor, binary_sensor and
button over MQTT.
"""

from dataclasses import dataclass

from table_assist.contract.view import View
from table_assist.languages.words import Words
from table_assist.parts import VERSION

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
