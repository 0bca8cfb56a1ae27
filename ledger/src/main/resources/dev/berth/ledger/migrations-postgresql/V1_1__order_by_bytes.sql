-- What is sorted is ASCII and is sorted by its bytes, as Java and SQLite do. PostgreSQL would follow the language
-- that the database was made with, where 'a' comes before 'B' and a page of a listing would end elsewhere.
ALTER TABLE realm ALTER COLUMN id TYPE TEXT COLLATE "C";
ALTER TABLE entity
  ALTER COLUMN realm TYPE TEXT COLLATE "C",
  ALTER COLUMN kind TYPE TEXT COLLATE "C",
  ALTER COLUMN id TYPE TEXT COLLATE "C",
  ALTER COLUMN project TYPE TEXT COLLATE "C",
  ALTER COLUMN name TYPE TEXT COLLATE "C",
  ALTER COLUMN parent TYPE TEXT COLLATE "C",
  ALTER COLUMN state TYPE TEXT COLLATE "C";
ALTER TABLE event
  ALTER COLUMN realm TYPE TEXT COLLATE "C",
  ALTER COLUMN entity_kind TYPE TEXT COLLATE "C",
  ALTER COLUMN entity_id TYPE TEXT COLLATE "C",
  ALTER COLUMN project TYPE TEXT COLLATE "C";
ALTER TABLE action
  ALTER COLUMN realm TYPE TEXT COLLATE "C",
  ALTER COLUMN id TYPE TEXT COLLATE "C",
  ALTER COLUMN resource_key TYPE TEXT COLLATE "C",
  ALTER COLUMN state TYPE TEXT COLLATE "C";
ALTER TABLE reply
  ALTER COLUMN realm TYPE TEXT COLLATE "C",
  ALTER COLUMN scope TYPE TEXT COLLATE "C",
  ALTER COLUMN idempotency_key TYPE TEXT COLLATE "C";

-- A changed row stays on its page, and out of six indexes, where the page has room for it.
ALTER TABLE realm SET (fillfactor = 10);
ALTER TABLE entity SET (fillfactor = 70);
ALTER TABLE action SET (fillfactor = 70);
