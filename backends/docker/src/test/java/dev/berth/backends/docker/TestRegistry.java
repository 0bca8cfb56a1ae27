package dev.berth.backends.docker;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A private registry on the loopback address, which lets in one user. Ended by its process id. */
final class TestRegistry implements AutoCloseable {
  static final String USER = "reader";
  static final String PASSWORD = "open-sesame-19";

  private static final String PASSWORDS =
      USER + ":$2y$05$abcdefghijklmnopqrstuuGozlToIUWnH86Teiei5V73h9pt8zPC6\n";
  private static final Pattern LISTENING = Pattern.compile("listening on 127\\.0\\.0\\.1:(\\d+)");

  private final Process process;
  private final int port;

  private TestRegistry(Process process, int port) {
    this.process = process;
    this.port = port;
  }

  /**
   * Starts one.
   *
   * @param folder what is in it stays, so that another one can go on with it
   */
  static TestRegistry start(Path folder) {
    TestEngine.requireTools("docker-registry", "docker-registry");
    try {
      Path passwords = Files.writeString(folder.resolve("passwords"), PASSWORDS);
      Path configuration =
          Files.writeString(
              folder.resolve("registry.yml"),
              """
              version: 0.1
              storage: {filesystem: {rootdirectory: %s}}
              http: {addr: "127.0.0.1:0"}
              auth: {htpasswd: {realm: test, path: %s}}
              """
                  .formatted(folder.resolve("images"), passwords));
      Process process =
          new ProcessBuilder("docker-registry", "serve", configuration.toString())
              .redirectErrorStream(true)
              .start();
      return new TestRegistry(process, port(process));
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  /** The port that it says it listens on; what it says afterwards is thrown away. */
  private static int port(Process process) throws IOException {
    BufferedReader lines =
        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    StringBuilder said = new StringBuilder();
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      Matcher matcher = LISTENING.matcher(line);
      if (matcher.find()) {
        Thread.ofVirtual().start(() -> drain(lines));
        return Integer.parseInt(matcher.group(1));
      }
      said.append(line).append('\n');
    }
    throw new IllegalStateException("the registry does not start: " + said);
  }

  private static void drain(BufferedReader lines) {
    try {
      lines.transferTo(Writer.nullWriter());
    } catch (IOException ended) {
      System.getLogger(TestRegistry.class.getName())
          .log(System.Logger.Level.DEBUG, "The registry was ended", ended);
    }
  }

  int port() {
    return port;
  }

  /** Ends it at once, whatever it is doing. */
  void kill() {
    process.destroyForcibly();
    process.onExit().join();
  }

  @Override
  public void close() {
    kill();
  }
}
