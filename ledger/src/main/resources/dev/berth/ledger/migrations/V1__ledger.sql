-- The words here are understood by SQLite and PostgreSQL. Times are milliseconds since 1970, UTC.
-- `realm` is part of every key, so that an installation can be split without touching its rows.

-- One row a realm: the fence. Whoever raised `epoch` last is the only one whose commits hit the row.
-- `seq` is the number of the newest event; `trimmed_seq` of the newest event that retention removed.
-- `lease_until` is for databases that several servers share; a SQLite file is guarded by a file lock.
CREATE TABLE realm (
  id          TEXT   NOT NULL PRIMARY KEY,
  epoch       BIGINT NOT NULL,
  seq         BIGINT NOT NULL,
  trimmed_seq BIGINT NOT NULL,
  owner       TEXT   NOT NULL,
  lease_until BIGINT
);

-- Everything that has a state. Only what a query asks for is a column; the rest is in `body` (JSON).
-- `project` is '' for what belongs to the whole installation, because NULLs are never equal to each other
-- in a unique index.
CREATE TABLE entity (
  realm        TEXT    NOT NULL REFERENCES realm (id),
  kind         TEXT    NOT NULL,
  id           TEXT    NOT NULL,
  project      TEXT    NOT NULL,
  name         TEXT,
  parent       TEXT,
  state        TEXT    NOT NULL,
  active       BOOLEAN NOT NULL,
  due          BIGINT,
  sort_key     BIGINT  NOT NULL,
  body_version INTEGER NOT NULL,
  body         TEXT    NOT NULL,
  changed_seq  BIGINT  NOT NULL,
  PRIMARY KEY (realm, kind, id)
);
CREATE UNIQUE INDEX entity_active_name ON entity (realm, kind, project, name) WHERE active = TRUE AND name IS NOT NULL;
-- `active` is a column of the index as well, because SQLite prefers the index with more equal columns and
-- would otherwise read the whole history to find what is active.
CREATE INDEX entity_active ON entity (realm, active, kind, sort_key, id) WHERE active = TRUE;
CREATE INDEX entity_newest ON entity (realm, kind, sort_key, id);
CREATE INDEX entity_of_project ON entity (realm, kind, project, sort_key, id);
CREATE INDEX entity_named ON entity (realm, kind, project, name, sort_key, id) WHERE name IS NOT NULL;
CREATE INDEX entity_of_parent ON entity (realm, kind, parent, sort_key, id) WHERE parent IS NOT NULL;

CREATE TABLE event (
  realm        TEXT    NOT NULL REFERENCES realm (id),
  seq          BIGINT  NOT NULL,
  at           BIGINT  NOT NULL,
  kind         TEXT    NOT NULL,
  entity_kind  TEXT    NOT NULL,
  entity_id    TEXT    NOT NULL,
  project      TEXT    NOT NULL,
  actor        TEXT    NOT NULL,
  body_version INTEGER NOT NULL,
  body         TEXT    NOT NULL,
  PRIMARY KEY (realm, seq)
);
CREATE INDEX event_of_entity ON event (realm, entity_kind, entity_id, seq);
CREATE INDEX event_of_project ON event (realm, project, seq);

-- What must happen in the world. An action is unfinished until `finished_at` is set.
CREATE TABLE action (
  realm        TEXT    NOT NULL REFERENCES realm (id),
  id           TEXT    NOT NULL,
  kind         TEXT    NOT NULL,
  entity_kind  TEXT    NOT NULL,
  entity_id    TEXT    NOT NULL,
  resource_key TEXT,
  state        TEXT    NOT NULL,
  due          BIGINT,
  deadline     BIGINT  NOT NULL,
  attempts     INTEGER NOT NULL,
  finished_at  BIGINT,
  body_version INTEGER NOT NULL,
  body         TEXT    NOT NULL,
  created_seq  BIGINT  NOT NULL,
  PRIMARY KEY (realm, id)
);
CREATE UNIQUE INDEX action_in_flight ON action (realm, resource_key) WHERE state = 'in_flight' AND resource_key IS NOT NULL;
CREATE INDEX action_unfinished ON action (realm, created_seq, id) WHERE finished_at IS NULL;
CREATE INDEX action_finished ON action (realm, finished_at) WHERE finished_at IS NOT NULL;

-- Replies to requests that carried an idempotency key.
CREATE TABLE reply (
  realm           TEXT   NOT NULL REFERENCES realm (id),
  scope           TEXT   NOT NULL,
  idempotency_key TEXT   NOT NULL,
  request_hash    TEXT   NOT NULL,
  reply           TEXT   NOT NULL,
  seq             BIGINT NOT NULL,
  at              BIGINT NOT NULL,
  PRIMARY KEY (realm, scope, idempotency_key)
);
CREATE INDEX reply_age ON reply (realm, at);
