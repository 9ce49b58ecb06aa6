"""The Dux and the Vicarius (pages 12 and 13): what they change in the rules, tried in every place.

In a scene they stand after the four Emperors: the Dux leads legions as those do, the Vicarius has a phase of his own.
"""

from collections.abc import Iterable, Iterator

from barbarian import Activity, Clash, Crossing, Fallen, Phase, Scene, Step, Uprising
from bare import LATEST, NOBODY, NOTHING, USUAL, Answer, Statement, arrows, empire, links, of_emperor
from board import Board
from rules import IP_A_TURN, Action, State, Table, Turn

DEPLOYMENT = 2  # IP
NOT_YET, DEAD = "not yet", "dead"
LEGIONS = ("emperor", "dux")  # who has them supports battles


def deployments(
    board: Board, figure: str, state: str, here: str, figures: set[str], revolts: frozenset[str]
) -> set[str]:
    """Where it can be deployed by an Emperor who is here: once in a game, in a Roman province without a figure.

    The Dux comes to a province linked to the Emperor's, the Vicarius to any in which no revolt lies.
    """
    if state != NOT_YET:
        return set()
    near = set(board.links[here]) if figure == "dux" else set(board.provinces) - revolts
    return near - board.borders - figures


def deployed(figure: str, board: Board) -> dict[str, int]:
    """In how many ways it can be deployed, and in how many of these with a figure or a revolt in the way."""
    values = {"tried": len(board.provinces) ** 2, "legal": 0, "beside-a-figure": 0, "on-a-revolt": 0}
    for here in board.provinces:
        able = deployments(board, figure, NOT_YET, here, {here}, frozenset())
        values["legal"] += len(able)
        for there in board.links[here]:
            values["beside-a-figure"] += there in deployments(board, figure, NOT_YET, here, {here, there}, frozenset())
            values["on-a-revolt"] += there in deployments(board, figure, NOT_YET, here, {here}, frozenset({there}))
    return values | {"price": DEPLOYMENT}


def again(figure: str, board: Board) -> int:
    """In how many ways it can be deployed after its death."""
    return sum(len(deployments(board, figure, DEAD, here, {here}, frozenset())) for here in board.provinces)


# -- the Dux -------------------------------------------------------------------------------------------------------


class Dux(Turn):
    """He does what an Emperor does; he has no garrisons, so he secures nothing and has no group."""

    def __init__(self, board: Board, emperors: list[str]) -> None:
        super().__init__(board, USUAL, 0, 0, [None] * 4)
        self.others = emperors

    def strengths(self, place: str, table: Table, army: str) -> tuple[int, int, int, int]:
        """As of an Emperor, without a group."""
        _, emperors, revolts, armies = super().strengths(place, table, army)
        return 0, emperors, revolts, armies


def dux_deployed(board: Board, _: list[str]) -> Answer:
    """2 IP, a Roman province linked to the Emperor's, no figures."""
    values = deployed("dux", board)
    to_roman = sum(there not in board.borders for _, there in links(board))
    right = values["legal"] == to_roman and values["price"] == 2 and not values["beside-a-figure"]
    return values | {"links": to_roman}, right


def deeds(turn: Turn, here: str, table: Table) -> set[tuple[str, int]]:
    """What can be done from here, with its IP; fleets sail for whoever asks."""
    actions = [action for action in turn.actions(State(IP_A_TURN, here, table)) if not action.name.startswith("sail")]
    return {(action.name, IP_A_TURN - action.ways[0].state.ip) for action in actions}


def tables(board: Board, here: str) -> list[Table]:
    """A fleet at sea; unrest, revolts, or armies all around but for Roma."""
    return [
        NOTHING._replace(fleets=frozenset({2})),
        NOTHING._replace(unrest=empire(board)),
        NOTHING._replace(revolts=empire(board)),
        NOTHING._replace(armies=frozenset(board.links[here]) - {board.roma}),
    ]


def as_an_emperor(board: Board, _: list[str]) -> Answer:
    """All that an Emperor does, at the same price, but for securing."""
    values = {"emperor": 0, "dux": 0, "more": 0}
    lacking: set[str] = set()
    for here in board.provinces:
        for table in tables(board, here) if here != board.roma else ():
            emperor = deeds(Turn(board, USUAL, 5, 0, [here, board.roma, None, None]), here, table)
            dux = deeds(Dux(board, [board.roma]), here, table)
            values["emperor"] += len(emperor)
            values["dux"] += len(dux)
            values["more"] += len(dux - emperor)
            lacking |= {name.partition(" ")[0] for name, _ in emperor - dux}
    return values | {"lacking": sorted(lacking)}, lacking == {"secure"} and not values["more"]


