# The memory of sweeps. Each call takes a scratch for itself, so that any number of threads may use one kernel.

cdef enum:                 # bytes
    LARGE = 16 << 20       # of scratches that have grown beyond only one is kept,
    TOO_LARGE = 160 << 20  # and none beyond this: enough for a million outcomes; fresh memory costs as much as they do

# Scratches that nobody uses: as many as were ever in use at once, and the large one. Threads may share a list
cdef list idle = []
cdef list idle_large = []


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
        scratch = (idle_large or idle).pop()
    except IndexError:                             # another thread may have taken the large one meanwhile
        scratch = _Scratch()
    sweep_restart(&scratch.sweep, gather)
    watch_open(&scratch.sweep.watch, stop)
    return scratch


cdef int give_back(_Scratch scratch) except -1:
    watch_open(&scratch.sweep.watch, None)         # the flag may go
    if sweep_size(&scratch.sweep) <= LARGE:
        idle.append(scratch)
    elif sweep_size(&scratch.sweep) <= TOO_LARGE and not idle_large:
        idle_large.append(scratch)
    return 0
