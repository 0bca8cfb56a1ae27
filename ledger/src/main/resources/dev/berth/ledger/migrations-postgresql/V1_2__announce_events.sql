-- Tells whoever listens that a realm has new events, once they are committed. A trigger, so that it costs a commit
-- no round trip of its own. The schema is named, because a channel belongs to the whole database.
CREATE FUNCTION announce_events() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('berth_event', NEW.seq || ' ' || TG_TABLE_SCHEMA || ' ' || NEW.id);
  RETURN NULL;
END
$$;
CREATE TRIGGER realm_announce AFTER UPDATE OF seq ON realm
  FOR EACH ROW WHEN (NEW.seq > OLD.seq) EXECUTE FUNCTION announce_events();