def support(board: Board, _: list[str]) -> Answer:
    """He supports an Emperor in battle, and is supported, as another Emperor would be."""
    tried, doubled, group = 0, 0, 0
    for army in board.provinces:
        near = board.links[army]
        table = NOTHING._replace(armies=frozenset({army}), garrisons=of_emperor(0, *near))
        for here in near:
            for there in near:
                if here != there:
                    emperor = Turn(board, USUAL, 5, 0, [here, there, None, None])  # the second one is the Dux here
                    of_dux = Dux(board, [here]).strengths(there, table, army)
                    tried += 1
                    doubled += emperor.strengths(here, table, army)[1] == of_dux[1] == 1
                    group = max(group, of_dux[0])
    return {"tried": tried, "doubled": doubled, "garrisons": group}, tried == doubled and group == 0


def dux_dies(board: Board, _: list[str]) -> Answer:
    """Whatever would remove an Emperor is his death."""
    values = {"revolts": 0, "attacks": 0, "clashes": 0}
    dead = 0
    phase = Phase(board, LATEST)
    for place in empire(board):
        step = phase.begin(Scene(NOTHING._replace(revolts=frozenset({place})), (*NOBODY, place)))
        values["revolts"] += 1
        dead += isinstance(step, Activity) and step.scene.places[4] is None
    for here, army in links(board):
        table = NOTHING._replace(armies=frozenset({army}), revolts=empire(board))
        ways = Dux(board, []).attack(0, here, table, army)
        values["attacks"] += 1
        dead += any(way.outcome == "defeat" and way.state.place is None for way in ways)
    for army, target in arrows(board):
        scene = Scene(NOTHING._replace(armies=frozenset({army})), (*NOBODY, target))
        values["clashes"] += 1
        after = phase.enter(scene._replace(places=(*NOBODY, None)), (army,)) if meets(phase, scene, army) else scene
        dead += isinstance(after, Scene) and after.places[4] is None and target in after.table.armies
    redeployed = again("dux", board)
    return values | {"dead": dead, "again": redeployed}, dead == sum(values.values()) and not redeployed


def meets(phase: Phase, scene: Scene, army: str) -> bool:
    """Whether an army that comes through its link attacks whoever stands there."""
    return isinstance(phase.arrive(scene, (army,)), Clash)


# -- the Vicarius --------------------------------------------------------------------------------------------------


class Vicarius(Turn):
    """He moves as an Emperor, not into revolts, does nothing else, and unrest is gone where he comes."""

    def actions(self, state: State) -> Iterator[Action]:
        """His moves."""
        for target, cost in self.moves(state):
            table = state.table
            if target not in table.revolts:
                after = table._replace(unrest=table.unrest - {target})
                yield self.sure(f"move {target}", State(state.ip - cost, target, after))


class WithVicarius(Phase):
    """A Barbarian phase; he stands last in a scene."""

    def put_revolts(self, scene: Scene, places: Iterable[str]) -> Scene | Fallen:
        """A revolt that is placed in his province is his death."""
        after = super().put_revolts(scene, places)
        if isinstance(after, Scene) and after.places[-1] in after.table.revolts:
            return after._replace(places=(*after.places[:-1], None))
        return after

    def resolve(self, scene: Scene, place: str) -> Step:
        """Where he stands no unrest is placed."""
        bare = place not in scene.table.discs()
        return self.advance(scene) if bare and place == scene.places[-1] else super().resolve(scene, place)

    def arrive(self, scene: Scene, armies: tuple[str, ...]) -> Step:
        """He has no troops, so an army enters where he stands."""
        in_the_way = self.board.arrow[armies[0]] in scene.places[:-1]
        return Clash(scene, armies) if in_the_way else self.enter(scene, armies)


def vicarius_deployed(board: Board, _: list[str]) -> Answer:
    """2 IP, any Roman province free of figures and revolts."""
    values = deployed("vicarius", board)
    free = sum(here != there for here in board.provinces for there in empire(board))
    right = values["legal"] == free and values["price"] == 2
    return values | {"free": free}, right and not values["beside-a-figure"] and not values["on-a-revolt"]


def moves(board: Board, _: list[str]) -> Answer:
    """He moves as an Emperor, but not into revolts."""
    values = {"emperor": 0, "vicarius": 0, "more": 0, "into-revolts": 0}
    for here in board.provinces:
        for table in tables(board, here) if here != board.roma else ():
            all_his = deeds(Turn(board, USUAL, 5, 0, [here, board.roma, None, None]), here, table)
            emperor = {(name, ip) for name, ip in all_his if name.startswith("move")}
            turn = Vicarius(board, USUAL, 0, 0, [None] * 4)
            turn.others = [board.roma]
            vicarius = deeds(turn, here, table)
            values["emperor"] += len(emperor)
            values["vicarius"] += len(vicarius)
            values["more"] += len(vicarius - emperor)
            values["into-revolts"] += sum(name.partition(" ")[2] in table.revolts for name, _ in emperor - vicarius)
    right = not values["more"] and values["into-revolts"] == values["emperor"] - values["vicarius"] > 0
    return values, right


