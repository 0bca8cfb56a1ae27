package dev.berth.testkit.fake;

/**
 * One provider's API, to be served by a {@link FakeProvider}. Found with {@link
 * java.util.ServiceLoader} by {@code build/fake}, for which it needs a public constructor without
 * parameters.
 */
public interface FakeCloud {
  /** What it is called on the command line: lower case letters, digits and dashes. */
  String name();

  /** What it is, in a sentence. */
  String summary();

  /**
   * Declares the routes, the authentication, the form of errors and what bills. Called once for
   * each server; whatever changes later belongs into the {@link FakeState}, so that it is kept in
   * the data file and shown by the inventory.
   */
  void define(FakeApi api);

  /** Ends what runs besides the state, such as processes. Called when the server stops. */
  default void stopped() {}
}
