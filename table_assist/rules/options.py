"""House-rule settings: what a table may agree on, with the book's value as default."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from table_assist.languages.words import NOTHING, Words

OptionValue = bool | int | str
Options = Mapping[str, OptionValue]
# A setting and the value, or the values, that it must have; none for what is always in force.
At = tuple[str, OptionValue | tuple[OptionValue, ...]]
OnlyIf = At | None
YES, NO = Words("yes", "是"), Words("no", "否")


class OptionError(ValueError):
    """There is no such setting, or it cannot be so.

    Attributes:
        name: of the setting.
    """

    def __init__(self, sentence: str, name: str) -> None:
        super().__init__(sentence)
        self.name = name


@dataclass(frozen=True, slots=True)
class Option:
    """One setting.

    Attributes:
        values: what it may be; a ``range`` for an amount.
        words: what it decides, in a sentence.
        source: where the documents leave it open.
        stood_for: how the default stands in the identity of a profile, where hands were played
            before it was so: () for an option that came later, else the default of then.
        said: what each value means, in words that a sentence can hold; an amount says itself, and
            yes and no do.
        unseen: why no single hand shows the difference; empty where one does.
    """

    name: str
    values: tuple[OptionValue, ...] | range
    default: OptionValue
    words: Words
    source: str
    stood_for: tuple[OptionValue, ...] | None = None
    said: Mapping[OptionValue, Words] = field(default_factory=dict, hash=False)
    unseen: Words = NOTHING

    def __post_init__(self) -> None:
        if not self.allows(self.default):
            raise ValueError(f"option {self.name!r} cannot be {self.default!r}, its own default")

    def allows(self, value: object) -> bool:
        """Whether the setting may have this value; ``true`` is not 1.

        >>> Option("cards", (13, 14), 14, Words("", ""), "").allows(True)
        False
        """
        return any(type(value) is type(each) and value == each for each in self.values)

    def say(self, value: OptionValue) -> Words:
        """A value in words.

        >>> str(Option("cards", (13, 14), 14, Words("", ""), "").say(13))
        '13'
        """
        if value in self.said:
            return self.said[value]
        if isinstance(value, bool):
            return YES if value else NO
        return Words(str(value), str(value))

    @property
    def allowed(self) -> str:
        """The values in words."""
        if isinstance(self.values, range):
            return f"a whole number from {self.values[0]} to {self.values[-1]}"
        return f"one of {', '.join(map(str, self.values))}"


def in_force(only_if: OnlyIf, options: Options) -> bool:
    """Whether something is played under these settings."""
    if only_if is None:
        return True
    name, wanted = only_if
    return options[name] in (wanted if isinstance(wanted, tuple) else (wanted,))


def defaults(options: Iterable[Option]) -> Options:
    """Every setting at its default."""
    return MappingProxyType({option.name: option.default for option in options})


def choose(
    rules_id: str, known: Iterable[Option], now: Options, values: Mapping[str, object]
) -> Options:
    """The settings after some of them are changed.

    Raises:
        OptionError: no such option, or a value that it cannot have.
    """
    by_name = {option.name: option for option in known}
    chosen = dict(now)
    for name, value in values.items():
        if name not in by_name:
            raise OptionError(
                f"no option {name!r} in {rules_id}; there are {sorted(by_name)}", name
            )
        if not by_name[name].allows(value):
            raise OptionError(
                f"option {name!r} of {rules_id} cannot be {value!r}; it is {by_name[name].allowed}",
                name,
            )
        assert isinstance(value, bool | int | str)
        chosen[name] = value
    return MappingProxyType(chosen)
