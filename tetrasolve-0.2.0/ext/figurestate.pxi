# A position of the whole rulebook as a Python value.

@cython.final
cdef class State(_Table):
    """One position, 96 bytes inside; equal and hashed by value, never changed once made."""

    def __init__(
        self, *, revolts=0, unrest=0, garrisons=(0, 0, 0, 0), armies=0, emperors=(63, 63, 63, 63), fleets=0, to_move=0,
        ip=6, phase=0, result=0, rebels=(), dux=63, vicarius=63, goths=63, pirates=0, passing=0, glory=(0, 0, 0, 0),
        removed=(0, 0, 0, 0), power=0, gray=0, black=0,
    ):
        cdef Position* P = &self.position
        take_position(P, revolts, unrest, garrisons, armies, emperors, fleets, to_move, ip, phase, result)
        for i, rebel in enumerate(sorted(rebels)):
            province, zone, figure = take_row(rebel, f"rebels[{i}]", 3)
            province = take_int(province, f"rebels[{i}]", 0, PROVINCES - 1)
            if i == MOST_REBELS or P.rebels >> <int> province & 1:
                raise KernelError(f"rebels: expected at most {MOST_REBELS} provinces, each once, got {rebels!r}")
            P.rebels |= bit(province)
            P.rebel[i] = (
                take_int(zone, f"rebels[{i}]: zone", 1, 3) + 4 * take_int(figure, f"rebels[{i}]: figure", 1, 2))
        P.dux = take_figure(dux, "dux")
        P.vicarius = take_figure(vicarius, "vicarius")
        P.goths = take_figure(goths, "goths")
        P.pirates = take_int(pirates, "pirates", 0, 3)
        P.passing = take_int(passing, "passing", 0, VICARIUS + 4)
        for i, discs in enumerate(take_row(glory, "glory", 4)):
            P.glory[i] = take_int(discs, f"glory[{i}]", 0, MOST_DISCS)
        for i, discs in enumerate(take_row(removed, "removed", 4)):
            P.removed |= <int> take_int(discs, f"removed[{i}]", 0, 10) << 4 * <int> i
        P.power = take_int(power, "power", 0, 1)
        P.barbarian = take_int(gray, "gray", 0, MOST_GRAY) | take_int(black, "black", 0, MOST_BLACK) << 3
        check_sense(P)

    @property
    def rebels(self):
        """The rebel armies: (province, zone whose fleet an attack needs, `REBEL_DUX` or `REBEL_GOTHS`), lowest province first."""
        row = []
        cdef Mask rest = self.position.rebels
        while rest:
            note = self.position.rebel[len(row)]
            row.append((lowest(rest), note & 3, note >> 2))
            rest &= rest - 1
        return tuple(row)

    @property
    def dux(self):
        """His province, `RESERVE` while he is not in play, `OFF` when he is dead or not played."""
        return self.position.dux

    @property
    def vicarius(self):
        """As for the Dux."""
        return self.position.vicarius

    @property
    def goths(self):
        """Their province, `RESERVE`, or `OFF` when they are not played."""
        return self.position.goths

    @property
    def pirates(self):
        """Their zone, or 0."""
        return self.position.pirates

    @property
    def passing(self):
        """
        While a figure shares a province and must move on: 1 the active Emperor, 2 Dux, 3 Vicarius, 4 to 6 Galerius,
        Constantius, Maximian in Diocletian's turn; else 0.
        """
        return self.position.passing

    @property
    def glory(self):
        """Glory discs of each Emperor."""
        cdef const uint8_t* glory = self.position.glory
        return (glory[0], glory[1], glory[2], glory[3])

    @property
    def removed(self):
        """Discs that each Emperor has paid for his power."""
        return tuple([removed_of(&self.position, i) for i in range(4)])

    @property
    def power(self):
        """1 once the active Emperor has used his power in this turn, else 0."""
        return self.position.power

    @property
    def gray(self):
        """Gray discs of the Barbarian player."""
        return gray_of(&self.position)

    @property
    def black(self):
        """His black disc: 1 while he has it, else 0."""
        return black_of(&self.position)

    @staticmethod
    def from_bytes(data):
        """The state of which these are the 96 bytes."""
        raw = bytes(data)
        if len(raw) != sizeof(Position):
            raise KernelError(f"data: expected {sizeof(Position)} bytes, got {len(raw)}")
        cdef Position P
        cdef State seen = State.__new__(State)
        memcpy(&P, <const unsigned char*> raw, sizeof(Position))
        seen.position = P
        if popcount(P.rebels) > MOST_REBELS:
            raise KernelError(f"rebels: expected at most {MOST_REBELS}, got {popcount(P.rebels)}")
        state = State(
            revolts=P.revolts, unrest=P.unrest, garrisons=seen.garrisons, armies=P.armies, emperors=seen.emperors,
            fleets=P.fleets, to_move=P.mover, ip=P.ip, phase=seen.phase, result=seen.result, rebels=seen.rebels, dux=P.dux,
            vicarius=P.vicarius, goths=P.goths, pirates=P.pirates, passing=P.passing, glory=seen.glory,
            removed=seen.removed, power=P.power, gray=seen.gray, black=seen.black,
        )
        if state != seen:
            raise KernelError("data: expected the bytes of a state")
        return state

    def __repr__(self):
        return (
            f"State(revolts={self.revolts:#x}, unrest={self.unrest:#x}, garrisons={self.garrisons}, "
            f"armies={self.armies:#x}, emperors={self.emperors}, fleets={self.fleets}, to_move={self.to_move}, "
            f"ip={self.ip}, phase={self.phase}, result={self.result}, rebels={self.rebels}, dux={self.dux}, "
            f"vicarius={self.vicarius}, goths={self.goths}, pirates={self.pirates}, passing={self.passing}, "
            f"glory={self.glory}, removed={self.removed}, power={self.power}, gray={self.gray}, black={self.black})"
        )


