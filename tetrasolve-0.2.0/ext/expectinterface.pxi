# Expectations after a phase, as Python functions.

cdef State check_outlook(Kernel kernel, object item):
    """A position before a Barbarian phase, or a game that is over."""
    cdef State state
    if not isinstance(item, State):
        raise KernelError(f"states: expected State objects, got {item!r}")
    state = item
    if state.position.mark >= RESULT_WON:
        kernel.check_state(state)
    else:
        kernel.check_before_phase(state)
    return state


def expect_values(Kernel kernel not None, states, weights, *, Stop stop=None):
    """
    The expected worth of each position after the Barbarian phase that follows it: (value, bound on its error).

    `weights` are whole numbers: (revolt, unrest, garrison, army, emperor, constant, won, fallen), of them revolt,
    unrest and army a row of 48, garrison and emperor four rows, one an Emperor, or None; a position is worth their sum
    over what lies on it and the constant; a won game, after which no phase follows, is worth `won`, a fallen Empire `fallen`.
    """
    cdef _Prospects prospects = _Prospects(kernel.tables, weights, stop)
    cdef State state
    cdef double value, error
    found = []
    try:
        for item in states:
            state = check_outlook(kernel, item)
            with nogil:
                check_stop(&prospects.scratch.sweep.watch, 5)
                value = prospects.value_of(&state.position, &error)
            found.append((value, error))
    except Stopped as stopped:
        stopped.partial = found
        raise
    prospects.let_go()
    return found


def figures_many(Kernel kernel not None, states, *, Stop stop=None):
    """
    The figures p_uprising, e_uprisings, p_lost, p_new_army, e_revolts of `phase` for each position, as (value, bound on
    its error); what is impossible is exactly 0.0. Positions that are alike to the Barbarians share the work.
    """
    cdef _Prospects prospects = _Prospects(kernel.tables, None, stop)
    cdef State state
    cdef double[5] figures
    cdef double[5] errors
    found = []
    try:
        for item in states:
            state = check_outlook(kernel, item)
            with nogil:
                check_stop(&prospects.scratch.sweep.watch, 5)
                prospects.figures_of(&state.position, figures, errors)
            found.append({name: (figures[i], errors[i]) for i, name in enumerate(_FIGURES)})
    except Stopped as stopped:
        stopped.partial = found
        raise
    prospects.let_go()
    return found


def expect_plain(Kernel kernel not None, states, weights, *, Stop stop=None):
    """`expect_values` by going through every outcome of each phase: (value, outcomes before equal ones are merged)."""
    cdef _PlainEnds plain = _PlainEnds(kernel.tables, weights, False, stop)
    cdef State state
    cdef double value
    found = []
    try:
        for item in states:
            state = check_outlook(kernel, item)
            book_clear(&plain.book)                  # one that was met before is gone through again
            plain.scratch.sweep.figures.visits = 0
            with nogil:
                value = plain.value_of(&state.position)
            found.append((value, plain.scratch.sweep.figures.visits))
    except Stopped as stopped:
        stopped.partial = found
        raise
    plain.let_go()
    return found


def expect_exact(Kernel kernel not None, State state not None, weights, *, Stop stop=None):
    """The expected worth of one position, see `expect_values`, as (numerator, denominator) in lowest terms."""
    cdef _Prospects prospects = _Prospects(kernel.tables, weights, stop)
    check_outlook(kernel, state)
    exact = exact_value(prospects, &state.position)
    prospects.let_go()
    return exact
