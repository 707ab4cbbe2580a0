"""Scripts that several tests share, and eyes that make no mistake in a trial."""

from functools import cache

from table_assist.contract.commands import Command
from table_assist.game.events import Attested, Event
from table_assist.languages.words import Words
from table_assist.record.log import Entry, Source
from table_assist.rules.registry import find_rules
from table_assist.rules.ruleset import RuleSet
from table_assist.twin.disturb import CameraMoment
from table_assist.upkeep.trial.courses import Script, TrialAct
from table_assist.upkeep.trial.script import make_script
from table_assist.vision.reading.limits import Limits
from table_assist.vision.table.attention import Attention
from table_assist.vision.table.observation import Observation
from table_assist.vision.table.tile_tracker import TileTracker
from tests.stages.perfect_eyes import observation

NAMES = ("Ann", "Bo", "Chen", "Du")
SHORTEST = 8  # events


def rules_named(id: str) -> RuleSet:
    return find_rules(id)


@cache
def script(
    id: str = "wanzhou", seed: int = 1, acts: tuple[TrialAct, ...] = tuple(TrialAct), most: int = 40
) -> Script:
    return make_script(rules_named(id), seed, acts, most=most)


class PerfectEyes:
    """Sees every tile as it is, whatever lies over it."""

    def __init__(self) -> None:
        self._steady = TileTracker(Limits.alike(0.9))

    def attend(self, attention: Attention) -> None:
        """It sees everything."""

    def look(self, moment: CameraMoment, t: float) -> Observation:
        return self._steady.update(observation(moment.scene, t))


class Table:
    """Stands for a followed table: keeps what it was told."""

    def __init__(self) -> None:
        self.told: list[tuple[Command, str]] = []
        self.refuses: Words | None = None
        self._entries: list[Entry] = []

    def submit(self, command: Command, by: str = "", key: str = "") -> Words | None:
        if self.refuses is None:
            self.told.append((command, key))
        return self.refuses

    def vouch(self, said: Attested) -> None:
        seq = len(self._entries) + 1
        self._entries.append(Entry(seq, float(seq), Source.RULES, said))

    def see(self, event: Event) -> None:
        seq = len(self._entries) + 1
        self._entries.append(Entry(seq, float(seq), Source.CAMERA, event))

    def entries(self) -> tuple[Entry, ...]:
        return tuple(self._entries)
