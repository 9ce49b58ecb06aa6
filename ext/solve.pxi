# The best policies of a turn.
#
# A value is a row of integers, one a criterion, compared from the left. The order agrees with sums and with positive
# factors, so expectations over an attack's dice can be maximised node by node, from the lowest level up. All values are
# scaled by 36 to the power of the level of the start: an attack divides by 36 and leads to a lower level, so every division
# comes out even and nothing is ever rounded.
#
# Every value has a number, equal ones the same, and a cell keeps for each value the provinces where it is the best, and those where
# it is the best below that. So moves are looked at for all provinces of a cell at once, and values are compared once a cell.
#
# Beside the best value each node has the best one strictly below it that some policy has. A policy that falls short
# of the best of an attack falls short in one outcome at least, so the second best of an attack takes the second best of
# the one outcome where that loses least.

cdef enum:
    MOST_CRITERIA = 16

cdef enum:                 # kinds of criteria
    BY_GOAL
    BY_WEIGHTS
    BY_IP
    BY_LIMITS
    BY_UPRISING

cdef enum:                 # weights of a linear criterion: of discs, armies, the active Emperor
    OF_REVOLT
    OF_UNREST
    OF_GARRISON
    OF_ARMY
    OF_EMPEROR

cdef struct Criterion:
    int kind
    Mask emperor           # goal, limits
    Mask garrisons         # goal
    Mask no_revolt
    Mask no_unrest
    Mask no_army
    Mask not_emperor       # limits
    int keep
    int spend
    int64_t[5][PROVINCES] weight
    int64_t constant
    # of modules and variants, see `take_module_goals`
    int figures            # goal
    int glory
    int discs              # limits
    int64_t[2][PROVINCES] helper
    int64_t glory_weight
    int64_t pirates_weight

cdef enum:
    NO_VALUE = 0xffffffff
    MOST_OUTCOMES = 3 + 33 * WHOLE     # of an attack, or things that its dice can show

cdef struct Outcome:       # of an attack, or an action without dice
    uint32_t best          # the values that follow, by their numbers
    uint32_t second        # NO_VALUE where all policies are equal
    int chance             # in 36ths

cdef struct Option:        # what an action, or an attack with all its outcomes, is worth
    Wide[MOST_CRITERIA] best
    Wide[MOST_CRITERIA] second
    bint has_second
    int weak               # the outcome in which the second best falls short

cdef struct Entry:         # of a cell: one value, and the provinces
    Mask best              # where it is the best,
    Mask second            # or the best below that
    uint32_t value

cdef struct Offer:         # a value that can be had in these provinces
    Mask where
    uint32_t value

cdef struct OfferOf:       # of a value: its offer in the cell that is being solved
    uint32_t cell          # the number of that cell
    uint32_t offer


cdef Criterion take_criterion(object given, str field):
    cdef Criterion criterion
    memset(&criterion, 0, sizeof(Criterion))
    row = tuple(given)
    kind = row[0] if row else None
    if kind == "goal":
        criterion.kind = BY_GOAL
        row = without_more(&criterion, row, 6, field)
        criterion.emperor = take_mask(row[1], f"{field}: emperor")
        criterion.garrisons = take_mask(row[2], f"{field}: garrisons")
        criterion.no_revolt = take_mask(row[3], f"{field}: no_revolt")
        criterion.no_unrest = take_mask(row[4], f"{field}: no_unrest")
        criterion.no_army = take_mask(row[5], f"{field}: no_army")
    elif kind == "linear":
        criterion.kind = BY_WEIGHTS
        row = without_more(&criterion, row, 7, field)
        for i, name in enumerate(("revolt", "unrest", "garrison", "army", "emperor")):
            if row[1 + i] is not None:
                for p, weight in enumerate(take_row(row[1 + i], f"{field}: {name}", PROVINCES)):
                    criterion.weight[i][p] = take_int(weight, f"{field}: {name}[{p}]", -10**6, 10**6)
        criterion.constant = take_int(row[6], f"{field}: constant", -10**6, 10**6)
    elif kind == "ip":
        take_row(row, field, 1)
        criterion.kind = BY_IP
    elif kind == "limits":
        criterion.kind = BY_LIMITS
        row = without_more(&criterion, row, 5, field)
        criterion.emperor = take_mask(row[1], f"{field}: emperor")
        criterion.not_emperor = take_mask(row[2], f"{field}: not_emperor")
        criterion.keep = take_int(row[3], f"{field}: keep", 0, 10**6)
        criterion.spend = take_int(row[4], f"{field}: spend", 0, 10**6)
    elif kind == "uprising":
        take_row(row, field, 1)
        criterion.kind = BY_UPRISING
    else:
        raise KernelError(f'{field}: expected "goal", "linear", "ip", "limits" or "uprising", got {kind!r}')
    return criterion


cdef tuple without_more(Criterion* criterion, tuple row, int length, str field):
    """A row of so many values; those after them, about modules and variants, are taken."""
    if len(row) > length:
        take_module_goals(criterion, row[length:], field)
    return take_row(row[:length], field, length)


