package dev.berth.cli;

import java.util.ArrayList;
import java.util.List;

/** Breaks text into lines. */
final class Lines {
  private Lines() {}

  /** Lines of at most so many characters: broken at spaces, and in long words after slashes. */
  static List<String> wrap(String text, int width) {
    List<String> lines = new ArrayList<>();
    String rest = text.strip();
    while (rest.length() > width) {
      int space = rest.lastIndexOf(' ', width);
      int slash = rest.lastIndexOf('/', width - 1);
      int end = space > 0 ? space : slash > 0 ? slash + 1 : width;
      lines.add(rest.substring(0, end).stripTrailing());
      rest = rest.substring(end).stripLeading();
    }
    lines.add(rest);
    return lines;
  }
}
