package dev.berth.testkit.fake;

import java.util.List;
import java.util.Optional;

/**
 * A part of a list, as providers give it.
 *
 * @param next what asks for the following part: a cursor, or the number of a page; empty at the end
 * @param total how many there are in all parts
 */
public record FakePage<T>(List<T> items, Optional<String> next, int total) {
  public FakePage {
    items = List.copyOf(items);
  }

  /**
   * The part that a cursor names: the first one where it is empty.
   *
   * @throws FakeRefusal 400 for a cursor that this never gave
   */
  public static <T> FakePage<T> byCursor(List<T> all, Optional<String> cursor, int size) {
    int from = cursor.filter(text -> !text.isEmpty()).map(FakePage::offset).orElse(0);
    return part(all, from, size, "c" + (from + size));
  }

  /**
   * The part with a number; the first one has the number 1. Empty behind the last one.
   *
   * @throws FakeRefusal 400 for what is no number of a page
   */
  public static <T> FakePage<T> byNumber(List<T> all, Optional<String> number, int size) {
    int page = number.map(text -> number(text, text)).orElse(1);
    if (page < 1) {
      throw bad("page", String.valueOf(page));
    }
    return part(all, Math.min((page - 1) * size, all.size()), size, String.valueOf(page + 1));
  }

  private static <T> FakePage<T> part(List<T> all, int from, int size, String next) {
    if (size < 1) {
      throw new IllegalArgumentException("a page has room for something");
    }
    // A list may have become shorter since the cursor was given.
    int start = Math.min(from, all.size());
    int end = Math.min(start + size, all.size());
    return new FakePage<>(
        all.subList(start, end),
        end < all.size() ? Optional.of(next) : Optional.empty(),
        all.size());
  }

  private static int offset(String cursor) {
    return cursor.startsWith("c") ? number(cursor.substring(1), cursor) : number("", cursor);
  }

  private static int number(String digits, String shown) {
    if (!digits.matches("[0-9]{1,8}")) {
      throw bad("cursor or page", shown);
    }
    return Integer.parseInt(digits);
  }

  private static FakeRefusal bad(String what, String value) {
    return new FakeRefusal(400, "invalid-page", "there is no " + what + " \"" + value + "\"");
  }
}
