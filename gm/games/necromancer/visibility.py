"""Who may know what of a result: the one place where the engine's whole truth is cut into what readers get.

The rule (16.9, 18.8): an order of the Wizard or the Nazgûl, and where the unit is, come out only when the order fails
or when another result can't be explained without it; retreats and Leads always; an illegal order to its owner alone;
a support given to such a unit is answered to the giver alone. The same holds for the unit that Sauron has taken
control of, until it does anything but hold or is dislodged (17.4).
"""

from __future__ import annotations

from dataclasses import replace

from gm.games.api import Adjudicated, Audience, OrderResult
from gm.games.necromancer.counting import counted, pool_of
from gm.games.necromancer.events import event_of, revelations
from gm.games.necromancer.ids import SARUMAN, SAURON, STANDING, ZERO
from gm.games.necromancer.orders import Order, UnitRef, order_text
from gm.games.necromancer.outcome import Outcome, Resolution
from gm.games.necromancer.saved import to_json
from gm.games.necromancer.sight import PRIVATE_KINDS, SELF_EXPLAINED, Sight, sight_of
from gm.games.necromancer.wording import ONLY_YOU, reason_of

RULE = "necromancer "


MISCOUNTED = ("miscount", "conflict")


def publish(resolution: Resolution) -> Adjudicated:
    """The result of a phase with an audience for each order, verdict and event."""
    sight = sight_of(resolution)
    orders = tuple(_result(o, sight, resolution) for o in resolution.outcomes)
    events = [e for h in resolution.happenings if (e := event_of(h, sight, resolution)) is not None]
    return Adjudicated(state=to_json(resolution.after), orders=orders, events=(*events, *revelations(sight)))


# --- orders --------------------------------------------------------------------------------------------------


def _result(o: Outcome, sight: Sight, resolution: Resolution) -> OrderResult:
    step = sight.before.step
    order = _as_carried_out(o) if step == "retreats" else o.order
    seen_by = _seen_by(o, sight)
    verdict_to = seen_by
    reason, rule = reason_of(o, sight.seen(o.stopped_by), seen_by == "all")
    if o.code in MISCOUNTED and o.order.unit and step == "movement":
        reason = _counted(o, resolution)
    if seen_by == "all" and o.order.kind == "support":
        verdict_to = _verdict_to(o, sight)
        if verdict_to != "all" and o.result not in SELF_EXPLAINED:
            reason, rule = _private_verdict(o)
    if o.result == "ok" and rule in _PARTS and not _stands_in_parts(o, sight):
        rule = "2"
    return OrderResult(
        power=o.power,
        order=order_text(order, step),
        result=o.result,
        reason=reason,
        rule=RULE + rule if rule else "",
        steps=o.steps,
        seen_by=seen_by,
        verdict_to=verdict_to,
    )


def _counted(o: Outcome, resolution: Resolution) -> str:
    assert o.order.unit is not None
    pool = pool_of(o.order.unit)
    sheet = [x.order for x in resolution.outcomes if x.power == o.power]
    there = [u for u in resolution.before.units if u.owner == o.power and pool_of(u) == pool and not u.secret]
    return counted(o.order, o.code, o.rule, sheet, there)[1]


_PARTS = ("13.3", "13.4")
"""Clauses on the parts of a multiple army: cited for a lone army they would betray a Wizard or Nazgûl beside it."""


def _stands_in_parts(o: Outcome, sight: Sight) -> bool:
    place = o.order.unit.place if o.order.unit else ""
    armies = (u for u in sight.before.units if (u.owner, u.place) == (o.power, place) and u.kind not in ZERO)
    return sum(u.strength for u in armies) > 1


def _as_carried_out(o: Outcome) -> Order:
    """A retreat shows where it went, not the choices that were not needed."""
    if o.order.kind == "retreat" and o.went_to:
        return replace(o.order, choices=(o.went_to,))
    return o.order


def _seen_by(o: Outcome, sight: Sight) -> Audience:
    order, owner = o.order, (o.power,)
    if o.code == "kept" or order.kind in PRIVATE_KINDS:
        return owner
    if order.kind in ("build", "remove"):
        # a failed build of the two who hide things would tell where the Wizard is, or what was activated
        return owner if o.power in (SARUMAN, SAURON) and o.result not in ("ok", "blocked") else "all"
    if order.unit is None:
        return "all"
    if order.unit.kind in ZERO:
        key = (o.power, order.unit.kind, order.unit.place)
        return "all" if key in sight.revealed and o.result not in SELF_EXPLAINED else owner
    return owner if sight.is_hidden(o.power, order.unit) else "all"


def _verdict_to(o: Outcome, sight: Sight) -> Audience:
    """Everybody, but for supports whose verdict would tell of a hidden unit (16.9, 18.8; 17.4 by the same reason)."""
    inner = o.order.inner
    if inner is None or inner.unit is None:
        return "all"
    ref = inner.unit
    if ref.kind in ZERO:
        return (o.power,) if sight.before.options.hidden_supports_have_no_public_verdict else "all"
    if ref.kind in ("D", "S") and not _known(sight, ref):
        return (SAURON,) if o.power == SAURON else ()
    return "all"


def _known(sight: Sight, ref: UnitRef) -> bool:
    """Whether Dragons or Spiders are on the board for everybody to see, before the phase or from now on."""
    key = (SAURON, ref.kind, ref.place)
    on_board = any((u.owner, u.kind, u.place) == key for u in sight.before.units) or any(
        (STANDING, ref.kind, ref.place) == (u.owner, u.kind, u.place) for u in sight.before.units
    )
    return on_board and not sight.is_hidden(SAURON, ref)


def _private_verdict(o: Outcome) -> tuple[str, str]:
    kind = o.order.inner.unit.kind if o.order.inner and o.order.inner.unit else "N"
    rule = {"W": "16.9", "N": "18.8"}.get(kind, "17.4")
    if o.result == "void" or o.valid is False:
        return f"This support matched no order. {ONLY_YOU}", rule
    if o.result in ("cut", "partial"):
        return f"This support matched an order, but an attack cut it. {ONLY_YOU}", rule
    return f"This support matched an order. {ONLY_YOU}", rule
