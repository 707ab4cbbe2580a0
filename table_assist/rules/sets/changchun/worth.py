"""A Changchun hand's worth, and who pays it (CC-41, CC-43 to CC-45)."""

from math import prod

from table_assist.languages.words import Words, joined
from table_assist.rules.options import Options
from table_assist.rules.ruleset import Payment, Total, Win
from table_assist.rules.settlement import Owed, collect, formula_of

# No hand is paid more (CC-45).
CAP = 1000


def _factors(factor: int, options: Options, *, dealer_loses: bool) -> tuple[int, ...]:
    """One payer's debt before any cap, as factors; ``factor`` is the product of the multipliers."""
    extra = factor > 1 or options["formula_extra_two"] == "always"
    extra = extra or (dealer_loses and bool(options["dealer_loss_triggers_extra"]))
    loss = 2 if dealer_loses else 1
    return (int(options["base_score"]), *[each for each in (1 + extra, factor, loss) if each > 1])


def _debts(win: Win, factor: int) -> dict[int, Owed]:
    """Each payer's debt, capped."""
    shown, options = win.shown, win.options
    debts = {}
    for payer in shown.payers:
        factors = _factors(factor, options, dealer_loses=payer == shown.dealer)
        debts[payer] = Owed(prod(factors), factors)
    if options["cap_scope"] == "per_payer":
        return {payer: _capped(debt) for payer, debt in debts.items()}
    whole = sum(debt.points for debt in debts.values())
    if whole <= CAP:
        return debts
    # Nobody pays a part of a point, so the winner may get a point or two less than the cap.
    return {
        payer: Owed(debt.points * CAP // whole, f"{debt.words} × {CAP} / {whole}")
        for payer, debt in debts.items()
    }


def _capped(debt: Owed) -> Owed:
    return debt if debt.points <= CAP else Owed(CAP, debt.formula, debt.points)


def total(win: Win) -> Total:
    """The figure is the product of the multipliers; the dealer's loss lies between two seats."""
    factor = prod([each.value for each in win.counted])
    if win.options["cap_scope"] == "winner_total" and win.shown.discarder is None:
        debts = _debts(win, factor)
        points = min(d.points for payer, d in debts.items() if payer != win.shown.dealer)
    else:
        points = min(CAP, prod(_factors(factor, win.options, dealer_loses=False)))
    return Total(points, {"factor": factor})


def explain(win: Win, total: Total) -> tuple[Words, ...]:
    """The multipliers and the formula, in words."""
    counted = win.counted
    met = [
        Words("{name} × {value}", "{name} ×{value}", name=each.names, value=each.value)
        for each in counted
    ]
    plain = _factors(total.figures["factor"], win.options, dealer_loses=False)
    formula = f"{formula_of(plain)} = {prod(plain)}"
    return (
        Words("Multipliers: {met}.", "番：{met}。", met=joined(met))
        if counted
        else Words("No multiplier applies.", "没有番。"),
        Words("The hand is worth {formula}.", "此牌计 {formula}。", formula=formula),
    )


def pay(win: Win, total: Total) -> Payment:
    """The discarder or the robbed player alone; all three on a self-draw or a Rush."""
    debts = _debts(win, total.figures["factor"])
    return collect(win.shown.winner, win.shown.payers, lambda payer: debts[payer])
