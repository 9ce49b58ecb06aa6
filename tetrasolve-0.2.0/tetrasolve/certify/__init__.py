"""Certificates: proofs that a separate program can check, which shares no code with tetrasolve. Independent of the game.

================ ==============================================================
`form`           the format: header, sections, digest, compression
`dimacs`         formulas as clauses, strictly read
`drup`           proofs of a SAT solver, elaborated into LRAT
`tight`          proofs without redundant steps, hints and literals
`unsat`          certificates that a formula has no solution
`checking`       the checker, run by an interpreter of its own
================ ==============================================================
"""
