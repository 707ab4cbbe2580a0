"""Typed hands: read as written, judged or helped, and nothing passed over in silence."""

import json
import shlex
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from table_assist.cli.main import main
from table_assist.rules.by_hand.telling import tell, to_json
from table_assist.rules.by_hand.typed import (
    JudgedHand,
    TypedHand,
    TypedHandError,
    answer,
    read_melds,
)
from table_assist.rules.judge import counter_of, judge, places
from table_assist.rules.profile import plain_profile
from table_assist.rules.registry import find_rules, rule_sets
from table_assist.rules.ruleset import RuleSet
from table_assist.rules.shown import Antes, Circumstance, ShownHand
from table_assist.rules.shown_hand_validity import tile_refusals
from table_assist.rules.waiting import ReadyHelp
from table_assist.tiles.melds import Meld, MeldKind
from table_assist.tiles.tile import Tile, parse_tile, parse_tiles

SMALL = "123m 456p 789s 234s 55p"
WAITING = "123m 456p 789s 234s 5p"


def judged(rules: str, tiles: str, **more: object) -> JudgedHand:
    found = answer(find_rules(rules), TypedHand(tiles, **more))  # type: ignore[arg-type]
    assert isinstance(found, JudgedHand)
    return found


def helped(rules: str, tiles: str, **more: object) -> ReadyHelp:
    found = answer(find_rules(rules), TypedHand(tiles, **more))  # type: ignore[arg-type]
    assert isinstance(found, ReadyHelp)
    return found


def complaint(rules: str, tiles: str = SMALL, **more: object) -> str:
    with pytest.raises(TypedHandError) as caught:
        answer(find_rules(rules), TypedHand(tiles, **more))  # type: ignore[arg-type]
    assert "\n" not in str(caught.value)
    return str(caught.value)


Run = Callable[..., tuple[int, str]]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    """Run the command; its exit code, and what it said where it should."""

    def command(*arguments: str) -> tuple[int, str]:
        code = main(["judge", *arguments])
        captured = capsys.readouterr()
        assert bool(captured.err) == (code == 2)
        assert "Traceback" not in captured.err
        return code, captured.err if code == 2 else captured.out

    return command


def test_melds_are_read_whatever_the_kind_is_called() -> None:
    assert read_melds("pung 555p; chow 123m;") == (
        Meld(MeldKind.PUNG, parse_tiles("555p")),
        Meld(MeldKind.CHOW, parse_tiles("123m")),
    )
    for text in ("concealed kong EEEE", "kong_concealed EEEE", "kong-concealed EEEE"):
        assert read_melds(text) == (Meld(MeldKind.KONG_CONCEALED, parse_tiles("EEEE")),)
    assert read_melds("egg CFP + CC") == (
        Meld(MeldKind.LUCKY_EGG, parse_tiles("CFP"), parse_tiles("CC")),
    )
    assert read_melds(" ; ") == ()
    assert read_melds("pung 5p ? 5p")[0].tiles == (Tile.P5, Tile.UNKNOWN, Tile.P5)


@pytest.mark.parametrize("text", ["kong 5555p", "555p", "set 555p", "pung", "pung 5x", "pung; 1m"])
def test_what_is_no_meld_is_refused(text: str) -> None:
    assert complaint("changsha", melds=text)


@pytest.mark.parametrize(
    ("more", "named"),
    [
        ({"tiles": "12x"}, "12x"),
        ({"tiles": "  "}, "no tile in the hand"),
        ({"winning_tile": "55p"}, "winning tile"),
        ({"winning_tile": ""}, "winning tile"),
        ({"flags": ("robbing",)}, "'robbing'"),
        ({"winner": 2, "discarder": 2}, "own discard"),
        ({"birds": "x"}, "birds"),
        ({"wilds": "3m 4m"}, "no wild tiles"),
        ({"treasures": "3m"}, "no treasure"),
        ({"double_down": True}, "no antes"),
        ({"challenges": (1,)}, "no antes"),
        ({"bonus": "1f"}, "no flowers"),
        ({"prevailing": "E"}, "no prevailing wind"),
    ],
)
def test_nothing_typed_is_passed_over(more: dict[str, object], named: str) -> None:
    assert named in complaint("changsha", **({"tiles": SMALL} | more))  # type: ignore[arg-type]


def test_other_rule_sets_know_what_this_one_does_not() -> None:
    assert "no birds" in complaint("tianjin", birds="5m 8p")
    assert "has no face" in complaint("tianjin", wilds="3m ?")
    assert "E, S, W or N" in complaint("classical", prevailing="C")
    assert "cannot challenge itself" in complaint("tianjin", challenges=(0,), wilds="3m 4m")
    assert "has 2 tokens" in complaint("tianjin", challenges=(1, 1, 1), wilds="3m 4m")
    assert "there are 83" in complaint("tianjin", wall_remaining=84)


