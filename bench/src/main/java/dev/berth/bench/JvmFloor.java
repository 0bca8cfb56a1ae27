package dev.berth.bench;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Path;

/** The peer of our commands: a JVM with an empty main, which no Java program can beat. */
final class JvmFloor {
  static final String NAME = "jvm-floor";

  private JvmFloor() {}

  static double wallMillis(Workplace place) throws IOException, InterruptedException {
    return place.wallMillis(
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                classes(),
                EmptyMain.class.getName())
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .redirectError(ProcessBuilder.Redirect.DISCARD));
  }

  private static String classes() {
    try {
      return Path.of(EmptyMain.class.getProtectionDomain().getCodeSource().getLocation().toURI())
          .toString();
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }
}
