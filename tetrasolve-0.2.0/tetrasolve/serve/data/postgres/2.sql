-- A job belongs to a key, where keys are required; what counts jobs and their bytes reads an index, not their fields.
ALTER TABLE jobs ADD COLUMN holder text;
CREATE INDEX jobs_by_end ON jobs (ended, bytes);
