package dev.berth.planning.jobs;

import dev.berth.model.SecretRef;
import dev.berth.model.SecretText;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Finds the secrets that texts of users name: {@code ${{ secrets.NAME }}}. In a text that has
 * references {@code $$} stands for one dollar sign.
 */
final class SecretReferences {

  /** What makes a text one to be read: a secret, or what only looks like one. */
  private static final Pattern SECRET_OR_ESCAPED =
      Pattern.compile("\\$\\$\\{\\{|\\$\\{\\{\\s*secrets\\.[A-Za-z0-9_-]{1,200}\\s*}}");

  private static final Pattern NEXT =
      Pattern.compile("\\$\\$|\\$\\{\\{\\s*secrets\\.([A-Za-z0-9_-]{1,200})\\s*}}");

  private SecretReferences() {}

  /** A text in pieces; one without secrets has at most one. */
  static SecretText parse(String project, String text) {
    List<SecretText.Piece> pieces = new ArrayList<>();
    if (!SECRET_OR_ESCAPED.matcher(text).find()) {
      pieces.add(SecretText.Piece.of(text));
      return new SecretText(pieces);
    }
    StringBuilder literal = new StringBuilder();
    Matcher matcher = NEXT.matcher(text);
    int at = 0;
    while (matcher.find()) {
      literal.append(text, at, matcher.start());
      at = matcher.end();
      if (matcher.group(1) == null) {
        literal.append('$');
      } else {
        add(pieces, literal);
        pieces.add(SecretText.Piece.of(new SecretRef(project, matcher.group(1))));
      }
    }
    literal.append(text, at, text.length());
    add(pieces, literal);
    return new SecretText(pieces);
  }

  private static void add(List<SecretText.Piece> pieces, StringBuilder literal) {
    if (!literal.isEmpty()) {
      pieces.add(SecretText.Piece.of(literal.toString()));
      literal.setLength(0);
    }
  }

  /** The words of a text that has no secrets. */
  static String words(SecretText text) {
    return text.pieces().isEmpty() ? "" : String.valueOf(text.pieces().getFirst().text());
  }
}
