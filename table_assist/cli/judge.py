"""A typed hand, judged."""

import argparse
import json

from table_assist.rules.by_hand.telling import tell as tell_answer
from table_assist.rules.by_hand.telling import to_json
from table_assist.rules.by_hand.typed import TypedHand, answer
from table_assist.rules.profile import choose_profile


def command(options: argparse.Namespace) -> int:
    """As ``table-assist judge``; returns the exit code."""
    profile = choose_profile(options.rules, options.profile)
    answered = answer(
        profile.rules,
        TypedHand(
            options.hand,
            melds=options.melds,
            winning_tile=options.winning_tile,
            self_drawn=options.self_drawn,
            discarder=options.discarder,
            winner=options.winner,
            dealer=options.dealer,
            flags=tuple(options.flag),
            birds=options.birds,
            wilds=options.wild,
            treasures=options.treasure,
            bonus=options.bonus,
            prevailing=options.prevailing,
            wall_remaining=options.wall_remaining,
            discard_round=options.discard_round,
            double_down=options.double_down,
            challenges=tuple(options.challenge),
            seen=options.seen,
        ),
    )
    if options.json:
        print(json.dumps(to_json(answered, profile), ensure_ascii=False))
    else:
        for line in tell_answer(answered, profile):
            print(line.said(options.lang))
    return 0 if answered.good else 1
