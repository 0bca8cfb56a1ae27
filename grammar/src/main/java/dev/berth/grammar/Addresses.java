package dev.berth.grammar;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * IP addresses and networks that are not reachable from outside. Read as text: nothing is looked
 * up.
 */
final class Addresses {
  static final Shape<String> PRIVATE_ADDRESS = new AddressShape(false);
  static final Shape<String> PRIVATE_NETWORK = new AddressShape(true);

  private Addresses() {}

  private record AddressShape(boolean network) implements Shape<String> {
    @Override
    public @Nullable String read(Node node, Reading reading) {
      String expected =
          network ? "a private network such as 10.0.0.0/16" : "a private address such as 10.0.0.5";
      String text = Scalars.scalarText(node, reading, Rule.ADDRESS_SYNTAX, expected);
      if (text == null) {
        return null;
      }
      int slash = text.indexOf('/');
      String address = slash < 0 ? text : text.substring(0, slash);
      int bits = address.contains(":") ? 128 : 32;
      boolean prefixFits =
          slash < 0
              || (network
                  && text.substring(slash + 1).matches("[0-9]{1,3}")
                  && Integer.parseInt(text.substring(slash + 1)) <= bits);
      if (!prefixFits || !isPrivate(address)) {
        reading.error(
            Rule.ADDRESS_SYNTAX, node, "expected " + expected + ", found " + node.kindName());
        return null;
      }
      return text;
    }

    @Override
    public Object write(String value) {
      return value;
    }

    @Override
    public Map<String, Object> schema(SchemaBuilder schemas) {
      return SchemaBuilder.text(network ? "^[0-9a-fA-F.:]+(/[0-9]{1,3})?$" : "^[0-9a-fA-F.:]+$");
    }
  }

  private static boolean isPrivate(String address) {
    if (address.contains(":")) {
      String folded = address.toLowerCase(java.util.Locale.ROOT);
      return folded.matches("[0-9a-f:.]{2,45}")
          && (folded.matches("f[cd][0-9a-f]{2}:.*")
              || folded.matches("fe[89ab][0-9a-f]:.*")
              || folded.equals("::1"));
    }
    if (!address.matches("([0-9]{1,3}\\.){3}[0-9]{1,3}")) {
      return false;
    }
    int[] octets =
        java.util.Arrays.stream(address.split("\\.", -1)).mapToInt(Integer::parseInt).toArray();
    if (java.util.Arrays.stream(octets).anyMatch(octet -> octet > 255)) {
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
