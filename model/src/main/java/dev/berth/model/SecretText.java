package dev.berth.model;

import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A text that has secrets in it, which stand there by name until somebody needs the words. */
public record SecretText(List<Piece> pieces) {
  public SecretText {
    pieces = List.copyOf(pieces);
  }

  /**
   * A part of a text: words as they are, or a secret.
   *
   * @param text null for a secret
   * @param secret null for words
   */
  public record Piece(@Nullable String text, @Nullable SecretRef secret) {
    public static Piece of(String text) {
      return new Piece(text, null);
    }

    public static Piece of(SecretRef secret) {
      return new Piece(null, secret);
    }
  }

  /** The secrets that it has, in their order. */
  public List<SecretRef> secrets() {
    return pieces.stream().map(Piece::secret).filter(Objects::nonNull).distinct().toList();
  }

  /** The whole text, which is as secret as what is put in. */
  public Secret filledIn(Function<SecretRef, Secret> values) {
    return Secret.of(
        pieces.stream()
            .map(
                piece ->
                    piece.secret() == null
                        ? String.valueOf(piece.text())
                        : values.apply(piece.secret()).reveal())
            .collect(Collectors.joining()));
  }
}
