package dev.berth.grammar;

import java.util.Arrays;
import java.util.Locale;
import java.util.function.Predicate;

/**
 * IP addresses and networks that are not reachable from outside. Read as text: nothing is looked
 * up.
 */
final class Addresses {
  static final Shape<String> PRIVATE_ADDRESS =
      address("a private address such as 10.0.0.5", "^[0-9a-fA-F.:]+$", Addresses::isPrivate);
  static final Shape<String> PRIVATE_NETWORK =
      address(
          "a private network such as 10.0.0.0/16",
          "^[0-9a-fA-F.:]+(/[0-9]{1,3})?$",
          Addresses::isPrivateNetwork);

  private Addresses() {}

  private static Shape<String> address(String expected, String pattern, Predicate<String> test) {
    return Words.Checked.of(
        Rule.ADDRESS_SYNTAX, Rule.ADDRESS_SYNTAX, expected, SchemaBuilder.text(pattern), test);
  }

  private static boolean isPrivateNetwork(String text) {
    int slash = text.indexOf('/');
    if (slash < 0) {
      return isPrivate(text);
    }
    String address = text.substring(0, slash);
    String prefix = text.substring(slash + 1);
    int bits = address.contains(":") ? 128 : 32;
    return prefix.matches("[0-9]{1,3}") && Integer.parseInt(prefix) <= bits && isPrivate(address);
  }

  private static boolean isPrivate(String address) {
    if (address.contains(":")) {
      String folded = address.toLowerCase(Locale.ROOT);
      return folded.matches("[0-9a-f:.]{2,45}")
          && (folded.matches("f[cd][0-9a-f]{2}:.*")
              || folded.matches("fe[89ab][0-9a-f]:.*")
              || folded.equals("::1"));
    }
    if (!address.matches("([0-9]{1,3}\\.){3}[0-9]{1,3}")) {
      return false;
    }
    int[] octets = Arrays.stream(address.split("\\.", -1)).mapToInt(Integer::parseInt).toArray();
    if (Arrays.stream(octets).anyMatch(octet -> octet > 255)) {
      return false;
    }
    return switch (octets[0]) {
      case 0, 10, 127 -> true;
      case 100 -> false;
      case 169 -> octets[1] == 254;
      case 172 -> octets[1] >= 16 && octets[1] <= 31;
      case 192 -> octets[1] == 168 || (octets[1] == 0 && (octets[2] == 0 || octets[2] == 2));
      case 198 -> octets[1] == 18 || octets[1] == 19;
      default -> octets[0] >= 240;
    };
  }
}
