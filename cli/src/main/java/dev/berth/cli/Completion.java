package dev.berth.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/**
 * What can stand at the end of a command line: commands, options, their values, and names that a
 * server knows. The labels of options and parameters say which names are meant.
 */
final class Completion {
  /** The only line where the shell is to offer files. */
  static final String FILES = ":files";

  private static final Set<String> FILE_LABELS = Set.of("FILE", "FOLDER", "DIR", "PATH|URL");

  /** Commands that are about something new, for which no name is there yet. */
  private static final Set<String> NEW_NAMES = Set.of("create", "add", "new");

  private static final Map<String, List<String>> VALUES =
      Map.of(
          "user ROLE", List.of("admin", "user"),
          "project ROLE", List.of("viewer", "user", "manager", "admin"),
          "token ROLE", List.of("viewer", "user", "manager", "admin"),
          "offer KEY", List.of("gpu", "backend", "region", "count"),
          "server FORMAT", List.of("text", "json"),
          "catalog FORMAT", List.of("gpuhunt", "skypilot"));

  /** Where names come from. */
  interface Names {
    /**
     * The names of a kind, none where they are not known.
     *
     * @param project null for the usual one
     */
    List<String> find(Kind kind, @Nullable String project);
  }

  /** What has names. */
  enum Kind {
    RUNS,
    ACTIVE_RUNS,
    FLEETS,
    BACKENDS,
    BACKEND_TYPES,
    PROJECTS,
    SECRETS,
    USERS
  }

  private final Names names;
  private CommandSpec command;
  private @Nullable OptionSpec open;
  private @Nullable String project;
  private int positionals;
  private boolean optionsEnded;

  private Completion(CommandSpec root, Names names) {
    this.command = root;
    this.names = names;
  }

  /**
   * The candidates for the last word, each with a description after a tab where it has one.
   *
   * @param words what was typed after {@code berth}; the last one may be empty
   */
  static List<String> of(List<String> words, Names names) {
    CommandSpec root = Berth.commandLine(words.toArray(String[]::new)).getCommandSpec();
    Completion completion = new Completion(root, names);
    words.subList(0, Math.max(0, words.size() - 1)).forEach(completion::read);
    return completion.candidates(words.isEmpty() ? "" : words.getLast());
  }

  private void read(String word) {
    OptionSpec option = open;
    if (word.equals("=")) {
      // Bash makes a word of it.
      return;
    } else if (!optionsEnded && word.startsWith("-")) {
      readOption(word);
    } else if (option != null) {
      project = List.of(option.names()).contains("--project") ? word : project;
      open = option.arity().max() > 1 ? option : null;
    } else if (positionals == 0 && command.subcommands().containsKey(word)) {
      command = command.subcommands().get(word).getCommandSpec();
    } else {
      positionals++;
    }
  }

  private void readOption(String word) {
    int equals = word.indexOf('=');
    optionsEnded = word.equals("--");
    open = findOption(equals < 0 ? word : word.substring(0, equals));
    if (open != null && equals > 0) {
      read(word.substring(equals + 1));
    }
  }

  /** An option that takes a value. */
  private @Nullable OptionSpec findOption(String name) {
    OptionSpec option = command.optionsMap().get(name);
    return option == null || option.arity().max() == 0 ? null : option;
  }

  private List<String> candidates(String typed) {
    int equals = typed.indexOf('=');
    if (!optionsEnded && typed.startsWith("-") && equals > 0) {
      String before = typed.substring(0, equals + 1);
      OptionSpec option = findOption(typed.substring(0, equals));
      return option == null
          ? List.of()
          : values(option, typed.substring(equals + 1)).stream()
              .map(value -> value.equals(FILES) ? FILES : before + value)
              .toList();
    }
    List<String> found = new ArrayList<>();
    if (!optionsEnded && typed.startsWith("-")) {
      addOptions(typed, found);
    } else if (open != null) {
      return values(open, typed.equals("=") ? "" : typed);
    } else {
      addCommands(typed, found);
      for (PositionalParamSpec parameter : command.positionalParameters()) {
        if (parameter.index().contains(positionals)) {
          found.addAll(values(parameter, typed));
        }
      }
    }
    return found;
  }

  private void addOptions(String typed, List<String> found) {
    for (OptionSpec option : command.options()) {
      for (String name : option.names()) {
        if (!option.hidden() && name.startsWith(typed)) {
          found.add(described(name, option.description()));
        }
      }
    }
  }

  private void addCommands(String typed, List<String> found) {
    command
        .subcommands()
        .forEach(
            (name, child) -> {
              CommandSpec spec = child.getCommandSpec();
              if (positionals == 0 && !spec.usageMessage().hidden() && name.startsWith(typed)) {
                found.add(described(name, spec.usageMessage().description()));
              }
            });
  }

  private static String described(String name, String[] description) {
    return description.length == 0
        ? name
        : name + "\t" + description[0].replaceAll("\\s+", " ").replace("%n", " ");
  }

  private List<String> values(ArgSpec argument, String typed) {
    List<String> values = new ArrayList<>();
    Kind kind = kind(argument);
    if (argument.completionCandidates() != null) {
      argument.completionCandidates().forEach(values::add);
    } else if (FILE_LABELS.contains(argument.paramLabel())) {
      return List.of(FILES);
    } else if (kind != null) {
      values.addAll(names.find(kind, project));
    } else {
      values.addAll(VALUES.getOrDefault(group() + " " + argument.paramLabel(), List.of()));
    }
    return values.stream().filter(value -> value.startsWith(typed)).toList();
  }

  private @Nullable Kind kind(ArgSpec argument) {
    return switch (argument.paramLabel()) {
      case "RUN" ->
          Set.of("stop", "attach", "exec", "metrics").contains(group())
              ? Kind.ACTIVE_RUNS
              : Kind.RUNS;
      case "FLEET" -> Kind.FLEETS;
      case "BACKEND" -> Kind.BACKENDS;
      case "PROJECT" -> Kind.PROJECTS;
      case "USER" -> Kind.USERS;
      case "TYPE" -> group().equals("backend") ? Kind.BACKEND_TYPES : null;
      case "NAME" -> named(argument);
      default -> null;
    };
  }

  private @Nullable Kind named(ArgSpec argument) {
    if (argument instanceof OptionSpec option) {
      return switch (option.longestName()) {
        case "--user" -> Kind.USERS;
        case "--project" -> Kind.PROJECTS;
        default -> null;
      };
    }
    if (NEW_NAMES.contains(command.name())) {
      return null;
    }
    return switch (group()) {
      case "backend" -> Kind.BACKENDS;
      case "project" -> Kind.PROJECTS;
      case "secret" -> Kind.SECRETS;
      case "user" -> Kind.USERS;
      default -> null;
    };
  }

  /** The first word of the command. */
  private String group() {
    CommandSpec spec = command;
    for (CommandSpec above = spec.parent(); above != null && above.parent() != null; ) {
      spec = above;
      above = above.parent();
    }
    return spec.name();
  }
}
