"""The rule sheet: everything that is in force at a table, ready to be printed.

``make_sheet(profile) -> Sheet`` holds the words, in English and Chinese; how they look is
``sheet_print.print_sheet``. Nothing is written down twice: the rows are taken from the rule set
that also judges.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import groupby

from table_assist.languages.words import (
    SEMICOLON,
    Words,
    WordsError,
    capitalised,
    joined,
    phrase,
    same,
    with_value,
)
from table_assist.rules import wall
from table_assist.rules.options import Law, Option, in_force
from table_assist.rules.play_rules import ClaimCondition, Opening, ReadyCondition
from table_assist.rules.profile import Profile
from table_assist.rules.ruleset import RuleSet
from table_assist.rules.sheet.names import (
    NO_WORDS_TO_SAY,
    Section,
    Sheet,
    SheetRow,
    allowed_text,
    consequence,
    suits_of,
)
from table_assist.rules.win import Condition, Pattern, Shape
from table_assist.tiles.melds import MELD_NAMES

# Values for the names in a rule set's sentences, at the settings in force.

_THE_LAST = Words("the very last of the wall", "牌墙最后一张")
_BEFORE_BOX = Words("the one before the Kong Box", "岭上牌前的一张")


def named_in(rules: RuleSet) -> Mapping[str, Words]:
    """Every setting's value by its name, and what is told alike in every rule set."""
    named = {option.name: option.say(rules.chosen[option.name]) for option in rules.options}
    if "starting_points" in named:
        points = rules.chosen["starting_points"]
        if not points:
            named["begins"] = Words("only what moves is counted", "只计输赢")
        else:
            named["begins"] = phrase("sheet.everybody_begins", points=points)
    if "false_win_penalty" in named:
        costs = {
            "report_only": Words("is only noted", "只作记录"),
            "custom": phrase("sheet.costs_to_each_other", amount=rules.chosen["false_win_amount"]),
            "pay_minimum_to_each": Words("costs 2 to each other seat", "赔每家 2 分"),
            "dead_hand": Words("makes the hand dead", "即本局不能再和"),
        }
        named["costs"] = costs[str(rules.chosen["false_win_penalty"])]
    if rules.wall.dead_by is not None:
        named["last_tile"], named["at_end"] = _wall_end(rules)
    return named


def tiles_kept_back(rules: RuleSet) -> int | None:
    """Tiles at the wall's end that are not drawn in turn; none where the dice decide that."""
    if rules.wall.dead_by is None:
        return rules.wall.dead
    try:
        return rules.wall.dead_by(None, rules.chosen)
    except WordsError:
        return None


def _wall_end(rules: RuleSet) -> tuple[Words, Words]:
    """The last tile that is drawn in turn, and when a hand is drawn."""
    left = tiles_kept_back(rules)
    if left is None:
        return _BEFORE_BOX, Words("when the Kong Box is reached", "摸到岭上牌")
    if not left:
        return _THE_LAST, Words("when every tile is drawn", "牌全部摸完")
    return (
        Words("the {left}th from the end", "倒数第 {left} 张", left=left + 1),
        Words("with {left} tiles left", "余 {left} 张", left=left),
    )


# The rule sheet's first part: the tiles, the wall, the deal, and what is put down before it.

_SEATS_FROM_DEALER = (
    Words("dealer", "庄家"),
    Words("right", "下家"),
    Words("opposite", "对家"),
    Words("left", "上家"),
)


def set_rows(rules: RuleSet) -> Iterator[SheetRow]:
    """At the options in force; seats are named from the dealer."""
    suits, bonus = suits_of(rules.kinds), rules.bonus_tiles
    each = Words("; {suits}, one of each", "；{suits}，各一张", suits=suits_of(bonus))
    yield _fact(
        "tiles",
        Words("Tiles", "牌"),
        Words(
            "{count}: {suits}, {copies} of each{extra}.",
            "{count} 张：{suits}，各 {copies} 张{extra}。",
            count=rules.tiles_in_wall,
            suits=suits,
            copies=rules.copies,
            extra=each if bonus else NO_WORDS_TO_SAY,
        ),
    )
    melds = joined([MELD_NAMES[kind] for kind in MELD_NAMES if kind in rules.meld_kinds])
    yield _fact("melds", Words("Melds", "副露"), Words("{melds}.", "{melds}。", melds=melds))
    if rules.wall.is_built(rules.chosen):
        yield from _wall(rules)
    yield _deal(rules)
    together = rules.settles_together(rules.chosen)
    yield _fact(
        "winners",
        Words("Winners on one tile", "同时和牌"),
        Words("All of them.", "都和。")
        if together
        else Words("The first of them alone.", "只有优先的一家。"),
    )
    if rules.birds is not None:
        count = rules.birds.count
        yield _fact(
            "birds",
            Words("Birds", "扎鸟"),
            Words("{count} are turned.", "翻 {count} 张。", count=count),
        )
    if rules.exchange is not None:
        count = rules.exchange.count
        yield _fact(
            "exchange",
            Words("Exchange", "换牌"),
            Words("{count} tiles of one suit are passed on.", "换 {count} 张同门牌。", count=count),
        )
    if rules.antes is not None:
        yield _fact(
            "antes",
            Words("Antes", "拉庄"),
            phrase("sheet.challenge_tokens_to_each", tokens=rules.antes.tokens),
        )


