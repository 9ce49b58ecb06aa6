# A position of the base game as a Python value.

@cython.final
cdef class State(_Table):
    """One position of the base game, 64 bytes inside; equal and hashed by value, never changed once made."""

    def __init__(
        self, *, revolts=0, unrest=0, garrisons=(0, 0, 0, 0), armies=0, emperors=(63, 63, 63, 63), fleets=0, to_move=0,
        ip=6, phase=0, result=0,
    ):
        take_position(&self.position, revolts, unrest, garrisons, armies, emperors, fleets, to_move, ip, phase, result)
        check_sense(&self.position)

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
