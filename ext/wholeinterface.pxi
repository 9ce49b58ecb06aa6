# The modules as Python constants and functions.

DEPLOY = ACT_DEPLOY
TRANSFER = ACT_TRANSFER
PIRATES = ACT_PIRATES
IMPERIUM = ACT_IMPERIUM

RESERVE = NOT_IN_PLAY

NUMBERS.update({
    "GRAY_DISCS": MOST_GRAY,
    "BLACK_DISCS": MOST_BLACK,
    "MOST_FLEETS_WITH_PIRATES": FLEETS_WITH_PIRATES,
    "PIRATE_ZONES": (FIRST_PIRATES, LAST_PIRATES),
    "GOTH_REGIONS": (FIRST_GOTHS, LAST_GOTHS),
    "DEPLOY_DUX": DEPLOY_IP,
    "DEPLOY_VICARIUS": DEPLOY_IP,
    "ATTACK_PIRATES": PIRATES_IP,
    "POWER_COST": POWER_IP,
    "MAXIMIAN_IP": MAXIMIAN_IP,
    "GOTHS_IN_BATTLE": GOTHS_IN_BATTLE,
    "GOTHS_AT_A_CHECK": GOTHS_AT_A_CHECK,
    "GLORY_A_BATTLE": GLORY_A_BATTLE,
})

REBEL_DUX = REBEL_IS_DUX
REBEL_GOTHS = REBEL_IS_GOTHS


def attack_odds(Kernel kernel not None, State state not None, code):
    """
    Chances of victory, draw and defeat, in 36ths, of an attack that may be made, by its code with any outcome, when all discs
    that it names are paid.
    """
    cdef Action[MOST_ACTIONS] list
    cdef int i
    cdef Code wanted
    kernel.check_state(state)
    chances = [0, 0, 0]
    wanted = without_outcome(code) if isinstance(code, int) and 0 <= code <= LAST_CODE else 0
    for i in range(list_named(&kernel.tables.board, &state.position, list)):
        if is_attack(list[i].code) and without_outcome(list[i].code) == wanted:
            chances[b_of(list[i].code)] = list[i].chance
    if not any(chances):
        raise KernelError(f"code: expected a legal attack, got {code!r}")
    return tuple(chances)
