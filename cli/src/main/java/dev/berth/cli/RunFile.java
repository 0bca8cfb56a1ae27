package dev.berth.cli;

import dev.berth.client.files.GitClone;
import dev.berth.client.files.PackingException;
import dev.berth.grammar.ConfigurationFile;
import dev.berth.grammar.ConfigurationReader;
import dev.berth.grammar.Interpolation;
import dev.berth.grammar.Problem;
import dev.berth.grammar.ProfileMerge;
import dev.berth.model.api.RunRequest;
import dev.berth.model.config.Configuration;
import dev.berth.model.config.Profile;
import dev.berth.model.config.ProfilesConfiguration;
import dev.berth.model.config.RunConfiguration;
import dev.berth.planning.Planners;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A file that shall be run: read, joined with a profile, and made ready for the server. */
final class RunFile {
  private static final List<String> PROFILE_FILES =
      List.of(".berth/profiles.yml", ".dstack/profiles.yml");
  private static final List<String> DEFAULT_NAMES =
      List.of(".berth.yml", "berth.yml", ".dstack.yml", ".dstack.yaml");

  /** The name that stands for standard input. */
  private static final String STANDARD_INPUT = "-";

  private final Path path;
  private final Map<String, @Nullable Object> tree;
  private @Nullable GitClone clone;

  private RunFile(Path path, Map<String, @Nullable Object> tree) {
    this.path = path;
    this.tree = tree;
  }

  /**
   * What a file holds. It is read once, because standard input cannot be read again.
   *
   * @param path the file, or {@code -} for standard input, whose folder is the present one
   */
  @SuppressWarnings("ArrayRecordComponent") // bytes that are handed on, never compared
  record Source(Path path, byte[] bytes) {
    /** Of the file that a command was given, or of the one that is here. */
    static Source read(@Nullable String file) {
      if (STANDARD_INPUT.equals(file)) {
        try {
          return new Source(Path.of(file), System.in.readAllBytes());
        } catch (IOException e) {
          throw new CommandFailure(
              ExitCode.INVALID_FILE, "standard input cannot be read: " + e.getMessage());
        }
      }
      Path path = file == null ? defaultFile() : Path.of(file);
      return new Source(path, RunFile.bytes(path));
    }
  }

  /** What the command line adds to the file. */
  record Additions(
      @Nullable String name,
      @Nullable String profile,
      Map<String, String> environment,
      List<String> arguments) {}

  static RunFile read(Source file, Additions additions, PrintWriter err) {
    Path path = file.path();
    ConfigurationFile read =
        ConfigurationReader.read(file.bytes(), ConfigurationReader.Defaults.AS_WRITTEN);
    String shown = path.toString();
    read.errors().forEach(problem -> err.println(problem.format(shown)));
    read.warnings().forEach(problem -> err.println(warning(problem, shown)));
    Configuration configuration =
        read.configuration()
            .orElseThrow(() -> new CommandFailure(ExitCode.INVALID_FILE, shown + " is not valid"));
    String kind = read.kind().orElseThrow().word();
    Planners planners = Planners.installed();
    if (planners.find(kind).isEmpty() || !(configuration instanceof RunConfiguration written)) {
      throw new CommandFailure(
          ExitCode.REFUSED,
          "%s are not supported yet; only %s and fleets can be applied"
              .formatted(Planners.plural(kind), planners.words()));
    }
    Profile profile = profile(additions.profile());
    RunConfiguration merged =
        profile == null ? written : ProfileMerge.merge(written, profile.params());
    RunFile run = new RunFile(path, new LinkedHashMap<>(ConfigurationReader.normalise(merged)));
    run.join(additions);
    run.clone(err);
    return run;
  }

  /** Packs the files that the run gets, and names what they became. Whoever calls closes it. */
  PackedFiles pack() {
    List<Map<String, @Nullable Object>> files = new ArrayList<>();
    List<Path> sources = new ArrayList<>();
    if (tree.get("files") instanceof List<?> mappings) {
      for (Object item : mappings) {
        Map<String, @Nullable Object> mapping = new LinkedHashMap<>();
        ((Map<?, ?>) item).forEach((name, value) -> mapping.put(String.valueOf(name), value));
        files.add(mapping);
        sources.add(Path.of(String.valueOf(mapping.get("local_path"))));
      }
    }
    boolean changed = clone != null && !clone.isUnchanged();
    PackedFiles packed = PackedFiles.of(sources, changed ? clone : null);
    for (int i = 0; i < files.size(); i++) {
      files.get(i).put("archive", packed.archives().get(i));
    }
    tree.put("files", files);
    if (changed) {
      repository().put("changes", packed.archives().getLast());
    }
    return packed;
  }

