"""By which rule profile a session is played, and where it was not."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass

from sqlalchemy import Engine

from table_assist.club.acts import ActKind
from table_assist.club.hub.acts import all_acts, note
from table_assist.club.hub.desk import hall, order_in
from table_assist.club.hub.ledger import Ledger
from table_assist.club.hub.people import PeopleError
from table_assist.club.orders import OrderKind
from table_assist.languages.words import Words
from table_assist.rules.profile import ProfileError, parse_profile, plain_profile
from table_assist.rules.registry import rule_sets
from table_assist.trust.installation import InstallationKey


@dataclass(frozen=True, slots=True)
class NamedProfile:
    """A rule profile: what its rules come to, and what people call it."""

    hash: str
    names: Words


@dataclass(frozen=True, slots=True)
class Foreign:
    """Hands of a session that a table played by another profile."""

    table: str
    hands: int
    hash: str


def profile_of(base: Engine, session: int) -> NamedProfile | None:
    """The session's profile; None where the director has named none."""
    acts = all_acts(base, [ActKind.PROFILE])
    own = [act.content for act in acts if act.stands and act.session == session]
    return NamedProfile(own[-1]["hash"], Words(own[-1]["en"], own[-1]["zh"])) if own else None


def known_profiles(base: Engine) -> list[NamedProfile]:
    """The tables' own, and the documents' as they are."""
    found = {}
    for rules in rule_sets():
        plain = plain_profile(rules)
        found[plain.hash] = NamedProfile(plain.hash, rules.names)
    for table in hall(base):
        hash, names = house_of(table.view), table.view.get("rules", {})
        if hash and hash not in found:
            sign = f"({table.name}, {hash[:8]})"
            own = Words(
                "{get} {sign}",
                "{get} {sign}",
                get=Words(names.get("en", ""), names.get("zh", "")),
                sign=sign,
            )
            found[hash] = NamedProfile(hash, own)
    return list(found.values())


def profile_of_file(text: str) -> NamedProfile:
    """The profile of a table's file.

    Raises:
        PeopleError: it is none.
    """
    try:
        profile = parse_profile(tomllib.loads(text))
    except (tomllib.TOMLDecodeError, ProfileError, RecursionError) as error:
        raise PeopleError("{error}", "规则档无法使用：{error}", error=error) from error
    return NamedProfile(profile.hash, Words(profile.name, profile.name))


def name_profile(
    base: Engine, key: InstallationKey, session: int, wanted: NamedProfile, by: str
) -> None:
    """All hands of a session are to be played by it; every table compares it with its own."""
    content = {"hash": wanted.hash, "en": wanted.names.en, "zh": wanted.names.zh}
    to = [table.id for table in hall(base)]
    with base.begin() as connection:
        number = note(connection, ActKind.PROFILE, content, by, session)
        order_in(connection, key, to, OrderKind.PROFILE, content, by, once=f"act {number}")


def house_of(view: Mapping[str, object]) -> str:
    """By which profile a table plays, as it says; empty where it does not."""
    return str(view.get("house") or view.get("profile") or "")


def foreign_hands(base: Engine, ledger: Ledger, session: int) -> list[Foreign]:
    """The hands that do not belong: they are counted, and the standings say so."""
    wanted = profile_of(base, session)
    if wanted is None:
        return []
    return [
        Foreign(log.name, hands, hash)
        for log in ledger.logs()
        for stretch in log.told.stretches
        if stretch.session == session
        for hash, hands in stretch.profiles.items()
        if hash != wanted.hash
    ]
