"""A house's rules as the sheet that hangs on the wall: A4, two columns, two pages at most."""

from collections.abc import Iterator

from table_assist.languages.words import Words
from table_assist.rules.profile import Profile
from table_assist.rules.sheet.rows import Section, SheetRow
from table_assist.rules.sheet.sheet import make_sheet
from web.pages.printing import Line, printed

_HOUSE = Words("Agreed in this house", "本桌约定")
_FOOT = Words(
    "Rule set {rules}, profile {id}, fingerprint {sign}", "规则 {rules}，约定 {id}，指纹 {sign}"
)
# The played part hangs on the wall. The rest is in the whole sheet.
_SECTIONS = ("shapes", "conditions", "patterns", "opening", "ready", "laws")


def wall_sheet(profile: Profile, language: str) -> str:
    """The page."""
    names = profile.rules.names.said(language)
    foot = _FOOT.filled(rules=names, id=profile.id, sign=profile.hash[:16])
    title = profile.name if profile.id != profile.rules.id else names
    parts = [Line(foot.said(language), "foot"), *_rules(profile, language)]
    return printed(title, parts, "wall")


def _rules(profile: Profile, language: str) -> Iterator[Line]:
    sections = {section.id: section for section in make_sheet(profile).sections}
    changed = [row for row in sections["options"].rows if row.is_changed]
    if changed:
        yield Line(_HOUSE.said(language), "head")
        for row in changed:
            value = "" if row.value is None else row.value.said(language)
            yield Line(value, lead=f"• {row.words[0].said(language).rstrip('.。')}:")
    for id in _SECTIONS:
        if id in sections and any(not row.is_off for row in sections[id].rows):
            yield Line(_title(sections[id], language), "head")
            yield from (_line(row, language) for row in sections[id].rows if not row.is_off)


def _title(section: Section, language: str) -> str:
    unit = section.value.said(language)
    return section.title.said(language) + (f" ({unit})" if unit else "")


def _line(row: SheetRow, language: str) -> Line:
    """A rule by its number, or a pattern by its name and value."""
    # How a refusal is worded is for the table's page, not for the wall.
    told = [each for each in row.words if not each.en.startswith("Refused with")]
    words = " ".join(each.said(language) for each in told)
    if row.names is None:
        return Line(words, lead=row.id) if "-" in row.id else Line(f"• {words}")
    name, value = row.names.said(language), "" if row.value is None else row.value.said(language)
    lead = f"{name} {value}".strip()
    return Line(words, lead=f"{lead}:" if words else lead)
