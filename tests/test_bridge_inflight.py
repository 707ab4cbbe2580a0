"""Orders in flight: at most two, each with one end."""

from firmware_bridge.frames import Frame
from firmware_bridge.inflight import OrderDone, OrdersInFlight
from firmware_bridge.orders import Accepted, Ping, Refused, Reset, StatusRequest


def test_the_third_order_waits_for_an_answer() -> None:
    orders = OrdersInFlight()
    for order in (Ping(), Reset(), StatusRequest()):
        orders.put(order)
    assert orders.due(0.0) == [Frame("PI", 1), Frame("RS", 2)]
    assert orders.due(0.1) == []
    assert orders.finish(Accepted(2), 0.25) == [OrderDone(Reset(), None, 0.25)]
    assert orders.due(0.3) == [Frame("RQ", 3)]


def test_a_refused_order_ends_with_the_boards_reason() -> None:
    orders = OrdersInFlight()
    orders.put(Ping())
    orders.due(1.0)
    assert orders.finish(Refused(1, "TYPE"), 1.5) == [
        OrderDone(Ping(), "The board refuses the order: TYPE.", 0.5)
    ]
    assert orders.finish(Refused(1, "TYPE"), 1.6) == []


def test_an_order_is_given_up_after_its_time() -> None:
    orders = OrdersInFlight()
    orders.put(Ping())
    orders.due(1.0)
    assert orders.expire(2.0, 1.0) == []
    assert orders.expire(2.5, 1.0) == [
        OrderDone(Ping(), "The board did not answer within 1 s.", 1.5)
    ]
    assert orders.finish(Accepted(1), 3.0) == []


def test_no_order_outlives_its_connection() -> None:
    orders = OrdersInFlight()
    for _ in range(3):
        orders.put(Ping())
    orders.due(0.0)
    assert [done.took_s for done in orders.give_up("gone", 0.5)] == [0.5, 0.5, 0.0]
    assert orders.due(1.0) == []


def test_the_links_own_question_takes_a_place_and_tells_nobody() -> None:
    orders = OrdersInFlight()
    assert orders.ask_greeting(0.0) == Frame("RQ", 1)
    orders.put(Ping())
    orders.put(Ping())
    assert orders.due(0.0) == [Frame("PI", 2)]
    assert orders.finish(Accepted(1), 0.1) == []
    assert orders.due(0.1) == [Frame("PI", 3)]
    orders.ask_greeting(0.2)
    assert orders.expire(9.0, 20.0) == []


def test_order_numbers_go_around() -> None:
    orders = OrdersInFlight()
    for _ in range(65535):
        frame = orders.ask_greeting(0.0)
        orders.finish(Accepted(frame.seq), 0.0)
    assert frame.seq == 65535
    assert orders.ask_greeting(0.0).seq == 0
