package dev.berth.cli;

import dev.berth.client.BerthClient;
import dev.berth.client.ClientException;
import dev.berth.model.api.DoctorView;
import dev.berth.model.api.DoctorView.Check;
import dev.berth.model.api.InfoView;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;

/** What can be looked at from here of a server, and what it says of itself. */
final class ServerChecks {
  private static final Duration MOST_SKEW = Duration.ofSeconds(5);
  private static final int FORBIDDEN = 403;
  private static final int NOT_THERE = 404;

  private final BerthClient client;
  private final String url;
  private final String version;
  private final InstantSource clock;

  ServerChecks(BerthClient client, String url, String version, InstantSource clock) {
    this.client = client;
    this.url = url;
    this.version = version;
    this.clock = clock;
  }

  List<Check> look() {
    List<Check> checks = new ArrayList<>();
    try {
      InfoView info = client.info();
      checks.add(Check.ok("server", url + " responds; you are " + info.user()));
      checks.add(
          info.version().equals(version)
              ? Check.ok("version", version + " here and there")
              : Check.warn(
                  "version",
                  version + " here, " + info.version() + " at the server",
                  "use the same version on both sides"));
    } catch (ClientException e) {
      checks.add(
          Check.fail(
              "server",
              url + " did not respond as expected: " + e.getMessage(),
              "check that the server is running, and your settings with: berth config"));
      return checks;
    }
    try {
      Instant asked = clock.instant();
      DoctorView doctor = client.doctor();
      checks.add(clocks(asked, doctor.at(), clock.instant()));
      checks.addAll(doctor.checks());
    } catch (ClientException e) {
      checks.add(details(e));
    }
    return checks;
  }

  private static Check details(ClientException e) {
    return switch (e.status()) {
      case FORBIDDEN -> Check.ok("details", "only global admins can see the server's own checks");
      case NOT_THERE ->
          Check.warn("details", "the server is too old to check itself", "update the server");
      default ->
          Check.fail(
              "details", "the server could not check itself: " + e.getMessage(), "look at its log");
    };
  }

  /** The server said its time at some moment between the two of ours. */
  static Check clocks(Instant asked, Instant there, Instant answered) {
    Duration skew =
        there.isBefore(asked)
            ? Duration.between(there, asked)
            : there.isAfter(answered) ? Duration.between(answered, there) : Duration.ZERO;
    String sentence = "the clocks here and at the server differ by " + skew.toMillis() + " ms";
    return skew.compareTo(MOST_SKEW) > 0
        ? Check.warn("clock", sentence, "synchronise both clocks with NTP")
        : Check.ok("clock", sentence);
  }
}
