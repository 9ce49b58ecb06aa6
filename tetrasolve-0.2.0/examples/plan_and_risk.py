"""The fight of the rulebook: an optimal plan, and the risk of the Barbarian phase before and after each way it can go."""

from tetrasolve import Position, example, plan, risk
from tetrasolve.tetrarchia.plan.replay import endings


def main() -> None:
    """Print the plan and the risks."""
    fight = example("fight")
    print(f"risk of an uprising if Maximian does nothing: {risk(fight).figures.p_uprising}")

    best = plan(fight, "kill narbonensis then least uprising")
    print(f"{best.status}: {best.plan}")
    for term, value in best.named_values:
        print(f"  {term}: {value}")

    print("after it:")
    for chance, end, ip in endings(fight, best.plan):
        assert isinstance(end, Position)  # no action of this plan can bring the Empire down
        army = "army still there" if end.armies else "army defeated"
        print(f"  {chance}: {army}, {ip} IP paid, risk of an uprising {risk(end).figures.p_uprising}")


if __name__ == "__main__":
    main()
