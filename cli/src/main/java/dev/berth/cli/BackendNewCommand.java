package dev.berth.cli;

import dev.berth.server.plugins.InstalledType;
import dev.berth.server.plugins.Plugins;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import javax.lang.model.SourceVersion;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Makes the project of a new backend. */
@Command(
    name = "new",
    description =
        "Create a Maven project for a new backend. It builds right away, and its test lists what to"
            + " implement, in order.")
final class BackendNewCommand implements Callable<Integer> {
  @Spec private CommandSpec spec = CommandSpec.create();

  @Parameters(
      paramLabel = "NAME",
      description =
          "The provider's name, such as ExampleXYZ; the backend type is then example-xyz.")
  private String name = "";

  @Option(names = "--vm", description = "It gives machines (the default).")
  private boolean vm;

  @Option(names = "--container", description = "It runs containers or batch jobs itself.")
  private boolean container;

  @Option(
      names = "--dir",
      paramLabel = "FOLDER",
      description =
          "The project folder, which must be new or empty (default: the name of the type).")
  private @Nullable Path dir;

  @Option(
      names = "--package",
      paramLabel = "PACKAGE",
      description = "The Java package (default: berth.backend. followed by the name).")
  private @Nullable String packageName;

  @Override
  public Integer call() {
    if (vm && container) {
      throw new CommandFailure(
          ExitCode.USAGE,
          "choose --vm for a backend that provides machines, or --container for one that runs"
              + " containers");
    }
    ScaffoldName names = ScaffoldName.of(name);
    requireFree(names.type());
    AuthorRepository repository = AuthorRepository.find();
    Path folder = dir == null ? Path.of(names.type()) : dir;
    Scaffold scaffold =
        new Scaffold(
            names,
            usablePackage(names),
            container ? Scaffold.Kind.CONTAINER : Scaffold.Kind.VM,
            repository.version(),
            repository.path());
    write(folder, scaffold.files());
    PrintWriter out = spec.commandLine().getOut();
    out.println(folder + " contains a new project for the backend type " + names.type());
    out.println("Next:");
    out.println("  cd " + folder);
    out.println(
        "  mvn -q package -DskipTests    builds target/berth-backend-" + names.type() + ".jar");
    out.println("  mvn -q test                   lists what to implement, in order");
    return ExitCode.OK;
  }

  private static void requireFree(String type) {
    try (Plugins plugins = Plugins.load(List.of())) {
      if (plugins.find(type).filter(InstalledType::isBundled).isPresent()) {
        throw new CommandFailure(
            ExitCode.USAGE, "Berth has a type '" + type + "' already; choose another name");
      }
    }
  }

  private String usablePackage(ScaffoldName names) {
    String chosen = packageName == null ? "berth.backend." + names.packageWord() : packageName;
    if (!SourceVersion.isName(chosen)) {
      throw new CommandFailure(
          ExitCode.USAGE,
          "'" + chosen + "' cannot be the name of a package; choose one with --package");
    }
    if (chosen.matches("(dev\\.berth\\.(spi|model)|org\\.jspecify)(\\..*)?")) {
      throw new CommandFailure(
          ExitCode.USAGE,
          "classes of " + chosen + " come from the server; choose another --package");
    }
    return chosen;
  }

  /** Writes files into a folder that has none; nothing is ever overwritten. */
  private static void write(Path folder, Map<String, String> files) {
    try {
      if (Files.exists(folder) && !isEmptyFolder(folder)) {
        throw new CommandFailure(
            ExitCode.USAGE, folder + " is not an empty folder; choose another one with --dir");
      }
      for (Map.Entry<String, String> file : files.entrySet()) {
        Path path = folder.resolve(file.getKey());
        Files.createDirectories(path.toAbsolutePath().getParent());
        Files.writeString(path, file.getValue(), StandardOpenOption.CREATE_NEW);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(folder + " cannot be written: " + e.getMessage(), e);
    }
  }

  private static boolean isEmptyFolder(Path folder) throws IOException {
    if (!Files.isDirectory(folder)) {
      return false;
    }
    try (Stream<Path> entries = Files.list(folder)) {
      return entries.findAny().isEmpty();
    }
  }
}
