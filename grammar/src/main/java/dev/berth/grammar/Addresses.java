package dev.berth.grammar;

import java.util.Arrays;
import java.util.Locale;
import java.util.function.Predicate;

/** IP addresses and networks. Read as text: nothing is looked up. */
final class Addresses {
  private static final String OCTET = "(25[0-5]|2[0-4][0-9]|[01]?[0-9]{1,2})";

  static final Shape<String> PRIVATE_ADDRESS =
      address("a private address such as 10.0.0.5", "^[0-9a-fA-F.:]+$", Addresses::isPrivate);
  static final Shape<String> PRIVATE_NETWORK =
      address(
          "a private network such as 10.0.0.0/16",
          "^[0-9a-fA-F.:]+(/[0-9]{1,3})?$",
          Addresses::isPrivateNetwork);

  static final Shape<String> NETWORK =
      address(
          "an address or a network such as 203.0.113.5 or 203.0.113.0/24",
          "^(("
              + OCTET
              + "\\.){3}"
              + OCTET
              + "(/([12]?[0-9]|3[0-2]))?"
              + "|(?!.*::.*::)[0-9a-fA-F]{0,4}(:[0-9a-fA-F]{0,4}){2,7}"
              + "(/([0-9]{1,2}|1[01][0-9]|12[0-8]))?)$",
          Addresses::isNetwork);

  private Addresses() {}

  private static Shape<String> address(String expected, String pattern, Predicate<String> test) {
    return Words.Checked.of(
        Rule.ADDRESS_SYNTAX, Rule.ADDRESS_SYNTAX, expected, SchemaBuilder.text(pattern), test);
  }

  private static boolean isPrivateNetwork(String text) {
    return isNetwork(text, Addresses::isPrivate);
  }

  private static boolean isNetwork(String text) {
    return isNetwork(text, Addresses::isAddress);
  }

  private static boolean isNetwork(String text, Predicate<String> isAddress) {
    int slash = text.indexOf('/');
    if (slash < 0) {
      return isAddress.test(text);
    }
    String address = text.substring(0, slash);
    String prefix = text.substring(slash + 1);
    int bits = address.contains(":") ? 128 : 32;
    return prefix.matches("[0-9]{1,3}")
        && Integer.parseInt(prefix) <= bits
        && isAddress.test(address);
  }

  private static boolean isAddress(String text) {
    return text.contains(":") ? isLongAddress(text) : octets(text).length > 0;
  }

  /** One of IPv6: eight groups of digits, of which one row may be left out. */
  private static boolean isLongAddress(String text) {
    int gap = text.indexOf("::");
    if (gap < 0) {
      return groups(text) == 8;
    }
    int before = groups(text.substring(0, gap));
    int after = groups(text.substring(gap + 2));
    return before >= 0 && after >= 0 && before + after < 8;
  }

  /** How many groups of digits there are; -1 where something is none. */
  private static int groups(String text) {
    if (text.isEmpty()) {
      return 0;
    }
    String[] groups = text.split(":", -1);
    return Arrays.stream(groups).allMatch(group -> group.matches("[0-9a-fA-F]{1,4}"))
        ? groups.length
        : -1;
  }

  /** The numbers of an address of IPv4; empty where it is none. */
  private static int[] octets(String address) {
    if (!address.matches("([0-9]{1,3}\\.){3}[0-9]{1,3}")) {
      return new int[0];
    }
    int[] octets = Arrays.stream(address.split("\\.", -1)).mapToInt(Integer::parseInt).toArray();
    return Arrays.stream(octets).anyMatch(octet -> octet > 255) ? new int[0] : octets;
  }

  private static boolean isPrivate(String address) {
    if (address.contains(":")) {
      String folded = address.toLowerCase(Locale.ROOT);
      return folded.matches("[0-9a-f:.]{2,45}")
          && (folded.matches("f[cd][0-9a-f]{2}:.*")
              || folded.matches("fe[89ab][0-9a-f]:.*")
              || folded.equals("::1"));
    }
    int[] octets = octets(address);
    if (octets.length == 0) {
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
