# The memory of sweeps, shared by all kernels.

cdef enum:
    LARGE = 16 << 20       # bytes: one that has grown beyond is not kept; small phases would scatter over too much memory

cdef list idle = []        # scratches that nobody uses: as many as were ever in use at once. Threads may share a list


@cython.final
cdef class _Scratch:
    """The memory of a sweep, passed on from one call to the next."""

    cdef Sweep sweep

    def __cinit__(self):
        sweep_open(&self.sweep)

    def __dealloc__(self):
        sweep_close(&self.sweep)


cdef _Scratch take_scratch(bint gather):
    """One for the caller alone, empty."""
    cdef _Scratch scratch
    try:
        scratch = idle.pop()
    except IndexError:
        scratch = _Scratch()
    sweep_restart(&scratch.sweep, gather)
    return scratch


cdef int give_back(_Scratch scratch) except -1:
    if sweep_size(&scratch.sweep) <= LARGE:
        idle.append(scratch)
    return 0
