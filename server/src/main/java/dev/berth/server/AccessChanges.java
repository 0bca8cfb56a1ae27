package dev.berth.server;

import dev.berth.decisions.Message;
import dev.berth.decisions.Reply;

/** Has changes of who may do what decided; they count here at once, elsewhere within seconds. */
final class AccessChanges {
  private final MessageSender sender;
  private final Authenticator authenticator;
  private final Gate gate;

  AccessChanges(MessageSender sender, Authenticator authenticator, Gate gate) {
    this.sender = sender;
    this.authenticator = authenticator;
    this.gate = gate;
  }

  /**
   * Sends a change and waits until it is decided.
   *
   * @param request what the key of the call stands for
   */
  Reply.Accepted send(Call call, Message.Access message, Object request) {
    try {
      return sender.send(call, message, request);
    } finally {
      forget();
    }
  }

  /**
   * Sends a change that deletes what the path names.
   *
   * @param last what is answered
   */
  <V> V delete(Call call, Message.Access message, V last) {
    try {
      return sender.delete(call, message, last);
    } finally {
      forget();
    }
  }

  /** Also after an unclear answer: what is forgotten is only read again. */
  private void forget() {
    authenticator.forget();
    gate.forget();
  }
}
