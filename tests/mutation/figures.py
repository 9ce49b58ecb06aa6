"""The figures of the finder on the planted sets, as the documentation shows them: a row of its table for each set."""

from __future__ import annotations

from mutation import found, generated, points


def row(which: str) -> str:
    """A set: its open points, how many of them the operators make, the judge leaves standing, and both find; then its settled
    points, and the share of these in all that the judge leaves standing and in all that both find; where not all changes of
    settled points were judged, with how many of each were."""
    plants = {plant.id: plant for plant in points.SETS[which].read()}
    unsettled = [name for name, plant in plants.items() if plant.label != "settled"]
    judged = {name: known.verdict for name, known in points.kept(which).items() if name in plants}
    made = generated.kept(which)
    standing = {name for name, verdict in judged.items() if verdict.state == "standing"}
    alarms = [name for name in standing if plants[name].label == "settled"]
    asked = [name for name in judged if plants[name].label != "settled"]
    both = {name: result for name, result in found.kept(which).items() if name in plants}
    hits = [name for name, result in both.items() if result.by]
    false = [name for name in hits if plants[name].label == "settled"]
    settled = [name for name in both if plants[name].label == "settled"]
    rest = [both[name].judged for name in settled if not both[name].by and both[name].judged < len(made[name].like)]
    share, first = f"{len(false)} of {len(hits)}", min(rest, default=0)
    cells = (
        which,
        len(unsettled),
        f"{sum(bool(made[name].by) for name in unsettled if name in made)} of {sum(name in made for name in unsettled)}",
        f"{len(standing) - len(alarms)} of {len(asked)}",
        f"{len(hits) - len(false)} of {sum(name in both for name in unsettled)}" if both else "not measured",
        len(plants) - len(unsettled),
        f"{len(alarms)} of {len(standing)}",
        f"{share} by the first {first}" if first else share if settled and not rest else "not measured",
    )
    return f"| {' | '.join(map(str, cells))} |"
