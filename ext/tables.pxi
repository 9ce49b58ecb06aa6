# A board made from Python values: everything that can be looked up later is worked out once, here.

class KernelError(ValueError):
    """A state, a position or a code that the kernel cannot take; the text says which field and what was expected."""


cdef int take_int(object value, str field, int lowest_ok, int highest_ok) except? -100:
    if not isinstance(value, int) or not lowest_ok <= value <= highest_ok:
        raise KernelError(f"{field}: expected an integer from {lowest_ok} to {highest_ok}, got {value!r}")
    return value


cdef Mask take_mask(object value, str field) except? 0:
    if not isinstance(value, int) or value < 0 or value >> PROVINCES:
        raise KernelError(f"{field}: expected a mask of {PROVINCES} provinces, got {value!r}")
    return value


cdef tuple take_row(object values, str field, int length):
    row = tuple(values)
    if len(row) != length:
        raise KernelError(f"{field}: expected {length} values, got {len(row)}")
    return row


cdef Odds battle_odds(const Board* B, int g, int r, int e_minus_a) noexcept nogil:
    """The 36 rolls of a battle (rules, section 4): (d6 + g) * 2^e against (d6 + r) * 2^a.

    House rules may add bonuses and have another factor than 2.
    """
    cdef Odds odds
    cdef int roman_die, barbarian_die, roman, barbarian, i
    cdef int of_romans = 1
    cdef int of_barbarians = 1
    for i in range(abs(e_minus_a)):
        if e_minus_a > 0:
            of_romans *= support_factor(B)
        else:
            of_barbarians *= support_factor(B)
    odds.victory = odds.draw = 0
    for roman_die in range(1, DIE + 1):
        for barbarian_die in range(1, DIE + 1):
            roman = (roman_die + roman_bonus(B) + g) * of_romans
            barbarian = (barbarian_die + barbarian_bonus(B) + r) * of_barbarians
            odds.victory += roman > barbarian
            odds.draw += roman == barbarian
    return odds


