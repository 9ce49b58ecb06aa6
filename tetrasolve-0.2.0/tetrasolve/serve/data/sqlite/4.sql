-- How deep an answer is. Those that are there already become opinions that any other replaces.
ALTER TABLE answers ADD COLUMN is_final INTEGER NOT NULL DEFAULT 0;
ALTER TABLE answers ADD COLUMN whole INTEGER NOT NULL DEFAULT 0;
ALTER TABLE answers ADD COLUMN work INTEGER NOT NULL DEFAULT 0;
ALTER TABLE answers ADD COLUMN seconds REAL NOT NULL DEFAULT 0;
ALTER TABLE answers ADD COLUMN stored REAL NOT NULL DEFAULT 0;
CREATE INDEX answers_by_age ON answers (is_final, stored);