def test_every_circumstance_can_be_typed_and_says_what_it_implies() -> None:
    flags = tuple(each.value for each in Circumstance)
    shown = judged("changsha", SMALL, winning_tile="5p", flags=flags).shown
    assert shown.circumstances == set(Circumstance)
    after = judged("tianjin", SMALL, winning_tile="5p", flags=("after_kong_added",)).shown
    assert after.circumstances == {Circumstance.AFTER_KONG, Circumstance.AFTER_KONG_ADDED}


def test_everything_typed_reaches_the_judge() -> None:
    typed = judged(
        "tianjin",
        "123m 456m 789m 23s 55p",
        melds="",
        winning_tile="3s",
        winner=1,
        dealer=2,
        self_drawn=True,
        wilds="3p 4p",
        wall_remaining=9,
        discard_round=3,
        double_down=True,
        challenges=(0, 1, 1),
    )
    assert typed.shown == ShownHand(
        concealed=parse_tiles("123m 456m 789m 23s 55p"),
        winning_tile=Tile.S3,
        winner=1,
        dealer=2,
        self_drawn=True,
        wilds=parse_tiles("3p 4p"),
        wall_remaining=9,
        discard_round=3,
        antes=Antes(True, (1, 2, 0, 0)),
        is_said=True,
    )


@pytest.mark.parametrize("tiles", ["123m 456p 789s 234s 5p 1", "12345", "hello", ""])
def test_nonsense_is_one_sentence_and_exits_with_2(run: Run, tiles: str) -> None:
    code, said = run("--rules", "changsha", tiles)
    assert code == 2
    assert said.startswith("table-assist: ")
    assert len(said.splitlines()) == 1


@pytest.mark.parametrize("rules", [rules.id for rules in rule_sets()])
@pytest.mark.parametrize(
    ("tiles", "id"),
    [
        ("123m 456p 789s 234s 555p", "tile_count"),
        ("123m 456p 789s 234s", "tile_count"),
        ("11111m 456p 789s 234s", "tile_limit"),
        ("123m 456p 789s 234s 1f 1f", "tile_set"),
        ("1m", "tile_count"),
    ],
)
def test_wrong_tiles_are_refused_by_every_rule_set(rules: str, tiles: str, id: str) -> None:
    if rules == "classical" and id == "tile_set":
        id = "tile_limit"
    wilds = "3p 4p" if rules == "tianjin" else ""
    found = judged(rules, tiles, winning_tile=tiles[:1] + "m", self_drawn=True, wilds=wilds)
    assert not found.good
    assert id in [refusal.id for refusal in found.verdict.refusals]


def test_unread_tiles_are_told_by_what_they_would_make(run: Run) -> None:
    code, said = run("--rules", "changsha", "123m 456p 789s 23s ? 55p", "--self-drawn")
    assert code == 1
    assert "CANNOT TELL" in said
    assert "With 1s or 4s a win: each other seat pays 2 (Small Win)." in said


def test_a_winning_tile_that_matters_must_be_named() -> None:
    # Drawn to a lone wild the 5p makes Wild Card Single Wait; any other tile leaves too few points.
    assert "name the winning tile" in complaint(
        "tianjin", "123m 456p 789s 345m 5p 3s", wilds="3s 4s", self_drawn=True
    )
    named = judged(
        "tianjin", "123m 456p 789s 345m 5p 3s", wilds="3s 4s", self_drawn=True, winning_tile="5p"
    )
    assert [each.id for each in named.verdict.patterns] == ["wild_single_wait"]


def test_a_winning_tile_that_does_not_matter_need_not_be_named() -> None:
    found = judged("changsha", SMALL, discarder=2, winner=1)
    assert found.any_tile
    for tile in set(found.shown.concealed):
        whole = ShownHand(parse_tiles(SMALL), tile, winner=1, dealer=0, discarder=2)
        assert judge(find_rules("changsha"), whole).payments == found.verdict.payments


def test_whether_ready_may_be_declared_is_told_where_there_is_such_a_call() -> None:
    closed = helped("changchun", "123m 456p 789s 111s 5p")
    assert closed.declaring is not None
    assert [refusal.id for refusal in closed.declaring.refusals] == ["ready_open_hand"]
    assert helped("changsha", WAITING).declaring is None
    words = [line.en for line in tell(closed, plain_profile(find_rules("changchun")))]
    assert "Ready may not be declared." in words


