package dev.berth.acceptance;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A page that leads the reader to something: its marked blocks, in order. */
record Tutorial(List<Step> steps) {
  /** What a mark begins with. */
  static final String MARK = "<!-- tutorial: ";

  private static final String MARK_END = " -->";

  Tutorial {
    steps = List.copyOf(steps);
  }

  /** What the reader does with a block. */
  sealed interface Step {
    /** Types commands. */
    record Run(String script) implements Step {}

    /**
     * Sees these lines, or longer ones, in what the last commands wrote, in this order and whatever
     * the spaces between words.
     */
    record Shows(List<String> lines) implements Step {}

    /**
     * Types commands until they succeed and show these lines: what they wait for takes a moment.
     */
    record Until(String script, List<String> lines) implements Step {}

    /** Types a command in another terminal, where it goes on. */
    record Start(String script) implements Step {}

    /** Waits until the command in the other terminal has written these lines. */
    record Says(List<String> lines) implements Step {}

    /** Runs the kit and sees this at the head of its list. */
    record Next(String text) implements Step {}

    /** Writes a whole file. */
    record WholeFile(String path, String text) implements Step {}

    /** Puts a method with what belongs to it in the place of the one that is there. */
    record Method(String path, String name, String text) implements Step {}
  }

  static Tutorial read(Path page) {
    try {
      List<String> lines = Files.readAllLines(page);
      List<Step> steps = new ArrayList<>();
      for (int i = 0; i < lines.size(); i++) {
        String line = lines.get(i);
        if (line.startsWith(MARK) && line.endsWith(MARK_END)) {
          String mark = line.substring(MARK.length(), line.length() - MARK_END.length());
          List<String> block = block(page, lines, i + 1);
          if (mark.equals("until")) {
            i = next(lines, i + 1);
            steps.add(new Step.Until(String.join("\n", block), block(page, lines, i + 1)));
          } else {
            steps.add(step(mark.split(" "), block));
          }
        }
      }
      return new Tutorial(steps);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Step step(String[] mark, List<String> lines) {
    String text = String.join("\n", lines) + "\n";
    return switch (mark[0]) {
      case "run" -> new Step.Run(text);
      case "shows" -> new Step.Shows(lines);
      case "start" -> new Step.Start(text);
      case "says" -> new Step.Says(lines);
      case "next" -> new Step.Next(text.strip());
      case "file" -> new Step.WholeFile(mark[1], text);
      case "method" -> new Step.Method(mark[1], mark[2], text);
      default -> throw new AssertionError("the page has the unknown mark " + mark[0]);
    };
  }

  /** The line of the next mark, which must be that of what is shown. */
  private static int next(List<String> lines, int from) {
    int next = from;
    while (!lines.get(next).startsWith(MARK)) {
      next++;
    }
    if (!lines.get(next).equals(MARK + "shows" + MARK_END)) {
      throw new AssertionError("line " + (next + 1) + ": what is waited for is shown next");
    }
    return next;
  }

  private static List<String> block(Path page, List<String> lines, int from) {
    if (from >= lines.size() || !lines.get(from).startsWith("```")) {
      throw new AssertionError(page + ":" + (from + 1) + ": expected a block");
    }
    List<String> rest = lines.subList(from + 1, lines.size());
    return rest.subList(0, rest.indexOf("```"));
  }
}
