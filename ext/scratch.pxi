# The memory of sweeps. Each call takes a scratch for itself, so that any number of threads may use one kernel.

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


cdef _Scratch take_scratch(bint gather, Stop stop):
    """One for the caller alone, empty; it stops when `stop` says so."""
    cdef _Scratch scratch
    try:
        scratch = idle.pop()
    except IndexError:
        scratch = _Scratch()
    sweep_restart(&scratch.sweep, gather)
    watch_open(&scratch.sweep.watch, stop)
    return scratch


cdef int give_back(_Scratch scratch) except -1:
    watch_open(&scratch.sweep.watch, None)         # the flag may go
    if sweep_size(&scratch.sweep) <= LARGE:
        idle.append(scratch)
    return 0