@pytest.mark.parametrize(
    ("tiles", "ids"),
    [
        ("147m 258p 369s 1122s", ["no_wait"]),
        ("123m 456p 789s 23s 5p ?", ["unknown_tile"]),
        ("123m 456p 789s 23s 5p E", ["tile_set", "no_wait"]),
        ("11111m 456p 789s 23s", ["tile_limit", "generals_pair"]),
    ],
)
def test_why_a_hand_waits_for_nothing(tiles: str, ids: list[str]) -> None:
    help = helped("changsha", tiles)
    assert not help.good
    assert [refusal.id for refusal in help.refusals] == ids


def test_more_tiles_seen_than_there_are_is_refused() -> None:
    assert "5 copies of 5p" in complaint("changsha", WAITING, seen="555p")
    assert "has no face" in complaint("changsha", WAITING, seen="?")


def test_json_holds_the_whole_verdict(run: Run) -> None:
    code, said = run("--rules", "changsha", SMALL, "--discarder", "2", "--winner", "1", "--json")
    row = json.loads(said)
    assert code == 0
    assert row["valid"] is True
    assert row["payments"] == [0, 1, -1, 0]
    assert row["patterns"] == [
        {"name": "small_win", "value": 1, "names": {"en": "Small Win", "zh": "小胡"}}
    ]
    assert row["profile_hash"] == plain_profile(find_rules("changsha")).hash
    assert row["steps"][-1]["en"] == "Seat 2 pays seat 1: 1."
    assert row["winning_tile"] is None


def test_json_of_ready_help(run: Run) -> None:
    code, said = run("--rules", "changchun", "123m 45p 111s 9p E", "--melds", "pung EEE", "--json")
    row = json.loads(said)
    assert (code, row["ready"], row["waits"]) == (1, False, [])
    assert [each["id"] for each in row["refusals"]] == ["no_wait"]
    code, said = run("--rules", "changchun", "123m 45p 111s 99p", "--melds", "pung EEE", "--json")
    row = json.loads(said)
    assert (code, row["ready"]) == (0, True)
    assert [(wait["tile"], wait["unseen"]) for wait in row["waits"]] == [("3p", 4), ("6p", 4)]
    assert row["may_declare_ready"] is True
    assert row["waits"][0]["self_drawn"]["payments"][0] > 0
    assert set(row["waits"][0]["discarded"]) == {"1", "2", "3"}


def test_a_profile_decides(run: Run, tmp_path_factory: pytest.TempPathFactory) -> None:
    path = tmp_path_factory.mktemp("house") / "house.toml"
    path.write_text(
        'id = "h"\nname = "House"\nrules = "changsha"\n[options]\nall_generals_needs_sets = true\n'
    )
    loose = ("--rules", "changsha", "2258m 2558p 22588s 5m", "--self-drawn")
    assert run(*loose)[0] == 0
    code, said = run(*loose, "--profile", str(path))
    assert code == 1
    assert said.startswith("House (changsha)")
    assert run("2258m", "--profile", str(path), "--rules", "tianjin")[0] == 2
    assert run("2258m")[0] == 2


def test_the_situation_is_told_so_that_a_slip_is_seen() -> None:
    typed = TypedHand(
        "456p 234s 99s 678p",
        melds="chow 123m",
        winning_tile="8p",
        discarder=2,
        winner=1,
        flags=("last_tile",),
        bonus="1f",
    )
    profile = plain_profile(find_rules("classical"))
    found = answer(profile.rules, typed)
    words = [line.en for line in tell(found, profile)]
    assert "Meld: chow 123m" in words
    assert "Seat 1's hand; seat 0 deals." in words
    assert "Flowers and seasons: 1f" in words
    assert "Circumstances: the last tile" in words
    assert "Prevailing wind: not given, so none counts." in words
    assert "Won with 8p, from seat 2." in words
    assert to_json(found, profile)["melds"] == ["chow 123m"]
    assert parse_tile("8p") == found.shown.winning_tile


@given(st.data())
@settings(max_examples=60)
def test_whatever_is_typed_is_answered_or_one_sentence(data: st.DataObject) -> None:
    tiles = st.lists(st.sampled_from([str(tile) for tile in Tile]), max_size=15).map(" ".join)
    rules = data.draw(st.sampled_from(rule_sets()))
    typed = TypedHand(
        data.draw(tiles | st.text(max_size=8)),
        melds=data.draw(st.sampled_from(["", "pung", "chow 123m; ", "egg "])) + data.draw(tiles),
        winning_tile=data.draw(st.none() | tiles.filter(lambda text: len(text) < 3)),
        self_drawn=data.draw(st.booleans()),
        flags=tuple(data.draw(st.lists(st.sampled_from(list(Circumstance)), max_size=3))),
        wilds=data.draw(tiles) if rules.wilds else "",
        treasures=data.draw(tiles) if rules.treasure else "",
    )
    said = lines_or_complaint(rules, typed)
    assert said
    assert all(line == "" or line.strip() for line in said)


