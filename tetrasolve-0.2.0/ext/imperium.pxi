# Imperium: what an Emperor can pay his power with, and what Galerius' discs do to a battle.
#
# The code of an attack names the discs that Galerius pays when the dice have fallen: how many of his reserve in bits 15 to
# 17, then each province, its row + 1, in six bits from bit 18 on, lowest first.

cdef enum:
    MOST_PAID = 5          # discs of one Emperor, where this variant is played


# Discs

cdef inline Mask payable_discs(const Board* B, const Position* P, int emperor) noexcept nogil:
    """His discs on the board that he can pay with: [I-IMPERIUM-BORDER] those of borders stay, or do not."""
    return P.garrison[emperor] if B.reading[I_IMPERIUM_BORDER] else P.garrison[emperor] & ~B.borders


cdef inline bint can_pay(const Board* B, const Position* P, int emperor) noexcept nogil:
    return garrisons_left(B, P, emperor) > 0 or payable_discs(B, P, emperor) != 0


cdef inline void pay(Position* P, int emperor, int reserve, Mask discs) noexcept nogil:
    """So many discs of his reserve, and those of some provinces, leave the game."""
    CHECK(not discs & ~P.garrison[emperor])
    P.garrison[emperor] &= ~discs
    P.removed += (reserve + popcount(discs)) << 4 * emperor


cdef inline void pay_first(const Board* B, Position* P, int emperor) noexcept nogil:
    """The first of the ways to pay one disc: out of the reserve, or in the first province."""
    if garrisons_left(B, P, emperor) > 0:
        pay(P, emperor, 1, 0)
    else:
        pay(P, emperor, 0, payable_discs(B, P, emperor) & (<Mask> 0 - payable_discs(B, P, emperor)))


# Codes

cdef inline Code payment_of(int reserve, Mask discs) noexcept nogil:
    """What is added to the code of an attack."""
    cdef Code code = <Code> reserve << 15
    cdef int shift = 18
    while discs:
        code |= <Code> (lowest(discs) + 1) << shift
        shift += 6
        discs &= discs - 1
    return code


cdef inline int paid_of_reserve(Code code) noexcept nogil:
    return code >> 15 & 7


cdef inline Mask paid_on_board(Code code) noexcept nogil:
    cdef Mask discs = 0
    code >>= 18
    while code:
        discs |= bit(<int> (code & 63) - 1)
        code >>= 6
    return discs


# Battles

cdef inline int outcome_of(const Board* B, int roman, int barbarian, int e_minus_a) noexcept nogil:
    """Of a battle, from the dice with all that is added to them."""
    cdef int i
    for i in range(e_minus_a):
        roman *= support_factor(B)
    for i in range(-e_minus_a):
        barbarian *= support_factor(B)
    return VICTORY if roman > barbarian else DRAW if roman == barbarian else DEFEAT


cdef inline Odds boosted_odds(const Board* B, const Position* P, int leader, int army, int boost) noexcept nogil:
    """Of a battle, when so many discs are paid."""
    cdef Battle battle = battle_of(B, P, leader, army)
    cdef int bonus = goths_bonus(B, P, army, B.battle[place_of(P, leader)])
    return B.odds[battle.g + boost][battle.r + bonus][battle.e - battle.a + LEAST_SUPPORT]
