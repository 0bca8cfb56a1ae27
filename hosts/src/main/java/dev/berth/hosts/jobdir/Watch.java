package dev.berth.hosts.jobdir;

/** An open watch on the changes of attempts. */
public interface Watch extends AutoCloseable {
  /** Ends the watch; when this returns the consumer is not called any more. Idempotent. */
  @Override
  void close();
}
