package dev.berth.control.accounts;

import dev.berth.spi.CallLimits;
import dev.berth.spi.Compute;
import java.time.Duration;
import java.time.InstantSource;
import java.util.function.Consumer;

/** Puts accounts behind their gateways. */
public final class Accounts {
  private Accounts() {}

  /**
   * A backend all of whose calls to its provider pass a gateway; machines of users' own belong to
   * no account, and are called as they are.
   *
   * @param patience how long a call may wait for its turn
   * @param made hears of each call that reaches the provider, and neither waits nor throws
   * @param beforeChange called right before each call that changes something, which may have waited
   */
  public static Compute limited(
      String backend,
      Compute compute,
      InstantSource clock,
      Duration patience,
      Consumer<AccountGateway.Kind> made,
      Runnable beforeChange) {
    CallLimits limits = compute.callLimits();
    return limits.equals(CallLimits.NONE)
        ? compute
        : new AccountCompute(
            compute, new AccountGateway(backend, limits, clock, patience, made), beforeChange);
  }
}
