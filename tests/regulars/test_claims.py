"""Two others confirm who holds a phone, or the desk; a claim ends by itself and is taken once."""

from table_assist.regulars.claims import LASTS_S, MOST, Claims

SEATS = {"ana": 0, "ben": 1, "chen": 2, "dai": 3}


def claims(seats: dict[str, int] = SEATS) -> Claims:
    return Claims(seats.get)


def said(of: Claims, id: str, device: str, **how: object) -> bool:
    given = {"yes": True, "since": 0.0, "decides": False, "now": 0.0, **how}
    return of.answer(id, device, **given)


def test_two_others_are_enough_and_it_is_taken_once() -> None:
    found = claims()
    claim = found.ask("ana", "Ana", since=5.0, now=0.0)
    assert said(found, claim.id, "ben")
    assert found.take("ana", 0.0) is None
    assert said(found, claim.id, "chen")
    assert found.take("ben", 0.0) is None, "another phone's"
    assert found.take("ana", 0.0) == "Ana"
    assert found.take("ana", 0.0) is None


def test_who_left_the_table_is_not_counted() -> None:
    seats = dict(SEATS)
    found = claims(seats)
    claim = found.ask("ana", "Ana", since=5.0, now=0.0)
    said(found, claim.id, "ben")
    del seats["ben"]
    seats["bens other"] = 1
    assert said(found, claim.id, "chen")
    assert not claim.is_granted
    assert not said(found, claim.id, "bens other", since=6.0), "it came after the question"
    assert said(found, claim.id, "dai")
    assert claim.is_granted


def test_a_claim_ends_by_itself_and_many_at_once_are_too_many() -> None:
    found = claims()
    claim = found.ask("ana", "Ana", since=0.0, now=0.0)
    assert not said(found, claim.id, "ben", now=LASTS_S)
    assert all(found.ask(str(each), "Ana", since=0.0, now=1.0) for each in range(MOST - 1))
    assert found.ask("one more", "Ana", since=0.0, now=1.0) is None
    assert found.ask("ana", "Ana", since=0.0, now=1.0) is not None, "instead of the own"
