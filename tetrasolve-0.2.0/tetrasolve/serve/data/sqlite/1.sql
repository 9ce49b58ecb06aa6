CREATE TABLE answers (
    number INTEGER PRIMARY KEY,
    key BLOB NOT NULL UNIQUE,
    result TEXT NOT NULL,
    bytes INTEGER NOT NULL
);
