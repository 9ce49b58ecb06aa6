# The machine: bit counting, wide integers, assertions, Ctrl-C.

cimport cython
from cpython.exc cimport PyErr_CheckSignals
from libc.stdint cimport int8_t, int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free, malloc, qsort, realloc
from libc.string cimport memcmp, memcpy, memset
from math import gcd, lcm

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

    /* The compiler may not leave out the making of what lies at `p`, even if nobody looks at it. */
    static inline void really_made(const void *p) { __asm__ volatile("" : : "r"(p) : "memory"); }

    /* Sums of scaled chances: up to 36 * 2^58 * 36^6, which needs more than 64 bits. */
    typedef __int128 Wide;
    typedef unsigned __int128 UWide;
    static inline uint64_t high_half(uint64_t a, uint64_t b) { return (uint64_t) ((UWide) a * b >> 64); }
    static inline uint64_t low_word(Wide x) { return (uint64_t) x; }
    static inline int64_t high_word(Wide x) { return (int64_t) (x >> 64); }

    /* CHECK stops the checked build (CFLAGS=-DTETRASOLVE_CHECKED) where a promise of the code is broken. */
    #ifdef TETRASOLVE_CHECKED
    #define CHECKED_BUILD 1
    #define CHECK(promise) do { if (!(promise)) { \\
        fprintf(stderr, "tetrasolve kernel, %s:%d: broken promise: %s\\n", __FILE__, __LINE__, #promise); \\
        abort(); } } while (0)
    #else
    #define CHECKED_BUILD 0
    #define CHECK(promise) ((void) 0)
    #endif
    """
    ctypedef long long Wide
    const int CHECKED_BUILD
    void CHECK(bint promise) noexcept nogil
    void look_at_machine() noexcept nogil
    int popcount(uint64_t x) noexcept nogil
    void really_made(const void* p) noexcept nogil
    int lowest(uint64_t x) noexcept nogil
    uint64_t high_half(uint64_t a, uint64_t b) noexcept nogil
    uint64_t low_word(Wide x) noexcept nogil
    int64_t high_word(Wide x) noexcept nogil

look_at_machine()

CHECKED = bool(CHECKED_BUILD)


cdef int heed_signals() except -1 nogil:
    """Lets Ctrl-C through in the middle of long work."""
    with gil:
        PyErr_CheckSignals()
    return 0


cdef object wide_to_int(Wide x):
    return (int(high_word(x)) << 64) | int(low_word(x))
