"""Rarer properties of tables: a print, glass tiles, a stream, a console's glow.

Each is drawn from a stream of random numbers of its own, so whatever has none of them is drawn as
if there were none. A tenth of their mixtures is held out by a rule, as in `world`.
"""

from dataclasses import replace
from itertools import count
from zlib import crc32

import numpy as np

from table_assist.twin.looks import Colour, Emblem, EmblemKind, EmblemPlace, Glass, TableLook

EMBLEM_SHARE, GLASS_SHARE, STREAM_SHARE, GRAIN_SHARE = 0.4, 0.2, 0.3, 0.8
GLOW_SHARE, GLOW = 0.8, (0.1, 0.45)
# A console whose colour is brighter than this, of 255, is lit.
LIT = 128
INK, SEE_THROUGH, STREAM_MBIT, GRAIN = (0.45, 0.95), (0.12, 0.38), (1.5, 10.0), (0.3, 1.0)
# Of printed colours the last two are the cloth's own, lighter or darker.
INKS: tuple[Colour, ...] = ((70, 160, 200), (215, 220, 220), (40, 40, 40), (40, 40, 170))
TONES = (1.3, 0.7)
TINTS: tuple[Colour, ...] = (
    (196, 222, 190), (150, 196, 232), (240, 238, 232), (214, 202, 238), (166, 166, 170),
)  # fmt: skip
PARTS, HELD_PART = 10, 2
# Of held-out evenings every third has a held-out mixture of these.
HELD_EVERY = 3


def with_rarer(look: TableLook, seed: int, *, held: bool, is_bamboo: bool) -> TableLook:
    """The look with what its table has besides.

    Args:
        is_bamboo: its backs are, and may show their fibres.
    """
    wants_held = held and seed % HELD_EVERY == 0
    is_lit = max(look.plate) > LIT
    for attempt in count():
        found = replace(
            look,
            emblem=_emblem(_stream(seed, 0xE3B1E3, attempt), look.felt),
            glass=_glass(_stream(seed, 0x61A55, attempt)),
            grain=_amount(_stream(seed, 0xF1B3E, attempt), GRAIN_SHARE * is_bamboo, GRAIN),
            optics=replace(
                look.optics,
                stream_mbit=_amount(_stream(seed, 0x264, attempt), STREAM_SHARE, STREAM_MBIT),
                glow=_amount(_stream(seed, 0x610, attempt), GLOW_SHARE * is_lit, GLOW),
            ),
        )
        if (held and not wants_held) or is_rarer_held_out(found) is wants_held:
            return found
    raise AssertionError("unreachable")


def is_rarer_held_out(look: TableLook) -> bool:
    """Whether such a print, such tiles and such a stream together are only measured on."""
    emblem, glass = look.emblem, look.glass
    kinds = (
        None if emblem is None else (str(emblem.kind), str(emblem.place)),
        None if glass is None else glass.is_whole,
        look.optics.stream_mbit > 0,
    )
    return kinds != (None, None, False) and crc32(repr(kinds).encode()) % PARTS == HELD_PART


def _stream(seed: int, which: int, attempt: int) -> np.random.Generator:
    return np.random.default_rng((seed, which, attempt))


def _amount(rng: np.random.Generator, share: float, bounds: tuple[float, float]) -> float:
    """Nothing, or with that probability something between two bounds."""
    comes, amount = rng.uniform() < share, float(rng.uniform(*bounds))
    return amount if comes else 0.0


def _emblem(rng: np.random.Generator, felt: Colour) -> Emblem | None:
    ink = _amount(rng, EMBLEM_SHARE, INK)
    kinds, places = tuple(EmblemKind), tuple(EmblemPlace)
    kind, place = kinds[int(rng.integers(len(kinds)))], places[int(rng.integers(len(places)))]
    tones = tuple(_toned(felt, tone) for tone in TONES)
    colours = (*INKS, *tones)
    colour, which = colours[int(rng.integers(len(colours)))], int(rng.integers(6))
    return Emblem(kind, place, colour, ink, which) if ink > 0 else None


def _toned(colour: Colour, tone: float) -> Colour:
    blue, green, red = (min(round(tone * channel), 255) for channel in colour)
    return blue, green, red


def _glass(rng: np.random.Generator) -> Glass | None:
    see_through = _amount(rng, GLASS_SHARE, SEE_THROUGH)
    tint, is_whole = TINTS[int(rng.integers(len(TINTS)))], bool(rng.uniform() < 0.5)
    return Glass(see_through, tint, is_whole) if see_through > 0 else None
