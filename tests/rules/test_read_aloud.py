"""Typed hands read aloud: sentences that a player would say, in English and in Chinese."""

import re
import shlex
from pathlib import Path

import pytest

from table_assist.cli.main import main
from tests.rules.read_aloud import HANDS, WRONG

Said = pytest.CaptureFixture[str]

GOLDEN = Path(__file__).parents[1] / "golden" / "read_aloud.txt"
TOLD = (0, 5, 10, 11, 14, 18, 20, 30, 34, 36)
"""The hands whose whole text is kept."""
# What is no word of a sentence: an id, a flag, a name of the program's own.
ID = re.compile(r"\b[a-z]+_[a-z_]+\b")
CHINESE = re.compile(r"[\u4e00-\u9fff]")
LATIN = re.compile(r"[A-Za-z]{2,}")


def read(line: str, language: str) -> tuple[int, str]:
    """What the command says of one line of hands: its exit code, and the text."""
    rules, *rest = shlex.split(line)
    return main(["judge", *rest, "--rules", rules, "--lang", language])  # type: ignore[return-value]


def spoken(line: str, language: str, capsys: Said) -> tuple[int, str]:
    code = read(line, language)
    said = capsys.readouterr()
    return code, said.err or said.out  # type: ignore[return-value]


@pytest.mark.parametrize("line", HANDS)
def test_no_sentence_holds_an_id_or_the_other_language(line: str, capsys: Said) -> None:
    for language, strange in (("en", CHINESE), ("zh", LATIN)):
        code, said = spoken(line, language, capsys)
        assert code in (0, 1)
        for each in said.splitlines()[1:]:
            assert not ID.search(each), each
            assert not strange.search(each), each


@pytest.mark.parametrize("line", HANDS)
def test_a_win_says_who_pays_what_and_how_it_is_read(line: str, capsys: Said) -> None:
    _, said = spoken(line, "en", capsys)
    if "A WIN:" not in said:
        return
    assert re.search(r"^A WIN: (each other seat|seats? \d)[^;]* pays? \d+", said, re.MULTILINE)
    assert "  Read as: " in said or "Thirteen Unique Wonders" in said
    assert "from each payer" not in said


@pytest.mark.parametrize("line", WRONG)
def test_what_cannot_be_read_is_said_in_both_languages(line: str, capsys: Said) -> None:
    for language in ("en", "zh"):
        code, said = spoken(line, language, capsys)
        assert code == 2
        assert len(said.splitlines()) == 1
        assert bool(CHINESE.search(said)) == (language == "zh")


def test_a_hand_without_a_payer_is_no_refusal(capsys: Said) -> None:
    _, said = spoken('changsha "123m 456p 789s 234s 55p" --winning-tile 5p', "en", capsys)
    assert "CANNOT TELL" in said
    assert "From another seat: it pays 2 (Small Win)." in said
    _, said = spoken('changsha "123m 456p 789s 234s 33p" --winning-tile 3p', "en", capsys)
    assert "NOT A WIN" in said


def test_what_was_not_typed_is_asked_for_and_no_refusal(capsys: Said) -> None:
    hand = 'tianjin "123m 456m 789m 123s 55p" --winning-tile 3m'
    for line, asked in (
        (f"{hand} --self-drawn", "CANNOT TELL: say which tiles are wild."),
        (hand, "CANNOT TELL: say whether it was self-drawn or who discarded it; say which"),
    ):
        code, said = spoken(line, "en", capsys)
        assert code == 1
        assert asked in said
        assert "NOT A WIN" not in said
    _, said = spoken('tianjin "123m 456m 789m 123s 5p" --winning-tile 5p', "en", capsys)
    assert "NOT A WIN" in said  # too few tiles, whichever are wild


def test_a_win_whose_birds_were_not_typed_is_worth_that_before_them(capsys: Said) -> None:
    hand = 'changsha "123m 456p 789s 234s 55p" --winning-tile 5p --discarder 2'
    assert "A WIN, before the birds: seat 2 pays 2." in spoken(hand, "en", capsys)[1]
    assert "和牌，扎鸟之前：座位 2 付 2。" in spoken(hand, "zh", capsys)[1]
    assert "A WIN: seat 2 pays 6." in spoken(f'{hand} --birds "1m 3p"', "en", capsys)[1]


@pytest.mark.parametrize(
    ("line", "en", "zh"),
    [
        (
            'wanzhou "111222333m 555m 99m" --winning-tile 9m --discarder 2 --flag robbing_kong',
            "robbed from a kong of seat 2",
            "抢座位 2 的杠",
        ),
        (
            'changchun "123m 99m 234s 678p" --melds "pung 555p" --winning-tile 8p --discarder 2'
            " --flag robbed_egg_supplement",
            "robbed from an egg of seat 2",
            "抢座位 2 的蛋",
        ),
    ],
)
def test_a_robbed_tile_is_no_discard(line: str, en: str, zh: str, capsys: Said) -> None:
    assert en in spoken(line, "en", capsys)[1]
    said = spoken(line, "zh", capsys)[1]
    assert zh in said
    assert "点炮" not in said


def test_wanzhou_says_what_self_draw_would_pay(capsys: Said) -> None:
    _, said = spoken(HANDS[20], "en", capsys)
    assert "Self-drawn: each other seat pays 2." in said


def test_an_offer_of_ready_names_its_conditions(capsys: Said) -> None:
    _, wanzhou = spoken('wanzhou "456p 789s 234s 9p" --melds "pung 111m"', "en", capsys)
    assert "Ready may be declared with one of the first 4 discards." in wanzhou
    _, classical = spoken('classical "123m 456p 789s EEE 5s"', "en", capsys)
    assert "A standing hand may be declared with the first discard." in classical


def kept(capsys: Said) -> str:
    texts = []
    for number in TOLD:
        for language in ("en", "zh"):
            texts.append(f"--- {HANDS[number]} --lang {language}\n")
            texts.append(spoken(HANDS[number], language, capsys)[1])
    return "".join(texts)


def test_these_texts_are_as_they_were_read(capsys: Said) -> None:
    assert kept(capsys) == GOLDEN.read_text(encoding="utf-8")
