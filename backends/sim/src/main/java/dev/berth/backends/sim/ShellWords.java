package dev.berth.backends.sim;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Cuts shell lines into commands of words: at line ends, {@code ;} and {@code &&}, with quotes and
 * variables, and nothing else that a shell knows. Pure.
 */
final class ShellWords {
  private final String text;
  private final Map<String, String> environment;
  private final List<List<String>> commands = new ArrayList<>();
  private List<String> words = new ArrayList<>();
  private final StringBuilder word = new StringBuilder();
  private boolean inWord;
  private int at;

  private ShellWords(String text, Map<String, String> environment) {
    this.text = text;
    this.environment = environment;
  }

  /** The commands of all lines, in order; none of them is empty. */
  static List<List<String>> commands(List<String> lines, Map<String, String> environment) {
    return new ShellWords(String.join("\n", lines), environment).cut();
  }

  private List<List<String>> cut() {
    while (at < text.length()) {
      char next = text.charAt(at++);
      switch (next) {
        case ' ', '\t', '\r' -> endWord();
        case '\n', ';' -> endCommand();
        case '\'' -> quoted();
        case '"' -> doubleQuoted();
        case '$' -> variable();
        case '\\' -> escaped();
        case '#' -> comment();
        case '&' -> ampersand();
        default -> take(next);
      }
    }
    endCommand();
    return commands;
  }

  private void take(char letter) {
    inWord = true;
    word.append(letter);
  }

  private void endWord() {
    if (inWord) {
      words.add(word.toString());
      word.setLength(0);
      inWord = false;
    }
  }

  private void endCommand() {
    endWord();
    if (!words.isEmpty()) {
      commands.add(words);
      words = new ArrayList<>();
    }
  }

  private void quoted() {
    int end = text.indexOf('\'', at);
    int stop = end < 0 ? text.length() : end;
    inWord = true;
    word.append(text, at, stop);
    at = Math.min(stop + 1, text.length());
  }

  private void doubleQuoted() {
    inWord = true;
    while (at < text.length() && text.charAt(at) != '"') {
      char next = text.charAt(at++);
      switch (next) {
        case '$' -> variable();
        case '\\' -> escaped();
        default -> word.append(next);
      }
    }
    at = Math.min(at + 1, text.length());
  }

  private void escaped() {
    if (at < text.length()) {
      take(text.charAt(at++));
    }
  }

  private void comment() {
    if (inWord) {
      word.append('#');
      return;
    }
    int end = text.indexOf('\n', at);
    at = end < 0 ? text.length() : end;
  }

  private void ampersand() {
    if (at < text.length() && text.charAt(at) == '&') {
      at++;
      endCommand();
    } else {
      take('&');
    }
  }

  private void variable() {
    boolean braces = at < text.length() && text.charAt(at) == '{';
    int start = braces ? at + 1 : at;
    int end = start;
    while (end < text.length() && isNamePart(text.charAt(end))) {
      end++;
    }
    boolean complete = !braces || (end < text.length() && text.charAt(end) == '}');
    if (end == start || !complete) {
      take('$');
      return;
    }
    inWord = true;
    word.append(environment.getOrDefault(text.substring(start, end), ""));
    at = braces ? end + 1 : end;
  }

  private static boolean isNamePart(char letter) {
    return letter == '_'
        || (letter >= 'a' && letter <= 'z')
        || (letter >= 'A' && letter <= 'Z')
        || (letter >= '0' && letter <= '9');
  }
}
