package dev.berth.hosts.docker;

import java.util.Arrays;
import java.util.Optional;

/**
 * The users of an image, as its files {@code /etc/passwd} and {@code /etc/group} say.
 *
 * @param passwd the text of the file; empty where the image has none
 */
public record Accounts(String passwd, String groups) {
  private static final int FIELDS = 7;

  /** A user by numbers. */
  public record Account(int uid, int gid, String home) {}

  /**
   * Finds a user: {@code name|id[:group]}.
   *
   * @return empty where the image does not know the name, or the group's
   */
  public Optional<Account> find(String user) {
    int colon = user.indexOf(':');
    String name = colon < 0 ? user : user.substring(0, colon);
    Optional<Account> known =
        passwd
            .lines()
            .map(line -> line.split(":", -1))
            .filter(fields -> fields.length >= FIELDS)
            .filter(fields -> fields[0].equals(name) || fields[2].equals(name))
            .filter(fields -> isNumber(fields[2]) && isNumber(fields[3]))
            .map(
                fields ->
                    new Account(
                        Integer.parseInt(fields[2]), Integer.parseInt(fields[3]), fields[5]))
            .findFirst();
    if (known.isEmpty() && isNumber(name)) {
      known = Optional.of(new Account(Integer.parseInt(name), 0, "/"));
    }
    if (colon < 0) {
      return known;
    }
    Optional<Integer> group = group(user.substring(colon + 1));
    return known.flatMap(
        account -> group.map(gid -> new Account(account.uid(), gid, account.home())));
  }

  private Optional<Integer> group(String name) {
    if (isNumber(name)) {
      return Optional.of(Integer.parseInt(name));
    }
    return groups
        .lines()
        .map(line -> line.split(":", -1))
        .filter(fields -> fields.length > 2 && fields[0].equals(name) && isNumber(fields[2]))
        .map(fields -> Integer.parseInt(fields[2]))
        .findFirst();
  }

  private static boolean isNumber(String text) {
    return !text.isEmpty()
        && text.length() < 10
        && Arrays.stream(text.split("")).allMatch(digit -> Character.isDigit(digit.charAt(0)));
  }
}
