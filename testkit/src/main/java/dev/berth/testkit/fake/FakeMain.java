package dev.berth.testkit.fake;

import java.io.IOException;
import java.io.PrintStream;
import java.net.BindException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Serves a fake cloud as a process of its own: {@code build/fake NAME --port P [--data FILE]}. Runs
 * in real time until it is told to end by SIGTERM.
 */
public final class FakeMain {
  private static final int USAGE = 64;
  private static final int BAD_DATA = 65;
  private static final int UNAVAILABLE = 69;
  private static final int LARGEST_PORT = 65_535;

  private FakeMain() {}

  /** Why no cloud is served, with the code that the process ends with. */
  static final class Failure extends Exception {
    private static final long serialVersionUID = 1L;

    final int code;

    Failure(int code, String message) {
      super(message);
      this.code = code;
    }
  }

  /** What is asked for. */
  private record Arguments(String name, int port, @Nullable Path data) {}

  /** Ends only when the process does. */
  public static void main(String[] arguments) throws InterruptedException {
    try {
      FakeProvider provider = started(List.of(arguments), System.out);
      Runtime.getRuntime().addShutdownHook(Thread.ofPlatform().unstarted(provider::close));
      new CountDownLatch(1).await();
    } catch (Failure e) {
      System.err.println("fake: " + e.getMessage());
      System.exit(e.code);
    }
  }

  /** Serves what is asked for, and says where. */
  static FakeProvider started(List<String> arguments, PrintStream out) throws Failure {
    List<FakeCloud> known =
        ServiceLoader.load(FakeCloud.class).stream()
            .map(ServiceLoader.Provider::get)
            .sorted(Comparator.comparing(FakeCloud::name))
            .toList();
    Arguments asked = parsed(arguments, known);
    FakeCloud cloud =
        known.stream()
            .filter(candidate -> candidate.name().equals(asked.name()))
            .findFirst()
            .orElseThrow(
                () ->
                    new Failure(
                        USAGE,
                        "there is no fake cloud \"%s\"; known are:%n%s"
                            .formatted(asked.name(), listed(known))));
    FakeProvider provider = served(cloud, asked);
    out.println(cloud.name() + " listens on " + provider.address());
    out.flush();
    return provider;
  }

  private static FakeProvider served(FakeCloud cloud, Arguments asked) throws Failure {
    Path data = asked.data();
    Path folder = data == null ? null : data.toAbsolutePath().getParent();
    if (folder != null && !Files.isDirectory(folder)) {
      throw new Failure(BAD_DATA, "the folder " + folder + " for the data file is missing");
    }
    try {
      return FakeProvider.start(
          cloud, new FakeProvider.Options(asked.port(), FakeClock.real(), data));
    } catch (BindException e) {
      throw new Failure(
          UNAVAILABLE,
          "port %d of 127.0.0.1 cannot be used (%s); choose another one, or 0 for any"
              .formatted(asked.port(), e.getMessage()));
    } catch (IOException | RuntimeException e) {
      throw new Failure(BAD_DATA, "the data file " + data + " cannot be used: " + e.getMessage());
    }
  }

  private static Arguments parsed(List<String> arguments, List<FakeCloud> known) throws Failure {
    List<String> names = new ArrayList<>();
    Optional<Integer> port = Optional.empty();
    Path data = null;
    for (int i = 0; i < arguments.size(); i++) {
      switch (arguments.get(i)) {
        case "--port" -> port = Optional.of(port(value(arguments, i++)));
        case "--data" -> data = Path.of(value(arguments, i++));
        default -> {
          if (arguments.get(i).startsWith("-")) {
            throw usage("unknown option " + arguments.get(i), known);
          }
          names.add(arguments.get(i));
        }
      }
    }
    if (names.size() != 1) {
      throw usage("name one fake cloud", known);
    }
    if (port.isEmpty()) {
      throw usage("--port is missing; 0 stands for any port that is free", known);
    }
    return new Arguments(names.getFirst(), port.get(), data);
  }

  private static String value(List<String> arguments, int option) throws Failure {
    if (option + 1 == arguments.size()) {
      throw new Failure(USAGE, arguments.get(option) + " needs a value");
    }
    return arguments.get(option + 1);
  }

  private static int port(String text) throws Failure {
    if (!text.matches("[0-9]{1,5}") || Integer.parseInt(text) > LARGEST_PORT) {
      throw new Failure(USAGE, "a port is a number from 0 to 65535, not \"" + text + "\"");
    }
    return Integer.parseInt(text);
  }

  private static Failure usage(String problem, List<FakeCloud> known) {
    return new Failure(
        USAGE,
        "%s%nusage: build/fake NAME --port P [--data FILE]%nknown are:%n%s"
            .formatted(problem, listed(known)));
  }

  private static String listed(List<FakeCloud> known) {
    return known.isEmpty()
        ? "  none"
        : known.stream()
            .map(cloud -> "  %s: %s".formatted(cloud.name(), cloud.summary()))
            .collect(Collectors.joining(System.lineSeparator()));
  }
}