def lines_or_complaint(rules: RuleSet, typed: TypedHand) -> list[str]:
    profile = plain_profile(rules)
    try:
        found = answer(rules, typed)
    except TypedHandError as error:
        return [str(error)]
    json.dumps(to_json(found, profile))
    return [text for line in tell(found, profile) for text in (line.en, line.zh)]


def test_the_examples_of_the_guide_work(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    guide = (Path(__file__).parents[2] / "docs" / "RULES.md").read_text(encoding="utf-8")
    profile = guide.split("```toml\n", maxsplit=1)[1].split("```", maxsplit=1)[0]
    (tmp_path / "house.toml").write_text(profile, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    lines = [line.split("#")[0] for line in guide.splitlines() if line.startswith("table-assist ")]
    codes = [main(shlex.split(line.split(">")[0])[1:]) for line in lines]
    assert len(lines) == 7
    assert codes == [0, 0, 0, 0, 0, 0, 1]  # the last has an unread tile
    assert not capsys.readouterr().err


ALL = [rules.id for rules in rule_sets()]


def any_hand(id: str, seed: int) -> ShownHand:
    """Melds, tiles, birds, flowers and wild tiles that mostly fit, and are wrong here and there."""
    rules, random = find_rules(id), Random(seed)
    strange = random.choice([(), (), (), (Tile.UNKNOWN,), (Tile.BACK,), (Tile.FLOWER2,)])
    kinds = random.choices([*rules.kinds, *strange], k=random.choice([3, 6, 34]))
    melds = []
    for _ in range(random.choice([0, 0, 1, 2, 3, 4, 5])):
        kind, tile = random.choice(list(MeldKind)), random.choice(kinds)
        size = 4 if kind.is_kong else 3
        tiles = (tile,) * random.choice([size, size, size, 3, 4, 20])
        if kind is MeldKind.LUCKY_EGG:
            tiles = parse_tiles(random.choice(["ESWN", "CFP", "1m1p1s"]))
        more = (random.choice(tiles),) * random.choice([0, 0, 1, 40])
        melds.append(Meld(kind, tiles, more if kind is MeldKind.LUCKY_EGG else ()))
    held = max(0, 14 - 3 * len(melds)) + random.choice([0, 0, 0, 0, 1, -1])
    concealed = tuple(random.choices(kinds, k=max(1, held)))
    drawn = random.random() < 0.5
    wilds = rules.wilds.kinds(random.choice(rules.kinds)) if rules.wilds else ()
    return ShownHand(
        concealed=concealed,
        winning_tile=random.choice([*concealed] * 3 + kinds),
        winner=0,
        dealer=random.randrange(4),
        melds=tuple(melds),
        self_drawn=drawn,
        discarder=random.choice([None, 1]) if random.random() < 0.2 else (None if drawn else 1),
        circumstances=frozenset(random.sample(list(Circumstance), random.choice([0, 0, 1]))),
        birds=random.choice([None, (), tuple(random.choices(kinds, k=2)), (Tile.M1,) * 3]),
        bonus=random.choice([(), (), parse_tiles("1f2f"), parse_tiles("1f1f"), (Tile.M1,)]),
        wilds=random.choice([wilds, wilds, wilds[:1], ()]),
    )


@pytest.mark.parametrize("id", ALL)
@settings(max_examples=300)
@given(seed=st.integers(0, 1 << 40))
def test_what_passes_the_quick_look_has_nothing_wrong_with_it(id: str, seed: int) -> None:
    rules, shown = find_rules(id), any_hand(id, seed)
    sound = not places(shown) and not list(tile_refusals(rules, shown))
    # A hand that does not pass is only looked at longer.
    assert sound or counter_of(rules).count_valid(shown) is None
    verdict = judge(rules, shown)
    assert verdict.valid != bool(verdict.refusals)


def test_twenty_more_of_a_tile_on_an_egg_are_no_other_tiles() -> None:
    egg = Meld(MeldKind.LUCKY_EGG, parse_tiles("ESWN"), parse_tiles("E") * 64)
    shown = ShownHand(
        parse_tiles("123m 456p 789s 55p"), Tile.P5, 0, 0, melds=(egg,), self_drawn=True
    )
    assert "tile_limit" in {each.id for each in judge(find_rules("changchun"), shown).refusals}
