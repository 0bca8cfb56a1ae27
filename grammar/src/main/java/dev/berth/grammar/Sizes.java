package dev.berth.grammar;

import dev.berth.model.config.Size;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Amounts of memory: {@code 512MB}, {@code 16GB}, {@code 1.5TB}, or a bare number of gigabytes.
 * Units are powers of 1024. Normalised to whole mebibytes.
 */
final class Sizes implements Shape<Size> {
  static final Sizes SIZE = new Sizes();
  static final String SYNTAX =
      "\\+?([0-9][0-9_]{0,29}(\\.[0-9]{0,30})?|\\.[0-9]{1,30})([eE][+-]?[0-9]{1,2})?"
          + "\\s*([mMgGtT][bB])?";
  private static final Pattern PATTERN = Pattern.compile(SYNTAX);
  private static final BigDecimal MAX_MIB = BigDecimal.valueOf(Long.MAX_VALUE >> 20);

  private Sizes() {}

  /** Reads a size in the given spelling, or says nothing and returns null. */
  static @Nullable Size parse(String text, boolean normal) {
    if (normal) {
      Long mib = Scalars.parseInteger(text);
      return mib == null || mib < 0 ? null : new Size(mib);
    }
    Matcher matcher = PATTERN.matcher(text.strip());
    if (!matcher.matches()) {
      return null;
    }
    String unit = matcher.group(4) == null ? "gb" : matcher.group(4).toLowerCase(Locale.ROOT);
    String exponent = matcher.group(3) == null ? "" : matcher.group(3);
    int mibPerUnit =
        switch (unit) {
          case "mb" -> 1;
          case "gb" -> 1024;
          default -> 1024 * 1024;
        };
    BigDecimal mib =
        new BigDecimal(matcher.group(1).replace("_", "") + exponent)
            .multiply(BigDecimal.valueOf(mibPerUnit))
            .setScale(0, RoundingMode.HALF_UP);
    return mib.compareTo(MAX_MIB) > 0 ? null : new Size(mib.longValueExact());
  }

  @Override
  public @Nullable Size read(Node node, Reading reading) {
    String text = Scalars.scalarText(node, reading, Rule.SIZE_SYNTAX, "a size such as 16GB");
    if (text == null) {
      return null;
    }
    Size size = parse(text, reading.isNormal());
    if (size == null) {
      reading.error(
          Rule.SIZE_SYNTAX,
          node,
          "expected a size such as 512MB, 16GB or 1TB (powers of 1024), found " + node.kindName());
    }
    return size;
  }

  @Override
  public Object write(Size value) {
    return value.mib();
  }

  @Override
  public Map<String, Object> schema(SchemaBuilder schemas) {
    return SchemaBuilder.anyOf(
        List.of(
            Map.of("type", "number", "minimum", 0),
            SchemaBuilder.text("^\\s*" + SYNTAX + "\\s*$")));
  }
}
