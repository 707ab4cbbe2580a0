"""What is wrong with a body is said in both languages: the key, what may be there, what was."""

import pytest

from web.api.bodies import (
    BodyError,
    antes,
    choice,
    event,
    face,
    faces,
    flag,
    four,
    mapping,
    or_none,
    read_fields,
    reason,
    seat,
    text,
    told_hand,
    whole,
)

ROLL = {"type": "DiceRolled", "seat": 1, "values": [7]}
HAND = {"seat": 1, "concealed": ["1m"]}


@pytest.mark.parametrize(
    ("field", "value", "en", "zh"),
    [
        (seat("x"), True, "a whole number from 0 to 3, not true", "0 到 3 的整数，现为 true"),
        (whole("x", 1, 9), 2.5, "a whole number from 1 to 9, not 2.5", "1 到 9 的整数"),
        (or_none(seat("x")), 4, "a whole number from 0 to 3, not 4", "0 到 3 的整数"),
        (or_none(seat("x")), "n", "a whole number from 0 to 3 or null", "0 到 3 的整数 或 null"),
        (text("x", 40), "", "'x' must be a text of 1 to 40 characters.", "1 到 40 个字符的文本。"),
        (choice("x", "a", "b"), [], "one of ['a', 'b'], not []", "['a', 'b'] 之一，现为 []"),
        (flag("x"), 1, "true or false, not 1", "true 或 false，现为 1"),
        (face("x"), "?", "a tile such as '5p', not \"?\"", "'5p' 之类的牌，现为 \"?\""),
        (faces("x", 14), [], "a list of 1 to 14, not []", "1 到 14 项的列表，现为 []"),
        (four("x", 0, 9), [0, 0, 0], "a list of 4, not", "4 项的列表，现为"),
        (four("x", 0, 9), [0, 0, 0, -1], "'x[3]' must be a whole number from 0 to 9", "'x[3]'"),
        (mapping("x"), 3, "a JSON object, not 3", "JSON 对象，现为 3"),
        (antes("x"), {"double_down": True}, "'x.challenges' is missing.", "缺少 'x.challenges'。"),
        (reason("x"), {"en": "", "zh": "", "ja": ""}, "'x.ja' is unknown", "没有 'x.ja'"),
        (event("x"), {"type": "Asked"}, "an object with a type of ['Wall", "为 ['WallBuilt'"),
        (
            event("x"),
            ROLL,
            "'x' is no DiceRolled: 'x.values[0]' must be",
            "'x' 不是 DiceRolled：'x",
        ),
        (told_hand("x"), HAND | {"wall_left": 145}, "'x.wall_left' must be", "0 到 144 的整数"),
    ],
)
def test_what_does_not_fit_is_named_with_its_bounds(field, value: object, en: str, zh: str) -> None:
    with pytest.raises(BodyError) as refused:
        read_fields({"x": value}, (field,))
    assert en in refused.value.words.en
    assert zh in refused.value.words.zh


def test_a_text_of_one_s_own_is_not_said_back() -> None:
    with pytest.raises(BodyError) as refused:
        read_fields({"password": "hunter2"}, (text("password", 3),))
    assert "hunter2" not in str(refused.value)
