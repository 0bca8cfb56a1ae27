package dev.berth.spi.config;

import dev.berth.model.Secret;
import dev.berth.model.config.Size;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Turns what stands in a file into a value without parts. */
final class Scalar {
  private static final Pattern SIZE =
      Pattern.compile("([0-9]{1,9}(?:\\.[0-9]{1,6})?)\\s*([mgt])i?b", Pattern.CASE_INSENSITIVE);
  private static final Pattern DURATION = Pattern.compile("([0-9]{1,9})(ms|s|m|h|d|w)?");

  private Scalar() {}

  /** Something that is not what the setting takes; the message follows the path of the field. */
  static final class WrongValue extends RuntimeException {
    private static final long serialVersionUID = 1L;

    WrongValue(String message) {
      super(message);
    }
  }

  /** The value, or null where the type is not one of those without parts. */
  static @Nullable Object read(Class<?> type, Object value) {
    if (type == String.class) {
      return text(value);
    }
    if (type == Secret.class) {
      return Secret.of(value instanceof String text ? text : secretNumber(value));
    }
    if (type == boolean.class || type == Boolean.class) {
      return truth(value);
    }
    if (type == int.class || type == Integer.class) {
      return Math.toIntExact(whole(value, Integer.MIN_VALUE, Integer.MAX_VALUE));
    }
    if (type == long.class || type == Long.class) {
      return whole(value, Long.MIN_VALUE, Long.MAX_VALUE);
    }
    if (type == double.class || type == Double.class) {
      return number(value);
    }
    if (type == Duration.class) {
      return duration(value);
    }
    if (type == Size.class) {
      return size(value);
    }
    return type.isEnum() ? choice(type, value) : null;
  }

  static boolean isScalar(Class<?> type) {
    return type == String.class
        || type == Secret.class
        || type == Boolean.class
        || type == Duration.class
        || type == Size.class
        || Number.class.isAssignableFrom(type)
        || type.isPrimitive()
        || type.isEnum();
  }

  private static String text(Object value) {
    if (value instanceof String text) {
      return text;
    }
    if (value instanceof Number || value instanceof Boolean) {
      return value.toString();
    }
    throw wrong("must be text", value);
  }

  private static String secretNumber(Object value) {
    if (value instanceof Number) {
      return value.toString();
    }
    // What stands here may be a secret in a wrong shape, so it is not shown.
    throw new WrongValue("must be text");
  }

  private static boolean truth(Object value) {
    if (value instanceof Boolean truth) {
      return truth;
    }
    if (value instanceof String text && (text.equals("true") || text.equals("false"))) {
      return text.equals("true");
    }
    throw wrong("must be true or false", value);
  }

  private static long whole(Object value, long least, long most) {
    try {
      long number = new BigDecimal(value.toString().strip()).longValueExact();
      if (!(value instanceof Boolean) && number >= least && number <= most) {
        return number;
      }
    } catch (ArithmeticException | NumberFormatException e) {
      throw wrong("must be a whole number", value);
    }
    throw wrong("must be a whole number", value);
  }

  private static double number(Object value) {
    try {
      double number = Double.parseDouble(value.toString());
      if (Double.isFinite(number)) {
        return number;
      }
    } catch (NumberFormatException e) {
      throw wrong("must be a number", value);
    }
    throw wrong("must be a number", value);
  }

  private static Duration duration(Object value) {
    Matcher matcher = DURATION.matcher(value.toString().strip().toLowerCase(Locale.ROOT));
    if (!matcher.matches()) {
      throw wrong("must be a time such as 90s, 15m or 2h", value);
    }
    long count = Long.parseLong(matcher.group(1));
    String unit = matcher.group(2) == null ? "s" : matcher.group(2);
    return switch (unit) {
      case "ms" -> Duration.ofMillis(count);
      case "m" -> Duration.ofMinutes(count);
      case "h" -> Duration.ofHours(count);
      case "d" -> Duration.ofDays(count);
      case "w" -> Duration.ofDays(7 * count);
      default -> Duration.ofSeconds(count);
    };
  }

  private static Size size(Object value) {
    if (value instanceof Integer || value instanceof Long) {
      long mib = ((Number) value).longValue();
      if (mib > 0) {
        return new Size(mib);
      }
    } else {
      Matcher matcher = SIZE.matcher(value.toString().strip());
      if (matcher.matches()) {
        long unit =
            switch (matcher.group(2).toLowerCase(Locale.ROOT)) {
              case "m" -> 1;
              case "g" -> 1024;
              default -> 1024 * 1024;
            };
        long mib =
            new BigDecimal(matcher.group(1))
                .multiply(BigDecimal.valueOf(unit))
                .setScale(0, RoundingMode.HALF_UP)
                .longValueExact();
        if (mib > 0) {
          return new Size(mib);
        }
      }
    }
    throw wrong("must be a size such as 512MB or 16GB, or a number of MiB", value);
  }

  private static Object choice(Class<?> type, Object value) {
    for (Object constant : type.getEnumConstants()) {
      if (word(constant).equals(value.toString())) {
        return constant;
      }
    }
    throw wrong(
        "must be "
            + Arrays.stream(type.getEnumConstants())
                .map(Scalar::word)
                .collect(Collectors.joining(", "))
                .replaceFirst(", ([^,]*)$", " or $1"),
        value);
  }

  /** A constant as it is written. */
  static String word(Object constant) {
    return ((Enum<?>) constant).name().toLowerCase(Locale.ROOT);
  }

  static WrongValue wrong(String what, Object value) {
    return new WrongValue(what + ", not " + shown(value));
  }

  private static String shown(Object value) {
    return value instanceof Iterable<?>
        ? "a list"
        : value instanceof java.util.Map<?, ?> ? "a section" : "'" + value + "'";
  }
}
