package dev.berth.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;

/**
 * The run that the build makes the AOT caches from: it goes through the commands that people wait
 * for, against a server that records its own cache. There are two caches because a JVM loads all
 * classes of its cache at the start, and a command has no use for those of the server.
 */
final class Training {
  private static final int ROUNDS = 3;

  /** The server writes its cache when it ends, which nobody may take for written before. */
  private static final int END_WITHIN_SECONDS = 900;

  private Training() {}

  public static void main(String[] arguments)
      throws IOException, ExecutionException, InterruptedException, TimeoutException {
    Path examples = Path.of(arguments[0]);
    System.setProperty(EmbeddedServer.RECORD_CACHE, arguments[1]);
    EmbeddedServer server = new EmbeddedServer(Home.find(), new PrintWriter(new StringWriter()));
    ProcessHandle process = ProcessHandle.of(server.ensureRunning().pid()).orElseThrow();
    try {
      for (int round = 0; round < ROUNDS; round++) {
        train(examples);
      }
    } finally {
      process.destroy();
      process.onExit().get(END_WITHIN_SECONDS, TimeUnit.SECONDS);
    }
  }

  private static void train(Path examples) throws IOException {
    List<String> validate = new ArrayList<>(List.of("validate", "--json", "-f"));
    try (Stream<Path> files = Files.list(examples)) {
      files
          .map(Path::toString)
          .filter(file -> file.endsWith(".yml"))
          .sorted()
          .forEach(validate::add);
    }
    String hello = examples.resolve("hello.berth.yml").toString();
    run(validate.toArray(String[]::new));
    run("validate", "-f", hello);
    run("schema", "task");
    run("--help");
    run("--version");
    run("plan", "-f", hello);
    run("apply", "-y", "-f", hello);
    run("ps");
    run("ps", "-a");
    run("ps", "--json");
    run(CompletionNames.COMMAND, "logs", "");
    run("logs", "hello");
    run("event");
    run("run", "get", "hello");
    run("stop", "hello");
    run("delete", "hello");
    run("offer");
    run("offer", "--json");
    run("offer", "--catalog-only", "--gpu", "H100:8");
  }

  private static void run(String... commandLine) {
    PrintWriter ignored = new PrintWriter(new StringWriter());
    int code = Berth.run(ignored, ignored, commandLine);
    if (code != ExitCode.OK) {
      throw new IllegalStateException(
          "the training command " + String.join(" ", commandLine) + " ended with " + code);
    }
  }
}
