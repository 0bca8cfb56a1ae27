package dev.berth.grammar;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/**
 * dstack 0.22.5 in a Python process that judges one file after the other. Its interpreter is named
 * by {@code -Dberth.dstack} or {@code BERTH_DSTACK_PYTHON}; otherwise it is the one that {@code
 * .ci/run} installs in the user's cache. Used by one thread.
 */
final class DstackPeer implements AutoCloseable {
  static final String VERSION = "0.22.5";
  private static final JsonMapper JSON = JsonMapper.builder().build();

  private final Process process;
  private final Writer questions;
  private final BufferedReader answers;
  private final Path errors;

  /** What dstack says of a file: the configuration that it read, or why it refuses the file. */
  record Answer(@Nullable Map<?, ?> config, @Nullable String refused) {
    boolean isAccepted() {
      return config != null;
    }
  }

  private DstackPeer(Path python, Path folder) throws IOException {
    Path program = folder.resolve("dstack_judge.py");
    Files.writeString(program, FieldTable.resource("dstack_judge.py"));
    errors = folder.resolve("dstack-errors.txt");
    ProcessBuilder builder =
        new ProcessBuilder(python.toString(), program.toString()).redirectError(errors.toFile());
    // dstack keeps settings in the user's home, which are not ours to read or write.
    builder.environment().put("HOME", folder.toString());
    builder.environment().put("PYTHONDONTWRITEBYTECODE", "1");
    builder.environment().put("PYTHONUTF8", "1");
    process = builder.start();
    questions = process.outputWriter(java.nio.charset.StandardCharsets.UTF_8);
    answers = process.inputReader(java.nio.charset.StandardCharsets.UTF_8);
  }

  /** Starts it, or skips the test where dstack is not installed. */
  static DstackPeer start(Path folder) throws IOException {
    Optional<Path> named =
        Optional.ofNullable(System.getProperty("berth.dstack"))
            .or(() -> Optional.ofNullable(System.getenv("BERTH_DSTACK_PYTHON")))
            .map(Path::of);
    Path python = named.orElseGet(DstackPeer::inCache);
    assumeTrue(
        named.isPresent() || Files.isExecutable(python), "dstack " + VERSION + " is not installed");
    DstackPeer peer = new DstackPeer(python, folder);
    Map<?, ?> first = peer.next();
    if (!VERSION.equals(first.get("version"))) {
      peer.close();
      throw new IllegalStateException(python + " has another version of dstack: " + first);
    }
    return peer;
  }

  private static Path inCache() {
    String cache = System.getenv("XDG_CACHE_HOME");
    Path root =
        cache == null || cache.isEmpty()
            ? Path.of(System.getProperty("user.home"), ".cache")
            : Path.of(cache);
    return root.resolve("berth/dstack-" + VERSION + "/bin/python");
  }

  Answer judge(String file) {
    try {
      questions.write(JSON.writeValueAsString(file) + "\n");
      questions.flush();
    } catch (IOException e) {
      throw new UncheckedIOException(lastWords(), e);
    }
    Map<?, ?> answer = next();
    return new Answer((Map<?, ?>) answer.get("config"), (String) answer.get("refused"));
  }

  private Map<?, ?> next() {
    try {
      String line = answers.readLine();
      return JSON.readValue(Objects.requireNonNull(line, this::lastWords), Map.class);
    } catch (IOException e) {
      throw new UncheckedIOException(lastWords(), e);
    }
  }

  private String lastWords() {
    try {
      return "dstack's process ended: " + Files.readString(errors);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() throws IOException {
    questions.close();
    process.onExit().join();
  }
}
