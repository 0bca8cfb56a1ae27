package dev.berth.planning.jobs;

import dev.berth.model.SecretRef;
import dev.berth.model.SecretText;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Commands that name secrets. In the script stands a variable of the job in place of each, so that
 * no secret is part of a script or of a command line, and none can become code.
 */
final class SecretCommands {
  private static final String PREFIX = "BERTH_SECRET_";
  private static final Pattern QUOTED_HERE_DOCUMENT =
      Pattern.compile("(?<!<)<<-?(?!<)\\s*['\"\\\\]");

  private final String project;
  private final Map<SecretRef, String> variables = new LinkedHashMap<>();

  SecretCommands(String project) {
    this.project = project;
  }

  /** The commands with variables in them. */
  List<String> withVariables(List<String> commands) {
    return commands.stream().map(this::withVariables).toList();
  }

  private String withVariables(String command) {
    StringBuilder text = new StringBuilder();
    for (SecretText.Piece piece : SecretReferences.parse(project, command).pieces()) {
      SecretRef secret = piece.secret();
      text.append(secret == null ? String.valueOf(piece.text()) : "${" + variable(secret) + "}");
    }
    return text.toString();
  }

  /** Names may have dashes, which variables have not, so two could meet. */
  private String variable(SecretRef secret) {
    String known = variables.get(secret);
    if (known != null) {
      return known;
    }
    String plain = PREFIX + secret.name().replace('-', '_');
    String name = plain;
    for (int number = 2; variables.containsValue(name); number++) {
      name = plain + "_" + number;
    }
    variables.put(secret, name);
    return name;
  }

  /** The variables that the commands have now, with what is in them. */
  Map<String, SecretText> variables() {
    Map<String, SecretText> texts = new LinkedHashMap<>();
    variables.forEach(
        (secret, name) -> texts.put(name, new SecretText(List.of(SecretText.Piece.of(secret)))));
    return texts;
  }

  /** Why no variable can stand where a command names a secret; null where one can. */
  static @Nullable String obstacle(String command) {
    SecretText text = SecretReferences.parse("", command);
    if (text.secrets().isEmpty()) {
      return null;
    }
    String remedy = "; assign it to a variable in 'env' and use that";
    if (QUOTED_HERE_DOCUMENT.matcher(command).find()) {
      return "a secret is used in a here-document with a quoted delimiter, where shells expand"
          + " nothing"
          + remedy;
    }
    Quotes quotes = new Quotes();
    for (SecretText.Piece piece : text.pieces()) {
      if (piece.text() != null) {
        quotes.pass(piece.text());
      } else if (quotes.isSingle()) {
        return "a secret is used inside single quotes, where shells expand nothing; use double"
            + " quotes"
            + remedy.replace("; assign", ", or assign");
      } else {
        quotes.pass("x");
      }
    }
    return null;
  }

  /** How far a shell's quotes go. */
  private static final class Quotes {
    private char open;
    private boolean escaped;
    private boolean comment;
    private char before = ' ';

    void pass(String text) {
      text.chars().forEach(character -> pass((char) character));
    }

    private void pass(char character) {
      if (comment) {
        comment = character != '\n';
      } else if (escaped) {
        escaped = false;
      } else if (open == '\'') {
        open = character == '\'' ? 0 : open;
      } else if (character == '\\') {
        escaped = true;
      } else if (open == '"') {
        open = character == '"' ? 0 : open;
      } else if (character == '\'' || character == '"') {
        open = character;
      } else {
        comment = character == '#' && " \t\n;&|(".indexOf(before) >= 0;
      }
      before = character;
    }

    boolean isSingle() {
      return open == '\'';
    }
  }
}
