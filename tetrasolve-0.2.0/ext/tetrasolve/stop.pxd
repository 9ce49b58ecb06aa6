# cython: language_level=3
# Stop flags as the kernels see them: `Stop` is the object that callers share, a `Watch` is what one call looks at.
#
# A loop spends ticks, about one for each microsecond of work. When they are used up, every millisecond or so, `look` reads the
# flag, then the clock if there is a deadline, and now and then asks Python whether a signal has come.

from libc.stdint cimport int32_t, int64_t, uint32_t

cdef extern from *:
    """
    #include <stdint.h>
    #include <time.h>

    /* The flag is set by any thread or signal handler, and read by any other. */
    typedef struct StopFlag {
        int set;
        int64_t deadline;                /* of CLOCK_MONOTONIC, in nanoseconds; INT64_MAX where there is none */
        const struct StopFlag *parent;   /* or NULL: stops this one too */
    } StopFlag;

    #define NO_DEADLINE INT64_MAX
    #define FLAG_SET(flag) __atomic_store_n(&(flag)->set, 1, __ATOMIC_RELEASE)
    #define FLAG_IS_SET(flag) __atomic_load_n(&(flag)->set, __ATOMIC_ACQUIRE)

    static inline int64_t nanoseconds_now(void) {
        struct timespec now;
        clock_gettime(CLOCK_MONOTONIC, &now);
        return (int64_t) now.tv_sec * 1000000000 + now.tv_nsec;
    }
    """
    ctypedef struct StopFlag:
        int set
        int64_t deadline
        const StopFlag* parent
    const int64_t NO_DEADLINE
    void FLAG_SET(StopFlag* flag) noexcept nogil
    int FLAG_IS_SET(const StopFlag* flag) noexcept nogil
    int64_t nanoseconds_now() noexcept nogil

cdef enum:
    TICKS = 1000           # between two looks

cdef enum Reason:          # why a call has to stop
    GO_ON
    STOP_SET
    STOP_DEADLINE
    STOP_SIGNAL            # Ctrl-C, or another handler that raises

cdef struct Watch:         # of one call; it lives on that call's stack or in an object that no other call uses
    const StopFlag* flag   # or NULL: only signals stop the call
    int32_t ticks          # left until the next look
    int stopped            # a Reason; it stays
    int64_t signals_at     # when to ask for signals next; 0: not known yet
    void* raised           # the exception of the signal handler, owned; or NULL


cdef class Stop:
    cdef StopFlag flag
    cdef Stop parent


cdef int look(Watch* watch) noexcept nogil                # what `spend` does when the ticks are used up
cdef void watch_open(Watch* watch, Stop stop) noexcept    # at the beginning of a call; None where nobody can stop it
cdef object stopped_error(Watch* watch, object partial)   # to be raised after a stop: `Stopped`, or what a signal handler raised


cdef inline bint spend(Watch* watch, int ticks) noexcept nogil:
    """Counts the ticks; whether the call has to stop."""
    watch.ticks -= ticks
    if watch.ticks > 0:
        return False
    return look(watch) != GO_ON
