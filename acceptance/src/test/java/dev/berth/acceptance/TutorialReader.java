package dev.berth.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;

/** Somebody who follows a page on adding a backend, at a terminal. */
record TutorialReader(AuthorTerminal terminal) {
  private static final String TO_DO = "To be implemented or mended, in order:\n";

  /**
   * Does all that a page says; returns what the commands in other terminals have written.
   *
   * @param here where the reader begins
   * @param project where the reader goes on as soon as it is there
   */
  String follow(List<Tutorial.Step> steps, Path here, AuthorProject project) {
    List<RunningCommand> started = new ArrayList<>();
    String shown = "";
    try {
      for (Tutorial.Step step : steps) {
        switch (step) {
          case Tutorial.Step.Run(String script) -> {
            Path folder = Files.exists(project.folder()) ? project.folder() : here;
            shown = terminal.type(script, folder).expect(0).out();
          }
          case Tutorial.Step.Shows(List<String> lines) -> assertShown(shown, lines);
          case Tutorial.Step.Until(String script, List<String> lines) ->
              shown = awaitShown(script, lines, project);
          case Tutorial.Step.Start(String script) ->
              started.add(terminal.start("exec " + script, project.folder()));
          case Tutorial.Step.Says(List<String> lines) ->
              started.getLast().awaitOut(terminal.adapted(String.join("\n", lines)));
          case Tutorial.Step.Next(String text) -> assertThat(firstToDo(project)).startsWith(text);
          case Tutorial.Step.WholeFile(String path, String text) ->
              project.write(path, terminal.adapted(text));
          case Tutorial.Step.Method(String path, String name, String text) ->
              project.replaceMethod(path, name, text);
        }
      }
    } finally {
      started.forEach(one -> ProcessTable.signal("TERM", one.process().pid()));
      started.forEach(RunningCommand::await);
    }
    return started.stream().map(RunningCommand::out).collect(Collectors.joining());
  }

  private static void assertShown(String shown, List<String> lines) {
    assertThat(isShown(shown, lines)).as("%s, in order, in:%n%s", lines, shown).isTrue();
  }

  /** Whether all lines are parts of lines that are shown, in their order. */
  private static boolean isShown(String shown, List<String> lines) {
    Iterator<String> all = shown.lines().map(TutorialReader::spaced).iterator();
    return lines.stream().map(TutorialReader::spaced).allMatch(line -> finds(all, line));
  }

  private static boolean finds(Iterator<String> lines, String wanted) {
    while (lines.hasNext()) {
      if (lines.next().contains(wanted)) {
        return true;
      }
    }
    return false;
  }

  private String awaitShown(String script, List<String> lines, AuthorProject project) {
    AtomicReference<FinishedCommand> last = new AtomicReference<>();
    Await.until(
        "success of " + script,
        () -> {
          last.set(terminal.type(script, project.folder()));
          return last.get().exitCode() == 0 && isShown(last.get().out(), lines);
        },
        () -> last.get().out() + last.get().err());
    return last.get().out();
  }

  /** Runs the kit; the head of its list, with the first entry. */
  private String firstToDo(AuthorProject project) {
    String out = terminal.type("mvn -q test", project.folder()).out();
    int start = out.indexOf(TO_DO);
    assertThat(start).as("a list of what is to do in:%n%s", out).isNotNegative();
    return out.substring(start, out.indexOf('\n', start + TO_DO.length()));
  }

  private static String spaced(String text) {
    return text.strip().replaceAll("[ \\t]+", " ");
  }
}
