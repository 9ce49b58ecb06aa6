CREATE TABLE quotas (
    name TEXT NOT NULL,
    day TEXT NOT NULL,
    used INTEGER NOT NULL,
    PRIMARY KEY (name, day)
) WITHOUT ROWID;