@cython.final
cdef class Tables:
    """A board and the readings of its rules, as bit tables made at run time (a corrected board needs no compiler)."""

    cdef Board board

    def __cinit__(
        self, *, links, zones, adjacent_zones, arrows, region, number, borders, roma, capitals, printed, garrisons,
        readings=None, **modules,
    ):
        memset(&self.board, 0, sizeof(Board))
        self.take_readings(readings or {})
        take_house(&self.board, modules)
        region = take_row(region, "region", PROVINCES)
        number = take_row(number, "number", PROVINCES)
        self.take_regions(region, number, borders)
        self.take_links(links)
        self.take_sea(zones, adjacent_zones)
        self.board.roma = take_int(roma, "roma", 0, PROVINCES - 1)
        self.take_arrows(arrows)
        self.take_emperors(capitals, printed, garrisons)
        self.close_printed()
        for g in range(MOST_GROUP):
            for r in range(MOST_REVOLTS + 1):
                for support in range(SUPPORTS):
                    self.board.odds[g][r][support] = battle_odds(&self.board, g, r, support - LEAST_SUPPORT)
        take_modules(&self.board, modules, region, number)
        self.take_order(region, number)

    cdef int take_readings(self, readings) except -1:
        for name, value in readings.items():
            if name not in READINGS:
                raise KernelError(f"readings: {name!r} is no reading")
            number, values = READINGS[name]
            self.board.reading[number] = take_int(value, f"readings[{name!r}]", 0, values - 1)
        return 0

    cdef int take_regions(self, tuple region, tuple number, borders) except -1:
        """Provinces 1 to 6 of regions I to VI, and their borders."""
        cdef Board* B = &self.board
        borders = take_row(borders, "borders", 6)
        for i in range(6):
            B.border[i] = take_int(borders[i], f"borders[{i}]", 0, PROVINCES - 1)
            if region[B.border[i]] != i + 1 or number[B.border[i]] != 0:
                raise KernelError(
                    f"borders[{i}]: expected a province of region {i + 1} without a number, got {borders[i]}")
            B.borders |= bit(B.border[i])
        for p in range(PROVINCES):
            B.secure_cost[p] = secure_border_cost(B) if B.borders & bit(p) else secure_province_cost(B)
            r = take_int(region[p], f"region[{p}]", 0, 6)
            n = take_int(number[p], f"number[{p}]", 0, 6)
            if n == 0:
                if r != 0 and not B.borders & bit(p):
                    raise KernelError(f"number[{p}]: expected 1 to 6 in region {r}, got 0")
                continue
            if r == 0:
                raise KernelError(f"number[{p}]: expected 0 in region 0, got {n}")
            if B.region[r - 1] & bit(B.place[6 * (r - 1) + n - 1]) and B.place[6 * (r - 1) + n - 1] != p:
                raise KernelError(f"number[{p}]: expected each number once, got a second {n} in region {r}")
            B.place[6 * (r - 1) + n - 1] = p
            B.region[r - 1] |= bit(p)
            B.numbered |= bit(p)
        for i in range(6):
            if popcount(B.region[i]) != 6:
                raise KernelError(
                    f"number: expected six numbered provinces in region {i + 1}, got {popcount(B.region[i])}")
            B.back[B.border[i]] = B.region[i]

    cdef int take_links(self, links) except -1:
        cdef Board* B = &self.board
        for i, link in enumerate(links):
            p, q, is_broken = take_row(link, f"links[{i}]", 3)
            p = take_int(p, f"links[{i}]", 0, PROVINCES - 1)
            q = take_int(q, f"links[{i}]", 0, PROVINCES - 1)
            if p == q or B.linked[p] & bit(q):
                raise KernelError(f"links[{i}]: expected two provinces not linked yet, got {p} and {q}")
            B.linked[p] |= bit(q)
            B.linked[q] |= bit(p)
            if is_broken:
                B.broken[p] |= bit(q)
                B.broken[q] |= bit(p)
                for a, b in ((p, q), (q, p)):
                    B.check_to[a][B.checks[a]] = b
                    B.check_of[a][B.checks[a]] = B.broken_links
                    B.checks[a] += 1
                B.broken_links += 1
            else:
                B.normal[p] |= bit(q)
                B.normal[q] |= bit(p)
        if B.broken_links > 58:
            raise KernelError(f"links: expected at most 58 broken ones, got {B.broken_links}")
        for p in range(PROVINCES):
            B.battle[p] = B.normal[p] if B.reading[I_BATTLE_BROKEN] else B.linked[p]

    cdef int take_sea(self, zones, adjacent_zones) except -1:
        """What a set of zones with a fleet opens: ways by sea from each coast, and ways to sail."""
        cdef Board* B = &self.board
        cdef Mask[3] coast
        zones = take_row(zones, "zones", PROVINCES)
        for z in range(3):
            coast[z] = 0
            for p in range(PROVINCES):
                if take_int(zones[p], f"zones[{p}]", 0, 7) >> z & 1:
                    coast[z] |= bit(p)
            B.coast[z] = coast[z]
        pairs = set()
        for i, pair in enumerate(adjacent_zones):
            a, b = take_row(pair, f"adjacent_zones[{i}]", 2)
            a = take_int(a, f"adjacent_zones[{i}]", 1, 3)
            b = take_int(b, f"adjacent_zones[{i}]", 1, 3)
            if a == b:
                raise KernelError(f"adjacent_zones[{i}]: expected two zones, got {a} twice")
            pairs |= {(a, b), (b, a)}
            B.adjacent[a - 1] |= 1 << b >> 1
            B.adjacent[b - 1] |= 1 << a >> 1
        for fleets in range(8):
            for p in range(PROVINCES):
                for z in range(3):
                    if fleets >> z & 1 and coast[z] & bit(p):
                        B.sea[p][fleets] |= coast[z] & ~bit(p)
            for a, b in sorted(pairs):
                if fleets >> (a - 1) & 1 and not fleets >> (b - 1) & 1:
                    B.sail_from[fleets][B.sails[fleets]] = a
                    B.sail_to[fleets][B.sails[fleets]] = b
                    B.sails[fleets] += 1

    cdef int take_arrows(self, arrows) except -1:
        cdef Board* B = &self.board
        arrows = take_row(arrows, "arrows", PROVINCES)
        for p in range(PROVINCES):
            B.arrow[p] = take_int(arrows[p], f"arrows[{p}]", -1, PROVINCES - 1)
            if B.arrow[p] >= 0 and not B.linked[p] & bit(B.arrow[p]):
                raise KernelError(f"arrows[{p}]: expected a linked province, got {B.arrow[p]}")
            if B.arrow[p] >= 0 and B.borders & bit(B.arrow[p]):
                raise KernelError(f"arrows[{p}]: expected a Roman province, got border {B.arrow[p]}")
        if B.arrow[B.roma] >= 0:
            raise KernelError(f"arrows[{B.roma}]: expected -1 in Roma, got {B.arrow[B.roma]}")
        for p in range(PROVINCES):
            distance, q = 0, p
            while B.arrow[q] >= 0 and q != B.roma and distance < PROVINCES:
                distance, q = distance + 1, B.arrow[q]
            if B.arrow[p] >= 0 and q != B.roma:
                raise KernelError(f"arrows[{p}]: expected a path that ends in Roma")
            B.way[p] = B.arrow[p]

    cdef int take_order(self, tuple region, tuple number) except -1:
        """The order in which armies go their ways (rules, section 5, step 3)."""
        cdef Board* B = &self.board
        key = []
        for p in range(PROVINCES):
            distance, q = 0, p
            while B.way[q] >= 0:
                distance, q = distance + 1, B.way[q]
            if q != B.roma:
                distance = PROVINCES                       # an army that has no way stands last
            if B.reading[I_ORDER_DISTANCE]:
                distance = self.links_to_roma(p)
            place = 7 if not region[p] and B.reading[I_ORDER_ITALIA] else region[p]
            place = 8 if B.borders & bit(p) and B.reading[I_ORDER_BORDER] else place
            row = -p if not region[p] and B.reading[I_ORDER_WITHIN_ITALIA] else p
            tie = 7 if B.borders & bit(p) else number[p]   # a border comes after the provinces of its region
            sign = -1 if B.reading[I_ORDER_TIE] else 1
            key.append((distance, place, 0 if B.reading[I_ORDER] else sign * tie, sign * row, p))
        for i, entry in enumerate(sorted(key)):
            B.turn[entry[4]] = i
        return 0

    cdef int links_to_roma(self, int p) noexcept:
        """Of the shortest way by any links; the number of provinces where there is none."""
        cdef Mask reached = bit(p)
        cdef Mask front = reached
        cdef Mask fresh
        cdef int links = 0
        while front and not reached >> self.board.roma & 1:
            fresh = 0
            while front:
                fresh |= self.board.linked[lowest(front)]
                front &= front - 1
            front = fresh & ~reached
            reached |= fresh
            links += 1
        return links if reached >> self.board.roma & 1 else PROVINCES

    cdef int close_printed(self) except -1:
        """Where a printed disc keeps an Emperor's garrison away, or one that is sent, and which ones garrisons do not cover."""
        cdef Board* B = &self.board
        cdef int i
        for i in range(4):
            B.no_garrison[i] = self.printed_of(i, I_SECURE_OWN, I_SECURE_OTHERS, I_SECURE_ROMA)
            B.no_transfer[i] = self.printed_of(i, I_VIA_OWN, I_VIA_OTHERS, I_VIA_ROMA)
        B.seen_through = bit(B.roma) if B.reading[I_ROMA_COVERED] else 0
        return 0

    cdef Mask printed_of(self, int emperor, int own, int others, int roma) noexcept:
        """Printed discs: his own, those of others, and Roma's, each where its reading has its other value."""
        cdef Board* B = &self.board
        cdef Mask found = 0
        if B.reading[own]:
            found |= B.printed[emperor] & ~bit(B.roma)
        if B.reading[others]:
            found |= B.printed_any & ~(B.printed[emperor] | bit(B.roma))
        if B.reading[roma]:
            found |= B.printed_any & bit(B.roma)
        return found

    cdef int take_emperors(self, capitals, printed, garrisons) except -1:
        cdef Board* B = &self.board
        capitals = take_row(capitals, "capitals", 4)
        printed = take_row(printed, "printed", 4)
        B.garrisons = take_int(garrisons, "garrisons", 1, 10)
        for i in range(4):
            B.capital[i] = take_int(capitals[i], f"capitals[{i}]", 0, PROVINCES - 1)
            B.printed[i] = take_mask(printed[i], f"printed[{i}]")
            B.printed_any |= B.printed[i]
            if popcount(B.printed[i]) + B.garrisons >= MOST_GROUP:
                raise KernelError(
                    f"printed[{i}]: expected fewer than {MOST_GROUP} discs of one Emperor, garrisons included")