cdef inline int64_t weigh(const int64_t* weight, Mask where) noexcept nogil:
    cdef int64_t total = 0
    while where:
        total += weight[lowest(where)]
        where &= where - 1
    return total


cdef inline int64_t weight_of_place(const Criterion* C, int place) noexcept nogil:
    """Of the active Emperor's."""
    return C.weight[OF_EMPEROR][place] if place < PROVINCES else 0


cdef inline int compare(const Wide* a, const Wide* b, int count) noexcept nogil:
    cdef int i
    for i in range(count):
        if a[i] != b[i]:
            return 1 if a[i] > b[i] else -1
    return 0


cdef inline void copy(Wide* to, const Wide* value, int count) noexcept nogil:
    cdef int i
    for i in range(count):
        to[i] = value[i]


@cython.final
cdef class Solution:
    """
    The optimum of a turn under criteria compared one after the other; every number an exact integer.

    A criterion is a tuple, and each is *maximised* in expectation over the attacks' dice:

    ``("goal", emperor, garrisons, no_revolt, no_unrest, no_army)``
        1 where the turn ends with the active Emperor in mask `emperor` (0: anywhere, off the board too), a garrison
        disc of any colour on all of `garrisons`, and no revolt, no unrest, no army on the three last masks; else 0.
        A fallen Empire is 0. (A won game is looked at like any end.)
    ``("linear", revolt, unrest, garrison, army, emperor, constant)``
        five sequences of 48 integers (abs at most 10**6): weight of each disc or figure where it lies; `emperor` is
        the active one; None for all zero. A fallen Empire is 0.
    ``("ip",)``
        minus the IP paid from the start of the `Turn` on.
    ``("limits", emperor, not_emperor, keep, spend)``
        1 where the turn ends with the active Emperor in mask `emperor` (0: anywhere), not in mask `not_emperor`, with at
        least `keep` of his garrisons in the reserve, after at most `spend` IP from the start of the `Turn` on, the
        Empire standing; else 0.
    ``("uprising",)``
        minus the exact chance of at least one uprising in the Barbarian phase that follows (0 after a victory in the
        game, 1 after a fall).
    """

    cdef Turn turn
    cdef _Configurations graph     # of the turn
    cdef Criterion[MOST_CRITERIA] criterion
    cdef int criteria
    cdef Wide scale        # 36 to the power of the IP at the start
    cdef Wide whole        # an uprising for certain, before scaling
    cdef Mask[64] alike    # sets of places in which an end is worth the same
    cdef int kinds         # how many sets
    cdef Wide* value       # rows of `criteria` numbers,
    cdef uint32_t values
    cdef uint32_t value_capacity
    cdef uint32_t* slot    # and their numbers + 1 by their hashes: open addressing, at most half full
    cdef uint32_t last_slot
    cdef uint32_t latest   # the value asked for before
    cdef OfferOf* offer_of      # each value
    cdef Offer* offers
    cdef uint32_t offer_count
    cdef uint32_t offer_capacity
    cdef uint32_t pass_number
    cdef Entry* entry      # the best value first
    cdef uint32_t entries
    cdef uint32_t entry_capacity
    cdef uint32_t* first   # entry of each cell,
    cdef uint32_t* past    # and the one after its last
    cdef uint64_t* risen   # of each configuration `uprising_weight` + 1; 0 where it was not asked for
    cdef bint failed       # no memory
    cdef object end_total

    def __cinit__(self, Turn turn not None, criteria, *, Stop stop=None):
        cdef Watch watch
        cdef int i
        given = list(criteria)
        if not 1 <= len(given) <= MOST_CRITERIA:
            raise KernelError(f"criteria: expected 1 to {MOST_CRITERIA}, got {len(given)}")
        for i in range(len(given)):
            self.criterion[i] = take_criterion(given[i], f"criteria[{i}]")
        self.turn = turn
        self.graph = turn.graph
        self.criteria = len(given)
        self.scale = 1
        for i in range(level_of(&turn.tables.board, &turn.start.position)):
            self.scale *= 36
        self.whole = <Wide> 36 << turn.tables.board.broken_links
        self.find_alike()
        self.first = <uint32_t*> calloc(turn.graph.cells, sizeof(uint32_t))
        self.past = <uint32_t*> calloc(turn.graph.cells, sizeof(uint32_t))
        self.risen = <uint64_t*> calloc(turn.graph.book.count, sizeof(uint64_t))
        if not self.first or not self.past or not self.risen or not self.take_values(256):
            raise MemoryError("no memory for the values of a turn")
        watch_open(&watch, stop)
        with nogil:
            self.run(&watch)
        if watch.stopped:
            raise_stopped(&watch, None)
        if self.failed:
            raise MemoryError("no memory for the values of a turn")

    def __dealloc__(self):
        free(self.value)
        free(self.slot)
        free(self.offer_of)
        free(self.offers)
        free(self.entry)
        free(self.first)
        free(self.past)
        free(self.risen)

    cdef void find_alike(self) noexcept:
        """The sets of places that no criterion tells apart."""
        cdef const Criterion* C
        cdef Mask rest = ~<Mask> 0
        cdef Mask alike
        cdef int p, q, i
        self.kinds = 0
        while rest:
            p = lowest(rest)
            alike = rest
            for i in range(self.criteria):
                C = &self.criterion[i]
                if C.kind == BY_GOAL or C.kind == BY_LIMITS:
                    alike &= C.emperor if C.emperor >> p & 1 else ~C.emperor
                    alike &= C.not_emperor if C.not_emperor >> p & 1 else ~C.not_emperor
                elif C.kind == BY_WEIGHTS:
                    for q in range(64):
                        if weight_of_place(C, p) != weight_of_place(C, q):
                            alike &= ~bit(q)
            self.alike[self.kinds] = alike
            self.kinds += 1
            rest &= ~alike

    cdef void value_of_end(self, uint32_t config, const Position* P, Wide* value, SpreadOutcomes* outcomes) noexcept nogil:
        """What a turn that ends here, in this configuration, is worth; `outcomes` is scratch memory."""
        cdef const Criterion* C
        cdef Wide worth
        cdef int i
        for i in range(self.criteria):
            C = &self.criterion[i]
            if C.kind == BY_GOAL:
                worth = (
                    (not C.emperor or C.emperor >> P.emperor[P.mover] & 1)
                    and not C.garrisons & ~garrison_discs(P)
                    and not (C.no_revolt & P.revolts or C.no_unrest & P.unrest or C.no_army & P.armies)
                    and meets_modules(&self.turn.tables.board, C, P)
                    and P.mark != RESULT_FALLEN)
            elif C.kind == BY_WEIGHTS:
                worth = C.constant
                worth += weigh(C.weight[OF_REVOLT], P.revolts) + weigh(C.weight[OF_UNREST], P.unrest)
                worth += weigh(C.weight[OF_GARRISON], garrison_discs(P)) + weigh(C.weight[OF_ARMY], P.armies)
                worth += weight_of_place(C, P.emperor[P.mover]) + worth_of_figures(C, P)
                if P.mark == RESULT_FALLEN:
                    worth = 0
            elif C.kind == BY_IP:
                worth = -ip_paid(&self.turn.start.position, P)
            elif C.kind == BY_LIMITS:
                worth = self.is_within(C, P)
            elif P.mark == RESULT_WON:
                worth = 0
            elif P.mark == RESULT_FALLEN:
                worth = -self.whole
            else:
                worth = -<Wide> self.uprising_weight_of(config, P, outcomes)
            value[i] = worth * self.scale

    cdef uint64_t uprising_weight_of(self, uint32_t config, const Position* P, SpreadOutcomes* outcomes) noexcept nogil:
        """`uprising_weight`, which depends neither on the place of the active Emperor nor on the IP left."""
        cdef uint64_t found
        if self.risen[config]:
            return self.risen[config] - 1
        found = uprising_weight(&self.turn.tables.board, outcomes, P)
        if not outcomes.failed and not outcomes.watch.stopped:
            self.risen[config] = found + 1
        return found

    cdef bint is_within(self, const Criterion* C, const Position* P) noexcept nogil:
        """Whether an end keeps to the limits."""
        cdef Mask place = bit(P.emperor[P.mover])
        return (
            (not C.emperor or C.emperor & place)
            and not C.not_emperor & place
            and garrisons_left(&self.turn.tables.board, P, P.mover) >= C.keep
            and meets_modules(&self.turn.tables.board, C, P)
            and ip_paid(&self.turn.start.position, P) <= C.spend
            and P.mark != RESULT_FALLEN)

    # -- values --------------------------------------------------------------------------------------------------

    cdef bint take_values(self, uint32_t capacity) noexcept nogil:
        """Memory for so many values; False when there is none."""
        cdef void* rows
        cdef uint32_t i
        rows = realloc(self.value, <size_t> capacity * self.criteria * sizeof(Wide))
        if not rows:
            return False
        self.value = <Wide*> rows
        rows = realloc(self.offer_of, <size_t> capacity * sizeof(OfferOf))
        if not rows:
            return False
        self.offer_of = <OfferOf*> rows
        rows = calloc(2 * <size_t> capacity, sizeof(uint32_t))
        if not rows:
            return False
        free(self.slot)
        self.slot = <uint32_t*> rows
        self.last_slot = 2 * capacity - 1
        self.value_capacity = capacity
        for i in range(self.values):
            self.slot[self.slot_of(self.row(i))] = i + 1
        return True

    cdef inline const Wide* row(self, uint32_t number) noexcept nogil:
        return self.value + <size_t> number * self.criteria

    cdef uint32_t slot_of(self, const Wide* value) noexcept nogil:
        """Where its number is, or where it is to be put."""
        cdef uint64_t h = 0
        cdef uint32_t slot
        cdef int i
        for i in range(self.criteria):
            h = (h ^ low_word(value[i]) ^ <uint64_t> high_word(value[i]) << 20) * 0x9E3779B97F4A7C15u
            h ^= h >> 32
        slot = <uint32_t> h & self.last_slot
        while self.slot[slot] and compare(self.row(self.slot[slot] - 1), value, self.criteria):
            slot = (slot + 1) & self.last_slot
        return slot

    cdef uint32_t number_of(self, const Wide* value) noexcept nogil:
        """The number of a value, a new one if it was not met before; after a failure any."""
        cdef uint32_t slot
        if self.values and not compare(self.row(self.latest), value, self.criteria):
            return self.latest
        slot = self.slot_of(value)
        if not self.slot[slot]:
            if self.values == self.value_capacity:
                if not self.take_values(2 * self.value_capacity):
                    self.failed = True
                    return 0
                slot = self.slot_of(value)
            copy(self.value + <size_t> self.values * self.criteria, value, self.criteria)
            self.offer_of[self.values].cell = 0
            self.values += 1
            self.slot[slot] = self.values
        self.latest = self.slot[slot] - 1
        return self.latest

    cdef bint combine(self, const Outcome* outcomes, int count, Option* option) noexcept nogil:
        """What an attack with these outcomes is worth; whether some policy is worth less."""
        cdef Wide[MOST_CRITERIA] loss
        cdef Wide[MOST_CRITERIA] least
        cdef const Wide* best
        cdef int i, k
        option.has_second = False
        option.weak = 0
        for i in range(self.criteria):
            option.best[i] = 0
        for k in range(count):
            best = self.row(outcomes[k].best)
            for i in range(self.criteria):
                option.best[i] += best[i] * outcomes[k].chance
            if outcomes[k].second != NO_VALUE:
                for i in range(self.criteria):
                    loss[i] = (best[i] - self.row(outcomes[k].second)[i]) * outcomes[k].chance
                if not option.has_second or compare(loss, least, self.criteria) < 0:
                    copy(least, loss, self.criteria)
                    option.has_second = True
                    option.weak = k
        for i in range(self.criteria):
            if option.has_second:
                option.second[i] = (option.best[i] - least[i]) / 36
            option.best[i] = option.best[i] / 36
        return option.has_second

    cdef void value_at(self, int32_t number, int place, Outcome* outcome) noexcept nogil:
        """The values of a place of a cell that is solved."""
        cdef const Entry* entry = self.entry + self.first[number]
        cdef const Entry* past = self.entry + self.past[number]
        outcome.best = outcome.second = NO_VALUE
        while entry < past and not entry.best >> place & 1:
            entry += 1
        CHECK(entry < past)
        outcome.best = entry.value
        entry += 1
        while entry < past and not entry.second >> place & 1:
            entry += 1
        if entry < past:
            outcome.second = entry.value

    # -- cells ---------------------------------------------------------------------------------------------------

    cdef void run(self, Watch* watch) noexcept nogil:
        """All cells, the last one first; in a cell the entries before the place off the board, from which they lead on."""
        cdef SpreadOutcomes outcomes
        cdef uint32_t i, number
        memset(&outcomes, 0, sizeof(SpreadOutcomes))
        outcomes.watch = watch
        for i in range(self.graph.looked, 0, -1):
            number = self.graph.looked_at[i - 1]
            if self.failed or spend(watch, self.graph.ticks_of(number, self.offer_count)):
                break
            self.first[number] = self.past[number] = self.entries
            self.solve_places(number, place_bits(self.graph.cell[number].at), &outcomes)
            if self.graph.cell[number].at >> OFF_BOARD & 1 and not self.failed:
                self.solve_places(number, bit(OFF_BOARD), &outcomes)
        self.failed |= outcomes.failed
        free(outcomes.rows)

    cdef void solve_places(self, uint32_t number, Mask where, SpreadOutcomes* outcomes) noexcept nogil:
        """The best two values of these places of a cell."""
        cdef const Cell* cell = &self.graph.cell[number]
        cdef Position P = self.graph.book.rows[cell.config]
        P.ip = cell.ip
        self.offer_count = 0
        self.pass_number += 1
        self.offer_ends(cell.config, &P, where & cell.ends, outcomes)
        if P.mark == ROMAN_OPEN:
            if self.graph.alone:
                self.offer_moves(&P, cell, where)
            self.offer_links(cell, where & (cell.ends if self.graph.alone else ~<Mask> 0))
        self.keep_best(number, where)

    cdef void offer(self, uint32_t value, Mask where) noexcept nogil:
        """A value that can be had in these places of the cell."""
        cdef OfferOf* known = &self.offer_of[value]
        cdef Offer* rows
        if known.cell == self.pass_number:
            self.offers[known.offer].where |= where
            return
        if self.offer_count == self.offer_capacity:
            rows = <Offer*> realloc(self.offers, (2 * <size_t> self.offer_capacity + 64) * sizeof(Offer))
            if not rows:
                self.failed = True
                return
            self.offers = rows
            self.offer_capacity = 2 * self.offer_capacity + 64
        known.cell = self.pass_number
        known.offer = self.offer_count
        self.offers[self.offer_count].where = where
        self.offers[self.offer_count].value = value
        self.offer_count += 1

    cdef void offer_ends(self, uint32_t config, Position* P, Mask ends, SpreadOutcomes* outcomes) noexcept nogil:
        cdef Wide[MOST_CRITERIA] value
        cdef int i
        if not ends:
            return
        for i in range(self.kinds):
            if ends & self.alike[i]:
                P.emperor[P.mover] = lowest(ends & self.alike[i])
                self.value_of_end(config, P, value, outcomes)
                self.offer(self.number_of(value), ends & self.alike[i])
        P.emperor[P.mover] = OFF_BOARD

    cdef void offer_moves(self, const Position* P, const Cell* cell, Mask where) noexcept nogil:
        """What can be had after moves and entries. Where he can come to is known: only there are values."""
        cdef const Board* B = &self.turn.tables.board
        cdef const Configuration* config = &self.graph.config[cell.config]
        cdef Mask others = place_bits(other_figures(P, EMPEROR))
        cdef Mask movers = place_bits(where)
        cdef Mask at, before
        cdef int32_t number
        cdef uint32_t k
        cdef int cost
        if where >> OFF_BOARD & 1:
            at = legal_entries(B, P)
            number = config.cell[cell.ip]
            for k in range(self.first[number], self.past[number]):
                if (self.entry[k].best | self.entry[k].second) & at:
                    self.offer(self.entry[k].value, bit(OFF_BOARD))
        if not movers:
            return
        for cost in range(1, min(cell.ip, 3 + WHOLE) + 1):
            number = config.cell[cell.ip - cost]
            if number == NO_CELL:
                continue
            for k in range(self.first[number], self.past[number]):
                at = self.entry[k].best | self.entry[k].second
                if B.reading[I_PASS] and at & others:
                    before = movers & ways_to_any(self.graph.distances[P.fleets], P, at & others, cost) & ~others
                    before |= movers & ways_to_any(self.graph.distances[P.fleets], P, at & ~others, cost)
                else:
                    before = movers & ways_to_any(self.graph.distances[P.fleets], P, at, cost)
                if before:
                    self.offer(self.entry[k].value, before)

    cdef void offer_links(self, const Cell* cell, Mask where) noexcept nogil:
        """What can be had after all else that can be done."""
        cdef const Configuration* config = &self.graph.config[cell.config]
        cdef const Cell* opened
        cdef const Link* link
        cdef const Link* past
        cdef Outcome[MOST_OUTCOMES] outcomes
        cdef Option option
        cdef int j, count
        for j in range(cell.ip, (MOST_IP if self.graph.alone else cell.ip) + 1):
            if config.cell[j] == NO_CELL:
                continue
            opened = &self.graph.cell[config.cell[j]]
            link = self.graph.link + opened.link
            past = link + opened.links
            while link < past:
                count = self.links_of(link, past)
                if link.cost <= cell.ip:
                    if link.place == ANYWHERE:
                        self.offer_from_anywhere(self.graph.config[link.target].cell[cell.ip - link.cost], place_bits(where))
                    elif where >> link.place & 1:
                        self.look_up(link, count, cell.ip, outcomes)
                        if not is_attack(link.code):
                            self.offer(outcomes[0].best, bit(link.place))
                            if outcomes[0].second != NO_VALUE:
                                self.offer(outcomes[0].second, bit(link.place))
                        else:
                            self.combine(outcomes, count, &option)
                            self.offer(self.number_of(option.best), bit(link.place))
                            if option.has_second:
                                self.offer(self.number_of(option.second), bit(link.place))
                link += count

    cdef inline int links_of(self, const Link* link, const Link* past) noexcept nogil:
        """How many links this action has: the outcomes of an attack from one place."""
        cdef int count = 1
        while link + count < past and link[count].place == link.place and same_attack(link[count].code, link.code):
            count += 1
        CHECK(count <= MOST_OUTCOMES)
        return count

    cdef inline void look_up(self, const Link* link, int count, int ip, Outcome* outcomes) noexcept nogil:
        cdef int i
        for i in range(count):
            self.value_at(self.graph.config[link[i].target].cell[ip - link[i].cost], link[i].to, &outcomes[i])
            outcomes[i].chance = link[i].chance

    cdef inline void offer_from_anywhere(self, int32_t number, Mask where) noexcept nogil:
        cdef uint32_t k
        cdef Mask at
        if where:
            for k in range(self.first[number], self.past[number]):
                at = (self.entry[k].best | self.entry[k].second) & where
                if at:
                    self.offer(self.entry[k].value, at)

    cdef void sort_offers(self) noexcept nogil:
        """The best first."""
        cdef Offer offer
        cdef uint32_t gap = 1
        cdef uint32_t i, k
        while gap < self.offer_count / 3:
            gap = 3 * gap + 1
        while gap:
            for i in range(gap, self.offer_count):
                offer = self.offers[i]
                k = i
                while k >= gap and compare(
                        self.row(self.offers[k - gap].value), self.row(offer.value), self.criteria) < 0:
                    self.offers[k] = self.offers[k - gap]
                    k -= gap
                self.offers[k] = offer
            gap /= 3

    cdef void keep_best(self, uint32_t number, Mask where) noexcept nogil:
        """Writes the entries of these places of a cell, from what was offered."""
        cdef Mask none = where
        cdef Mask one = 0                            # places that have a best value, and no second
        cdef Mask best, second
        cdef Entry* rows
        cdef uint32_t i
        self.sort_offers()
        if self.entries + self.offer_count > self.entry_capacity:
            rows = <Entry*> realloc(
                self.entry, (2 * <size_t> self.entry_capacity + self.offer_count + 1024) * sizeof(Entry))
            if not rows:
                self.failed = True
                return
            self.entry = rows
            self.entry_capacity = 2 * self.entry_capacity + self.offer_count + 1024
        for i in range(self.offer_count):
            best = self.offers[i].where & none
            second = self.offers[i].where & one
            if best | second:
                none ^= best
                one = (one | best) ^ second
                self.entry[self.entries].best = best
                self.entry[self.entries].second = second
                self.entry[self.entries].value = self.offers[i].value
                self.entries += 1
                if not none | one:
                    break
        CHECK(self.failed or not none)
        self.past[number] = self.entries

    # -- results -------------------------------------------------------------------------------------------------

    cdef tuple fractions(self, const Wide* value):
        """Numerator and denominator of each criterion, in lowest terms."""
        row = []
        for i in range(self.criteria):
            numerator, denominator = wide_to_int(value[i]), wide_to_int(self.scale)
            if self.criterion[i].kind == BY_UPRISING:
                denominator *= wide_to_int(self.whole)
            shared = gcd(numerator, denominator)
            row.append((numerator // shared, denominator // shared))
        return tuple(row)

    @property
    def values(self):
        """The best value: (numerator, denominator) in lowest terms of each criterion."""
        cdef Outcome start
        self.value_of(0, &start)
        return self.fractions(self.row(start.best))

    @property
    def runner_up(self):
        """The best value strictly below that some policy has; None if all policies are equal."""
        cdef Outcome start
        self.value_of(0, &start)
        return self.fractions(self.row(start.second)) if start.second != NO_VALUE else None

    def end_values(self, *, Stop stop=None):
        """For each node of the turn the value of ending there, unscaled and maximised, or None where he cannot end.

        The chance of an uprising is counted in parts of `uprising_parts`.
        """
        cdef Wide[MOST_CRITERIA] value
        cdef SpreadOutcomes outcomes
        cdef Position P
        cdef const Cell* cell
        cdef uint32_t i
        cdef int j, k, place
        cdef Watch watch
        watch_open(&watch, stop)
        memset(&outcomes, 0, sizeof(SpreadOutcomes))
        outcomes.watch = &watch
        rows = []
        try:
            for i in range(self.graph.looked):
                cell = &self.graph.cell[self.graph.looked_at[i]]
                check_stop(&watch, 2 * popcount(cell.at))
                P = self.graph.book.rows[cell.config]
                P.ip = cell.ip
                row_at = [None] * 64
                for k in range(self.kinds):
                    if cell.ends & self.alike[k]:
                        P.emperor[P.mover] = lowest(cell.ends & self.alike[k])
                        self.value_of_end(cell.config, &P, value, &outcomes)
                        row = tuple([wide_to_int(value[j] / self.scale) for j in range(self.criteria)])
                        for place in range(64):
                            if (cell.ends & self.alike[k]) >> place & 1:
                                row_at[place] = row
                rows += [row_at[place] for place in range(63, -1, -1) if cell.at >> place & 1]
        finally:
            free(outcomes.rows)
        if watch.stopped:
            raise_stopped(&watch, None)
        if outcomes.failed:
            raise MemoryError("no memory for the values of a turn")
        return rows

    @property
    def uprising_parts(self):
        """How many parts a certain uprising has in `end_values`."""
        return wide_to_int(self.whole)

    @property
    def optimal_ends(self):
        """Distinct end positions (IP left not counted; all fallen Empires are one) in which some optimal policy can end."""
        return self.count_optimal_ends()

    def count_optimal_ends(self, *, Stop stop=None):
        """`optimal_ends`, counted once."""
        if self.end_total is None:
            self.end_total = self.optimal_ends_until(stop)
        return self.end_total

    cdef object optimal_ends_until(self, Stop stop):
        cdef SpreadOutcomes outcomes
        cdef Watch watch
        cdef Position P
        cdef uint32_t i, number
        cdef int64_t row
        cdef int64_t found = 0
        cdef bint fallen = False
        cdef bint capacity
        cdef Mask* met = <Mask*> calloc(self.graph.cells, sizeof(Mask))      # where optimal policies come to
        cdef Mask* ends = <Mask*> calloc(self.graph.book.count, sizeof(Mask))
        watch_open(&watch, stop)
        memset(&outcomes, 0, sizeof(SpreadOutcomes))
        outcomes.watch = &watch
        if met and ends:
            met[0] = bit(self.turn.start.position.emperor[self.turn.start.position.mover])
            for i in range(self.graph.looked):
                number = self.graph.looked_at[i]
                if spend(&watch, self.graph.ticks_of(number, 0)):
                    break
                if met[number] >> OFF_BOARD & 1:     # first, as entries lead to the same cell
                    self.go_on(number, bit(OFF_BOARD), met, ends, &outcomes)
                if place_bits(met[number]):
                    self.go_on(number, place_bits(met[number]), met, ends, &outcomes)
            for i in range(self.graph.book.count):
                P = self.graph.book.rows[i]
                P.mark &= ~PHASE_BARBARIAN
                row = book_find(&self.graph.book, &P)
                if row != <int64_t> i and row >= 0:      # the same table as one where the turn is not over
                    ends[row] |= ends[i]
                    ends[i] = 0
            for i in range(self.graph.book.count):
                if self.graph.book.rows[i].mark & RESULT_FALLEN:
                    fallen = fallen or ends[i] != 0  # all alike
                else:
                    found += popcount(ends[i])
            found += fallen
        capacity = met != NULL and ends != NULL and not outcomes.failed
        free(met)
        free(ends)
        free(outcomes.rows)
        if watch.stopped:
            raise_stopped(&watch, None)
        if not capacity:
            raise MemoryError("no memory for the ends of a turn")
        return found

    cdef void go_on(self, uint32_t number, Mask where, Mask* met, Mask* ends, SpreadOutcomes* outcomes) noexcept nogil:
        """Of these places of a cell: where it is best to end, and where the best actions lead."""
        cdef const Cell* cell = &self.graph.cell[number]
        cdef Position P = self.graph.book.rows[cell.config]
        cdef const Entry* entry
        cdef uint32_t k
        P.ip = cell.ip
        self.end_at_best(number, &P, where & cell.ends, ends, outcomes)
        if P.mark != ROMAN_OPEN:
            return
        if self.graph.alone:
            for k in range(self.first[number], self.past[number]):
                entry = &self.entry[k]
                if entry.best & where:
                    self.move_best(number, &P, entry.best & where, entry.value, met)
            where &= cell.ends
        self.follow_best(number, where, met)

    cdef void end_at_best(
        self, uint32_t number, Position* P, Mask where, Mask* ends, SpreadOutcomes* outcomes,
    ) noexcept nogil:
        cdef Wide[MOST_CRITERIA] value
        cdef Mask alike
        cdef uint32_t k
        cdef int i
        for i in range(self.kinds):
            alike = where & self.alike[i]
            if alike:
                P.emperor[P.mover] = lowest(alike)
                self.value_of_end(self.graph.cell[number].config, P, value, outcomes)
                for k in range(self.first[number], self.past[number]):
                    if self.entry[k].best & alike and compare(self.row(self.entry[k].value), value, self.criteria) == 0:
                        ends[self.graph.cell[number].config] |= self.entry[k].best & alike
        P.emperor[P.mover] = OFF_BOARD

    cdef void move_best(self, uint32_t number, const Position* P, Mask where, uint32_t value, Mask* met) noexcept nogil:
        """Moves and entries from these places to others that have this best value."""
        cdef const Board* B = &self.turn.tables.board
        cdef const Cell* cell = &self.graph.cell[number]
        cdef const Configuration* config = &self.graph.config[cell.config]
        cdef Mask others = place_bits(other_figures(P, EMPEROR))
        cdef Mask to
        cdef Ways ways
        cdef int cost
        cdef int32_t after
        if where >> OFF_BOARD & 1:
            met[number] |= self.places_of(number, value) & legal_entries(B, P)
        where = place_bits(where)
        if not where or not cell.ip:
            return
        ways = ways_from_any(self.graph.distances[P.fleets], P, where & ~others if B.reading[I_PASS] else where)
        for cost in range(1, min(cell.ip, 3 + WHOLE) + 1):
            after = config.cell[cell.ip - cost]
            if after != NO_CELL:
                met[after] |= self.places_of(after, value) & at_cost(&ways, cost)
        if B.reading[I_PASS] and where & others:
            ways = ways_from_any(self.graph.distances[P.fleets], P, where & others)
            for cost in range(1, min(cell.ip, 3 + WHOLE) + 1):
                after = config.cell[cell.ip - cost]
                if after != NO_CELL:
                    met[after] |= self.places_of(after, value) & at_cost(&ways, cost) & ~others

    cdef Mask places_of(self, uint32_t number, uint32_t value) noexcept nogil:
        """Where in a cell this value is the best."""
        cdef uint32_t k
        for k in range(self.first[number], self.past[number]):
            if self.entry[k].value == value:
                return self.entry[k].best
        return 0

    cdef void follow_best(self, uint32_t number, Mask where, Mask* met) noexcept nogil:
        """All that is not a move."""
        cdef const Cell* cell = &self.graph.cell[number]
        cdef const Configuration* config = &self.graph.config[cell.config]
        cdef const Cell* opened
        cdef const Link* link
        cdef const Link* past
        cdef Outcome[MOST_OUTCOMES] outcomes
        cdef Outcome here
        cdef Option option
        cdef int32_t after
        cdef uint32_t k
        cdef int i, j, count
        for j in range(cell.ip, (MOST_IP if self.graph.alone else cell.ip) + 1):
            if config.cell[j] == NO_CELL:
                continue
            opened = &self.graph.cell[config.cell[j]]
            link = self.graph.link + opened.link
            past = link + opened.links
            while link < past:
                count = self.links_of(link, past)
                if link.cost > cell.ip:
                    pass
                elif link.place == ANYWHERE:
                    after = self.graph.config[link.target].cell[cell.ip - link.cost]
                    for k in range(self.first[number], self.past[number]):
                        if self.entry[k].best & place_bits(where):
                            met[after] |= (
                                self.entry[k].best & place_bits(where) & self.places_of(after, self.entry[k].value))
                elif where >> link.place & 1:
                    self.look_up(link, count, cell.ip, outcomes)
                    self.value_at(number, link.place, &here)
                    if is_attack(link.code):
                        self.combine(outcomes, count, &option)
                    if (outcomes[0].best == here.best if not is_attack(link.code)
                            else compare(option.best, self.row(here.best), self.criteria) == 0):
                        for i in range(count):
                            after = self.graph.config[link[i].target].cell[cell.ip - link[i].cost]
                            met[after] |= bit(link[i].to)
                link += count

    cdef void value_of(self, uint32_t node, Outcome* outcome) noexcept nogil:
        """The values of a node."""
        cdef int place = 0
        cdef const Cell* cell = self.graph.locate(node, &place)
        self.value_at(self.graph.config[cell.config].cell[cell.ip], place, outcome)

    cdef bint ends_as_well(self, uint32_t node, const Wide* aim) except -1:
        """Whether the turn can end at a node, and is then worth this."""
        cdef Wide[MOST_CRITERIA] value
        cdef SpreadOutcomes outcomes
        cdef Watch watch
        cdef int place = 0
        cdef const Cell* cell = self.graph.locate(node, &place)
        cdef Position P = self.graph.book.rows[cell.config]
        if not cell.ends >> place & 1:
            return False
        P.ip = cell.ip
        P.emperor[P.mover] = place
        watch_open(&watch, None)
        memset(&outcomes, 0, sizeof(SpreadOutcomes))
        outcomes.watch = &watch
        self.value_of_end(cell.config, &P, value, &outcomes)
        free(outcomes.rows)
        if outcomes.failed:
            raise MemoryError("no memory for the values of a turn")
        return compare(value, aim, self.criteria) == 0

    cdef tuple plan_from(self, uint32_t node, bint second):
        """A policy from here with the best value, or with the second best."""
        cdef Edge[MOST_ACTIONS] list
        cdef Outcome[MOST_OUTCOMES] outcomes
        cdef Option option
        cdef Outcome here
        cdef const Wide* aim
        cdef int count, first, past, k
        cdef bint found, as_good
        codes = []
        while True:
            self.value_of(node, &here)
            aim = self.row(here.second if second else here.best)
            if not second and self.ends_as_well(node, aim):
                return tuple(codes), None            # rather than after what is free and changes nothing
            count = self.graph.edges_from(&self.turn.tables.board, node, list)
            first = past = 0
            found = False
            while past < count and not found:
                first = past
                while past == first or (past < count and same_attack(list[first].code, list[past].code)):
                    self.value_of(list[past].target, &outcomes[past - first])
                    outcomes[past - first].chance = list[past].chance
                    past += 1
                self.combine(outcomes, past - first, &option)
                as_good = compare(option.best, aim, self.criteria) == 0
                found = as_good or (
                    second and option.has_second and compare(option.second, aim, self.criteria) == 0)
                second = second and not as_good
            if not found:                            # he stops here, or the turn is over
                return (tuple(codes), None)
            if is_attack(list[first].code):
                branches = {
                    branch_of(list[first + k].code): (
                        list[first + k].chance, self.plan_from(list[first + k].target, second and k == option.weak))
                    for k in range(past - first)}
                return (tuple(codes), (branch_name(list[first].code), branches))
            codes.append(list[first].code)
            node = list[first].target

    def plan(self):
        """An optimal policy; among equals the smallest action code, END last."""
        return self.plan_from(0, False)

    def runner_up_plan(self):
        """A policy with the value `runner_up`, or None."""
        cdef Outcome start
        self.value_of(0, &start)
        return self.plan_from(0, True) if start.second != NO_VALUE else None
