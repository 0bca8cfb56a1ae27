package dev.berth.model;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Hides secrets in output: every byte of one becomes {@code *}, so that nothing moves and offsets
 * stay true. Whoever shows output makes all masks equally long.
 *
 * <p>Of a value with several lines each line is hidden by itself too, because programs indent and
 * cut lines. What has fewer than {@value #SHORTEST} characters is not hidden: it would be found in
 * everything. White space around a value or line is no part of it.
 */
public final class OutputMask {
  /** Words that are shorter are not hidden. */
  public static final int SHORTEST = 4;

  /** What people see of a secret, however long it is. */
  public static final String SHOWN = "*".repeat(SHORTEST);

  public static final OutputMask NOTHING = new OutputMask(List.of());

  private final List<byte[]> words;
  private final int longest;

  private OutputMask(List<byte[]> words) {
    this.words = words;
    this.longest = words.stream().mapToInt(word -> word.length).max().orElse(0);
  }

  /** One that hides these values. */
  public static OutputMask of(Collection<Secret> secrets) {
    List<byte[]> words =
        lines(secrets).stream().map(word -> word.getBytes(StandardCharsets.UTF_8)).toList();
    return words.isEmpty() ? NOTHING : new OutputMask(words);
  }

  /** The words that are looked for, the longest first: values, and the lines of long ones. */
  private static List<String> lines(Collection<Secret> secrets) {
    Set<String> found = new LinkedHashSet<>();
    for (Secret secret : secrets) {
      found.add(secret.reveal().strip());
      secret.reveal().lines().map(String::strip).forEach(found::add);
    }
    return found.stream()
        .filter(word -> word.codePointCount(0, word.length()) >= SHORTEST)
        .sorted(Comparator.comparingInt(String::length).reversed())
        .toList();
  }

  /** The words without line breaks, for tools that look at lines. */
  public static List<String> singleLines(Collection<Secret> secrets) {
    return lines(secrets).stream()
        .filter(word -> word.indexOf('\n') < 0 && word.indexOf('\r') < 0)
        .toList();
  }

  public boolean isNothing() {
    return words.isEmpty();
  }

  /** How many bytes its masks have, so that whoever shows output can hide that as well. */
  public Set<Integer> lengths() {
    return words.stream().map(word -> word.length).collect(Collectors.toUnmodifiableSet());
  }

  /** A sentence with {@link #SHOWN} for each secret. */
  public String hide(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    BitSet hidden = hidden(bytes);
    if (hidden.isEmpty()) {
      return text;
    }
    StringBuilder shown = new StringBuilder();
    int at = 0;
    for (int from = hidden.nextSetBit(0); from >= 0; from = hidden.nextSetBit(at)) {
      shown.append(new String(bytes, at, from - at, StandardCharsets.UTF_8)).append(SHOWN);
      at = hidden.nextClearBit(from);
    }
    return shown
        .append(new String(bytes, at, bytes.length - at, StandardCharsets.UTF_8))
        .toString();
  }

  /** Where output comes from, byte by byte as it was written. */
  public interface Source {
    Piece read(long offset, int maxBytes);
  }

  /**
   * A piece of output.
   *
   * @param ended whether no byte will follow
   */
  @SuppressWarnings("ArrayRecordComponent") // output is bytes; it is handed on, never compared
  public record Piece(byte[] bytes, long nextOffset, boolean ended) {}

  /**
   * Reads output with the secrets hidden, wherever the borders of what is asked for are. What may
   * be the beginning of a secret waits until more was written, or nothing more will be.
   */
  public Piece read(Source source, long offset, int maxBytes) {
    if (isNothing()) {
      return source.read(offset, maxBytes);
    }
    int margin = longest - 1;
    int before = (int) Math.min(offset, margin);
    Piece window = window(source, offset - before, before + maxBytes + margin);
    byte[] bytes = masked(window.bytes());
    int known = window.ended() ? bytes.length : bytes.length - begun(window.bytes());
    int end = Math.min(known, before + maxBytes);
    if (end <= before) {
      return new Piece(new byte[0], offset, window.ended());
    }
    return new Piece(
        Arrays.copyOfRange(bytes, before, end),
        offset - before + end,
        window.ended() && end == bytes.length);
  }

  /** Reads on until there is enough or no more yet. */
  private static Piece window(Source source, long offset, int length) {
    byte[] all = new byte[0];
    while (true) {
      Piece piece = source.read(offset + all.length, length - all.length);
      byte[] more = piece.bytes();
      byte[] joined = Arrays.copyOf(all, all.length + more.length);
      System.arraycopy(more, 0, joined, all.length, more.length);
      all = joined;
      if (piece.ended() || more.length == 0 || all.length >= length) {
        return new Piece(all, offset + all.length, piece.ended());
      }
    }
  }

  private byte[] masked(byte[] bytes) {
    byte[] result = bytes.clone();
    hidden(bytes).stream().forEach(at -> result[at] = '*');
    return result;
  }

  /** Which bytes are those of secrets. */
  private BitSet hidden(byte[] bytes) {
    BitSet hidden = new BitSet();
    for (byte[] word : words) {
      for (int at = find(bytes, word, 0); at >= 0; at = find(bytes, word, at + 1)) {
        hidden.set(at, at + word.length);
      }
    }
    return hidden;
  }

  private static int find(byte[] bytes, byte[] word, int from) {
    byte first = word[0];
    int last = bytes.length - word.length;
    for (int at = from; at <= last; at++) {
      if (bytes[at] == first && Arrays.equals(bytes, at, at + word.length, word, 0, word.length)) {
        return at;
      }
    }
    return -1;
  }

  /** How many bytes at the end may be the beginning of a secret. */
  private int begun(byte[] bytes) {
    for (int length = Math.min(longest - 1, bytes.length); length > 0; length--) {
      for (byte[] word : words) {
        if (length < word.length
            && Arrays.equals(bytes, bytes.length - length, bytes.length, word, 0, length)) {
          return length;
        }
      }
    }
    return 0;
  }

  /** Says how many, and not which. */
  @Override
  public String toString() {
    return "OutputMask[" + words.size() + "]";
  }
}
