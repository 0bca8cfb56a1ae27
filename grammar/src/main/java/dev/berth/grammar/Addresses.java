package dev.berth.grammar;

import java.math.BigInteger;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** IP addresses and networks. Read as text: nothing is looked up. */
final class Addresses {
  private static final String OCTET = "(25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])";

  /** What no router of the internet passes on, by the registries of IANA. */
  private static final List<Block> PRIVATE =
      Stream.of(
              "0.0.0.0/8",
              "10.0.0.0/8",
              "127.0.0.0/8",
              "169.254.0.0/16",
              "172.16.0.0/12",
              "192.0.0.0/24",
              "192.0.2.0/24",
              "192.168.0.0/16",
              "198.18.0.0/15",
              "198.51.100.0/24",
              "203.0.113.0/24",
              "240.0.0.0/4",
              "::1/128",
              "::/128",
              "::ffff:0:0/96",
              "100::/64",
              "2001:db8::/32",
              "fc00::/7",
              "fe80::/10")
          .map(text -> block(text).orElseThrow())
          .toList();

  static final Shape<String> PRIVATE_ADDRESS =
      address(
          "a private address such as 10.0.0.5",
          "^((" + OCTET + "\\.){3}" + OCTET + "|[0-9a-fA-F:]+:[0-9a-fA-F:.]*)$",
          text -> !text.contains("/") && isPrivate(text));
  static final Shape<String> PRIVATE_NETWORK =
      address(
          "a private network such as 10.0.0.0/16 or 10.0.0.0/255.255.0.0",
          "^[0-9a-fA-F.:]+(/([0-9]{1,3}|[0-9.]{7,15}))?$",
          Addresses::isPrivate);

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
          text -> !text.matches(".*/.*\\..*") && block(text).isPresent());

  private Addresses() {}

  private static Shape<String> address(String expected, String pattern, Predicate<String> test) {
    return Words.Checked.of(
        Rule.ADDRESS_SYNTAX, Rule.ADDRESS_SYNTAX, expected, SchemaBuilder.text(pattern), test);
  }

  /** Addresses that begin with the same bits, from the first to the last of them. */
  private record Block(int bits, BigInteger first, BigInteger last) {
    boolean contains(Block other) {
      return bits == other.bits
          && first.compareTo(other.first) <= 0
          && last.compareTo(other.last) >= 0;
    }
  }

  private static boolean isPrivate(String text) {
    return block(text)
        .filter(block -> PRIVATE.stream().anyMatch(known -> known.contains(block)))
        .isPresent();
  }

  /** The addresses of {@code address}, {@code address/bits} or {@code address/mask}. */
  private static Optional<Block> block(String text) {
    int slash = text.indexOf('/');
    int[] groups = groups(slash < 0 ? text : text.substring(0, slash));
    if (groups.length == 0) {
      return Optional.empty();
    }
    int bits = groups.length == 4 ? 32 : 128;
    int fixed = slash < 0 ? bits : prefix(text.substring(slash + 1), bits);
    if (fixed < 0) {
      return Optional.empty();
    }
    BigInteger ofBlock = BigInteger.ONE.shiftLeft(bits - fixed);
    BigInteger first = number(groups).divide(ofBlock).multiply(ofBlock);
    return Optional.of(new Block(bits, first, first.add(ofBlock).subtract(BigInteger.ONE)));
  }

  /** How many bits are fixed, by their number or by a mask; -1 where it is neither. */
  private static int prefix(String text, int bits) {
    if (text.matches("[0-9]{1,3}")) {
      int prefix = Integer.parseInt(text);
      return prefix <= bits ? prefix : -1;
    }
    int[] octets = octets(text);
    if (octets.length == 0 || bits != 32) {
      return -1;
    }
    int mask = number(octets).intValue();
    int prefix = Integer.bitCount(mask);
    return mask == (prefix == 0 ? 0 : -1 << (32 - prefix)) ? prefix : -1;
  }

  private static BigInteger number(int[] groups) {
    BigInteger shift = BigInteger.valueOf(groups.length == 4 ? 1 << 8 : 1 << 16);
    BigInteger number = BigInteger.ZERO;
    for (int group : groups) {
      number = number.multiply(shift).add(BigInteger.valueOf(group));
    }
    return number;
  }

  /** The four or eight numbers of an address; empty where it is none. */
  private static int[] groups(String text) {
    return text.contains(":") ? longGroups(text) : octets(text);
  }

  /** Those of IPv6: eight groups of digits, of which one row of zeros may be left out. */
  private static int[] longGroups(String text) {
    int gap = text.indexOf("::");
    int[] before = hexGroups(gap < 0 ? text : text.substring(0, gap));
    int[] after = hexGroups(gap < 0 ? "" : text.substring(gap + 2));
    int written = before.length + after.length;
    if (isNone(before) || isNone(after) || (gap < 0 ? written != 8 : written > 7)) {
      return new int[0];
    }
    int[] groups = new int[8];
    System.arraycopy(before, 0, groups, 0, before.length);
    System.arraycopy(after, 0, groups, 8 - after.length, after.length);
    return groups;
  }

  private static boolean isNone(int[] groups) {
    return groups.length == 1 && groups[0] < 0;
  }

  private static int[] hexGroups(String text) {
    if (text.isEmpty()) {
      return new int[0];
    }
    String[] groups = text.split(":", -1);
    return Arrays.stream(groups).allMatch(group -> group.matches("[0-9a-fA-F]{1,4}"))
        ? Arrays.stream(groups).mapToInt(group -> Integer.parseInt(group, 16)).toArray()
        : new int[] {-1};
  }

  /** Those of IPv4; without leading zeros, which some programs take for octal numbers. */
  private static int[] octets(String text) {
    return text.matches("(" + OCTET + "\\.){3}" + OCTET)
        ? Arrays.stream(text.split("\\.", -1)).mapToInt(Integer::parseInt).toArray()
        : new int[0];
  }
}
