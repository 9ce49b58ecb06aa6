"""The figures of the finder as the documentation shows them: a row of its table for each planted set, and one for all rules."""

from __future__ import annotations

from collections import Counter

from mutation import found, generated, points, standing


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


def of_rules(which: str) -> str:
    """All changes of the rules of a game: how many are made, and of these judged; what became of them; the effects of what stands,
    and how many of these have a name, are seen beside other values than the defaults alone, were read, and were not."""
    cases = {case.id for case in points.cases(which)}
    states = Counter(known.verdict.state for name, known in points.kept(which).items() if name in cases)
    effects, read = standing.effects(which), standing.kept(which)
    verdicts = Counter(read[name].verdict if name in read else "" for name in effects)
    cells = (
        len(cases),
        sum(states.values()),
        states["settled"],
        states["same"],
        states["broken"] + states["slow"],
        states["standing"],
        len(effects),
        verdicts[standing.NAMED],
        verdicts[standing.BESIDE],
        sum(count for verdict, count in verdicts.items() if verdict not in ("", *standing.ITSELF)),
        verdicts[""],
    )
    return f"| {' | '.join(f'{number:,}' for number in cells)} |"
