"""Chinese Classical's irregularities of play, and what follows each (CL-33 to CL-61, CL-68)."""

from table_assist.languages.words import Words
from table_assist.rules.options import Options
from table_assist.rules.ruleset import IrregularityRule
from table_assist.rules.verdict import book_data


def irregularities(options: Options) -> tuple[IrregularityRule, ...]:
    """All of them; what follows three of them is a matter of options."""
    chosen: dict[str, dict[str, bool | int | str]] = {
        "discard_recalled_after_quitting": {
            "discard_taken_back": options["discard_takeback"] == "until_claimed"
        },
        "triplets_not_marked": {"scored_as": f"{options['unmarked_triplets']}_pungs"},
        "winning_tile_into_hand": {
            "place_and_draw_points": options["tile_into_hand"] == "points_kept"
        },
    }
    return tuple(
        IrregularityRule(
            id,
            Words(row["en"], row["zh"]),
            {**row["then"], **chosen.get(id, {})},
            f"Classical > {row['where']}",
            tuple(row.get("also", ())),
            frozenset(row.get("on_turn", ())),
        )
        for id, row in book_data("classical/book.toml")["irregularities"].items()
    )
