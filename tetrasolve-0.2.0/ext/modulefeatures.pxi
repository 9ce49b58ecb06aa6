# What an evaluation sees of modules, variants and rebels. They follow the features of the base game, and all are 0 without
# modules. hint/modulefeatures.py describes them in words and works the same row out of a Position.
#
# What Dux and Emperors could do against armies and Pirates is that of the next turn: on the position itself at its start, after a
# projected phase at the end of a turn.

cdef enum:                 # from AT_MODULES on
    OF_PLAYED = 0          # one for each module and variant
    OF_REBELS = 10         # armies, and those that can be attacked
    OF_DUX = 12            # in reserve, dead; 48 provinces; revolts in reach, reach; against each army
    OF_VICARIUS = 73       # in reserve, dead; 48 provinces; revolts beside him
    OF_PIRATES = 124       # zones 1 to 3, beaten; revolts and armies on their coast; whether they can be attacked, odds
    OF_GOTHS = 133         # in reserve; which of the armies
    OF_USURPERS = 137      # regions with a secured border and five revolts; the fullest
    OF_GLORY = 139         # of each Emperor; unrest in reserve
    OF_IMPERIUM = 144      # discs removed, and whether one can be paid, of each Emperor; power used
    OF_BARBARIA = 153      # 0 to 4 gray discs; the black one; phases until they are filled up
    OF_TRANSFER = 160      # whether the next Emperor can transfer the garrison under him

assert OF_TRANSFER + 1 == MODULE_FEATURES


cdef inline bint has_modules(const Board* B, const Position* P) noexcept nogil:
    """Whether a position has features of modules."""
    return B.modules.any or P.rebels != 0


cdef inline Mask within_after(const Board* B, const Reach* reach, int cost) noexcept nogil:
    """Provinces that he can come to in a turn if so many IP have to be left."""
    return reach.within[full_ip(B) - cost] if cost <= full_ip(B) else 0


cdef void dux_features(const Board* B, Recall* R, const Position* table, float* f) noexcept nogil:
    """What the Dux can do in a turn that begins here."""
    cdef Position there = table[0]
    cdef const Reach* reach = reach_of(B, R, table, bit(table.dux))
    cdef uint8_t[MOST_ARMIES] order
    cdef Odds odds, best
    cdef Mask sites
    cdef int i, q, s, cost
    cdef bint met
    f[0] = <float> (popcount(table.revolts & B.numbered & within_after(B, reach, remove_revolt_cost(B))) / 6.0)
    f[1] = <float> (popcount(reach.within[full_ip(B)]) / 48.0)
    for i in range(in_order(B, table.armies, order)):
        q = order[i]
        met = False
        sites = B.linked[q] & ~(table.armies | other_figures(table, DUX)) if may_be_attacked(table, q) else 0
        while sites:
            s = lowest(sites)
            sites &= sites - 1
            cost = attack_cost(B, table, s, q)
            if not within_after(B, reach, cost) >> s & 1:
                continue
            there.dux = s
            odds = odds_of(B, &there, DUX_LEADS, q)
            if not met or odds.victory > best.victory or (odds.victory == best.victory and odds.draw > best.draw):
                best = odds
                met = True
        if met:
            f[2 + 3 * i] = 1
            f[3 + 3 * i] = odds_of_victory(best)
            f[4 + 3 * i] = odds_of_defeat(best)


cdef void pirates_features(const Board* B, Recall* R, const Position* table, int emperor, float* f) noexcept nogil:
    """What there is on the coast of the Pirates, and the attack of an Emperor."""
    cdef Position there = table[0]
    cdef Mask coast = B.coast[table.pirates - 1]
    cdef Mask start = bit(table.emperor[emperor])
    cdef Odds odds
    there.mover = emperor
    f[0] = <float> (popcount(table.revolts & coast) / 10.0)
    f[1] = <float> (popcount(table.armies & coast) / 3.0)
    if table.emperor[emperor] == OFF_BOARD:
        start = bit(B.roma) | (bit(B.capital[emperor]) & ~all_discs(table))
    if within_after(B, reach_of(B, R, table, start), B.house.attack_pirates) & coast & ~other_figures(&there, EMPEROR):
        odds = pirates_odds(B, table, emperor, 0)
        f[2] = 1
        f[3] = odds_of_victory(odds)
        f[4] = odds_of_defeat(odds)


