# A position as a Python value.

cdef int take_position(
    Position* P, revolts, unrest, garrisons, armies, emperors, fleets, to_move, ip, phase, result,
) except -1:
    """What the base game knows; whether it makes sense is looked at later."""
    memset(P, 0, sizeof(Position))
    P.revolts = take_mask(revolts, "revolts")
    P.unrest = take_mask(unrest, "unrest")
    P.armies = take_mask(armies, "armies")
    for i, mask in enumerate(take_row(garrisons, "garrisons", 4)):
        P.garrison[i] = take_mask(mask, f"garrisons[{i}]")
    for i, province in enumerate(take_row(emperors, "emperors", 4)):
        P.emperor[i] = take_place(province, f"emperors[{i}]")
    P.fleets = take_int(fleets, "fleets", 0, 7)
    P.mover = take_int(to_move, "to_move", 0, 3)
    P.ip = take_int(ip, "ip", 0, MOST_IP)
    P.mark = take_int(phase, "phase", 0, 1) | take_int(result, "result", 0, 2) << 1
    return 0


cdef int take_place(object value, str field) except -1:
    """Where a figure stands, or `OFF_BOARD`."""
    if value != OFF_BOARD:
        take_int(value, field, 0, PROVINCES - 1)
    return value


cdef class _Table:
    """A position: what each of the kernels knows of it. `State` adds how one is made, and what else there is on the board."""

    cdef Position position

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

    def __eq__(self, other):
        if not isinstance(other, _Table):
            return NotImplemented
        return memcmp(&self.position, &(<_Table> other).position, sizeof(Position)) == 0

    def __hash__(self):
        return hash(bytes(self))

    def __reduce__(self):
        return (State.from_bytes, (bytes(self),))


cdef int check_count(str field, Mask mask, int most) except -1:
    if popcount(mask) > most:
        raise KernelError(f"{field}: expected at most {most}, got {popcount(mask)}")
    return 0


cdef int check_sense(const Position* P) except -1:
    """What must hold in any position: one disc and one figure in a province, no more pieces than there are."""
    cdef Mask seen = P.revolts | P.unrest
    cdef int i, j
    check_count("revolts", P.revolts, MOST_DISCS - held_back(P))
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
            if P.emperor[i] == P.emperor[j] and not may_pass(P, i, j):
                raise KernelError(
                    f"emperors[{i}]: expected only the active Emperor to share a province, got {P.emperor[i]}")
    check_figures_make_sense(P)
    return 0
