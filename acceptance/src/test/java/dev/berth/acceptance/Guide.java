package dev.berth.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A guide that can be followed: its marked blocks are files to write, commands to type, and lines
 * that the last commands show.
 *
 * @param word what its marks begin with
 */
record Guide(String page, String word) {
  static final Guide REHEARSE = new Guide("rehearse.md", "rehearse");
  static final Guide TEAMS = new Guide("teams.md", "teams");

  private record Step(int line, String verb, String name, String text) {}

  /** Whether a line is a mark of one of the guides. */
  static boolean isMark(String line) {
    return List.of(REHEARSE, TEAMS).stream()
        .anyMatch(guide -> line.startsWith("<!-- " + guide.word() + ": "));
  }

  private List<Step> steps() throws IOException {
    Pattern mark = Pattern.compile("<!-- " + word + ": (\\w+)(?: (\\S+))? -->");
    List<String> lines =
        Files.readAllLines(Distribution.root().resolve("docs/guides").resolve(page));
    List<Step> steps = new ArrayList<>();
    for (int i = 0; i < lines.size(); i++) {
      Matcher matcher = mark.matcher(lines.get(i));
      if (matcher.matches()) {
        StringBuilder text = new StringBuilder();
        int line = i + 2;
        while (!lines.get(line).equals("```")) {
          text.append(lines.get(line++)).append('\n');
        }
        String name = matcher.group(2) == null ? "" : matcher.group(2);
        steps.add(new Step(i + 1, matcher.group(1), name, text.toString()));
      }
    }
    return steps;
  }

  /** Does all that the page says, in order; returns how often commands were typed. */
  int follow(TestHome home) throws IOException {
    Path bin = Files.createDirectory(home.scratch().resolve("bin"));
    Path berth = bin.resolve("berth");
    Files.writeString(berth, "#!/bin/sh\nexec " + quoted(Distribution.command()) + " \"$@\"\n");
    Files.setPosixFilePermissions(berth, PosixFilePermissions.fromString("rwxr-xr-x"));
    String shown = "";
    int typed = 0;
    for (Step step : steps()) {
      switch (step.verb()) {
        case "file" -> home.file(step.name(), step.text());
        case "run" -> {
          shown = run(home, bin, step.text()).expect(0).out();
          typed++;
        }
        case "until" -> {
          AtomicReference<FinishedCommand> last = new AtomicReference<>();
          Await.until(
              "the success of line " + step.line(),
              () -> {
                last.set(run(home, bin, step.text()));
                return last.get().exitCode() == 0;
              },
              () -> last.get().out());
          shown = last.get().out();
        }
        case "shows" -> assertShown(step, shown);
        default -> throw new AssertionError("line " + step.line() + ": no such step");
      }
    }
    return typed;
  }

  private static void assertShown(Step step, String shown) {
    int from = 0;
    for (String line : step.text().strip().split("\n", -1)) {
      int at = shown.indexOf(line, from);
      assertThat(at)
          .as("'%s' of line %d, in order, in:%n%s", line, step.line(), shown)
          .isNotNegative();
      from = at + line.length();
    }
  }

  private static FinishedCommand run(TestHome home, Path bin, String script) {
    return RunningCommand.start(
            List.of("sh", "-ec", "exec 2>&1\n" + script),
            Map.of(
                "BERTH_HOME", home.folder().toString(), "PATH", bin + ":" + System.getenv("PATH")),
            home.scratch(),
            home.scratch())
        .await();
  }

  private static String quoted(List<String> words) {
    return String.join(" ", words.stream().map(word -> "'" + word + "'").toList());
  }
}
