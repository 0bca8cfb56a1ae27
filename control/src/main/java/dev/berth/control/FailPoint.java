package dev.berth.control;

import java.util.Locale;

/** The places at which tests end the server as by a power cut. */
public enum FailPoint {
  BEFORE_COMMIT,
  AFTER_COMMIT,
  BEFORE_ACTION,
  AFTER_ACTION;

  public String word() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** What happens at each point; nothing in production. */
  public interface Observer {
    Observer NONE = _ -> {};

    void reached(FailPoint point);
  }
}
