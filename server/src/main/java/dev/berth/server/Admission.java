package dev.berth.server;

import dev.berth.server.metrics.ServerMetrics;
import org.jspecify.annotations.Nullable;

/**
 * Lets requests in: who sends them, and whether they may.
 *
 * @param replays null where nothing is deleted by this server
 */
record Admission(
    Authenticator authenticator, Gate gate, ServerMetrics metrics, @Nullable Replays replays) {
  private static final System.Logger LOG = System.getLogger(Admission.class.getName());

  /** Lets a caller through, as {@link Gate#pass} says. */
  void pass(Caller caller, Need need, @Nullable String project) {
    gate.pass(caller, need, project);
  }

  /**
   * What the same caller was answered to the same deletion. Told before anybody asks whether the
   * caller may: a project that was deleted is none that one may do something in.
   *
   * @throws ApiException 400 for a key that is none
   */
  @Nullable Answer again(Route<?, ?> route, Call call) {
    if (route.method() != Route.Method.GET) {
      // Also where a key is of no use: who sends a wrong one should learn it anywhere.
      MessageSender.key(call);
    }
    return replays == null || route.method() != Route.Method.DELETE
        ? null
        : replays.findDeletion(call).orElse(null);
  }

  /** Who sends a token. */
  Caller caller(@Nullable String authorization, String address) {
    try {
      return authenticator.caller(authorization, address);
    } catch (ApiException e) {
      if (authorization != null) {
        metrics.failedLogin();
      }
      throw e;
    }
  }

  /** Whether the same request would be let in now. */
  boolean isAdmitted(@Nullable String authorization, Need need, @Nullable String project) {
    Caller caller = authenticator.callerNow(authorization).orElse(null);
    try {
      if (caller != null) {
        gate.pass(caller, need, project);
        return true;
      }
    } catch (ApiException e) {
      LOG.log(System.Logger.Level.DEBUG, "A request that lasts is not allowed any more", e);
    }
    return false;
  }
}
