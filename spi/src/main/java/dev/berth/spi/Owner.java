package dev.berth.spi;

/**
 * Whose a resource is: the id of one installation of Berth, which everything that it makes carries.
 * Others may use the same account.
 *
 * @param installation 16 hexadecimal digits in lower case; the conformance kit uses other words of
 *     lower case letters, digits and {@code -}
 */
public record Owner(String installation) {
  /** No installation's id is longer; its letters are {@code A-Z a-z 0-9 - _}. */
  public static final int LONGEST = 32;

  public Owner {
    if (installation.isBlank()) {
      throw new IllegalArgumentException("an owner has an id");
    }
  }
}
