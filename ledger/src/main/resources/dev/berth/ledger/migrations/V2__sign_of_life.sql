-- When the owner of a realm was heard of last, by the database's clock: at a take-over, a commit or a renewal.
-- A moment in the past tells a standby as much as the end of a lease, and leaves it to each how long it waits.
ALTER TABLE realm RENAME COLUMN lease_until TO alive_at;
