"""What the tests of interference of rulesets share with others."""

from typing import Any


def asked(who: str, other: str, last: int) -> tuple[str, ...]:
    return (
        "show", "show?all=1", "show?at=r1", f"show?at={last // 2}", f"show?as_of={last - 2}", "audit", "audit?complete=1", "log", "log?struck=1",
        f"log?actor={other}", "replay", "records", f"records?after={last // 2}", "head", f"why?q={who}.hp", f"why?q={other}.hp", "why?q=order",
        f"why?q={who} before {other}", "why?q=finding 1", "why?q=finding 2", f"why?q={who} cannot act", f"blame?address={other}.hp",
        f"blame?address={who}.hp", f"first?expr={other}.hp<9", f"diff?a=3&b={last}", f"diff?a=@3&b=@{last - 1}", f"whatif?strike={last // 2}",
        "/e/NAME", "/e/NAME/data",
    )  # fmt: skip


def sent(who: str, other: str) -> tuple[tuple[str, Any], ...]:
    """Return what a player tells, or tries to."""
    hit = {"type": "damage_dealt", "target": other, "amount": 1, "source": who}
    act = {"type": "action_taken", "combatant": who, "action": "attack"}
    return (
        ("lines?dry=1", {"line": f"{who} {other} 14 6"}), ("lines", {"line": f"?{other}"}), ("lines", {"line": "help"}),
        ("records", [act, hit]), ("lines", {"line": f"{who} {other} 9"}), ("records", hit | {"source": other}),
    )  # fmt: skip
