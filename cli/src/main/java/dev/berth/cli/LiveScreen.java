package dev.berth.cli;

import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Collectors;

/**
 * A text that is drawn over and over on a screen of its own, as {@code watch} and {@code less} do.
 * However the command ends, the terminal gets its former screen back, with the last text below.
 */
final class LiveScreen {
  private static final String ENTER = "\u001b[?1049h";
  private static final String LEAVE = "\u001b[?1049l";
  private static final String HOME_AND_CLEAR = "\u001b[H\u001b[J";

  private final PrintWriter out;

  /** Written by who draws, read when the command ends. */
  private volatile String last = "";

  LiveScreen(PrintWriter out) {
    this.out = out;
  }

  void open() {
    out.print(ENTER);
    out.flush();
    Runtime.getRuntime()
        .addShutdownHook(
            new Thread(
                () -> {
                  System.out.print(LEAVE + last);
                  System.out.flush();
                },
                "berth-screen"));
    Interrupts.handle(() -> Thread.ofPlatform().daemon().start(() -> System.exit(ExitCode.OK)));
  }

  void draw(String text) {
    last = text;
    out.print(HOME_AND_CLEAR + fit(text, size()));
    out.flush();
  }

  /**
   * How large the screen is.
   *
   * @param rows lines; a text of as many would scroll
   */
  record Size(int rows, int columns) {}

  /** As much of a text as there is room for. */
  static String fit(String text, Size size) {
    return text.lines()
        .limit(Math.max(1, size.rows() - 1))
        .map(line -> line.length() > size.columns() ? line.substring(0, size.columns()) : line)
        .collect(Collectors.joining("\n", "", "\n"));
  }

  /** Asked each time, because people make windows larger. */
  private static Size size() {
    try {
      Process stty =
          new ProcessBuilder(List.of("stty", "size"))
              .redirectInput(new File("/dev/tty"))
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .start();
      return parse(new String(stty.getInputStream().readAllBytes(), StandardCharsets.US_ASCII));
    } catch (IOException e) {
      // Without the tool nothing is cut.
      return parse("");
    }
  }

  /** Reads what {@code stty size} prints; a terminal that does not know its size has 0 of both. */
  static Size parse(String printed) {
    return printed.matches("[1-9][0-9]{0,4} [1-9][0-9]{0,4}\\s*")
        ? new Size(
            Integer.parseInt(printed.strip().split(" ", -1)[0]),
            Integer.parseInt(printed.strip().split(" ", -1)[1]))
        : new Size(Integer.MAX_VALUE, Integer.MAX_VALUE);
  }
}
