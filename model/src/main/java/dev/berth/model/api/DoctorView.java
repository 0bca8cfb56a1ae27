package dev.berth.model.api;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What was found when things were looked at that may be wrong.
 *
 * @param at by the clock of whoever looked
 */
public record DoctorView(Instant at, List<Check> checks) {
  /**
   * One thing that was looked at.
   *
   * @param part what was looked at
   * @param state ok, warn or fail
   * @param remedy what to do; null where nothing is
   */
  public record Check(String part, String state, String sentence, @Nullable String remedy) {
    public static Check ok(String part, String sentence) {
      return new Check(part, "ok", sentence, null);
    }

    public static Check warn(String part, String sentence, String remedy) {
      return new Check(part, "warn", sentence, remedy);
    }

    public static Check fail(String part, String sentence, String remedy) {
      return new Check(part, "fail", sentence, remedy);
    }
  }
}
