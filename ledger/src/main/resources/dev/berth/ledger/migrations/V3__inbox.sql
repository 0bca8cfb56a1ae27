-- What servers that stand by pass on to the one that is active, and its answers. Sealed text: whoever reads the
-- database learns nothing of it. Rows live for seconds; `asked_at` is by the database's clock.
CREATE TABLE inbox (
  realm    TEXT   NOT NULL,
  id       TEXT   NOT NULL,
  asked_at BIGINT NOT NULL,
  request  TEXT   NOT NULL,
  answer   TEXT,
  PRIMARY KEY (realm, id)
);
CREATE INDEX inbox_age ON inbox (realm, asked_at);

-- The oldest programs that understand this database, by the newest schema that they know: those that may read it,
-- and those that may write it. A migration that they can live with leaves the numbers as they are.
CREATE TABLE understood_by (
  reader INTEGER NOT NULL,
  writer INTEGER NOT NULL
);
INSERT INTO understood_by (reader, writer) VALUES (3, 3);

-- How many writes were refused because the tenure of whoever wrote was over.
ALTER TABLE realm ADD COLUMN stale_writes BIGINT NOT NULL DEFAULT 0;
