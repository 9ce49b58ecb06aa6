CREATE TABLE jobs (
    id TEXT PRIMARY KEY,
    key BLOB UNIQUE,
    question BLOB NOT NULL,
    ask TEXT NOT NULL,
    fields TEXT NOT NULL,
    owner TEXT,
    alive REAL NOT NULL,
    listened REAL NOT NULL,
    attempts INTEGER NOT NULL,
    is_cancelled INTEGER NOT NULL,
    bytes INTEGER NOT NULL,
    ended REAL
);
CREATE TABLE events (
    job TEXT NOT NULL REFERENCES jobs (id) ON DELETE CASCADE,
    number INTEGER NOT NULL,
    kind TEXT NOT NULL,
    data TEXT NOT NULL,
    PRIMARY KEY (job, number)
) WITHOUT ROWID;
