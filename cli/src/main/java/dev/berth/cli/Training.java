package dev.berth.cli;

import dev.berth.control.FailPoint;
import dev.berth.server.BerthServer;
import dev.berth.server.PrivateFile;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * The run that the launcher makes the AOT cache from: it goes through the commands that people wait
 * for, against a server in the same process, so that one cache serves both.
 */
final class Training {
  private static final int ROUNDS = 3;

  private Training() {}

  public static void main(String[] arguments) throws IOException {
    Path examples = Path.of(arguments[0]);
    Home home = Home.find();
    BerthServer.Settings settings =
        new BerthServer.Settings(
            home.folder(), "127.0.0.1", 0, "admin", ClientSettings.DEFAULT_PROJECT);
    try (BerthServer server = BerthServer.start(settings, FailPoint.Observer.NONE)) {
      PrivateFile.write(
          home.embedded(), EmbeddedServer.describe(server.url(), ProcessHandle.current().pid()));
      for (int round = 0; round < ROUNDS; round++) {
        train(examples);
      }
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
    run("schema", "task");
    run("--help");
    run("--version");
    run("plan", "-f", hello);
    run("apply", "-y", "-f", hello);
    run("ps", "-a");
    run("ps", "--json");
    run("logs", "hello");
    run("event");
    run("run", "get", "hello");
    run("stop", "hello");
    run("delete", "hello");
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
