package dev.berth.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Follows the guide to rehearsals as a reader would: writes its files and types its commands. */
@Timeout(600)
class RehearseGuideTest {
  /** Marks of this guide. */
  static final String MARK = "<!-- rehearse: ";

  private static final Pattern STEP = Pattern.compile("<!-- rehearse: (\\w+)(?: (\\S+))? -->");

  private record Step(int line, String verb, String name, String text) {}

  private static List<Step> steps() throws IOException {
    List<String> lines = Files.readAllLines(Distribution.root().resolve("docs/guides/rehearse.md"));
    List<Step> steps = new ArrayList<>();
    for (int i = 0; i < lines.size(); i++) {
      Matcher mark = STEP.matcher(lines.get(i));
      if (mark.matches()) {
        StringBuilder text = new StringBuilder();
        int line = i + 2;
        while (!lines.get(line).equals("```")) {
          text.append(lines.get(line++)).append('\n');
        }
        String name = mark.group(2) == null ? "" : mark.group(2);
        steps.add(new Step(i + 1, mark.group(1), name, text.toString()));
      }
    }
    return steps;
  }

  @Test
  void everyRehearsalShowsWhatThePageSays() throws IOException {
    try (TestHome home = TestHome.fresh()) {
      Path bin = Files.createDirectory(home.scratch().resolve("bin"));
      Path berth = bin.resolve("berth");
      Files.writeString(berth, "#!/bin/sh\nexec " + quoted(Distribution.command()) + " \"$@\"\n");
      Files.setPosixFilePermissions(berth, PosixFilePermissions.fromString("rwxr-xr-x"));
      String shown = "";
      int rehearsals = 0;
      for (Step step : steps()) {
        switch (step.verb()) {
          case "file" -> home.file(step.name(), step.text());
          case "run" -> {
            shown = run(home, bin, step.text()).expect(0).out();
            rehearsals++;
          }
          case "until" -> {
            FinishedCommand done = run(home, bin, step.text());
            for (int i = 0; i < 50 && done.exitCode() != 0; i++) {
              done = run(home, bin, step.text());
            }
            done.expect(0);
          }
          case "shows" -> {
            int from = 0;
            for (String line : step.text().strip().split("\n", -1)) {
              int at = shown.indexOf(line, from);
              assertThat(at)
                  .as("'%s' of line %d, in order, in:%n%s", line, step.line(), shown)
                  .isNotNegative();
              from = at + line.length();
            }
          }
          default -> throw new AssertionError("line " + step.line() + ": no such step");
        }
      }
      assertThat(rehearsals).isGreaterThanOrEqualTo(5);
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