def _wall(rules: RuleSet) -> Iterator[SheetRow]:
    stacks = wall.stacks_of(rules, 0)
    left, dead = wall.tiles_after_deal(rules), tiles_kept_back(rules)
    kept = phrase("sheet.last", dead=dead)
    yield _fact(
        "wall",
        Words("Wall", "牌墙"),
        Words(
            "Stacks of two: {stacks}. {left} tiles are left after the deal{kept}.",
            "每墩两张：{stacks}。发牌后余 {left} 张{kept}。",
            stacks=_by_seat(stacks),
            left=left,
            kept=kept if dead else NO_WORDS_TO_SAY,
        ),
    )
    if rules.wall.clockwise(rules.chosen):
        way = Words("clockwise", "顺时针")
    else:
        way = Words("counter-clockwise", "逆时针")
    first = _SEATS_FROM_DEALER[rules.wall.first_side(rules.chosen)]
    yield _fact(
        "break",
        Words("Break", "开牌"),
        phrase("sheet.dice_are_counted", way=way, first=first),
    )


def _deal(rules: RuleSet) -> SheetRow:
    blocks = wall.deal(rules, dealer=0)
    sizes = [sum(count for taker, count in blocks if taker == seat) for seat in range(4)]
    rounds: list[list[tuple[int, int]]] = []
    for taker, count in blocks:
        if taker == 0 or not rounds:
            rounds.append([])
        rounds[-1].append((taker, count))
    told = []  # equal rounds as one
    for each, equal in groupby(rounds):
        times = len(list(equal))
        said = joined([with_value(_SEATS_FROM_DEALER[taker], count) for taker, count in each])
        if times > 1:
            said = Words("{times} × ({said})", "{times} ×（{said}）", times=times, said=said)
        told.append(said)
    held, taken = _by_seat(sizes), joined(told, SEMICOLON)
    return _fact(
        "deal",
        Words("Deal", "发牌"),
        Words("{held} tiles: {taken}.", "{held} 张：{taken}。", held=held, taken=taken),
    )


def _by_seat(numbers: Iterable[int]) -> Words:
    return joined([with_value(*each) for each in zip(_SEATS_FROM_DEALER, numbers, strict=True)])


def _fact(id: str, name: Words, words: Words) -> SheetRow:
    return SheetRow(id, name, words=(capitalised(words),))


# A source's words on a rule that is from no document.
_NOT_THERE = ("(silent)", "not in the document")
_VARIES, _LIMIT = Words("varies", "依牌"), Words("limit", "封顶")


def make_sheet(profile: Profile) -> Sheet:
    """Everything that the rule set has, at the options in force."""
    rules = profile.rules
    why_not_ready = phrase("sheet.why_it_is_refused", ready=rules.ready_names)
    eggs = rules.eggs.names.items() if rules.eggs else ()
    ready: list[ReadyCondition | Condition] = []
    if rules.ready is not None:
        ready = [*rules.ready.on_hand, *rules.ready.on_completion]
    conditions = (
        (each, Words("Refused with: “{words}”", "否则不能和：“{words}”", words=each.words))
        for each in _asked(rules)
    )
    sections = (
        Section("set", Words("Tiles, wall and deal", "牌、牌墙与发牌"), tuple(set_rows(rules))),
        Section(
            "shapes", Words("Forms of a complete hand", "和牌牌型"), _named(rules, rules.shapes)
        ),
        Section(
            "conditions",
            Words("What a win must have", "和牌的条件"),
            tuple(
                _explained(rules, _row(each.id, each.source, words=(refused,)))
                for each, refused in conditions
            ),
        ),
        Section(
            "patterns",
            Words("What counts", "番种"),
            tuple(_pattern(rules, pattern) for pattern in rules.patterns),
            rules.unit,
        ),
        Section(
            "opening", Words("Paid in the dealt hand", "起手计分"), _named(rules, rules.opening)
        ),
        Section("eggs", Words("Lucky eggs", "下蛋"), tuple(SheetRow(*egg) for egg in eggs)),
        Section("ready", why_not_ready, _refusing(rules, ready)),
        Section(
            "claims",
            Words("Why a call is refused", "不能要牌的原因"),
            _refusing(rules, rules.claim_conditions),
        ),
        Section("irregularities", Words("Irregularities", "违规处理"), _irregularities(rules)),
        Section(
            "options",
            Words("Options in force", "现行约定"),
            tuple(_option(rules, option) for option in rules.options),
            Words("in force", "现行"),
        ),
        Section("laws", Words("The rules by number", "逐条规则"), _laws(rules)),
    )
    return Sheet(
        Words(profile.name, rules.names.zh)
        if profile.id == rules.id
        else Words(f"{profile.name}: {rules.names.en}", rules.names.zh),
        tuple(_lead(profile)),
        tuple(section for section in sections if section.rows),
    )