cdef void usurper_features(const Board* B, const Position* P, float* f) noexcept nogil:
    """How near regions behind secured borders are to an army of a usurper."""
    cdef Mask discs = garrison_discs(P)
    cdef int nearly = 0
    cdef int fullest = 0
    cdef int i, n
    for i in range(6):
        if discs >> B.border[i] & 1:
            n = popcount(P.revolts & B.region[i])
            nearly += n == 5
            fullest = max(fullest, n)
    f[0] = <float> (nearly / 6.0)
    f[1] = <float> (fullest / 6.0)


cdef Mask module_features(const Board* B, Recall* R, const Position* P, float* f) noexcept nogil:
    """Writes them where all is 0. Returns where an Emperor would change some of them."""
    cdef const Modules* M = &B.modules
    cdef uint8_t[MOST_ARMIES] order
    cdef Position table
    cdef Mask calm = 0
    cdef Mask near = 0
    cdef Mask rest
    cdef int first = P.mark != ROMAN_OPEN
    cdef int next = (P.mover + first) & 3
    cdef int i, j
    if not has_modules(B, P):
        return 0
    f[OF_PLAYED] = M.dux
    f[OF_PLAYED + 1] = M.vicarius
    f[OF_PLAYED + 2] = M.pirates
    f[OF_PLAYED + 3] = M.goths
    f[OF_PLAYED + 4] = M.mare_nostrum
    f[OF_PLAYED + 5] = M.via_romana
    f[OF_PLAYED + 6] = M.usurpator
    f[OF_PLAYED + 7] = M.roma_aeterna
    f[OF_PLAYED + 8] = M.imperium
    f[OF_PLAYED + 9] = M.barbaria
    rest = P.rebels
    while rest:
        f[OF_REBELS] += <float> (1 / 3.0)
        f[OF_REBELS + 1] += <float> (may_be_attacked(P, lowest(rest)) / 3.0)
        rest &= rest - 1
    table = P[0]
    if first and (P.dux < PROVINCES or P.pirates):
        project_phase(B, P, &table, &calm)
    if M.dux:
        f[OF_DUX] = P.dux == NOT_IN_PLAY
        f[OF_DUX + 1] = P.dux == OFF_BOARD
        if P.dux < PROVINCES:
            f[OF_DUX + 2 + P.dux] = 1
        if table.dux < PROVINCES:
            dux_features(B, R, &table, f + OF_DUX + 50)
    if M.vicarius:
        f[OF_VICARIUS] = P.vicarius == NOT_IN_PLAY
        f[OF_VICARIUS + 1] = P.vicarius == OFF_BOARD
        if P.vicarius < PROVINCES:
            f[OF_VICARIUS + 2 + P.vicarius] = 1
            f[OF_VICARIUS + 50] = <float> (popcount(P.revolts & B.linked[P.vicarius]) / 6.0)
    if M.pirates:
        f[OF_PIRATES + (P.pirates - 1 if P.pirates else 3)] = 1
        if P.pirates:
            near = B.coast[P.pirates - 1]
            pirates_features(B, R, &table, next, f + OF_PIRATES + 4)
    if M.goths:
        f[OF_GOTHS] = P.goths == NOT_IN_PLAY
        for i in range(in_order(B, P.armies, order)):
            f[OF_GOTHS + 1 + i] = P.goths == order[i]
    if M.usurpator:
        usurper_features(B, P, f + OF_USURPERS)
    if M.roma_aeterna or M.barbaria:
        f[OF_GLORY + 4] = <float> (unrest_in_reserve(B, P) / 21.0)
    for i in range(4):
        j = acts_in(P, i)
        f[OF_GLORY + j] = <float> (P.glory[i] / 21.0)
        f[OF_IMPERIUM + j] = <float> (removed_of(P, i) / 5.0)
        f[OF_IMPERIUM + 4 + j] = M.imperium and can_pay(B, P, i)
    f[OF_IMPERIUM + 8] = P.power and not first
    if M.barbaria:
        f[OF_BARBARIA + gray_of(P)] = 1
        f[OF_BARBARIA + 5] = black_of(P)
        f[OF_BARBARIA + 6] = <float> ((4 - P.mover) / 4.0)
    if M.via_romana and P.emperor[next] != OFF_BOARD:
        f[OF_TRANSFER] = (
            P.garrison[next] >> P.emperor[next] & 1
            and (B.reading[I_VIA_BORDER] or not B.borders >> P.emperor[next] & 1))
    return near
