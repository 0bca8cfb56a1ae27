package dev.berth.grammar;

import dev.berth.model.config.EnvironmentVariable;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** References in text: {@code ${{ namespace.name }}}. {@code $$} stands for one dollar sign. */
public final class Interpolation {
  private static final String VARIABLES = "env.";
  private static final Pattern NAME =
      Pattern.compile(
          "[a-zA-Z_][a-zA-Z0-9_]*\\.[a-zA-Z_][a-zA-Z0-9_]*|secrets\\.[A-Za-z0-9_-]{1,200}");
  private static final Pattern GROUP_ADDRESS =
      Pattern.compile("groups\\[([0-9]{1,6})\\]\\.(nodes|replicas)\\[([0-9]{1,6})\\]\\.IP_ADDRESS");

  /** One piece of a text: as it stands, or a reference to be replaced. */
  public sealed interface Part {
    record Literal(String text) implements Part {}

    record Reference(String name) implements Part {
      public String namespace() {
        int end = name.indexOf('.');
        int bracket = name.indexOf('[');
        return bracket >= 0 && bracket < end
            ? name.substring(0, bracket)
            : end < 0 ? name : name.substring(0, end);
      }
    }
  }

  /** The address of a node or replica of a group. */
  public record GroupAddress(int group, String members, int member) {}

  /** Where a reference may stand and what it may name. */
  enum Place {
    COMMANDS("commands", Set.of("run.args"), Set.of("secrets", "groups")),
    ENVIRONMENT("environment values", Set.of(), Set.of("secrets")),
    CREDENTIALS("registry credentials", Set.of(), Set.of("env", "secrets")),
    PROBES("probes", Set.of(), Set.of("env", "secrets")),
    VOLUME_NAMES("volume names", Set.of("dstack.job_num", "dstack.node_rank"), Set.of()),
    GATEWAY_DOMAIN("a gateway's domain", Set.of("run.project_name"), Set.of());

    private final String words;
    private final Set<String> names;
    private final Set<String> namespaces;

    Place(String words, Set<String> names, Set<String> namespaces) {
      this.words = words;
      this.names = names;
      this.namespaces = namespaces;
    }

    private boolean knows(Part.Reference reference) {
      return names.contains(reference.name()) || namespaces.contains(reference.namespace());
    }

    private String known() {
      List<String> all = new ArrayList<>(names.stream().sorted().toList());
      namespaces.stream()
          .sorted()
          .forEach(
              namespace ->
                  all.add(
                      namespace.equals("groups")
                          ? "groups[i].nodes[j].IP_ADDRESS"
                          : namespace + ".NAME"));
      return Text.alternatives(all);
    }
  }

  private Interpolation() {}

  /**
   * Splits a text into literals and references.
   *
   * @throws IllegalArgumentException with a sentence for the user where a reference is not closed
   *     or has no legal name
   */
  public static List<Part> parts(String text) {
    List<Part> parts = new ArrayList<>();
    StringBuilder literal = new StringBuilder();
    int at = 0;
    while (at < text.length()) {
      if (text.startsWith("$$", at)) {
        literal.append('$');
        at += 2;
      } else if (text.startsWith("${{", at)) {
        int end = text.indexOf("}}", at);
        if (end < 0) {
          throw new IllegalArgumentException(
              "the reference '"
                  + Text.abbreviate(text.substring(at))
                  + "' is not closed with '}}'; write $$ for a dollar sign");
        }
        String name = text.substring(at + 3, end).strip();
        if (!NAME.matcher(name).matches() && !GROUP_ADDRESS.matcher(name).matches()) {
          throw new IllegalArgumentException(
              "'"
                  + Text.abbreviate(name)
                  + "' is not the name of a reference; write $$ for a dollar sign");
        }
        if (!literal.isEmpty()) {
          parts.add(new Part.Literal(literal.toString()));
          literal.setLength(0);
        }
        parts.add(new Part.Reference(name));
        at = end + 2;
      } else {
        literal.append(text.charAt(at++));
      }
    }
    if (!literal.isEmpty()) {
      parts.add(new Part.Literal(literal.toString()));
    }
    return List.copyOf(parts);
  }

  /** The group address that a reference names, if it is one. */
  public static Optional<GroupAddress> groupAddress(Part.Reference reference) {
    Matcher matcher = GROUP_ADDRESS.matcher(reference.name());
    return matcher.matches()
        ? Optional.of(
            new GroupAddress(
                Integer.parseInt(matcher.group(1)),
                matcher.group(2),
                Integer.parseInt(matcher.group(3))))
        : Optional.empty();
  }

  /**
   * Reports references of a text that are malformed or not known at its place. Returns the
   * references that are fine.
   */
  static List<Part.Reference> check(String text, Place place, Node node, Reading reading) {
    if (!text.contains("${{")) {
      return List.of();
    }
    List<Part> parts;
    try {
      parts = parts(text);
    } catch (IllegalArgumentException e) {
      reading.error(Rule.INTERPOLATION_SYNTAX, node, String.valueOf(e.getMessage()));
      return List.of();
    }
    List<Part.Reference> references = new ArrayList<>();
    for (Part part : parts) {
      if (part instanceof Part.Reference reference) {
        if (place.knows(reference)) {
          references.add(reference);
        } else {
          reading.error(
              Rule.INTERPOLATION_UNKNOWN,
              node,
              "'"
                  + Text.abbreviate(reference.name())
                  + "' cannot be used in "
                  + place.words
                  + "; use "
                  + place.known());
        }
      }
    }
    return references;
  }

  /**
   * Reports references to variables that the run's environment does not have. The normalised form
   * was judged when it was a file.
   */
  static void checkVariables(
      String field, List<EnvironmentVariable> environment, Check.Findings findings) {
    if (!findings.at(field).isNormal()) {
      Set<String> names =
          environment.stream().map(EnvironmentVariable::name).collect(Collectors.toSet());
      checkVariables(findings.node(field), names, findings.at(field));
    }
  }

  private static void checkVariables(Node node, Set<String> names, Reading reading) {
    switch (node) {
      case Node.Mapping mapping ->
          mapping
              .entries()
              .forEach((name, entry) -> checkVariables(entry.value(), names, reading.field(name)));
      case Node.Sequence sequence -> {
        int index = 0;
        for (Node item : sequence.items()) {
          checkVariables(item, names, reading.item(index++));
        }
      }
      case Node.Scalar scalar when scalar.text().contains("${{") ->
          parts(scalar.text()).stream()
              .filter(Part.Reference.class::isInstance)
              .map(part -> ((Part.Reference) part).name())
              .filter(name -> name.startsWith(VARIABLES) && !names.contains(variable(name)))
              .forEach(
                  name ->
                      reading.error(
                          Rule.INTERPOLATION_UNKNOWN,
                          scalar,
                          "the variable '"
                              + Text.abbreviate(variable(name))
                              + "' is not in 'env'; add it there, with or without a value"));
      case Node.Scalar _ -> {}
    }
  }

  private static String variable(String reference) {
    return reference.substring(VARIABLES.length());
  }
}
