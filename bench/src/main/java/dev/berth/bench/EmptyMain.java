package dev.berth.bench;

/** Does nothing: what is left is the price of a JVM. */
final class EmptyMain {
  private EmptyMain() {}

  public static void main(String[] arguments) {}
}