def clears(board: Board, _: list[str]) -> Answer:
    """He removes unrest at no cost where he enters, and cannot enter a revolt."""
    values = {"entered": 0, "cleared": 0, "dearer": 0, "revolts": 0}
    turn = Vicarius(board, USUAL, 0, 0, [None] * 4)
    for here, there in links(board):
        if there in board.borders:
            continue
        found = {}
        for what, table in (
            ("nothing", NOTHING),
            ("unrest", NOTHING._replace(unrest=frozenset({there}))),
            ("revolt", NOTHING._replace(revolts=frozenset({there}))),
        ):
            actions = turn.actions(State(IP_A_TURN, here, table))
            found[what] = [action.ways[0].state for action in actions if action.name == f"move {there}"]
        values["entered"] += len(found["unrest"])
        values["cleared"] += all(not state.table.unrest for state in found["unrest"])
        values["dearer"] += found["unrest"][0].ip < found["nothing"][0].ip
        values["revolts"] += len(found["revolt"])
    return values, values["cleared"] == values["entered"] and not values["dearer"] and not values["revolts"]


def calm(board: Board, _: list[str]) -> Answer:
    """He blocks the dice where they would bring unrest."""
    phase = WithVicarius(board, LATEST)
    values = {"unrest.nobody": 0, "unrest.vicarius": 0}
    for place in phase.at.values():
        for who, where in (("nobody", None), ("vicarius", place)):
            after = phase.resolve(Scene(NOTHING, (*NOBODY, where)), place)
            values[f"unrest.{who}"] += isinstance(after, Scene) and place in after.table.unrest
    return values, values["unrest.vicarius"] == 0 < values["unrest.nobody"]


def no_troops(board: Board, _: list[str]) -> Answer:
    """He has no legions, so he is not among those whose support counts."""
    tried, changed = 0, 0
    for army in board.provinces:
        table = NOTHING._replace(armies=frozenset({army}))
        for here in board.links[army]:
            turn = Turn(board, USUAL, 5, 0, [here, None, None, None])
            alone = turn.strengths(here, table, army)
            for there in set(board.links[army]) - {here}:
                turn.others = [place for figure, place in (("vicarius", there),) if figure in LEGIONS]
                tried += 1
                changed += turn.strengths(here, table, army) != alone
    return {"tried": tried, "changed": changed}, tried > 0 == changed


def vicarius_dies(board: Board, _: list[str]) -> Answer:
    """An uprising or an army that reaches him is his death."""
    phase = WithVicarius(board, LATEST)
    values = {"uprisings": 0, "armies": 0}
    dead = 0
    for place in phase.at.values():
        for there in set(board.links[place]) - board.borders:
            step = phase.resolve(Scene(NOTHING._replace(revolts=frozenset({place})), (*NOBODY, there)), place)
            while isinstance(step, Uprising):
                step = phase.roll(step).results[-1]  # linked
            scene = step if isinstance(step, Scene) else step.scene  # type: ignore[union-attr]
            values["uprisings"] += 1
            dead += scene.places[-1] is None and there in scene.table.revolts
    for army, target in arrows(board):
        scene = Scene(NOTHING._replace(armies=frozenset({army})), (*NOBODY, target))
        step = phase.march(scene, (army,))
        after = phase.roll(step).results[-1] if isinstance(step, Crossing) else step
        values["armies"] += 1
        dead += isinstance(after, Scene) and target in after.table.armies and after.places[-1] is None
    redeployed = again("vicarius", board)
    return values | {"dead": dead, "again": redeployed}, dead == sum(values.values()) and not redeployed


STATEMENTS: dict[str, tuple[int, Statement]] = {
    "book-dux/deployment": (12, dux_deployed),
    "book-dux/deeds": (12, as_an_emperor),
    "book-dux/support": (12, support),
    "book-dux/death": (12, dux_dies),
    "book-vicarius/deployment": (12, vicarius_deployed),
    "book-vicarius/moves": (12, moves),
    "book-vicarius/unrest": (13, clears),
    "book-vicarius/dice": (13, calm),
    "book-vicarius/troops": (13, no_troops),
    "book-vicarius/death": (13, vicarius_dies),
}
