"""Certificates: proofs that a program which shares nothing with tetrasolve can check. Free of the game.

================ ==============================================================
`form`           the format: header, sections, digest, compression
`dimacs`         formulas as clauses, strictly read
`drup`           proofs of a SAT solver, elaborated into LRAT
`tight`          proofs in which nothing is idle
`unsat`          certificates that a formula has no solution
`checking`       the checker, run by an interpreter of its own
================ ==============================================================
"""
