# House rules: numbers of the rulebook that a board can change. bare.pxi has them as constants.

# By the names of tetrasolve/tetrarchia/data/house.toml: what the rulebook says, the least and the most
HOUSE_NUMBERS = {
    "ip": (FULL_IP, 2, MOST_FULL_IP),
    "sail": (SAIL_IP, 1, MOST_FULL_IP),
    "secure": (SECURE_IP, 1, MOST_FULL_IP),
    "secure-border": (SECURE_BORDER_IP, 1, MOST_FULL_IP),
    "remove-revolt": (REMOVE_REVOLT_IP, 1, MOST_FULL_IP),
    "remove-unrest": (REMOVE_UNREST_IP, 1, MOST_FULL_IP),
    "reduce-revolt": (REDUCE_IP, 1, MOST_FULL_IP),
    "attack": (ATTACK_IP, 0, MOST_FULL_IP),
    "deploy-dux": (DEPLOY_IP, 1, MOST_FULL_IP),
    "deploy-vicarius": (DEPLOY_IP, 1, MOST_FULL_IP),
    "attack-pirates": (PIRATES_IP, 1, MOST_FULL_IP),
    "revolts": (MOST_DISCS, 6, MOST_DISCS),
    "unrest": (MOST_DISCS, 6, MOST_DISCS),
    "armies": (MOST_ARMIES, 0, MOST_ARMIES),
    "first-revolts": (FIRST_REVOLTS, 0, 3),
    "borders-to-win": (BORDERS_TO_WIN, 1, BORDERS_TO_WIN),
    "support-factor": (SUPPORT_FACTOR, 1, 4),
    "roman-bonus": (ROMAN_BONUS, 0, 6),
    "barbarian-bonus": (BARBARIAN_BONUS, 0, 6),
}


cdef int take_house(Board* B, dict modules) except -1:
    """Takes the numbers out of the arguments that the base game does not know."""
    cdef House* H = &B.house
    chosen = modules.pop("house", {})
    value = {}
    for name in chosen:
        if name not in HOUSE_NUMBERS:
            raise KernelError(f"house: {name!r} is no number of the rulebook that can be changed")
    for name, (usual, least, most) in HOUSE_NUMBERS.items():
        value[name] = take_int(chosen.get(name, usual), f"house[{name!r}]", least, most)
    H.ip = value["ip"]
    H.sail = value["sail"]
    H.secure = value["secure"]
    H.secure_border = value["secure-border"]
    H.remove_revolt = value["remove-revolt"]
    H.remove_unrest = value["remove-unrest"]
    H.reduce_revolt = value["reduce-revolt"]
    H.attack = value["attack"]
    H.deploy_dux = value["deploy-dux"]
    H.deploy_vicarius = value["deploy-vicarius"]
    H.attack_pirates = value["attack-pirates"]
    H.revolts = value["revolts"]
    H.unrest = value["unrest"]
    H.armies = value["armies"]
    H.first_revolts = value["first-revolts"]
    H.borders_to_win = value["borders-to-win"]
    H.support_factor = value["support-factor"]
    H.roman_bonus = value["roman-bonus"]
    H.barbarian_bonus = value["barbarian-bonus"]
    return 0


cdef int check_house(const Board* B, const Position* P) except -1:
    """What a state must keep to, by the reserves and the IP of a turn."""
    check_count("revolts", P.revolts, most_revolts(B, P))
    check_count("armies", P.armies, most_armies(B))
    if unrest_in_reserve(B, P) < 0:
        more = -unrest_in_reserve(B, P)
        raise KernelError(f"unrest: expected at most {B.house.unrest}, with all that players hold, got {more} more")
    if P.ip > full_ip(B) and not (P.power and P.mover == MAXIMIAN):
        raise KernelError(f"ip: expected at most {full_ip(B)}, got {P.ip}")
    return 0
