package dev.berth.cli;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/** What a new backend is called, in words, so that it can be written in every style. */
record ScaffoldName(List<String> words) {
  /** The longest name that the server takes for a type. */
  private static final int LONGEST_TYPE = 40;

  /** Classes that begin with these would hide classes of the contract that they need. */
  private static final Set<String> TAKEN = Set.of("Job", "Partial");

  ScaffoldName {
    words = List.copyOf(words);
  }

  /**
   * Reads a name such as {@code ExampleXYZ} or {@code example-xyz}.
   *
   * @throws CommandFailure where it cannot be one
   */
  static ScaffoldName of(String written) {
    if (!written.matches("[A-Za-z][A-Za-z0-9]*(-[A-Za-z0-9]+)*")) {
      throw wrong(
          written,
          "it begins with a letter and has letters, digits and single dashes, such as ExampleXYZ");
    }
    ScaffoldName name =
        new ScaffoldName(
            Arrays.stream(
                    written
                        .replaceAll("(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "-")
                        .split("-"))
                .map(word -> word.toLowerCase(Locale.ROOT))
                .toList());
    if (name.type().length() > LONGEST_TYPE) {
      throw wrong(written, "the type would have more than " + LONGEST_TYPE + " characters");
    }
    if (TAKEN.contains(name.className())) {
      throw wrong(written, "its classes would have the names of classes of the contract");
    }
    return name;
  }

  private static CommandFailure wrong(String written, String reason) {
    return new CommandFailure(
        ExitCode.USAGE, "'" + written + "' is not a valid backend name: " + reason);
  }

  /** As the user writes it in settings: {@code example-xyz}. */
  String type() {
    return String.join("-", words);
  }

  /** As classes begin: {@code ExampleXyz}. */
  String className() {
    return words.stream()
        .map(word -> word.substring(0, 1).toUpperCase(Locale.ROOT) + word.substring(1))
        .collect(Collectors.joining());
  }

  /** As variables of the environment begin: {@code EXAMPLE_XYZ}. */
  String variable() {
    return String.join("_", words).toUpperCase(Locale.ROOT);
  }

  /** As the last part of the package: {@code examplexyz}. */
  String packageWord() {
    return String.join("", words);
  }
}