def _lead(profile: Profile) -> Iterator[Words]:
    rules = profile.rules
    yield phrase(
        "sheet.rule_set_profile_fingerprint", id=rules.id, id_2=profile.id, hash=profile.hash
    )
    changed = [each for each in rules.options if rules.chosen[each.name] != each.default]
    if changed:
        named = ", ".join(option.name for option in changed)
        yield phrase(
            "sheet.of_options", count=len(changed), count_2=len(rules.options), named=named
        )
    else:
        yield phrase("sheet.all_options", count=len(rules.options))


# --- What the rule set lists


def _named(rules: RuleSet, listed: Iterable[Shape | Opening]) -> tuple[SheetRow, ...]:
    played = (each for each in listed if in_force(each.only_if, rules.chosen))
    return tuple(_row(each.id, each.source, names=each.names) for each in played)


def _refusing(
    rules: RuleSet, listed: Iterable[ReadyCondition | Condition | ClaimCondition]
) -> tuple[SheetRow, ...]:
    asked = (each for each in listed if in_force(each.only_if, rules.chosen))
    return tuple(_row(each.id, each.source, words=(each.words,)) for each in asked)


def _asked(rules: RuleSet) -> tuple[Condition, ...]:
    """The conditions of a win at the options in force."""
    return tuple(each for each in rules.conditions if in_force(each.only_if, rules.chosen))


def _pattern(rules: RuleSet, pattern: Pattern) -> SheetRow:
    """The pattern's row; its demand on a hand is in the law that explains it."""
    words = []
    names = {each.id: each.names for each in rules.patterns}
    if pattern.implies and pattern.implies_if(rules.chosen):
        implied = joined([names[other] for other in pattern.implies])
        words.append(Words("Not beside it: {implied}.", "不另计：{implied}。", implied=implied))
    if not isinstance(pattern.value, int):
        value = _VARIES
    elif pattern.value:
        value = same(f"{'×' * pattern.is_factor}{pattern.value}")
    else:
        value = _LIMIT
    row = _row(pattern.id, pattern.source, names=pattern.names, value=value, words=tuple(words))
    return _explained(rules, row)


def _irregularities(rules: RuleSet) -> tuple[SheetRow, ...]:
    if rules.irregularities is None:
        return ()
    found = []
    for each in rules.irregularities(rules.chosen):
        said = joined([consequence(*pair) for pair in each.consequences.items()], SEMICOLON)
        follows = Words("{said}.", "{said}。", said=capitalised(said))
        found.append(_row(each.id, each.source, words=(each.words, follows)))
    return tuple(found)


def _option(rules: RuleSet, option: Option) -> SheetRow:
    words, value = [option.words], rules.chosen[option.name]
    changed = value != option.default
    if changed:
        default = option.say(option.default)
        words.append(Words("By default: {default}.", "默认：{default}。", default=default))
    bears = ", ".join(law.number for law in rules.laws if option.name in law.bearing)
    return _row(
        option.name,
        f"{option.source}; {bears}" if bears else option.source,
        value=option.say(value),
        allowed=allowed_text(option, value),
        words=tuple(words),
        is_changed=changed,
    )


def _laws(rules: RuleSet) -> tuple[SheetRow, ...]:
    """Those that explain a pattern or a condition stand beside it."""
    beside = {each.id for each in rules.patterns} | {each.id for each in _asked(rules)}
    return tuple(
        _row(
            law.number,
            f"{rules.source} > {law.source}",
            words=_law_words(rules, law),
            is_off=not law.in_force(rules.chosen),
        )
        for law in rules.laws
        if law.explains not in beside
    )


def _explained(rules: RuleSet, row: SheetRow) -> SheetRow:
    """The row of a pattern or condition with the laws on it."""
    laws = [law for law in rules.laws if law.explains == row.id]
    said = [words for law in laws for words in _law_words(rules, law)]
    sections = (f"{rules.source} > {law.source}" for law in laws)
    others = [section for section in sections if not section.endswith(row.source)]
    return replace(
        row,
        words=(*said, *row.words),
        source="; ".join([*(law.number for law in laws), row.source, *others]),
        is_ours=row.is_ours and not any(map(_is_there, others)),
        is_off=bool(laws) and not any(law.in_force(rules.chosen) for law in laws),
    )


def _is_there(source: str) -> bool:
    """Whether the document has it."""
    return not any(mark in source for mark in _NOT_THERE)


def _law_words(rules: RuleSet, law: Law) -> tuple[Words, ...]:
    """The law at the options in force, and whether it is played."""
    said = law.say(named_in(rules), rules.chosen)
    return (said,) if law.in_force(rules.chosen) else (said, Words("Not played.", "不采用。"))


def _row(
    id: str,
    source: str,
    *,
    names: Words | None = None,
    value: Words | None = None,
    allowed: str = "",
    words: tuple[Words, ...] = (),
    is_changed: bool = False,
    is_off: bool = False,
) -> SheetRow:
    ours = not _is_there(source)
    return SheetRow(id, names, value, allowed, words, source, ours, is_changed, is_off)
