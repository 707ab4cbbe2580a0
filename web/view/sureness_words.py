"""How sure a settlement is, in words, and what to look at."""

import math

from table_assist.game.sureness import Sureness
from table_assist.languages.words import Words, player_at
from table_assist.tiles.tile_words import tile_words

# A settlement that is surer than this is not worth a look.
SURE = 0.999


def sure_words(sureness: Sureness | None) -> tuple[Words, ...]:
    """The possible errors of the reading, where they are not next to impossible."""
    if sureness is None or sureness.likeliest is None or sureness.probability >= SURE:
        return ()
    other = sureness.likeliest
    said = {
        "sure": percent(sureness.probability),
        "read": tile_words(other.read),
        "face": tile_words(other.other),
    }
    if other.seat is None:
        return (
            Words(
                "The tiles as read: {sure} sure. Look at the bird {read}: is it {face}?",
                "牌面识别把握 {sure}。请看鸟牌{read}：会不会是{face}？",
                **said,
            ),
        )
    return (
        Words(
            "The tiles as read: {sure} sure. Look at {read} of {who}: is it {face}?",
            "牌面识别把握 {sure}。请看 {who} 的{read}：会不会是{face}？",
            **said,
            who=player_at(other.seat),
        ),
    )


def percent(share: float) -> str:
    """A share that is never told as more than it is.

    >>> percent(0.99997), percent(0.9512), percent(0.5)
    ('99.99 %', '95.12 %', '50 %')
    """
    return f"{math.floor(share * 10_000) / 100:g} %"
