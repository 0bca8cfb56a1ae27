package dev.berth.spi;

import java.math.BigInteger;

/** A stack of small numbers, each below a limit of its own, in one large number. */
final class MixedRadix {
  private BigInteger value;

  /** What lies below all others, of any size. */
  MixedRadix(BigInteger value) {
    this.value = value;
  }

  void push(long number, long radix) {
    value = value.multiply(BigInteger.valueOf(radix)).add(BigInteger.valueOf(number));
  }

  long pop(long radix) {
    BigInteger[] divided = value.divideAndRemainder(BigInteger.valueOf(radix));
    value = divided[0];
    return divided[1].longValueExact();
  }

  BigInteger value() {
    return value;
  }
}
