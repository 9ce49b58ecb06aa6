# Tables of the modules and variants.

cdef int take_modules(Board* B, dict modules, tuple region, tuple number) except -1:
    """From the arguments that the base game does not know, see whole.pyi."""
    cdef Modules* M = &B.modules
    rest = dict(modules)
    M.dux = rest.pop("dux", False)
    M.vicarius = rest.pop("vicarius", False)
    M.pirates = rest.pop("pirates", False)
    M.goths = rest.pop("goths", False)
    M.via_romana = rest.pop("via_romana", False)
    M.usurpator = rest.pop("usurpator", False)
    M.roma_aeterna = rest.pop("roma_aeterna", False)
    M.imperium = rest.pop("imperium", False)
    M.barbaria = rest.pop("barbaria", False)
    if M.imperium:
        check_discs(B)
    M.any = (
        M.dux or M.vicarius or M.pirates or M.goths or M.via_romana or M.usurpator or M.roma_aeterna or M.imperium or M.barbaria
        or bool(rest.get("mare_nostrum")))
    M.mare_nostrum = rest.pop("mare_nostrum", False)
    if M.mare_nostrum:
        join_zones(B)
    find_ways(B, region, number)
    for name in rest:
        raise TypeError(f"Tables has no argument {name!r}")
    return 0


cdef int check_discs(Board* B) except -1:
    """Imperium: what Galerius pays is named in a code, and added to his group."""
    if B.garrisons > MOST_PAID:
        raise KernelError(f"garrisons: expected at most {MOST_PAID} with imperium, got {B.garrisons}")
    if popcount(B.printed[GALERIUS]) + 2 * B.garrisons >= MOST_GROUP:
        raise KernelError(f"printed[{GALERIUS}]: expected fewer than {MOST_GROUP} discs, garrisons counted twice, with imperium")
    return 0


cdef void join_zones(Board* B) noexcept:
    """Mare Nostrum: fleets in adjacent zones join them, [I-MARE-ZONES] all three of them or two."""
    cdef Mask reached, fresh
    cdef int fleets, p, z, crossed, zones, more
    for fleets in range(8):
        for p in range(PROVINCES):
            zones = 0
            for z in range(3):
                if fleets >> z & 1 and B.coast[z] >> p & 1:
                    zones |= 1 << z
            reached = B.sea[p][fleets] | bit(p)
            for crossed in range(1 if B.reading[I_MARE_ZONES] else 2):
                more = zones
                for z in range(3):
                    if zones >> z & 1:
                        more |= B.adjacent[z] & fleets
                zones = more
                fresh = 0
                for z in range(3):
                    if zones >> z & 1:
                        fresh |= B.coast[z]
                B.voyage[crossed][p][fleets] = fresh & ~reached
                reached |= fresh


cdef int find_ways(Board* B, tuple region, tuple number) except -1:
    """
    Usurpator, Barbaria: where there is no arrow, an army goes the shortest way to Roma, through Roman provinces. [I-WAY-BROKEN] a
    broken link counts as one link or as two; [I-WAY-ARROWS] ways are found by links alone, or along the arrows where there are any.
    """
    cdef int[PROVINCES] length
    cdef int p, q, step, again
    if not (B.modules.usurpator or B.modules.barbaria):
        return 0
    for p in range(PROVINCES):
        length[p] = 0 if p == B.roma else 4 * PROVINCES
    for again in range(PROVINCES):                   # no way has more links
        for p in range(PROVINCES):
            for q in range(PROVINCES):
                if B.borders & (bit(p) | bit(q)) or not B.linked[p] >> q & 1 or p == B.roma:
                    continue
                if B.reading[I_WAY_ARROWS] and B.arrow[p] >= 0 and B.arrow[p] != q:
                    continue
                step = 2 if B.reading[I_WAY_BROKEN] and B.broken[p] >> q & 1 else 1
                length[p] = min(length[p], length[q] + step)
    for p in range(PROVINCES):                       # [I-SHORTEST] of several: by region and number, or by row
        if B.arrow[p] >= 0 or B.borders >> p & 1 or p == B.roma or length[p] >= 4 * PROVINCES:
            continue
        nearer = []
        for q in range(PROVINCES):
            step = 2 if B.reading[I_WAY_BROKEN] and B.broken[p] >> q & 1 else 1
            if B.linked[p] >> q & 1 and not B.borders >> q & 1 and length[q] + step == length[p]:
                nearer.append((0, 0, q) if B.reading[I_SHORTEST] else (region[q], number[q], q))
        B.way[p] = min(nearer)[2]
    return 0
