# The machine: bit counting, wide integers, assertions, stop flags, objects that one call at a time may use.

cimport cython
from cpython.bytearray cimport PyByteArray_AS_STRING, PyByteArray_FromStringAndSize
from cpython.mem cimport PyMem_RawFree, PyMem_RawMalloc
from libc.stdint cimport int8_t, int16_t, int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t, uintptr_t
from libc.stdlib cimport calloc, free, malloc, qsort, realloc
from libc.string cimport memcmp, memcpy, memmove, memset
from math import gcd, lcm

from tetrasolve.stop cimport Stop, Watch, spend, stopped_error, watch_open
from tetrasolve.stop import Stopped

cdef extern from *:
    """
    #include <stdint.h>
    #include <stdio.h>
    #include <stdlib.h>

    /* Bits are counted all the time, and x86-64 compilers may not assume that the machine has the instruction for it.
       So it is written out and chosen when the module is loaded: one predictable branch, and it runs anywhere. */
    #if defined(__x86_64__) && defined(__GNUC__)
    static int machine_counts_bits = 0;
    static void look_at_machine(void) {
        __builtin_cpu_init();
        machine_counts_bits = !!__builtin_cpu_supports("popcnt");
    }
    static inline int popcount(uint64_t x) {
        if (__builtin_expect(machine_counts_bits, 1)) {
            uint64_t n;
            __asm__("popcntq %1, %0" : "=r"(n) : "r"(x) : "cc");
            return (int) n;
        }
        x -= x >> 1 & 0x5555555555555555u;
        x = (x & 0x3333333333333333u) + (x >> 2 & 0x3333333333333333u);
        x = (x + (x >> 4)) & 0x0f0f0f0f0f0f0f0fu;
        return (int) (x * 0x0101010101010101u >> 56);
    }
    #else
    static void look_at_machine(void) {}
    static inline int popcount(uint64_t x) { return __builtin_popcountll(x); }
    #endif

    /* the lowest set bit's number; x is not 0 */
    static inline int lowest(uint64_t x) { return __builtin_ctzll(x); }

    /* the highest one's */
    static inline int highest(uint64_t x) { return 63 - __builtin_clzll(x); }

    /* The compiler may not leave out the making of what lies at `p`, even if nobody looks at it. */
    static inline void really_made(const void *p) { __asm__ volatile("" : : "r"(p) : "memory"); }

    /* Sums of scaled chances: up to 36 * 2^58 * 36^6, which needs more than 64 bits. */
    typedef __int128 Wide;
    typedef unsigned __int128 UWide;
    static inline uint64_t high_half(uint64_t a, uint64_t b) { return (uint64_t) ((UWide) a * b >> 64); }
    static inline uint64_t low_word(Wide x) { return (uint64_t) x; }
    static inline int64_t high_word(Wide x) { return (int64_t) (x >> 64); }

    /* Objects with scratch memory serve one call at a time; TAKE fails while another call has the object. */
    #define TAKE(busy) (!__atomic_exchange_n(busy, 1, __ATOMIC_ACQUIRE))
    #define GIVE_BACK(busy) __atomic_store_n(busy, 0, __ATOMIC_RELEASE)

    /* CHECK stops the checked build (CFLAGS=-DTETRASOLVE_CHECKED) where a promise of the code is broken. */
    #ifdef TETRASOLVE_CHECKED
    #define CHECKED_BUILD 1
    #define CHECK(promise) do { if (!(promise)) { \\
        fprintf(stderr, "tetrasolve kernel, %s:%d: broken promise: %s\\n", __FILE__, __LINE__, #promise); \\
        abort(); } } while (0)
    #else
    #define CHECKED_BUILD 0
    #define CHECK(promise) ((void) sizeof(promise))    /* never evaluated, but what it names counts as used */
    #endif
    """
    ctypedef long long Wide
    const int CHECKED_BUILD
    void CHECK(bint promise) noexcept nogil
    void look_at_machine() noexcept nogil
    int popcount(uint64_t x) noexcept nogil
    void really_made(const void* p) noexcept nogil
    int lowest(uint64_t x) noexcept nogil
    int highest(uint64_t x) noexcept nogil
    uint64_t high_half(uint64_t a, uint64_t b) noexcept nogil
    uint64_t low_word(Wide x) noexcept nogil
    int64_t high_word(Wide x) noexcept nogil
    bint TAKE(int* busy) noexcept nogil
    void GIVE_BACK(int* busy) noexcept nogil

look_at_machine()

CHECKED = bool(CHECKED_BUILD)


cdef int raise_stopped(Watch* watch, object partial) except -1:
    """Raises `Stopped`, or what a signal handler has raised."""
    raise stopped_error(watch, partial)


cdef inline int check_stop(Watch* watch, int ticks) except -1 nogil:
    """Spends ticks, and raises where the call has to stop."""
    if spend(watch, ticks):
        with gil:
            raise_stopped(watch, None)
    return 0


cdef int take_object(int* busy, str name) except -1:
    """Reserves an object for the calling method."""
    if not TAKE(busy):
        raise KernelError(f"{name}: in use by another thread; give each thread one of its own")
    return 0


cdef object wide_to_int(Wide x):
    return (int(high_word(x)) << 64) | int(low_word(x))
