"""Small changes of rules: how they are written, made in the running program, and generated. No game is named here."""
