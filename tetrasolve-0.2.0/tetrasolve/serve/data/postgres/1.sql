CREATE TABLE answers (
    key bytea PRIMARY KEY,
    result text NOT NULL,
    bytes bigint NOT NULL,
    is_final integer NOT NULL,
    whole bigint NOT NULL,
    work bigint NOT NULL,
    seconds double precision NOT NULL,
    stored double precision NOT NULL
);
CREATE INDEX answers_by_age ON answers (is_final, stored);
CREATE TABLE jobs (
    id text PRIMARY KEY,
    key bytea UNIQUE,
    question bytea NOT NULL,
    ask text NOT NULL,
    fields text NOT NULL,
    owner text,
    alive double precision NOT NULL,
    listened double precision NOT NULL,
    attempts integer NOT NULL,
    is_cancelled integer NOT NULL,
    bytes bigint NOT NULL,
    ended double precision
);
CREATE INDEX jobs_open ON jobs (owner) WHERE ended IS NULL;
CREATE TABLE events (
    job text NOT NULL REFERENCES jobs (id) ON DELETE CASCADE,
    number integer NOT NULL,
    kind text NOT NULL,
    data text NOT NULL,
    PRIMARY KEY (job, number)
);
CREATE TABLE quotas (
    name text NOT NULL,
    day text NOT NULL,
    used bigint NOT NULL,
    PRIMARY KEY (name, day)
);