  /** The run's one repository, which can be changed. */
  @SuppressWarnings("unchecked")
  private Map<String, @Nullable Object> repository() {
    List<Map<String, @Nullable Object>> written =
        (List<Map<String, @Nullable Object>>) Objects.requireNonNull(tree.get("repos"));
    Map<String, @Nullable Object> copy = new LinkedHashMap<>(written.getFirst());
    tree.put("repos", List.of(copy));
    return copy;
  }

  /** Replaces a folder of this machine by what a job elsewhere can clone. */
  private void clone(PrintWriter err) {
    if (!(tree.get("repos") instanceof List<?> written) || written.isEmpty()) {
      return;
    }
    Map<String, @Nullable Object> repository = repository();
    if (!(repository.get("local_path") instanceof String local)) {
      return;
    }
    GitClone found;
    try {
      found = GitClone.lookAt(source("repos", local));
    } catch (PackingException e) {
      throw new CommandFailure(ExitCode.INVALID_FILE, path + ": repos: " + e.getMessage());
    }
    repository.put("local_path", null);
    repository.put("url", found.url());
    if (found.hadCredentials() && repository.get("token") == null) {
      err.println(
          "berth: the address of "
              + found.root()
              + " contains credentials, which are not sent. For a private repository, save the"
              + " token with 'berth secret set NAME' and write 'token: ${{ secrets.NAME }}'");
    }
    if (repository.get("hash") != null || repository.get("branch") != null) {
      err.println(
          "berth: "
              + found.url()
              + " is cloned at the given branch or commit, without your local changes");
      return;
    }
    repository.put("branch", found.branchOrNull());
    repository.put("hash", found.commit());
    err.println("berth: " + found.summary());
    clone = found;
  }

  RunRequest request() {
    return new RunRequest((String) tree.get("name"), tree);
  }

  /** A file as it stands, with a profile. */
  static RunFile read(String file, @Nullable String profile, PrintWriter err) {
    return read(Source.read(file), new Additions(null, profile, Map.of(), List.of()), err);
  }

  private static Path defaultFile() {
    return DEFAULT_NAMES.stream()
        .map(Path::of)
        .filter(Files::exists)
        .findFirst()
        .orElseThrow(
            () ->
                new CommandFailure(
                    ExitCode.USAGE,
                    "no file given: name one with -f FILE, or create one of "
                        + String.join(", ", DEFAULT_NAMES)
                        + " in this folder"));
  }

  /** A warning, as {@code berth validate} prints it. */
  static String warning(Problem problem, String file) {
    return new Problem(
            problem.rule(), problem.position(), problem.path(), "warning: " + problem.message())
        .format(file);
  }

  /** All of a file that the user named. */
  static byte[] bytes(Path path) {
    try {
      return Files.readAllBytes(path);
    } catch (NoSuchFileException e) {
      throw new CommandFailure(ExitCode.INVALID_FILE, path + ": there is no such file");
    } catch (IOException e) {
      throw new CommandFailure(ExitCode.INVALID_FILE, path + " cannot be read: " + e.getMessage());
    }
  }

  private void join(Additions additions) {
    if (additions.name() != null) {
      tree.put("name", additions.name());
    }
    tree.put("env", environment(additions.environment()));
    tree.put("commands", commands(additions.arguments()));
    tree.put("files", files());
  }

  /** The profile of a name, or the default one; null where there is none. */
  private static @Nullable Profile profile(@Nullable String wanted) {
    List<Path> candidates = new ArrayList<>();
    PROFILE_FILES.forEach(name -> candidates.add(Path.of(name)));
    PROFILE_FILES.forEach(name -> candidates.add(Home.ofUser().resolve(name)));
    for (Path candidate : candidates) {
      if (Files.exists(candidate)) {
        Profile found = profileIn(candidate, wanted);
        if (found != null) {
          return found;
        }
      }
    }
    if (wanted != null) {
      throw new CommandFailure(
          ExitCode.USAGE,
          "there is no profile '"
              + wanted
              + "' in "
              + candidates.stream().map(Path::toString).collect(Collectors.joining(", ")));
    }
    return null;
  }

