# A position as a Python value.

@cython.final
cdef class State:
    """One position of the base game, 64 bytes inside; equal and hashed by value, never changed once made."""

    cdef Position position

    def __init__(
        self, *, revolts=0, unrest=0, garrisons=(0, 0, 0, 0), armies=0, emperors=(63, 63, 63, 63), fleets=0, to_move=0,
        ip=6, phase=0, result=0,
    ):
        cdef Position* P = &self.position
        memset(P, 0, sizeof(Position))
        P.revolts = take_mask(revolts, "revolts")
        P.unrest = take_mask(unrest, "unrest")
        P.armies = take_mask(armies, "armies")
        for i, mask in enumerate(take_row(garrisons, "garrisons", 4)):
            P.garrison[i] = take_mask(mask, f"garrisons[{i}]")
        for i, province in enumerate(take_row(emperors, "emperors", 4)):
            if province != OFF_BOARD:
                take_int(province, f"emperors[{i}]", 0, PROVINCES - 1)
            P.emperor[i] = province
        P.fleets = take_int(fleets, "fleets", 0, 7)
        P.mover = take_int(to_move, "to_move", 0, 3)
        P.ip = take_int(ip, "ip", 0, FULL_IP)
        P.mark = take_int(phase, "phase", 0, 1) | take_int(result, "result", 0, 2) << 1
        check_sense(P)

    @property
    def revolts(self):
        """Mask of the revolts."""
        return self.position.revolts

    @property
    def unrest(self):
        """Mask of the unrest."""
        return self.position.unrest

    @property
    def garrisons(self):
        """Masks of the garrison discs of each Emperor (printed discs are not among them)."""
        cdef const Mask* garrison = self.position.garrison
        return (garrison[0], garrison[1], garrison[2], garrison[3])

    @property
    def armies(self):
        """Mask of the Barbarian armies."""
        return self.position.armies

    @property
    def emperors(self):
        """Province of each Emperor, `OFF` when he is off the board."""
        cdef const uint8_t* emperor = self.position.emperor
        return (emperor[0], emperor[1], emperor[2], emperor[3])

    @property
    def fleets(self):
        """Mask of the zones with a fleet, bit z - 1."""
        return self.position.fleets

    @property
    def to_move(self):
        """The active Emperor."""
        return self.position.mover

    @property
    def ip(self):
        """IP left."""
        return self.position.ip

    @property
    def phase(self):
        """`ROMAN` or `BARBARIAN`."""
        return self.position.mark & PHASE_BARBARIAN

    @property
    def result(self):
        """`OPEN`, `WON` or `FALLEN`."""
        return self.position.mark >> 1

    def __bytes__(self):
        return (<const unsigned char*> &self.position)[:sizeof(Position)]

    @staticmethod
    def from_bytes(data):
        """The state of which these are the 64 bytes."""
        raw = bytes(data)
        if len(raw) != sizeof(Position):
            raise KernelError(f"data: expected {sizeof(Position)} bytes, got {len(raw)}")
        cdef Position P
        memcpy(&P, <const unsigned char*> raw, sizeof(Position))
        return State(
            revolts=P.revolts, unrest=P.unrest, garrisons=tuple(P.garrison[i] for i in range(4)), armies=P.armies,
            emperors=tuple(P.emperor[i] for i in range(4)), fleets=P.fleets, to_move=P.mover, ip=P.ip,
            phase=P.mark & PHASE_BARBARIAN, result=P.mark >> 1,
        )

    def __eq__(self, other):
        if not isinstance(other, State):
            return NotImplemented
        return memcmp(&self.position, &(<State> other).position, sizeof(Position)) == 0

    def __hash__(self):
        return hash(bytes(self))

    def __reduce__(self):
        return (State.from_bytes, (bytes(self),))

    def __repr__(self):
        return (
            f"State(revolts={self.revolts:#x}, unrest={self.unrest:#x}, garrisons={self.garrisons}, "
            f"armies={self.armies:#x}, emperors={self.emperors}, fleets={self.fleets}, to_move={self.to_move}, "
            f"ip={self.ip}, phase={self.phase}, result={self.result})"
        )


cdef State state_of(const Position* P):
    cdef State state = State.__new__(State)
    state.position = P[0]
    return state


cdef int check_count(str field, Mask mask, int most) except -1:
    if popcount(mask) > most:
        raise KernelError(f"{field}: expected at most {most}, got {popcount(mask)}")
    return 0


cdef int check_sense(const Position* P) except -1:
    """What must hold in any position: one disc and one figure in a province, no more pieces than there are."""
    cdef Mask seen = P.revolts | P.unrest
    cdef int i, j
    check_count("revolts", P.revolts, MOST_DISCS)
    check_count("unrest", P.unrest, MOST_DISCS)
    check_count("armies", P.armies, MOST_ARMIES)
    if P.revolts & P.unrest:
        raise KernelError(f"unrest: expected one disc in a province, got a second one on {P.revolts & P.unrest:#x}")
    for i in range(4):
        if seen & P.garrison[i]:
            raise KernelError(
                f"garrisons[{i}]: expected one disc in a province, got a second one on {seen & P.garrison[i]:#x}")
        seen |= P.garrison[i]
    for i in range(4):
        if P.emperor[i] == OFF_BOARD:
            continue
        if P.armies & bit(P.emperor[i]):
            raise KernelError(f"emperors[{i}]: expected a province without an army, got {P.emperor[i]}")
        for j in range(i):
            if P.emperor[i] == P.emperor[j] and i != P.mover and j != P.mover:
                raise KernelError(
                    f"emperors[{i}]: expected only the active Emperor to share a province, got {P.emperor[i]}")
    return 0
