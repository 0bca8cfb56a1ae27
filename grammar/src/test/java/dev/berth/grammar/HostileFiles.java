package dev.berth.grammar;

import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Files as large as they may be, each made to hurt one part of the reader. */
final class HostileFiles {
  private static final int LARGEST = YamlReader.MAX_BYTES - 200;
  private static final String TASK = "type: task\nimage: ubuntu\n";
  private static final Map<String, Supplier<String>> FILES = new LinkedHashMap<>();

  static {
    for (String field :
        new String[] {"name", "user", "shell", "max_duration", "max_price", "retry", "python"}) {
      FILES.put("a long " + field, () -> TASK + field + ": " + filled("1"));
    }
    FILES.put("a duration of many units", () -> TASK + "max_duration: " + filled("1s"));
    FILES.put("a number of many digits", () -> resources("memory", filled("9")));
    FILES.put("a fraction of many digits", () -> resources("memory", "0." + filled("9")));
    FILES.put("a range of many dots", () -> resources("cpu", filled(".")));
    FILES.put("a GPU of many parts", () -> resources("gpu", "A" + filled(":a")));
    FILES.put("a GPU of many names", () -> resources("gpu", "A" + filled(",a")));
    FILES.put("a repository of many colons", () -> TASK + "repos: ['" + filled(":") + "']");
    FILES.put("a mount of many slashes", () -> TASK + "volumes: ['a:" + filled("/") + "']");
    FILES.put("a mount of many colons", () -> TASK + "volumes: ['a" + filled(":") + "']");
    FILES.put("a reference of many slashes", () -> TASK + "fleets: ['" + filled("/") + "']");
    FILES.put("a schedule of many fields", () -> TASK + "schedule: {cron: '" + filled("* ") + "'}");
    FILES.put("a schedule of many items", () -> TASK + "schedule: {cron: '" + filled("1,") + "'}");
    FILES.put("an open reference", () -> "type: task\ncommands: ['" + filled("${{") + "']");
    FILES.put(
        "many references", () -> "type: task\ncommands: ['" + filled("${{ run.args }}") + "']");
    FILES.put(
        "a prefix of many slashes",
        () ->
            "type: service\nport: 1\nimage: a\nmodel: {name: a, format: openai, prefix: '"
                + filled("/")
                + "a'}");
    FILES.put("many unknown keys", () -> TASK + lines(120_000, i -> "k" + i + ": 1"));
    FILES.put("many equal keys", () -> TASK + "k: 1\n".repeat(120_000));
    FILES.put("many wrong items", () -> TASK + "ports: [" + "[],".repeat(250_000) + "]");
    FILES.put("many variables", () -> TASK + "env:\n" + lines(250_000, i -> "- V" + i + "=1"));
    FILES.put("many equal variables", () -> TASK + "env:\n" + "- V=1\n".repeat(250_000));
    FILES.put("many wrong tags", () -> TASK + "tags:\n" + lines(120_000, i -> " a.b" + i + ": 1"));
    FILES.put(
        "many groups",
        () ->
            "type: task\ngroups:\n"
                + "- commands: ['${{ groups[9].nodes[9].IP_ADDRESS }}']\n".repeat(40_000));
    FILES.put(
        "many groups of replicas",
        () ->
            "type: service\nport: 1\nimage: a\ngroups:\n"
                + "- {replicas: 1, image: b}\n".repeat(40_000));
    FILES.put("many tags of types", () -> TASK + "env:\n" + "- !a A=1\n".repeat(250_000));
    FILES.put("many anchors", () -> TASK + "env:\n" + lines(250_000, i -> "- &a" + i + " A=1"));
    FILES.put("many merges", () -> "a: &a {b: 1}\n" + "<<: *a\n".repeat(2_000));
    FILES.put("open lists", () -> filled("["));
    FILES.put("open mappings", () -> filled("{a: "));
    FILES.put("lists in lists", () -> filled("- "));
    FILES.put("questions", () -> filled("? "));
    FILES.put("colons", () -> filled(": "));
    FILES.put("deep indents", () -> lines(4_000, i -> " ".repeat(i % 2_000) + "a:"));
    FILES.put("an open quote", () -> "a: \"" + filled("\\x41"));
    FILES.put("a long block", () -> TASK + "working_dir: |\n" + filled("  a\n"));
    FILES.put("empty lines", () -> filled("\n"));
    FILES.put("comments", () -> filled("#\n"));
    FILES.put("one comment", () -> filled("#"));
    FILES.put("directives", () -> filled("%TAG ! tag:a,2000:\n"));
    FILES.put("documents", () -> filled("---\n"));
  }

  private HostileFiles() {}

  public static void main(String[] arguments) {
    FILES.forEach(
        (name, file) -> {
          System.out.println(name);
          byte[] bytes = file.get().getBytes(StandardCharsets.UTF_8);
          FuzzedReaders.fuzzerTestOneInput(bytes);
        });
    System.out.println("read " + FILES.size() + " files");
  }

  private static String filled(String part) {
    return part.repeat(LARGEST / part.length());
  }

  private static String resources(String field, String value) {
    return TASK + "resources: {" + field + ": '" + value + "'}";
  }

  private static String lines(int count, IntFunction<String> line) {
    return IntStream.range(0, count).mapToObj(line).collect(Collectors.joining("\n", "", "\n"));
  }
}