  private static @Nullable Profile profileIn(Path file, @Nullable String wanted) {
    ConfigurationFile read =
        ConfigurationReader.read(bytes(file), ConfigurationReader.Defaults.AS_WRITTEN);
    if (!(read.configuration().orElse(null) instanceof ProfilesConfiguration profiles)) {
      String first =
          read.errors().isEmpty()
              ? "it holds no profiles"
              : read.errors().getFirst().format(file.toString());
      throw new CommandFailure(ExitCode.INVALID_FILE, first);
    }
    return profiles.profiles().stream()
        .filter(profile -> wanted == null ? profile.isDefault() : wanted.equals(profile.name()))
        .findFirst()
        .orElse(null);
  }

  private Map<String, @Nullable Object> environment(Map<String, String> given) {
    Map<String, @Nullable Object> variables = new LinkedHashMap<>();
    if (tree.get("env") instanceof Map<?, ?> written) {
      written.forEach(
          (name, value) ->
              variables.put(
                  String.valueOf(name),
                  value == null ? System.getenv(String.valueOf(name)) : value));
    }
    variables.putAll(given);
    return variables;
  }

  private List<String> commands(List<String> arguments) {
    List<String> commands = new ArrayList<>();
    if (tree.get("commands") instanceof List<?> written) {
      for (Object command : written) {
        commands.add(interpolated(String.valueOf(command), arguments));
      }
    }
    return commands;
  }

  private static String interpolated(String command, List<String> arguments) {
    List<Interpolation.Part> parts = Interpolation.parts(command);
    // The server reads such a text once more, and takes two dollar signs for one there.
    boolean again =
        parts.stream()
            .anyMatch(
                part ->
                    switch (part) {
                      case Interpolation.Part.Literal literal -> literal.text().contains("${{");
                      case Interpolation.Part.Reference reference -> isSecret(reference);
                    });
    StringBuilder text = new StringBuilder();
    for (Interpolation.Part part : parts) {
      switch (part) {
        case Interpolation.Part.Literal literal -> text.append(kept(literal.text(), again));
        case Interpolation.Part.Reference reference -> {
          if (isSecret(reference)) {
            text.append("${{ ").append(reference.name()).append(" }}");
            continue;
          }
          if (!reference.name().equals("run.args")) {
            throw new CommandFailure(
                ExitCode.REFUSED,
                "'" + reference.name() + "' in a command is not resolved in this version");
          }
          text.append(
              kept(String.join(" ", arguments.stream().map(RunFile::quoted).toList()), again));
        }
      }
    }
    return text.toString();
  }

  private static boolean isSecret(Interpolation.Part.Reference reference) {
    return reference.namespace().equals("secrets");
  }

  private static String kept(String text, boolean again) {
    return again ? text.replace("$", "$$") : text;
  }

  private static String quoted(String argument) {
    return argument.matches("[a-zA-Z0-9_@%+=:,./-]+")
        ? argument
        : "'" + argument.replace("'", "'\"'\"'") + "'";
  }

  /**
   * Local paths are relative to the file that names them; the server is told whole ones, for people
   * to read.
   */
  private List<Map<String, Object>> files() {
    List<Map<String, Object>> files = new ArrayList<>();
    if (tree.get("files") instanceof List<?> written) {
      for (Object item : written) {
        Map<?, ?> mapping = (Map<?, ?>) item;
        String local = String.valueOf(mapping.get("local_path"));
        files.add(
            Map.of(
                "local_path",
                source("files", local).toString(),
                "path",
                String.valueOf(mapping.get("path"))));
      }
    }
    return files;
  }

  /** What is meant by a path of this machine in the file. */
  private Path source(String field, String local) {
    Path folder = Objects.requireNonNullElse(path.toAbsolutePath().getParent(), Path.of("/"));
    Path source =
        local.startsWith("~/")
            ? Home.ofUser().resolve(local.substring(2))
            : folder.resolve(local).normalize();
    if (!Files.exists(source)) {
      throw new CommandFailure(
          ExitCode.INVALID_FILE,
          path + ": " + field + ": there is no '" + local + "' (looked for " + source + ")");
    }
    return source;
  }
}