cdef int take_figure(object value, str field) except -1:
    return NOT_IN_PLAY if value == NOT_IN_PLAY else take_place(value, field)


cdef State state_of(const Position* P):
    cdef State state = State.__new__(State)
    state.position = P[0]
    return state


cdef int check_figures_make_sense(const Position* P) except -1:
    """The rest of `check_sense`: one figure in a province, and what modules promise."""
    cdef int figure
    cdef int sharing = 0
    for figure in range(VICARIUS + 4):
        p = figure_place(P, figure)
        if p < PROVINCES and other_figures(P, figure) >> <int> p & 1:
            sharing |= 1 << figure
        if figure <= VICARIUS and p < PROVINCES and P.armies >> <int> p & 1:
            name = ("emperors", "dux", "vicarius")[figure]
            raise KernelError(f"{name}: expected a province without an army, got {p}")
    if crowd(P) and not P.passing:
        raise KernelError("passing: expected the figure that shares a province, got 0")
    if P.passing and (P.mark == PHASE_BARBARIAN or crowd(P) > 1 or not sharing >> (P.passing - 1) & 1):
        raise KernelError(f"passing: expected the one figure that shares a province, got {P.passing}")
    if P.passing > VICARIUS + 1 and not (P.mover == DIOCLETIAN and P.power):
        raise KernelError(f"passing: expected Diocletian to move other Emperors by his power, got {P.passing}")
    if P.revolts >> P.vicarius & 1:
        raise KernelError(f"vicarius: expected a province without revolt, got {P.vicarius}")
    if P.goths < PROVINCES and not (P.armies & ~P.rebels) >> P.goths & 1:
        raise KernelError(f"goths: expected the province of an army that is no rebel, got {P.goths}")
    if P.pirates and P.fleets >> (P.pirates - 1) & 1:
        raise KernelError(f"pirates: expected a zone without a fleet, got {P.pirates}")
    if P.rebels & ~(P.armies & P.revolts):
        raise KernelError("rebels: expected provinces with an army and a revolt")
    if glory_taken(P) + gray_of(P) + popcount(P.unrest) > MOST_DISCS:
        field = "gray" if gray_of(P) else "glory"
        raise KernelError(
            f"{field}: expected at most {MOST_DISCS} discs with the unrest, got {glory_taken(P) + gray_of(P)}")
    if P.power and (P.mark == PHASE_BARBARIAN or P.mover == GALERIUS or P.mover == CONSTANTIUS):
        raise KernelError("power: expected a turn of Diocletian or Maximian")
    if P.power and not removed_of(P, P.mover):
        raise KernelError("removed: expected a disc that the active Emperor has paid for his power")
    return 0


cdef int check_played(str field, bint allowed) except -1:
    if not allowed:
        raise KernelError(f"{field}: not played with these tables")
    return 0


cdef int check_figures_of_board(const Board* B, const Position* P) except -1:
    """What modules a state may show, on this board."""
    check_house(B, P)
    check_played("dux", P.dux == OFF_BOARD or B.modules.dux)
    check_played("vicarius", P.vicarius == OFF_BOARD or B.modules.vicarius)
    if P.unrest >> P.vicarius & 1 and not B.reading[I_VICARIUS_UNREST]:
        raise KernelError(f"vicarius: expected a province without unrest, got {P.vicarius}")
    check_played("goths", P.goths == OFF_BOARD or B.modules.goths)
    check_played("pirates", not P.pirates or B.modules.pirates)
    check_played("glory", not glory_taken(P) or B.modules.roma_aeterna)
    check_played("removed", not P.removed or B.modules.imperium)
    check_played("gray, black", not P.barbarian or B.modules.barbaria)
    for i in range(4):
        if garrisons_left(B, P, i) < 0:
            raise KernelError(
                f"removed[{i}]: expected at most {B.garrisons} discs with the garrisons, got {removed_of(P, i)}")
    if P.rebels & ~B.borders:
        raise KernelError("rebels: expected borders")
    return 0
