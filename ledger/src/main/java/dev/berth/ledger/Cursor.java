package dev.berth.ledger;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.CRC32;

/**
 * The place in a listing after which the next page starts.
 *
 * <p>Its text carries a checksum over the position and the filters: a cursor that was cut, changed
 * or taken from another listing is refused instead of giving a wrong page.
 */
record Cursor(long sortKey, String id) {
  private static final Pattern PLAIN = Pattern.compile("([0-9a-f]{8}) (-?[0-9]{1,19}) ([!-~]+)");

  static Optional<Cursor> of(EntityQuery query) {
    String text = query.cursor();
    return text == null ? Optional.empty() : Optional.of(parse(text, query));
  }

  /** The page made of rows of which one more was read than the page holds, where there are more. */
  static Page<Stored<EntityRow>> page(List<Stored<EntityRow>> found, EntityQuery query) {
    if (found.size() <= query.limit()) {
      return new Page<>(found, Optional.empty());
    }
    List<Stored<EntityRow>> items = found.subList(0, query.limit());
    EntityRow last = items.getLast().row();
    return new Page<>(items, Optional.of(new Cursor(last.sortKey(), last.key().id()).text(query)));
  }

  /** Whether a row belongs to the pages after this place. */
  boolean isBefore(EntityRow row) {
    return row.sortKey() < sortKey
        || (row.sortKey() == sortKey && row.key().id().compareTo(id) < 0);
  }

  private static Cursor parse(String text, EntityQuery query) {
    try {
      byte[] bytes = Base64.getUrlDecoder().decode(text);
      Matcher plain = PLAIN.matcher(new String(bytes, StandardCharsets.US_ASCII));
      if (plain.matches()) {
        Cursor cursor = new Cursor(Long.parseLong(plain.group(2)), plain.group(3));
        if (cursor.text(query).equals(text)) {
          return cursor;
        }
      }
    } catch (IllegalArgumentException e) {
      throw new BadCursorException(e);
    }
    throw new BadCursorException();
  }

  String text(EntityQuery query) {
    String position = sortKey + " " + id;
    CRC32 checksum = new CRC32();
    EntityQuery filters =
        new EntityQuery(
            query.kind(),
            query.project(),
            query.parent(),
            query.namePrefix(),
            query.activeOnly(),
            1,
            null);
    checksum.update((filters + position).getBytes(StandardCharsets.UTF_8));
    String plain = "%08x %s".formatted(checksum.getValue(), position);
    return Base64.getUrlEncoder()
        .withoutPadding()
        .encodeToString(plain.getBytes(StandardCharsets.US_ASCII));
  }
}
