package dev.berth.cli;

import dev.berth.grammar.ConfigurationFile;
import dev.berth.grammar.ConfigurationReader;
import dev.berth.grammar.ConfigurationReader.Defaults;
import dev.berth.grammar.Kind;
import dev.berth.grammar.Problem;
import dev.berth.model.config.Configuration;
import dev.berth.model.config.ServerConfiguration;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Tells whether files are right, and every reason why not. */
@Command(
    name = "validate",
    description = "Check configuration files and report every problem with its line.")
final class ValidateCommand implements Callable<Integer> {
  /** One byte more than is read, so that the reader sees that a file is too large. */
  private static final int READ_LIMIT = 10 * 1024 * 1024 + 1;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Option(
      names = {"-f", "--file"},
      paramLabel = "FILE",
      arity = "1..*",
      description = "The files to check; - for standard input.")
  private List<String> named = List.of();

  @Parameters(paramLabel = "FILE", arity = "0..*", hidden = true)
  private List<String> positional = List.of();

  @Option(
      names = "--json",
      description = "Print the results and the normalised configurations as JSON.")
  private boolean json;

  @Override
  public Integer call() throws IOException {
    List<String> files = new ArrayList<>(named);
    files.addAll(positional);
    if (files.isEmpty()) {
      throw new picocli.CommandLine.ParameterException(
          spec.commandLine(), "no file given; try: berth validate -f FILE");
    }
    List<Result> results = new ArrayList<>();
    for (String file : files) {
      results.add(check(file));
    }
    PrintWriter out = spec.commandLine().getOut();
    if (json) {
      Json.print(Map.of("files", results.stream().map(Result::tree).toList()), out);
    } else {
      results.forEach(result -> result.print(out));
    }
    return results.stream().allMatch(Result::isValid) ? ExitCode.OK : ExitCode.INVALID_FILE;
  }

  private static Result check(String file) throws IOException {
    if (file.equals("-")) {
      return new Result(
          file, ConfigurationReader.read(System.in.readNBytes(READ_LIMIT), Defaults.FILLED), null);
    }
    Path path;
    try {
      path = Path.of(file);
    } catch (InvalidPathException e) {
      return Result.unreadable(file, "this is not a valid file name");
    }
    try (InputStream in = Files.newInputStream(path)) {
      return new Result(
          file, ConfigurationReader.read(in.readNBytes(READ_LIMIT), Defaults.FILLED), null);
    } catch (NoSuchFileException e) {
      return Result.unreadable(file, "there is no such file");
    } catch (AccessDeniedException e) {
      return Result.unreadable(file, "permission denied");
    } catch (IOException e) {
      return Result.unreadable(
          file,
          Files.isDirectory(path)
              ? "this is a folder, not a file"
              : "the file cannot be read: " + e.getMessage());
    }
  }

  private record Result(String name, ConfigurationFile file, @Nullable String unreadable) {
    static Result unreadable(String name, String why) {
      return new Result(
          name,
          new ConfigurationFile(Optional.empty(), Optional.empty(), List.of(), List.of()),
          why);
    }

    boolean isValid() {
      return file.isValid();
    }

    void print(PrintWriter out) {
      if (unreadable != null) {
        out.println(name + ": " + unreadable);
      }
      file.errors().forEach(problem -> out.println(problem.format(name)));
      file.warnings().forEach(problem -> out.println(RunFile.warning(problem, name)));
      if (isValid()) {
        out.println(name + ": valid " + file.kind().map(Kind::word).orElse(""));
      }
    }

    Map<String, @Nullable Object> tree() {
      Map<String, @Nullable Object> tree = new LinkedHashMap<>();
      tree.put("file", name);
      tree.put("kind", file.kind().map(Kind::word).orElse(null));
      tree.put("valid", isValid());
      tree.put(
          "errors",
          unreadable == null ? problems(file.errors()) : List.of(problem(1, 1, "", unreadable)));
      tree.put("warnings", problems(file.warnings()));
      tree.put("config", file.configuration().map(Result::shown).orElse(null));
      return tree;
    }

    /**
     * A run's file is shown as it is, so that the output can be used; a server's file holds the
     * credentials of others.
     */
    private static Map<String, @Nullable Object> shown(Configuration configuration) {
      Map<String, @Nullable Object> tree = ConfigurationReader.normalise(configuration);
      return configuration instanceof ServerConfiguration ? SecretMask.masked(tree) : tree;
    }

    private static List<Map<String, Object>> problems(List<Problem> problems) {
      return problems.stream()
          .map(
              problem ->
                  problem(
                      problem.position().line(),
                      problem.position().column(),
                      problem.path(),
                      problem.message()))
          .toList();
    }

    private static Map<String, Object> problem(int line, int column, String path, String message) {
      Map<String, Object> tree = new LinkedHashMap<>();
      tree.put("line", line);
      tree.put("column", column);
      tree.put("path", path);
      tree.put("message", message);
      return tree;
    }
  }
}
