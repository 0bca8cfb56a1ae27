package dev.berth.cli;

import dev.berth.catalog.index.Snapshot;
import dev.berth.model.offers.CatalogItem;
import dev.berth.server.plugins.OwnLoader;
import dev.berth.server.plugins.Plugins;
import dev.berth.spi.BackendContext;
import dev.berth.spi.BackendException;
import dev.berth.spi.Compute;
import dev.berth.spi.Offers;
import dev.berth.spi.Owner;
import dev.berth.testkit.Conformance;
import dev.berth.testkit.Report;
import dev.berth.testkit.Result;
import dev.berth.testkit.Subject;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Says whether a backend keeps the contract. */
@Command(
    name = "verify",
    description =
        "Run the conformance tests against a backend. They create, inspect and delete resources"
            + " there and report which parts of the contract hold.")
final class BackendVerifyCommand implements Callable<Integer> {
  /** 128 and the number of the signal that Ctrl-C sends. */
  private static final int INTERRUPTED = 130;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Parameters(
      paramLabel = "NAME",
      arity = "0..1",
      description = "A backend of the server on this machine, or an installed type.")
  private @Nullable String name;

  @Option(
      names = "--jar",
      paramLabel = "FILE",
      description = "A plug-in to test without installing it: a jar or a folder of jars.")
  private @Nullable Path jar;

  @Option(
      names = {"-t", "--type"},
      paramLabel = "TYPE",
      description =
          "The backend type (default: the only one in the jar, the type in the file, or the name).")
  private @Nullable String type;

  @Option(
      names = {"-f", "--file"},
      paramLabel = "FILE",
      description = "A YAML file with its settings (default: the ones stored in the server).")
  private @Nullable Path file;

  @Option(
      names = {"-y", "--yes"},
      description = "Do not ask for confirmation, although this may cost money.")
  private boolean yes;

  @Option(names = "--json", description = "Print the report as JSON, when all checks have ended.")
  private boolean json;

  @Override
  public Integer call() {
    if ((name == null) == (jar == null)) {
      throw new CommandFailure(ExitCode.USAGE, "name a backend, or a plug-in with --jar");
    }
    SettingsFile settings = file == null ? SettingsFile.empty() : SettingsFile.read(file);
    try (Plugins plugins =
        jar == null ? Plugins.load(PluginFolders.of(Home.find())) : Plugins.loadOne(jar)) {
      VerifySubject found =
          name == null
              ? VerifySubject.inJar(plugins, type, settings)
              : VerifySubject.named(plugins, Home.find(), name, type, settings);
      return OwnLoader.call(found.type(), () -> verify(found, settings));
    }
  }

  private int verify(VerifySubject found, SettingsFile settings) {
    Subject subject = subject(found, settings);
    PrintWriter out = spec.commandLine().getOut();
    AtomicBoolean stopped = new AtomicBoolean();
    Interrupts.handle(() -> stop(stopped));
    Report report = Conformance.run(subject, _ -> !stopped.get(), result -> tell(result, out));
    if (json) {
      Json.print(report.tree(), out);
    } else {
      summarise(report, stopped.get(), out);
    }
    if (stopped.get()) {
      spec.commandLine()
          .getErr()
          .println("berth: stopped after " + report.results().size() + " checks");
      return INTERRUPTED;
    }
    return report.isPassed() ? ExitCode.OK : ExitCode.FAILED;
  }

  /** Things that the check under way has made must be deleted before the command ends. */
  private void stop(AtomicBoolean stopped) {
    if (stopped.getAndSet(true)) {
      Runtime.getRuntime().halt(INTERRUPTED);
    }
    spec.commandLine()
        .getErr()
        .println(
            "berth: stopping after this check has cleaned up; press Ctrl-C again to stop now and"
                + " leave its resources behind");
  }

  /** What the kit must know, after a look at what would be bought. */
  private Subject subject(VerifySubject found, SettingsFile settings) {
    Subject subject = Subject.of(found.type().type(), found.settings());
    Path folder = temporary();
    try (Compute compute = open(found, folder)) {
      return switch (compute.offers()) {
        case Offers.OwnMachines _ -> subject;
        case Offers.Live _ -> agreed(subject, found);
        case Offers.Catalogued(String source) ->
            agreed(isOwn(compute, source) ? subject : subject.selling(items(source)), found);
      };
    } catch (BackendException.BadConfig e) {
      throw VerifySubject.wrong(e, settings);
    } catch (BackendException e) {
      throw new CommandFailure(ExitCode.FAILED, "the backend cannot be opened: " + e.getMessage());
    } finally {
      delete(folder);
    }
  }

  private static boolean isOwn(Compute compute, String source) {
    return compute.sources().stream().anyMatch(own -> own.name().equals(source));
  }

  private static Compute open(VerifySubject found, Path folder) {
    return found
        .configured()
        .open(
            new BackendContext(
                "verify", new Owner("verify"), folder, Map.of(), InstantSource.system()));
  }

  private static Path temporary() {
    try {
      return Files.createTempDirectory("berth-verify");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void delete(Path folder) {
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path path : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(path);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Subject agreed(Subject subject, VerifySubject found) {
    if (!yes) {
      throw new CommandFailure(
          ExitCode.USAGE,
          "this creates the cheapest resources of "
              + found.type().type().name()
              + " with the account in these settings and deletes them again, which may cost money;"
              + " add -y to go ahead");
    }
    return subject;
  }

  private List<CatalogItem> items(String source) {
    return CatalogHome.find()
        .load(spec.commandLine().getErr())
        .snapshot(source)
        .map(Snapshot::content)
        .map(content -> content.offers())
        .orElseThrow(
            () ->
                new CommandFailure(
                    ExitCode.FAILED,
                    "its offers come from the source '"
                        + source
                        + "', which the catalog here does not have; see berth catalog list"));
  }

  private void tell(Result result, PrintWriter out) {
    if (json) {
      return;
    }
    out.printf(
        "%-20s%-12s%s%n",
        result.outcome().word(), result.check().area().word(), result.check().name());
    if (result.isFailed()) {
      out.println("  " + result.outcome().detail());
    }
    out.flush();
  }

  private static void summarise(Report report, boolean stopped, PrintWriter out) {
    out.println();
    report.unclean().forEach(problem -> out.println("Could not be deleted: " + problem));
    out.println(
        report.type()
            + judgement(report, stopped)
            + report.counts().entrySet().stream()
                .map(count -> count.getValue() + " " + count.getKey())
                .collect(Collectors.joining(", ")));
    report
        .next()
        .ifPresent(
            next -> out.println("Next: " + next.check().name() + ": " + next.check().sentence()));
  }

  private static String judgement(Report report, boolean stopped) {
    if (!report.isPassed()) {
      return " violates the contract: ";
    }
    return stopped ? " was not fully tested: " : " keeps the contract: ";
  }
}
